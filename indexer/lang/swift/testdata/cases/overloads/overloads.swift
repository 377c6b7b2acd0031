// Expected: each overload, and each branch of a conditional compilation, once
// with its own lines.
struct Encoder {
    func encode(_ v: Int) {}
    func encode(_ v: String) {}
    #if os(Linux)
    func open() -> Int { 1 }
    #elseif canImport(Darwin) ||
        os(iOS)
    func open() -> Int { 2 }
    #else
    func open() -> Int { 3 }
    #endif
    init(a: Int) {}
    init(b: Int) {}
}
#if DEBUG
let level = 1
#else
let level = 0
#endif
