package newer

// Syntax of late versions of Scala 3: context functions, polymorphic functions,
// match types, inline and transparent, quotes and splices, erased, the new syntax of
// givens and context bounds, named tuples.
import scala.quoted.*

type Elem[X] = X match
  case String => Char
  case Array[t] => t

type Person = (name: String, age: Int)

transparent inline def power(inline x: Double, n: Int): Double = ${ powerCode('x, 'n) }

private def powerCode(x: Expr[Double], n: Expr[Int])(using Quotes): Expr[Double] =
  n.valueOrAbort match
    case 0 => '{ 1.0 }
    case k => '{ $x * ${ powerCode(x, Expr(k - 1)) } }

val poly = [A] => (xs: List[A]) => xs.headOption

def contextual: Executor ?=> Int = summon[Executor].size

given [T] => (ord: Ord[T]) => Ord[List[T]]:
  def compare(xs: List[T], ys: List[T]): Int = 0

given listOrd: [T: {Ord, Show}] => Ord[Vector[T]] = ???

open class Base
infix type or[A, B] = Either[A, B]
final class Last[T: {Show as s, Eq}](using val ctx: Context) extends Base, Other[T]:
  def show(x: T): String = s.show(x)
