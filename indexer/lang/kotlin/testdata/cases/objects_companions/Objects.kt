// Expected: members of a companion have the class for container and are static;
// members of an object are static; an object without a name is no definition.
class Queue<T> private constructor(val size: Int) {
    companion object {
        const val LIMIT = 10
        private val cache = mutableMapOf<String, Queue<*>>()
        @JvmStatic fun <T> make(n: Int): Queue<T> = Queue(n)
    }
    fun put(v: T) {}
}

class Named {
    companion object Factory : Maker<Named> {
        override fun create() = Named()
    }
}

data object Registry : Base() {
    lateinit var current: Item
    fun register(item: Item) { current = item }
    object Inner { val deep = 1 }
}

val listener = object : Listener(1), Other {
    override fun on(e: Event) { handle(e) }
}
