package refined

// Members of a structural type are part of the type, no definitions; those of an
// anonymous class are local to what they initialise.
object Refined {
  type Closeable = { def close(): Unit; type Out }
  type Aux[A, B] = Typeclass[A] { type Out = B }
  def use(x: { def name: String; val size: Int }): Base { type T = Int } = ???
  val one = new Closeable { def close() = stop(); val hidden = 1 }
  abstract class Ops[F[_]] extends Serializable {
    type TypeClassType <: Monad[F]
    def self: F[Int]
  }
}
