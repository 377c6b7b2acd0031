// Expected: nothing is lost around what came after the grammar.
package newer

context(logger: Logger, Db)
fun save(item: Item) { logger.log(item) }

context(Logger)
class Ctx

data object None
fun interface Check { fun ok(): Boolean }
@JvmInline value class Meters(val n: Double)
val range = 0..<10
val template = $$"""cost $$price ${not}"""
fun definite(x: T & Any): T & Any = x
class Outer {
    companion object;
    companion object Extra { val entries = Color.entries }
    val names: List<String>
        field = mutableListOf()
    fun after() {}
}
fun guard(a: Any) = when (a) {
    is Cat if a.hungry -> feed(a)
    else -> 1
}
tailrec suspend fun last() {}
