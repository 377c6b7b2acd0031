// Unit tests inside a file of code: the file is no test.
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn helper() -> i32 { 1 }

    #[test]
    fn adds() {
        assert_eq!(add(helper(), 1), 2);
    }
}
