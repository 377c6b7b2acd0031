//! # Containers
//!
//! Who owns what. The second sentence is left out.

use std::fmt;

/// A queue of values. More text.
#[derive(Debug, Clone)]
pub struct Queue<T, const N: usize = 4>
where
    T: Send,
{
    /// What waits.
    pub items: Vec<T>,
    limit: [u8; N],
}

// No documentation: a plain comment.
pub struct Point(pub f64, f64);
struct Unit;

/// Methods of an impl block have the type as container; new is static.
impl<T: Send, const N: usize> Queue<T, N> {
    pub const LIMIT: usize = 8;

    /// Makes a queue.
    pub fn new(limit: [u8; N]) -> Self {
        Self { items: Vec::new(), limit }
    }

    pub async fn push(&mut self, value: T) -> Result<(), fmt::Error> {
        self.items.push(value);
        Ok(())
    }
}

/// The trait is a base of Queue, and an inherit reference inside it.
impl<T: fmt::Debug + Send, const N: usize> fmt::Display for Queue<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.items)
    }
}

// Types that are defined elsewhere: container Other and str.
impl Source for crate::other::Other {
    type Item = Unit;
    fn next(self: Box<Self>) -> Option<Self::Item> {
        None
    }
}

impl Source for &'static str {}
impl !Send for Unit {}
impl dyn Source {
    fn describe(&self) {}
}

/// Gives items. It inherits from fmt::Debug.
pub trait Source: fmt::Debug + 'static {
    /// What comes out.
    type Item: Clone;
    const NAME: &'static str;
    const SIZE: usize = 1;
    fn next(self: Box<Self>) -> Option<Self::Item>;
    /// Has a body, so it is not abstract.
    fn size() -> usize {
        Self::SIZE
    }
}

/// A shape.
pub enum Shape {
    /// Nothing.
    Empty,
    Circle(f64),
    Rect { width: f64, height: f64 },
    Code = 4,
}

union Bits {
    int: u32,
    float: f32,
}

pub type Names<'a> = Vec<&'a str>;

pub const LIMIT: usize = 10;
pub static mut COUNTER: u32 = 0;
static CACHE: Mutex<Queue<u8>> = Mutex::new(Queue::new([0; 4]));
const _: () = assert!(LIMIT > 1);

extern "C" {
    /// Declared here, defined in C.
    fn strlen(s: *const u8, ...) -> usize;
    static environ: *const u8;
}

#[no_mangle]
pub unsafe extern "C" fn entry(argc: i32) -> i32 {
    argc
}

#[macro_export]
macro_rules! square {
    ($x:expr) => {
        struct Hidden;
        $x * $x
    };
}

pub mod nested {
    //! Inner documentation of the module.
    pub struct Queue;
    impl Queue {
        pub fn len(&self) -> usize { 0 }
    }
    mod declared;
}

#[deprecated(note = "old")]
#[doc = "Documentation in an attribute."]
pub(crate) fn old() {}

/// Comments in a head are no part of the signature.
pub fn commented(
    a: u8, // the first
    /* the second */ b: &str,
) -> u8 {
    a
}
