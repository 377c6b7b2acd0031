// Expected: one definition for every type, member, alias, operator and macro
// below. Members of a type that state no visibility are protected (internal).
import Foundation
import struct Core.Queue
@_exported import Shared

/// Holds requests until they are sent. Never blocks.
///
/// - Note: not shown
@available(macOS 13, *)
public final class Store<Element: Hashable>: Base, Sendable where Element: Codable {
    /// How many there are.
    public private(set) var count: Int = 0
    let name: String, tag = Tag()
    private lazy var cache: [String: Element] = [:]
    static let shared = Store<Int>()
    weak var delegate: StoreDelegate?
    @Published var state = State.idle {
        willSet { log(newValue) }
        didSet { log(oldValue) }
    }
    var isEmpty: Bool { count == 0 }
    var first: Element? {
        get { cache.values.first }
        set { put(newValue!) }
    }

    /// Makes one.
    public init?(_ name: String, size n: Int = 4) throws {
        self.name = name
        super.init()
    }
    convenience init() { self.init("x") }
    deinit { close() }

    subscript(key: String) -> Element? { cache[key] }
    static subscript(i: Int) -> Int {
        get { i }
        set { keep(newValue) }
    }

    @discardableResult
    open func put<T>(_ item: T, at index: Int..., into box: inout Box<T>) async throws -> Bool where T: Item {
        let local = box.make(item)
        var other: Element
        func nested() {}
        struct Local {}
        return local.check()
    }
    class func make() -> Self { fatalError() }
    static func == (a: Store, b: Store) -> Bool { a.count == b.count }
    static func < <T>(a: Store, b: T) -> Bool { true }
}

struct Point { var x, y: Double }

actor Worker { func run() async {} }

indirect enum Tree<T> {
    case leaf
    case node(T, left: Tree, right: Tree<T>), other
    /// Documented.
    case `default`(x: Int = 1)
    static let empty = Tree.leaf
    func depth() -> Int {
        switch self {
        case .leaf: return 0
        case let .node(_, left: l, right: r): return max(l.depth(), r.depth())
        case .other, .default: return 1
        }
    }
}

enum Code: Int { case a = 1, b = 2 }

public protocol StoreDelegate: AnyObject, Closer {
    associatedtype Item: Equatable = Int
    typealias Handler = (Item) -> Void
    var item: Item { get set }
    static var all: [Item] { get }
    init(item: Item)
    mutating func close(_ handler: @escaping Handler) throws(Failure)
    subscript(i: Int) -> Item { get }
}

typealias Pair<A> = (first: A, second: [A])
infix operator +++: AdditionPrecedence
prefix operator √
precedencegroup Strong { higherThan: AdditionPrecedence }
let limit = 10
var current: Store<Int>? = nil
fileprivate func helper() {}
func +++ (a: Int, b: Int) -> Int { a + b }

@freestanding(expression)
public macro stringify<T>(_ value: T) -> (T, String) = #externalMacro(module: "M", type: "S")
