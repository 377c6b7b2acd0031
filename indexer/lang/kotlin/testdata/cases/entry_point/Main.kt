// Expected: main of the file starts the program; the member of App does not.
import app.Server

fun main(args: Array<String>) {
    Server(args[0]).start()
}

class App { fun main() {} }
