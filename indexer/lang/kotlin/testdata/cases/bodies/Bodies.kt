// Expected: locals are bindings; only the function is a definition.
fun work(input: Input): Int {
    val a = 1
    val b: Long = compute(a)
    var (c, d) = pair(a)
    for (i in 0 until 10) use(i)
    for ((k, v) in input.map()) { k.put(v) }
    while (a < 2) { val inner = Thing() }
    try { risky() } catch (e: IOException) { e.report() } finally { done() }
    when (val r = load()) {
        is Ok -> r.value
        in 1..2 -> { val two = r }
        else -> fail()
    }
    val cond = a == 1 && check(b)
    val cast = input as Special
    val text = "a" + b
    val obj = object : Runnable { override fun run() { tick() } }
    input.each(object : Visitor<Int>() { val seen = 1 })
    list.forEach loop@{ x -> if (x == 1) return@loop }
    return input.lock.withLock { c + d }
}
