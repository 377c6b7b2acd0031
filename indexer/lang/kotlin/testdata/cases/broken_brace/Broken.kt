// Expected: the missing brace of hurt costs nothing but its end.
package broken

class First {
    fun before() { ok() }

    fun hurt(a: Int) {
        if (a > 1) {
            call(a)
        return
    }

    fun after() { fine() }
    val kept = 1
}

class Second {
    fun more() {}
}
