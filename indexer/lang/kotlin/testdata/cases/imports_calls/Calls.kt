@file:JvmName("Calls")
// Expected: imports with alias and wildcard; calls with what stands before them.
package a.b.c

import a.store.Store
import a.util.*
import a.long.Name as Short
import a.fn.helper
import a.`in`.Quoted

class User(private val store: Store) {
    fun run(other: Short, items: List<Item>) {
        store.save(Item(name = "x", size = helper()))
        other.part?.find("a")!!.go()
        items.map { it.id }.filter { id -> id > 0 }.forEach(::println)
        this.store.table[0].drop()
        val made = Builder<Item>().set(1).build()
        made.use { m, (k, v) -> m.put(k to v) }
        a or mask(b)
        Registry.register(User::class)
        listOf<String>().size
        java.util.Collections.sort(items)
        "text ${store.count(made)} and $other".trim()
        if (other is Special && other !is Short) other.special() else super.toString()
        (x as? Target)?.hit()
        return@run
    }
}
