//! Überschrift 🎉 mit Text.
// Names and lines after text outside ASCII stay exact.
pub struct Größe {
    höhe: u32, // 高さ 🎉
}

/// 数を数える。次の文。
pub fn 数える(größe: &Größe) -> u32 {
    let s = "fn fake() {} 🎉";
    let r = r#"struct Fake { } e\u{301}"#;
    größe.höhe
}

pub fn r#type(r#in: u8) -> u8 {
    r#in
}

fn last() {}
