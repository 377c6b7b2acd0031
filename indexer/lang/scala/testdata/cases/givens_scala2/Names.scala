package names

// Keywords of Scala 3 are names in Scala 2: none of these lines but the defs and
// vals is a definition.
class Names {
  val enum = Enum(1)
  def given(x: Int) = x
  def run() = {
    given(mock.call).willReturn(1)
    enum.values
    extension("txt")
    open(file)
    end(1)
    inline = true
    export = 2
    opaque.update(1)
  }
  def infix: Boolean = inline
  val end = 1
  def using(using: Int) = using
}
