// swift-tools-version: 5.9
// Expected: the package with its name, and each target once with its kind in the
// signature; dependencies on targets are none.
import PackageDescription

let package = Package(
    name: "swift-queue",
    platforms: [.macOS(.v13)],
    products: [.library(name: "Queue", targets: ["Queue"])],
    dependencies: [.package(url: "https://example.com/swift-log.git", from: "1.0.0")],
    targets: [
        .target(name: "Queue", dependencies: [.product(name: "Logging", package: "swift-log"), .target(name: "CQueue")]),
        .target(name: "CQueue"),
        .executableTarget(
            name: "queue-tool",
            dependencies: ["Queue"]
        ),
        .testTarget(name: "QueueTests", dependencies: ["Queue"]),
    ]
)
package.targets.append(.target(name: "Extra"))
