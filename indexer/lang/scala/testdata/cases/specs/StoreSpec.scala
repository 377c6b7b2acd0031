package t

// Specs2 and ScalaCheck; the values in tests are local to the class.
import org.specs2.mutable.Specification

class StoreSpec extends Specification {
  "The store" should {
    "keep what is put" in {
      val store = new Store
      store.put("a") must beEqualTo(1)
    }
  }
  def helper(n: Int) = n
}

object StoreProps extends Properties("Store") {
  property("size") = forAll { (xs: List[Int]) => Store(xs).size == xs.size }
}
