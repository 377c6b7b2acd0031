package pat

// Values by patterns are one definition each; in bodies names are bindings.
object Patterns {
  val (left, right) = pair()
  val Config(host, port: Int, _*) = load()
  val a, b = 1
  val head :: tail = list

  def m(x: Any): Int = x match {
    case Some(n: Int) if n > 0 => n
    case p @ Point(px, `left`) => px + p.norm
    case s: String => s.length
    case Limit | Other.Max => 0
    case head :: rest => rest.sum
  }

  def loops(rows: List[Row]) = for {
    row <- rows
    Cell(v, _) = row.first
    w <- v.items if w.ok
  } yield w.render(v)

  def lambdas = xs.map(x => x + 1).foldLeft(0) { (acc, y: Int) => acc + y }.collect { case Left(e) => e.code }
}
