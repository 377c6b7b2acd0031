// Expected: accessors belong to their property and are no definitions.
package p

const val MAX: Int = 3
val VERSION = "1.0"
var counter = 0
    private set
val lazyStore: Store by lazy { Store(open()) }
val derived by lazy { Cache<String>(1) }
internal val computed: Int
    get() = counter * 2

class Holder {
    var text: String = "a"
        get() = field.trim()
        set(value) {
            field = check(value)
        }
    val list = mutableListOf<Item>()
    @get:JvmName("z") val named = Foo.bar(1).baz
    protected open val later: Later? = null
    lateinit var adapter: Adapter
    val fn: suspend (String) -> Result<Int> = { s -> parse(s) }
    val chain = Builder()
        .with(list)
        .build()
    val choice = if (a) one()
    else two()
    val elvis = find("x")
        ?: throw Missing()
    val size get() = list.size
}
