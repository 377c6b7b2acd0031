package broken

// The brace of `first` is missing and one stands too many behind `third`: only
// these are damaged, all the others are found in their class.
class One {
  def first(a: Int): Int = {
    if (a > 1) {
      call(a)

  def second(b: Int): Int = b

  val kept = 1
}

class Two {
  def third = { 1 } }

  def fourth(x: Int = 2
  def fifth = 3
}

object Three {
  def sixth = 6
}
