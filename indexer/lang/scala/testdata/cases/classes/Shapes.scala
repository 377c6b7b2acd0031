package shop.model

// A class with a plain parameter (no field), a val and a private var (fields);
// a case class whose parameters are all fields; secondary constructors.

/** Keeps [[Item items]] in order. Grows as needed.
  *
  * @param limit not documentation of the class
  */
@deprecated("use Stack", "2.0")
final class Queue[+T <: Item] @Inject() private[shop] (limit: Int, val name: String = "q", private var cache: Map[String, T])(implicit ord: Ordering[T])
    extends Base[T](limit, default())
    with Closeable
    with Iterable[T] {

  /** Number of elements. */
  def size: Int = cache.size

  def this(name: String) = this(10, name, Map.empty)

  protected def grow(by: Int)(implicit ec: ExecutionContext): Future[Unit] = Future {
    resize(limit + by)
  }

  private[this] lazy val index = new Index[T](limit)

  def close() {
    cache.clear()
  }
}

// Fields id and tags; copies is of the second list, so it is none.
case class Item(id: Long, tags: List[String] = Nil)(copies: Int) extends Product

sealed abstract class Node
case object Leaf extends Node
private class Hidden(x: Int)
