// Expected: what is newer than Swift 5.5 keeps its names, containers and
// parameters, and nothing after it is lost.
import Testing
internal import Core
package import Shared

#Preview("Light") { ContentView() }

@Observable @MainActor
final class Model: ~Copyable {
    nonisolated(unsafe) static var cache: [Int] = []
    package var items: [any Item] = []
    private(set) public var one: some Item = make()
    var pair: (repeat each T)? = nil
    @Test("adds", arguments: [1, 2]) func adds(n: Int) throws(TestError) {
        #expect(n == 1)
    }
    consuming func finish() -> Result<Void, any Error> { .success(()) }
    borrowing func peek() -> Int { 1 }
    func all<each T: Item>(_ item: repeat each T) -> (repeat each T) where repeat each T: Hashable {}
    func send(_ x: sending Model, to y: isolated Worker, then z: nonisolated(nonsending) @escaping () async -> Void) {}
    init<let n: Int>(_ v: InlineArray<n, Int>, w: [5 of Int]) {}
    isolated deinit { stop() }
    var status: String {
        if items.isEmpty { "none" } else { "some" }
    }
    var total: Int {
        get async throws(TestError) { 1 }
    }
    var stored = 1 {
        @storageRestrictions(initializes: other)
        init(initial) { other = initial }
        get { other }
        set { other = newValue }
    }
    let label = switch kind {
        case .a: "A"
        case .b: "B"
    }
    let after: Int
}

@attached(member, names: named(init), arbitrary)
@attached(extension, conformances: Item)
public macro Itemized(_ name: String = "x") = #externalMacro(module: "M", type: "T")

@freestanding(declaration) macro declare()

let word = /[a-z"{]+\/(\d)/
let more = #/
  x { y "
/#
let quotient = a / b / c
func parse(_ s: String) -> Bool { s.contains(/"/) || s.matches(of: /\{/).isEmpty }

@Suite struct ParserTests {
    @Test func `reads a file`() async throws { try #require(read() != nil) }
}

protocol Source<Element>: ~Escapable where Self: AnyObject {
    associatedtype Element: ~Copyable
    func next() async throws(Failure) -> Element?
}

struct Wrapper<each Value>: ~Copyable, Sendable { let last: Int }
extension Wrapper: @unchecked Sendable, @retroactive Equatable {
    func compare() { let x = if a { 1 } else { 2 }; use(x, copy y, consume z) }
}
@available(*, deprecated, renamed: "newer")
func older() { guard #available(iOS 17, *) else { return } }
