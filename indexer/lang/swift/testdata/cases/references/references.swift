// Expected: calls with what they are called on and the function around; types,
// reads and bases; locals with their types or the shape of what they start with.
class Service: Base {
    let store: Store
    func run(client: Client, ids: [ID], done: @escaping (Result) -> Void) async throws {
        let a = client.fetch()
        let b = try await client?.load(id: 1)
        let c = Session(url: "x")
        let d = store.items[0]
        let e = b as? Reply
        let f = [1, 2], g = ["a": 1], h = "s\(client.name) \(make(a))", k = 1.5, l = true, m = nil, n = { 1 }
        let o = a > 1
        let (p, q) = pair()
        let r = Builder<Int>()
            .with(1)
            .build()
        let s: Widget = .init(x: 1)
        let t = Widget.init(x: 1)
        let u = self.store.open
        var v = cond ? x : y
        if let reply = client.reply(), case .ready(let body) = reply.state, body.ok {
            use(reply)
        } else if let store {
            use(store)
        }
        guard let self, let w = client.find(where: { $0.id == 1 }) else { return }
        for id in ids where id.valid { w.send(id) }
        for await (n, event) in stream.events() { handle(n, event) }
        do { try risky() } catch let error as NetError { log(error) } catch { log(error) }
        switch a {
        case let .some(x) where x > 1: use(x)
        case is Foo: break
        default: other()
        }
        ids.map { $0.name }.filter { (id: ID) -> Bool in id.ok }.forEach { [weak self] id in self?.touch(id) }
        items.sorted(by: \.date)
        NotificationCenter.default.post(name: .changed, object: nil)
        super.run()
        #expect(a == b)
        let z = if a { Foo() } else { Bar() }
        done(.success(z))
    }
}
