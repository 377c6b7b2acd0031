package t

import org.scalatest.funsuite.AnyFunSuite

// A test by its base; the calls of the framework are references of the class.
class QueueSuite extends AnyFunSuite with Matchers {
  test("put") {
    val q = new Queue[Int](1)
    q.put(1)
    assert(q.size === 1)
  }
  "A queue" should "be empty" in { Queue.empty shouldBe Nil }
}
