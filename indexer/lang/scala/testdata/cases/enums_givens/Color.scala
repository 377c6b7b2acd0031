package paint

// Scala 3: an enum with two names in one case, cases with parameters, a given
// instance with and without a name, using clauses, an opaque type, an export.
enum Color(val rgb: Int) derives CanEqual:
  case Red, Green extends Color(0x00ff00)
  case Blue extends Color(0x0000ff)
  /** Mixed from others. */
  case Mix[+T](parts: List[T], ratio: Double) extends Color(0)

  def hex: String = rgb.toHexString
end Color

enum Planet { case Earth, Mars }

opaque type Name = String
object Name:
  def apply(s: String): Name = s

trait Ord[T]:
  def compare(x: T, y: T): Int
  extension (x: T) def < (y: T): Boolean = compare(x, y) < 0

given intOrd: Ord[Int] with
  def compare(x: Int, y: Int) = x - y

given [T](using ord: Ord[T]): Ord[List[T]] with {
  def compare(xs: List[T], ys: List[T]): Int = ord.compare(xs.head, ys.head)
}

given Ordering[Color] = Ordering.by(_.rgb)
given global: ExecutionContext = ForkJoin()
inline given Conversion[String, Name] = Name(_)

def max[T](x: T, y: T)(using Ord[T], ExecutionContext): T =
  if summon[Ord[T]].compare(x, y) < 0 then y else x
