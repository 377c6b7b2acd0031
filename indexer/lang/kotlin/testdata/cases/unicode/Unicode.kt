// Expected: names and lines are exact behind text outside ASCII 😀 漢字 é.
val emoji = "😀 漢字"
class Größe(val höhe: Int) { fun mäh() = "é" }
fun 数える(値: Int): Int = 値
fun `with 😀`() {}
fun after() {}
