package bundle

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/secrets"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker/query"
)

const (
	excerptFiles = 3   // files that get one
	excerptLines = 8   // lines of one
	excerptRunes = 160 // of a line
	// excerptBytes is how much of a file is looked at.
	excerptBytes = 512 << 10
	// secondShare is what a second excerpt of the best file must be worth
	// beside the first.
	secondShare = .6
	// What a line is worth, in words as rare as words can be: one that the
	// query names by number (a stack frame), and one that defines what the query
	// names.
	frameWorth      = 6
	definitionWorth = 4
	// lead is how many lines of what led to a frame are shown.
	lead = 3
)

// excerpt is a few lines of a file.
type excerpt struct {
	path     string
	language string
	start    int      // number of the first line, from 1
	lines    []string // masked and neutralised
}

func (e *excerpt) end() int { return e.start + len(e.lines) - 1 }

// text is the lines without their numbers.
func (e *excerpt) text() string { return strings.Join(e.lines, "\n") }

func (e *excerpt) markdown() string {
	var b strings.Builder
	mark := fence(e.text())
	b.WriteString("- " + name(e.path) + ":" + strconv.Itoa(e.start) + "-" + strconv.Itoa(e.end()) + "\n")
	b.WriteString(mark + plaintext.Word(e.language) + "\n")
	for i, l := range e.lines {
		b.WriteString(strconv.Itoa(e.start+i) + ":")
		if l != "" {
			b.WriteString(" " + l)
		}
		b.WriteByte('\n')
	}
	b.WriteString(mark + "\n")
	return b.String()
}

// findExcerpts picks lines of the leading files, best first: one of each file,
// then a second of the best.
func findExcerpts(q *query.Query, c *store.Catalog, s *selection, source SourceReader) []excerpt {
	worth, rarest := queryWords(q, c)
	var out, second []excerpt
	for i := range s.files[:min(len(s.files), excerptFiles)] {
		f := &s.files[i]
		if f.state == Deleted || f.about.Mode >= facts.ModeSymlink {
			continue
		}
		data, err := source.ReadSource(f.path)
		if err != nil {
			continue // the file line stands without it
		}
		text, ok := sourceText(data)
		if !ok {
			continue
		}
		l := &lineScores{lines: strings.Split(text, "\n"), bonus: map[int]float64{}, until: map[int]int{}}
		l.scoreWords(worth)
		l.addFrames(q, f.path, frameWorth*rarest)
		if f.state == "" { // the numbers of lines hold
			for k := range s.symbols {
				if y := &s.symbols[k]; y.Doc == f.doc && y.Line > 0 {
					l.addDefinition(y.Line, y.EndLine, definitionWorth*rarest/float64(1+k))
				}
			}
		}
		first, best := l.best(nil)
		if best <= 0 {
			continue
		}
		out = append(out, l.excerpt(f, first))
		if i == 0 {
			if w, score := l.best(&first); score >= secondShare*best {
				second = append(second, l.excerpt(f, w))
			}
		}
	}
	return append(out, second...)
}

// queryWords weighs the words of a query by how rare they are in the
// repository; rarest is what a word that occurs in one file weighs.
func queryWords(q *query.Query, c *store.Catalog) (worth map[string]float64, rarest float64) {
	n := float64(c.NumDocs())
	weigh := func(df int) float64 { return math.Log(1 + (n-float64(df)+.5)/(float64(df)+.5)) }
	worth = map[string]float64{}
	for segment, text := range q.Segments {
		factor := 1.0
		if segment == int(query.Title) || segment == int(query.Inline) {
			factor = 1.5
		}
		for _, w := range words.Of(headOf(text, 64<<10)) {
			if df := c.DocFreq(w); df > 0 {
				worth[w] = max(worth[w], factor*weigh(df))
			}
		}
	}
	return worth, weigh(1)
}

// lineScores finds the lines of a file that say most about a query.
type lineScores struct {
	lines []string
	hits  []lineHit
	// bonus is what a line is worth besides its words; until is where what
	// starts at it ends. Both by index.
	bonus map[int]float64
	until map[int]int
	lead  map[int]bool
}

type lineHit struct {
	line  int
	words []string
	worth []float64
}

func (l *lineScores) scoreWords(worth map[string]float64) {
	if len(worth) == 0 {
		return
	}
	for i, text := range l.lines {
		var h lineHit
		for _, w := range words.Of(headOf(text, 1000)) {
			if v := worth[w]; v > 0 && !slices.Contains(h.words, w) {
				h.words, h.worth = append(h.words, w), append(h.worth, v)
			}
		}
		if len(h.words) > 0 {
			h.line = i
			l.hits = append(l.hits, h)
		}
	}
}

// addFrames values the lines that the query gives for this file.
func (l *lineScores) addFrames(q *query.Query, path string, worth float64) {
	l.lead = map[int]bool{}
	for i := range q.Paths {
		p := &q.Paths[i]
		i := p.Line - 1
		if i < 0 || i >= len(l.lines) || !sameEnd(p.Path, path) {
			continue
		}
		l.bonus[i] = max(l.bonus[i], worth)
		l.lead[i] = true
	}
}

// sameEnd tells whether one of two paths ends in the other.
func sameEnd(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || a != "" && strings.HasSuffix(b, "/"+a)
}

func (l *lineScores) addDefinition(line, end uint32, worth float64) {
	i := int(line) - 1
	if i >= len(l.lines) {
		return
	}
	l.bonus[i] += worth
	if end >= line {
		l.until[i] = int(end) // index after the last line
	}
}

// window is a half-open range of lines by index.
type window struct{ start, end int }

// best finds the window that is worth most and does not touch another.
func (l *lineScores) best(avoid *window) (w window, score float64) {
	var starts []int
	for i := range l.hits {
		starts = append(starts, l.hits[i].line)
	}
	for i := range l.bonus {
		starts = append(starts, i)
		if l.lead[i] {
			starts = append(starts, max(0, i-lead))
		}
	}
	slices.Sort(starts)
	next := 0 // first hit at or after the window's start
	for _, i := range slices.Compact(starts) {
		x := window{i, min(i+excerptLines, len(l.lines))}
		if u, ok := l.until[i]; ok {
			x.end = min(x.end, u)
		}
		for next < len(l.hits) && l.hits[next].line < i {
			next++
		}
		if avoid != nil && x.start < avoid.end && avoid.start < x.end {
			continue
		}
		if v := l.value(x, next); v > score*(1+1e-9) { // the first of equals
			w, score = x, v
		}
	}
	return w, score
}

// value counts each word of a window once, and a little for every further line
// it stands in.
func (l *lineScores) value(w window, from int) float64 {
	sum := 0.0
	seen := map[string]bool{}
	for k := from; k < len(l.hits) && l.hits[k].line < w.end; k++ {
		for j, t := range l.hits[k].words {
			if v := l.hits[k].worth[j]; seen[t] {
				sum += v / 8
			} else {
				seen[t] = true
				sum += v
			}
		}
	}
	for i := w.start; i < w.end; i++ {
		b := l.bonus[i]
		if u, ok := l.until[i]; ok && b > 0 { // as much of it as is shown
			b *= float64(min(w.end, u)-i) / float64(min(excerptLines, u-i))
		}
		sum += b
		if l.lead[i] && i-w.start == lead {
			sum += l.bonus[i] / 8 // shows what leads to it
		}
	}
	return sum
}

func (l *lineScores) excerpt(f *file, w window) excerpt {
	blank := func(i int) bool { return strings.TrimSpace(l.lines[i]) == "" }
	for w.start < w.end-1 && blank(w.start) {
		w.start++
	}
	for w.end > w.start+1 && blank(w.end-1) {
		w.end--
	}
	e := excerpt{path: f.path, language: f.about.Language, start: w.start + 1}
	for _, t := range l.lines[w.start:w.end] {
		e.lines = append(e.lines, sourceLine(t, excerptRunes))
	}
	return e
}

// sourceText decodes a file, masks secrets, and cuts it to what is looked at. ok
// is false for what is not text.
func sourceText(data []byte) (text string, ok bool) {
	data = data[:min(len(data), excerptBytes)]
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		data = fromUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		data = fromUTF16(data[2:], binary.BigEndian)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(data) == 0 || bytes.IndexByte(data, 0) >= 0 {
		return "", false
	}
	if n := len(data); n >= utf8.UTFMax { // a character that the cut went through
		for k := 1; k < utf8.UTFMax; k++ {
			if c := data[n-k]; utf8.RuneStart(c) {
				if c >= utf8.RuneSelf && !utf8.FullRune(data[n-k:]) {
					data = data[:n-k]
				}
				break
			}
		}
	}
	if !utf8.Valid(data) { // Latin-1, in which every byte is a character
		wide := make([]rune, len(data))
		for i, c := range data {
			wide[i] = rune(c)
		}
		data = []byte(string(wide))
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data, _ = secrets.Mask(data)
	return string(data), true
}

func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}
