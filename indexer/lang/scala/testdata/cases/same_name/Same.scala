package same

// Overloads, a class with its companion, a type and a value of one name: each
// once, with its own lines.
class Box(val v: Int) {
  def get: Int = v
  def get(i: Int): Int = v + i
  def get(s: String): String =
    s
}
object Box {
  def get: Box = new Box(1)
  type Id = Int
  val Id = 3
}
trait Twice { class Box; object Box }
