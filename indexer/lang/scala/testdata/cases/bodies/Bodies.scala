package body

// What stands in bodies: local functions and classes are marked, values are
// bindings, calls name what they are called on.
class Bodies(store: Store, other: => Other) {
  val field = new Client("x")

  def run(req: Request, opts: Opts*): Response = {
    val user: User = store.load(req.id)
    val name = user.profile.name
    lazy val later = compute(name)
    def local(i: Int) = i + later
    case class Pair(l: Int, r: Int)
    implicit val ec = ExecutionContext.global
    store.save(user).map(saved => saved.copy(name = name)).recover {
      case e: Failure => field.send(e)
    }
    val handler = new Handler[Request](3) with Closeable { def handle(r: Request): Unit = local(r.size) }
    this.helper(handler)
    super.run(req)
    val xml = <p class="a">it's {name}</p>
    s"$name and ${user.render(1)}"
    name matches "x"
  }

  val callback: Int => Unit = { n => println(n) }
  private def helper(h: Handler[Request]) = macro Macros.helper
}
