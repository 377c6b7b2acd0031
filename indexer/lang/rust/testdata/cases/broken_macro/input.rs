// Damage inside a macro invocation that holds items costs one of them; a macro
// with a syntax of its own gives what its lines show.
cfg_feature! {
    pub struct Kept {
        a: u8,
    }

    impl Kept {
        pub fn one(&self) {}
        pub fn damaged(&self {
            let = 1;
        }
        pub fn two(&self) {}
    }

    pub(crate) fn three() {}
}

mock! {
    pub File {
        pub fn create(path: PathBuf) -> Result<Self>;
        fn flush(&self);
    }
}

fn user() {
    // Not items: calls of a and b.
    check!(a(1), { b(2) });
}

pub fn after() {}
