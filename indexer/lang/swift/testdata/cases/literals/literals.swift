// Expected: Real only, with its members; what stands in literals and comments
// is no definition, but the code in an interpolation is a use.
/* struct Comment {} /* struct Nested {} */ func inComment() {} */
let text = """
    struct Fake { func fake() {} }
    """
let raw = #"struct Raw { \(no) }"# + ##"a "# b"##
let quote = #"""#
let multi = #"""
    class Multi { "quoted" \#(used()) }
    """#
struct Real {
    // func commented() {}
    let a = "}{ \(map { "\($0) }" }) \\" // trailing }
    let b = "x"
    func last() { log("\(a.description, privacy: .public)") }
}
