// Ожидается: names and lines are exact behind text outside ASCII. 😀 é 漢字
struct Größe { let wert = "😀 \("漢" + name) é" }
/// 说明在这里。第二句。
func 計算(_ 値: Int) -> String { "é\u{301}" }
enum 😀 { case 🎉, naïve }
let π = 3.14; func after() {}
