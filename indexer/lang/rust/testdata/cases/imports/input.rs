// Every leaf of a use tree: groups, nested groups, self, aliases, globs.
extern crate alloc;
extern crate serde_json as json;

use serde;
use std::collections::HashMap;
use std::io::{self, Read, Write as _};
use std::{
    fmt::{Debug, Display as Show},
    sync::*,
};
use super::sibling;
use ::absolute::thing;
use self::inner::Deep as Shallow;

// Exported again, within the crate or to all.
pub use crate::store::Store;
pub use crate::store::{self as storage, open};
pub(crate) use crate::util::*;

// A module in a file of its own is an import of that file.
mod inner;
pub mod outer;
#[path = "odd/place.rs"]
mod odd;

fn local() {
    // Inside a body.
    use std::mem::swap;
    swap(&mut 1, &mut 2);
}
