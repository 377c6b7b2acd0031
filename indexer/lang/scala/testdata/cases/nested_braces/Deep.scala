package deep

// Braces and indentation mixed, as after a migration: methods of each class stay
// in it.
class Outer {
  class Inner:
    def one =
      if true then { 1 }
      else
        2
    def two = { x: Int =>
      x + 1
    }
  end Inner

  object Mixed { def three =
    4
    def four = 5
  }

  def five: Int = synchronized:
    val y = 6
    y

  val six =
    given Ctx = Ctx()
    run

  trait Seven:
    self: Outer =>
    def eight: Int
  end Seven
  def nine = 9
}
