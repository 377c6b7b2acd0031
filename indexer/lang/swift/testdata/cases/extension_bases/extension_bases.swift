// Expected: what an extension adds to the bases of a type of the same file counts
// as the type's; for one of another file it is a reference at the level of the
// file.
struct Queue: Sendable {}
extension Queue: Codable, Drawable { func draw() {} }
extension Elsewhere: Drawable { func draw() {} }
