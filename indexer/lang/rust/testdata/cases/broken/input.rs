// Damaged on purpose: each error costs at most the definition it stands in.
pub struct Before {
    a: u32,
}

impl Before {
    fn first(&self) -> u32 {
        self.a
    }

    fn damaged(&self -> u32 {
        self.a +
    }

    fn second(&self) {}

    fn also_damaged(&self) {
        let = ;
        match { }
    }

    fn third(&self) {}
}

fn no_close() {
    if x {

fn after() -> Before {
    Before { a: 1 }
}

pub enum Kept {
    A,
    B,
}

mod inner {
    pub trait T {
        fn t1();
        fn t2(;
        fn t3();
    }

    pub fn kept() {}
}
