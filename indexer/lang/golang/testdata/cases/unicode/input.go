package unicode

// 前に絵文字 🎉 があっても e\u0301 行番号は正しい。次の文。
var 名前 = "🎉🎉🎉" // combining é

func Größe(名 string) int { return len(名前) + len(名) }
