// Expected: each damage costs the definition it stands in at most; the ones
// before and after keep their name, kind and container.
struct First {
    func whole() {}
    func noBrace(a: Int {
        if a { call() }
    }
    func afterParen() {}
    func openString() {
        print("abc)
    }
    func afterString() {}
    func tooMany() {
        if x { y() } }
    }
    func afterBrace() {}
    var half: Int =
    let next = 2
    func
    func afterHalf() {}
    func missing() {
        if x {
            y()
    }
    func afterMissing() {}
}

class Second {
    let a = [1, 2
    func afterBracket() {}
    enum Inner { case one, two( case three }
    func last() {}

protocol Third {
    func required()
}

func unfinished(_ x: Int) -> {
