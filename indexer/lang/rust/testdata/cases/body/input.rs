// What stands in bodies: bindings with their types and shapes, items marked as
// body, references that shadowed names do not make.
fn main() {
    let config = Config::load("x")?;
    let mut list: Vec<Item> = Vec::new();
    let (left, right) = split(config.parts);
    let Some(first) = list.first() else {
        return;
    };
    let Point { x, y: Inner(z), .. } = origin();
    for item in list.iter() {
        item.run();
    }
    if let Ok(value) = parse(first) && let Some(n) = value.next() {
        use_it(n);
    }
    while let Some(top) = list.pop() {}
    match z {
        Shape::Circle(r) if r > LIMIT => area(r),
        Shape::Rect { width, height: h } | Shape::Other { width, h } => width * h,
        n @ 1..=9 => n,
        MAX => 0,
        _ => 1,
    };
    let job = async move { work(config).await };
    let done = job.await?;
    let f = |a: u8, b| a + helper(b);
    f(1);
    let boxed = Box::<Queue<u8>>::new(Queue { size: 1, left });
    let copy = &boxed.inner[0];
    let wide = left as u64;
    <Queue as Source>::next(&boxed);

    struct Local {
        a: u8,
    }
    const K: u8 = 1;
    fn nested(local: Local) -> u8 {
        local.a + K
    }
}

impl Queue {
    fn renew(&self) -> Self {
        Self::helper(self.size);
        let other = Self { size: Self::SIZE };
        other.grow();
        Queue::default()
    }
}
