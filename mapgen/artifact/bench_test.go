package artifact

import "testing"

func BenchmarkRenderMap(b *testing.B) {
	for _, c := range []struct {
		name           string
		files, symbols int
	}{{"fits", 3, 10}, {"over", 40, 20}, {"huge", 2000, 20}} {
		b.Run(c.name, func(b *testing.B) {
			m := bigMap(c.files, c.symbols)
			b.ReportAllocs()
			for b.Loop() {
				RenderMap(m, Limits{})
			}
		})
	}
}

func BenchmarkParseMap(b *testing.B) {
	data := RenderMap(bigMap(6, 20), Limits{})
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := ParseMap(data); err != nil {
			b.Fatal(err)
		}
	}
}
