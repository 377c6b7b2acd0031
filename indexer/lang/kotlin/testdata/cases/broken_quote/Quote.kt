// Expected: a quote without end costs its line.
class First {
    fun before() { ok() }

    fun hurt() {
        log("no end)
        call()
    }

    fun after() { fine() }
}

fun last() {}
