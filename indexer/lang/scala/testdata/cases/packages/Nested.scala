package outer {
  // Packages in braces: the first holds the second and does not reach to the end
  // of the file, so both are definitions; a package object holds members.
  package inner.deep {
    class A
  }
  package object util {
    type Id = Int
    def id(x: Id): Id = x
  }
}
package second {
  class B
}
