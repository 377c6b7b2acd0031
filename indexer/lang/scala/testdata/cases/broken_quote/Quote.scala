package broken

// A quote without its end costs its line; so does an interpolation without its
// brace. An open comment at the end hides only what is behind it.
object One {
  val a = "open
  val b = s"x ${y"
  val c = s"""raw ${d.map { e => s"in $e" }} "quoted" $$ end"""
  def after = 'c'
}
object Two { def ok = f"${1.5}%2.2f" }
/* never closed
object Three
