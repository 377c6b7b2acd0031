package layout

// Braces on lines of their own, members of several lines, code in the first column,
// several definitions on a line, comments between head and body.
class Wide(
    val first: Int, // the first
    second: String = "a, b",
)(
    implicit ctx: Context
)
  extends Base(first)
  with Other
{
  def braces(x: Int)
            (y: Int): Int =
  {
    x + y
  }

  val chained = List(1, 2)
    .map(_ + 1)
    .filter { x =>
      x > 1
    }

  def conditional(x: Int) =
    if (x > 1)
      "a"
    else
      "b"

  val matched = x match {
    case 1 => 2
  }
  val sum = 1 +
    2 ||
    three
  def after = 1; def same = 2; class In { def deep = 3 }
}

object Flat {
def a = {
val x = 1
x
}
def b = a
}
trait Empty
class LastOne /* of all */ extends Empty // no body
