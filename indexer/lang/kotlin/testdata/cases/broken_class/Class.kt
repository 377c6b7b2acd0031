// Expected: First lacks its brace and keeps its members all the same; the stray
// brace after it and the unclosed list of Second cost nothing.
class First : Base()
    val size = 1

    fun put(a: Int) {
        use(a)
    }
}

class Second(val a: Int, val b: Int {
    fun more() {}
}

enum class Color { RED, GREEN
    fun lost() {}
}

fun last() = """no end
