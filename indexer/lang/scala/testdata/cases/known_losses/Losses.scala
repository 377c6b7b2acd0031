package lost

// Not seen: code inside XML literals, and definitions that macros or annotations
// generate (the companion of @JsonCodec, the lenses of @Lenses).
@Lenses @JsonCodec case class Person(name: String)

object Page {
  def view(u: Person) = <div>{ render(u.name) }<b>{ val inner = 1; inner }</b></div>
  def after = 1
}
