// Syntax of nightly compilers: the definitions are found by their lines.
fn first() {}
trait Alias = Send + Sync;
pub macro m($x:ident) { $x }
fn last() {}
