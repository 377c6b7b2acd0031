// Only tests: the file is one.
use crate::thing;

fn helper() -> u32 { thing() }

#[tokio::test]
async fn works() {
    assert!(helper() == 1);
}
