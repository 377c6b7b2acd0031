// Syntax that is newer than the grammar costs no definition.
fn a() {
    let c = async move |x| x.run();
    let d = async || helper();
}
fn b(x: u8) {
    let p = &raw const x;
    let q = &raw mut x;
}
unsafe extern "C" {
    pub safe fn sqrt(x: f64) -> f64;
    unsafe fn raw(p: *const u8);
    safe static ZERO: u8;
}
impl const Default for C {
    fn default() -> Self { C }
}
const fn d<T: ~const Default>() {}
const fn e<T: [const] Default>() {}
fn f<'a>(x: &'a u8) -> impl Sized + use<'a> { x }
fn g(x: u8) -> u8 {
    match x {
        ..5 => 1,
        5 | ..=8 => 2,
        9.. => 3,
    }
}
fn h<T>() where {}
fn i() {
    let s = c"text";
    if let Some(x) = s && x > 1 {}
    let k = const { 1 };
}
#[unsafe(no_mangle)]
pub extern "C" fn j() {}
trait K {
    type Assoc<'a>: Iterator where Self: 'a;
    async fn run(&self) -> impl Future<Output = u8>;
}
auto trait Marker {}
struct Buffer<const N: usize = 4, const M: usize = { 2 * 2 }>([u8; N]);
fn last() {}
