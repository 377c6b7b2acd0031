package a.b
package c

// Selectors with renames, hidden names and wildcards, in the syntax of Scala 2 and 3.
import java.util.{List => JList, Map, Set => _, _}
import scala.collection.mutable
import cats.effect.IO, cats.syntax.all._
import zio.*
import foo.bar as baz
import foo.{given, quux as q, *}
import ords.given Ord[Int]
import `my-lib`.Thing
import top

object Facade {
  export impl.{start, stop as halt}
  export other.*
  def f = { import local.Helper; Helper.go(mutable.Map.empty) }
}
