package ext

// Extension methods belong to the type they extend: List, String and Box.
extension [A](xs: List[A])
  def second: A = xs.tail.head
  /** Whether it has any. */
  private def any(p: A => Boolean): Boolean = xs.exists(p)

extension (s: String) def shout(n: Int): String = s * n

extension [T, U](b: pkg.Box[T])(using ord: Ord[T]) {
  inline def best: T = b.items.max
  def +(other: U): U = other
}

// Not an extension but a call of a function of that name.
object Calls {
  val r = extension(path)
  val s = given(x)
}
