// Row 13: definitions inside macro invocations are found, with their lines,
// in whichever brackets and however deep.
wrap! {
    /// A struct in a macro.
    pub struct S {
        pub field: u32,
    }

    impl S {
        pub fn method(&self) -> u32 {
            self.field
        }
    }
}

cfg_feature! {
    #![feature = "x"]
    cfg_other! {
        pub(crate) mod deep {
            pub enum E { A, B }
        }
    }
}

lazy_static! {
    static ref TABLE: HashMap<u8, u8> = HashMap::new();
    pub static ref SECOND: u8 = compute(1);
}

thread_local! {
    static LOCAL: Cell<u32> = const { Cell::new(0) };
}

// Not the syntax of items, but close: Flags with constants A and B.
bitflags! {
    pub struct Flags: u32 {
        const A = 0b01;
        const B = 0b10;
    }
}

paren!(fn in_parens() {});

// A template: nothing is defined.
fn emit() -> TokenStream {
    quote! { struct NotHere { x: #ty } }
}

// No items: calls of run and build with their qualifiers.
fn user(job: Job) {
    log!("{}", job.inner.run(1), other::build::<u8>(2));
    select! {
        value = job.next() => { handle(value) }
    }
}

pub struct After;
