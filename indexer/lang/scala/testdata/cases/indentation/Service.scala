package app.core

import scala.concurrent.Future

// Scala 3 without braces: blocks end with the indentation, cases may stand on the
// level of their match, end markers close.
class Service(repo: Repo, clock: Clock) extends Base(repo):
  private val started = clock.now

  def run(input: String): Int =
    val parsed = parse(input)
    def helper(n: Int): Int =
      n + parsed
    parsed match
    case 0 => helper(1)
    case n if n > 3 =>
      val twice = n * 2
      twice
    case _ =>
      try risky(parsed)
      catch case e: IllegalStateException => report(e)
      finally clock.stop()

  end run

  def all(xs: List[Int]): List[Int] =
    for
      x <- xs
      y = x + 1
      if y > 2
    yield repo.store(y)

  def chained = repo
    .find(1)
    .map: row =>
      row.id
    .getOrElse(0)

  object Nested:
    def deep = 1

  new Runnable:
    def run(): Unit = tick()
end Service

def topLevel(x: Int)(y: String): Unit = println(x)

val answer = 42
