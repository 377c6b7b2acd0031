import ArgumentParser

/// Runs the tool.
@main
struct Tool: ParsableCommand {
    @Option(help: "How many.") var count = 1
    static func main() async throws { run() }
    func run() {}
}
// Expected: Tool and its main start the program.
