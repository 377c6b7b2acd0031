// Expected: each overload once, on its own line.
fun log(a: Int) {}
fun log(a: String) {}
class Log {
    fun log(a: Int) {}
    fun log(a: Int, b: Int) {}
    constructor(a: Int) {}
    constructor(a: String) {}
    val log = 1
}
fun String.log() {}
fun Int.log() {}
