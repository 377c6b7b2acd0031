package broken

// Scala 3 while being edited: a head without a body, an open bracket, an expression
// that ends too early, a class without members.
class One:
  def first(a: Int): Int =

  def second(b: Int, c
  def third = b.

  val fourth = 1 +

  def fifth: Int = 5

class Two:

object Three:
  def sixth = 6

<<<<<<< ours
def seventh = 7
=======
def seventh = 8
>>>>>>> theirs
def eighth = 9
