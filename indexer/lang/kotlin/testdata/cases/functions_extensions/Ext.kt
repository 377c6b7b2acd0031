// Expected: an extension has its receiver for a container; an extension of a
// type parameter has none; local functions stand in a body.
fun plain(a: Int, vararg rest: String, f: (Int) -> Unit = { println(it) }): List<Int> = listOf(a)
inline fun <reified T : Any> Json.Companion.decode(text: String): T = parse<T>(text)
fun Map<String, List<Int>>?.total(): Int = this?.size ?: 0
fun (Int.() -> Unit).twice() {}
fun <T> T.applyIf(test: Boolean, block: T.() -> Unit): T where T : Closeable { if (test) block(); return this }
operator fun Point.plus(o: Point) = Point(x + o.x)
infix fun a.b.Range.until(n: Int): Range { return Range(n) }
suspend fun load(id: Id): Result<Item> = withContext(Dispatchers.IO) { api.get(id).await() }
private tailrec fun gcd(a: Int, b: Int): Int = if (b == 0) a
    else gcd(b, a % b)
fun outer() {
    fun local(n: Int) = n + 1
    class Here { fun inside() {} }
    val anonymous = fun(x: Int): Int { return local(x) }
    local(2)
}
fun `name with spaces`() = Unit
val String.shout: String get() = uppercase()
class Scope { fun String.inScope() = length }
@Deprecated("old") external fun nativeCall(): Long
