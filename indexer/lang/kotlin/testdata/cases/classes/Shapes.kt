package a.shapes

// Expected: every type with its kind, bases and the properties that its primary
// constructor declares; plain parameters (scale) are no members.

/** A point. */
data class Point(val x: Int, var y: Int = 0, scale: Double) {
    val sum: Int get() = x + y
}

sealed class Shape(private val name: String) : Base(name), Drawable {
    abstract fun area(): Double
    class Circle(val radius: Double) : Shape("circle") { override fun area() = radius * radius }
    inner class Part
}

sealed interface Event<out T : Any>

enum class Color(val rgb: Int) : Named {
    /** The first. */
    RED(0xff0000) {
        override fun label() = "r"
    },
    @Deprecated("no") GREEN(0x00ff00),
    BLUE(rgbOf(1, 2));

    abstract fun label(): String
    companion object { fun of(s: String): Color = valueOf(s) }
}

enum class Empty
enum class Plain { A, B, }

annotation class Marker(val why: String)

@JvmInline
value class Id(val raw: Long)

class Service @Inject internal constructor(
    private val store: Store<Item>, // the store
    @Named("x") protected val client: Client? = null,
) : Api by client, Closeable {
    constructor(store: Store<Item>, n: Int) : this(store) { log(n) }
    init { start(store) }
    internal fun secret() {}
    override fun close() = super.close()
}

fun interface Action<T> { fun run(value: T): Unit }
interface Drawable { val size: Int; fun draw(); fun twice() { draw() } }
typealias Handler<T> = (T, Map<String, Item>) -> Unit
expect class Platform()
private class Hidden { val open = 1 }
