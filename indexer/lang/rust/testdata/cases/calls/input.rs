// A method and a free function of one name, both called (row 15), and calls on
// fields and typed parameters (row 4).
struct Cache {
    store: Store,
}

impl Cache {
    fn save(&self, other: &Store, item: Item) -> bool {
        self.store.save(item);
        other.save(item);
        save(item);
        crate::disk::save(item)
    }
}

fn save(item: Item) -> bool {
    true
}

fn generic<T: Saver + ?Sized, F>(x: &T, f: F, (a, b): (u8, Wide)) -> impl Iterator<Item = Row>
where
    F: Fn(Item) -> Out,
{
    x.save(f(a));
    T::build::<Extra>()
}
