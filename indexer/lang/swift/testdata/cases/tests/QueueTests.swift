// Expected: a test by its imports and base; the members of an extension in
// another file than the class belong to QueueTests.
import XCTest
@testable import Queue

final class QueueTests: XCTestCase {
    private var queue: Queue<Int>!
    override func setUp() { queue = Queue() }
    func testPut() async throws {
        queue.put(1)
        XCTAssertEqual(queue.count, 1)
    }
}
extension QueueTests { static var allTests: [(String, (QueueTests) -> () throws -> Void)] { [("testPut", testPut)] } }
