// pub is public, pub(crate), pub(super) and pub(in …) are seen by the package
// only, no modifier is private. The items of a trait are seen with the trait.
pub fn open() {}
pub(crate) fn within() {}
pub(super) fn above() {}
pub(in crate::a) fn path() {}
pub(self) fn own() {}
fn closed() {}

pub(crate) trait Seen {
    fn method(&self);
}

trait Hidden {
    fn method(&self);
}

pub enum Open { Variant { field: u8 } }
enum Closed { Variant }

pub struct Fields { pub a: u8, pub(crate) b: u8, c: u8 }

impl Hidden for Fields {
    fn method(&self) {}
}

impl Fields {
    fn private(&self) {}
    pub fn public(&self) {}
}
