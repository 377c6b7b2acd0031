// Expected: what macros and property wrappers add is not found: Model has no
// init, Point none with x, and $name of a wrapped property is a read without a
// qualifier. An operator without blanks before a slash that ends on the same line
// is read as division, not as a regular expression.
@Observable class Model { @Published var name = "" }
struct Point { let x: Int }
func f() {
    let p = Point(x: 1)
    use($name.first, p.x, a*b/c/d)
}
