// Expected: hurt lacks its brace; what stood in it makes no members.
class First {
    fun before() { ok() }

    fun hurt(a: Int)
        val inner = a
        call(inner)
    }

    fun after() { fine() }
}

fun last(a: Int {
    use(a)
}

fun end() {}
