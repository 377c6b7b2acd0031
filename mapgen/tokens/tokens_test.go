package tokens

import (
	"math/rand"
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"
)

// TestEstimate compares with exact o200k_base counts: the estimate may be
// lower by an eighth (or one token) and higher by a third (or four tokens);
// outside English by two thirds, where other tokenizers need more.
func TestEstimate(t *testing.T) {
	tests := []struct {
		name, text string
		exact      int
	}{
		{"prose", "The quick brown fox jumps over the lazy dog, and nobody in the village seemed to notice that anything unusual had happened.", 24},
		{"go", "func (s *Server) ListenAndServe(addr string) error {\n\tln, err := net.Listen(\"tcp\", addr)\n\tif err != nil {\n\t\treturn fmt.Errorf(\"listen: %w\", err)\n\t}\n\treturn s.Serve(ln)\n}\n", 53},
		{"python", "def load_config(path: str, *, strict: bool = False) -> dict[str, Any]:\n    \"\"\"Read the configuration file.\"\"\"\n    with open(path) as f:\n        return yaml.safe_load(f)\n", 42},
		{"minified", "!function(e,t){\"object\"==typeof exports?module.exports=t():e.Mark=t()}(this,function(){var e=\"function\"==typeof Symbol;return e});", 36},
		{"json", "{\"name\": \"project\", \"version\": \"1.20.4\", \"files\": [\"lib/index.js\", \"README.md\"], \"private\": true, \"count\": 12345}", 40},
		{"identifier", "parseHTTPRequestHeaders", 3},
		{"word", "configuration", 1},
		{"hex", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 35},
		{"chinese", "本文件说明如何配置服务器，以及如何在发生错误时恢复数据。", 15},
		{"japanese", "この関数は設定ファイルを読み込み、エラーが発生した場合は例外を返します。", 25},
		{"korean", "이 함수는 설정 파일을 읽고 오류가 발생하면 예외를 반환합니다.", 18},
		{"russian", "Эта функция читает файл конфигурации и возвращает ошибку, если файл не найден.", 20},
		{"arabic", "تقرأ هذه الدالة ملف الإعدادات وتعيد خطأ إذا لم يتم العثور على الملف.", 20},
		{"spanish", "Esta función lee el archivo de configuración y devuelve un error si no lo encuentra.", 16},
		{"markdown table", "| name | type | default |\n| ---- | ---- | ------- |\n| port | int | 8080 |\n| host | string | localhost |\n", 30},
	}
	for _, tt := range tests {
		got := Estimate(tt.text)
		low := tt.exact - max(1, tt.exact/8)
		high := tt.exact + max(4, tt.exact/3)
		if !isASCII(tt.text) {
			high = tt.exact + tt.exact*2/3
		}
		if got < low || got > high {
			t.Errorf("%s: Estimate = %d, exact count %d, want %d to %d", tt.name, got, tt.exact, low, high)
		}
	}
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func TestEstimateEdges(t *testing.T) {
	if got := Estimate(""); got != 0 {
		t.Errorf("Estimate of the empty string = %d, want 0", got)
	}
	for c := 0; c < 256; c++ {
		if got := Estimate(string([]byte{byte(c)})); got < 1 || got > 2 {
			t.Errorf("Estimate of byte %#x = %d, want 1 or 2", c, got)
		}
	}
	if got := Estimate(strings.Repeat(" ", 60) + "x"); got > 3 {
		t.Errorf("Estimate of deep indentation = %d, want at most 3", got)
	}
	if got := Estimate(strings.Repeat("x", 1000)); got < 100 {
		t.Errorf("Estimate of a thousand letters = %d, want at least 100", got)
	}
}

// checkConcat verifies the promise that budgets rely on, and that cutting a
// text does not inflate its estimate by more than the cut explains.
func checkConcat(t *testing.T, a, b string) {
	t.Helper()
	ea, eb, e := Estimate(a), Estimate(b), Estimate(a+b)
	if e > ea+eb {
		t.Errorf("Estimate(%q+%q) = %d, more than %d+%d", a, b, e, ea, eb)
	}
	if e < max(ea, eb)-1 {
		t.Errorf("Estimate(%q+%q) = %d, less than a part: %d, %d", a, b, e, ea, eb)
	}
	if utf8.ValidString(a) && utf8.ValidString(b) && ea+eb > e+4 {
		t.Errorf("Estimate(%q)+Estimate(%q) = %d+%d, far more than %d together", a, b, ea, eb, e)
	}
}

// fragments make runs of every class meet at a cut.
var fragments = []string{
	"a", "z", "A", "Q", "1", "42", " ", "\t", "\n", "\r\n", "(", ")", "{", ";", "-", "_", "é", "ß", "ж", "ш",
	"ب", "ש", "क", "ท", "中", "の", "한", "😀", "\u200b", "\u3000", "\xff", "\xc3", "\xe4\xb8", "\x00",
	"configuration", "MAXIMUM", "HTTP", "aaaaaaaaa", "                ", "========", "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
}

func TestEstimateSubadditive(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	build := func(words int) string {
		var b strings.Builder
		for range rng.Intn(words + 1) {
			f := fragments[rng.Intn(len(fragments))]
			b.WriteString(strings.Repeat(f, 1+rng.Intn(3)))
		}
		return b.String()
	}
	for range 60_000 {
		checkConcat(t, build(5), build(5))
		if t.Failed() {
			t.FailNow()
		}
	}
	anyBytes := func(a, b []byte) bool {
		return Estimate(string(a)+string(b)) <= Estimate(string(a))+Estimate(string(b))
	}
	if err := quick.Check(anyBytes, &quick.Config{MaxCount: 5000, Rand: rng}); err != nil {
		t.Error(err)
	}
}

func TestEstimateEveryCut(t *testing.T) {
	text := "func (s *HTTPServer) ListenAndServeTLS(certFile string) error {\n\t\treturn nil // größe 中文字 12345  6 \n}\n\n\n    x := `😀`\r\n" +
		strings.Repeat("abcdefghijklmnopqrstuvwxyz", 4) + strings.Repeat(" ", 200) + strings.Repeat("AB", 40)
	for i := 0; i <= len(text); i++ {
		checkConcat(t, text[:i], text[i:])
	}
}

func FuzzEstimate(f *testing.F) {
	f.Add("func main() {\n", "\tprintln(1)\n}")
	f.Add("caf\xc3", "\xa9s")
	f.Fuzz(func(t *testing.T, a, b string) {
		if a != "" && Estimate(a) < 1 {
			t.Errorf("Estimate(%q) = %d, want at least 1", a, Estimate(a))
		}
		if e, sum := Estimate(a+b), Estimate(a)+Estimate(b); e > sum {
			t.Errorf("Estimate(%q+%q) = %d, more than %d", a, b, e, sum)
		}
	})
}

func BenchmarkEstimate(b *testing.B) {
	for name, text := range map[string]string{
		"code": "func (s *Server) Listen(addr string) error {\n\tif addr == \"\" {\n\t\treturn errors.New(\"no address\")\n\t}\n\treturn nil\n}\n",
		"cjk":  "本文件说明如何配置服务器，以及如何在发生错误时恢复数据。",
	} {
		text := strings.Repeat(text, 1000)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for range b.N {
				Estimate(text)
			}
		})
	}
}
