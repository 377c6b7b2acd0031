package 工具

// 😀 emoji, CJK and combining marks before the definitions
class Größe(val länge: Int, 名: String) {
  val 値 = "日本語 😀"
  def `with space`(é: Int): Int = é
  val ch = '\u00e9'; val q = '"'; val sym = '💙
  def →(x: Int) = x
}
object After { def ok = 1 }
