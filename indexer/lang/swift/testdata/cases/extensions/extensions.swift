// Expected: an extension is no definition; its members have the extended type
// as their container, also where the type stands in another file. Members of a
// public extension are public.
extension Outer.Inner: Codable where T: Hashable {
    func one() {}
    static let two = 2
    struct Three { let x: Int }
}
public extension Array where Element == Int {
    func sum() -> Int { reduce(0, +) }
    private func hidden() {}
}
extension [String: Int] { var total: Int { values.count } }
extension Int? { func orZero() -> Int { self ?? 0 } }
private extension View {
    func styled() -> some View { padding().background(Color.red) }
}
