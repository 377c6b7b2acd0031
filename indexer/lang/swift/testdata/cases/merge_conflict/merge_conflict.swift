// Expected: the definitions of both sides; the lines of the conflict are damage.
struct Config {
<<<<<<< HEAD
    let size = 1
    func ours() {}
=======
    let size = 2
    func theirs() {}
>>>>>>> feature
    func after() {}
}
