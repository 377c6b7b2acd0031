package shop

// A trait with abstract members and a self type; its companion object, whose
// members are static; constants are literals under a name in upper case.
trait Repo[F[_], A] { self: Logging with Metrics[F] =>
  type Key
  type Row = (Key, A)
  val table: String
  var open: Boolean = false
  def find(key: Key): F[Option[A]]
  def findAll(keys: Key*)(implicit F: Monad[F]): F[List[A]] = self.log(F.pure(Nil))
}

object Repo {
  val Limit = 100
  final val Default: String = "main"
  lazy val shared: Repo[IO, User] = new SqlRepo[IO, User](Limit) { def find(key: Key) = query(key) }
  implicit val userCodec: Codec[User] = deriveCodec
  implicit def optionCodec[A](implicit c: Codec[A]): Codec[Option[A]] = c.option
  def apply[F[_]: Monad, A](url: => String, retry: Int => Int = x => x + 1): Repo[F, A] = ???

  // Methods added to String by an implicit class of Scala 2.
  implicit class StringOps(private val s: String) extends AnyVal {
    def shout: String = s.toUpperCase
  }

  object Inner { var count = 0 }
}
