// Expected: constructs of well-known frameworks.
package eco

@Composable
fun Screen(state: State, onClick: () -> Unit = {}) {
    var open by remember { mutableStateOf(false) }
    Column(modifier = Modifier.padding(8.dp)) {
        Text(text = "n ${state.name}")
        if (open) Dialog { close() }
    }
}

class Spec : StringSpec({
    "adds" { sum(1) shouldBe 2 }
})

fun Application.module() {
    routing {
        get("/") { call.respond(Item.load()) }
    }
}

@Entity(tableName = "items")
data class Row(@PrimaryKey(autoGenerate = true) @ColumnInfo val id: Long = 0, val tags: List<String> = listOf("a", "b")) {
    @Ignore var cache: Map<String, List<Int>>? = null
    val isNew get() = id == 0L
    var sum = 0; private set
    operator fun get(i: Int) = tags[i]
    fun set(i: Int, v: String) = Unit
}

abstract class Base<T>(protected val dao: Dao<T>) where T : Any, T : Entity {
    abstract val name: String
    protected abstract suspend fun fetch(): Flow<T>
    inner class Handler : Runnable { override fun run() = this@Base.start() }
}
