// Conditional compilation and several impl blocks: each definition exactly once
// with its own lines.
#[cfg(unix)]
fn path() -> u8 { 1 }

#[cfg(windows)]
fn path() -> u8 {
    2
}

struct A;
struct B;

impl From<u8> for A {
    fn from(x: u8) -> A { A }
}

impl From<u16> for A {
    fn from(x: u16) -> A { A }
}

impl From<u8> for B {
    fn from(x: u8) -> B { B }
}

mod one { pub fn run() {} }
mod two { pub fn run() {} }
