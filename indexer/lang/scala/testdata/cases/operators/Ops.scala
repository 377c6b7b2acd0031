package ops

// Names of operator characters, names that end with them, infix types and calls.
sealed trait HList
final case class ::[+H, +T <: HList](head: H, tail: T) extends HList
trait ~>[-F[_], +G[_]] { def apply[A](fa: F[A]): G[A] }
class Vec(val xs: Array[Double]) {
  def +(o: Vec): Vec = this
  def unary_! : Vec = this
  def apply(i: Int): Double = xs(i)
  def value_=(d: Double): Unit = set(d)
  def /:(z: Int)(f: Int => Int): Int = f(z)
}
object Vec {
  type ==>[A, B] = A => B
  val /// = 3
  def run(f: Option ~> List, a: Vec, b: Vec): Int :: HNil = f(a |+| b) combine b
}
