package ruby

import (
	"bytes"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

var (
	definitionLine = lazyregexp.New(`^(?:(?:private|protected|public|private_class_method|module_function)[ \t]+)?(?:def|class|module)[ \t]+[^\s=]`)
	// commandLine is def name = command argument, where the grammar wants
	// parentheses; the argument goes.
	commandLine = lazyregexp.New(`^[ \t]*(?:(?:private|protected|public)[ \t]+)?def[ \t]+[^\s(=]+[ \t]*(?:\([^()]*\))?[ \t]*=[ \t]*[\pL_@][\pL\pN_.:@]*[?!]?([ \t]+[^\s=].*)`)
	headerLine  = lazyregexp.New(`^[ \t]*(?:(?:private|protected|public|private_class_method|module_function)[ \t]+)?def[ \t]+[\pL_.]+[\pL\pN_.]*[?!=]?`)
)

// resync holds at the level of the file only: the pieces of a class do not
// parse alone.
func resync(line []byte) bool {
	if len(line) == 0 || bytes.IndexByte([]byte("dcmp"), line[0]) < 0 {
		return false
	}
	return definitionLine.Match(line)
}

// Bounds of the methods of one file that are tried alone: their number, and
// their text as a multiple of the file.
const (
	maxRewrites = 400
	maxReparsed = 4
)

// rewrite empties the methods that do not parse on their own. A method is found
// by its indentation: it reaches to the end that stands below its def, or, where
// that is missing, to the next line that is not indented deeper.
func rewrite(g *syntax.Grammar, source []byte) []byte {
	var out []byte
	tries, left := 0, maxReparsed*len(source)+1<<16
	whole := func(piece []byte) bool {
		left -= len(piece)
		t, err := syntax.Parse(g, piece)
		return err == nil && !t.Root().HasError()
	}
	var starts []int
	for i := 0; i < len(source); {
		starts = append(starts, i)
		k := bytes.IndexByte(source[i:], '\n')
		if k < 0 {
			break
		}
		i += k + 1
	}
	line := func(k int) []byte {
		end := len(source)
		if k+1 < len(starts) {
			end = starts[k+1]
		}
		return source[starts[k]:end]
	}
	for k := 0; k < len(starts); k++ {
		head := line(k)
		if !bytes.Contains(head, []byte("def")) || !headerLine.Match(head) || tries > maxRewrites || left < 0 {
			continue
		}
		indent := indentation(head)
		last, closed := k, false
		for j := k + 1; j < len(starts); j++ {
			text := bytes.TrimSpace(line(j))
			if len(text) == 0 {
				continue
			}
			if in := indentation(line(j)); in <= indent {
				if in == indent && isEnd(text) {
					last, closed = j, true
				} else if in == indent && isClause(text) {
					last = j
					continue
				}
				break
			}
			last = j
		}
		stop := starts[last] + len(line(last))
		tries++
		piece := source[starts[k]:stop]
		if whole(piece) {
			if last > k && closed {
				k = last
			}
			continue
		}
		if out == nil {
			out = bytes.Clone(source)
		}
		if m := commandLine.FindSubmatchIndex(head); m != nil {
			blank(out[starts[k]+m[2] : starts[k]+m[3]])
			continue
		}
		// Keep the header where it is whole; the body goes.
		body := starts[k] + len(head)
		end := stop
		if closed {
			end = starts[last]
		}
		if last > k {
			blank(out[body:end])
			if !closed {
				writeEnd(out[body:end])
			}
		}
		if !whole(out[starts[k]:stop]) {
			blank(out[starts[k]:stop])
			if at := headerLine.FindIndex(head); last > k && at != nil { // def name, without its parameters
				copy(out[starts[k]:], head[:at[1]])
				if closed {
					copy(out[starts[last]:], source[starts[last]:stop])
				} else {
					writeEnd(out[body:end])
				}
				if !whole(out[starts[k]:stop]) {
					blank(out[starts[k]:stop])
				}
			}
		}
		k = last
	}
	return out
}

// writeEnd puts an end on the first line of a blank text that has room.
func writeEnd(blank []byte) {
	offset := 0
	for l := range bytes.Lines(blank) {
		if len(bytes.TrimRight(l, "\r\n")) >= 3 {
			copy(blank[offset:], "end")
			return
		}
		offset += len(l)
	}
}

func blank(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}

func indentation(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

func isEnd(text []byte) bool {
	return bytes.HasPrefix(text, []byte("end")) && (len(text) == 3 || bytes.IndexByte([]byte(" \t.;)#"), text[3]) >= 0)
}

func isClause(text []byte) bool {
	for _, c := range []string{"rescue", "ensure", "else", ")", "]", "}"} {
		if bytes.HasPrefix(text, []byte(c)) {
			return true
		}
	}
	return false
}

// damaged walks an error node. The tokens of a class or method whose end is
// missing stand in it one by one, so a name behind a keyword opens it again: up
// to the end that closes it, or of the node.
func (w *walker) damaged(n syntax.Node) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	var list []syntax.Node
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		list = append(list, c)
	}
	w.salvage(list, n.End(), 0)
}

func (w *walker) salvage(list []syntax.Node, end uint32, depth int) {
	outer := w.docs
	w.docs = lang.CommentsOf(w.b)
	defer func() { w.docs = outer }()
	behind := uint32(0)
	for i := 0; i < len(list); i++ {
		c := list[i]
		kind := c.Kind()
		switch {
		case kind == "comment":
			w.docs.Add(c, behind)
			continue
		case !c.IsNamed() && (kind == "class" || kind == "module") && i+1 < len(list) && list[i+1].Is("constant", "scope_resolution") && depth < 100:
			name := list[i+1]
			from := i + 2
			base := syntax.Node{}
			if from < len(list) && list[from].Kind() == "superclass" {
				base = firstNamed(list[from])
				from++
			}
			to, stop := len(list), end
			for k := from; k < len(list); k++ {
				if !list[k].IsNamed() && list[k].Kind() == "end" {
					to, stop = k, list[k].End()
					break
				}
			}
			symbolKind := facts.KindClass
			if kind == "module" {
				symbolKind = facts.KindModule
			}
			headEnd := name.End()
			if !base.IsZero() {
				headEnd = base.End()
			}
			w.open(symbolKind, name, facts.Span{Start: c.Start(), End: max(stop, headEnd)}, w.text(c.Start(), headEnd), base, func() {
				w.salvage(list[from:to], end, depth+1)
			})
			i = to
		case !c.IsNamed() && kind == "def" && i+1 < len(list) && list[i+1].Is("identifier", "constant", "setter", "operator"):
			name := list[i+1]
			f := w.top()
			doc, _ := w.above(c.Start())
			s := facts.Symbol{
				Name: name.Text(), Kind: facts.KindFunction, Visibility: f.visibility, Doc: doc,
				Span: facts.Span{Start: c.Start(), End: name.End()}, NameSpan: lang.SpanOf(name),
			}
			headEnd := name.End()
			i++
			if i+1 < len(list) && list[i+1].Kind() == "method_parameters" {
				i++
				s.Params, headEnd = params(list[i]), list[i].End()
			}
			s.Signature, s.Span.End = w.text(c.Start(), headEnd), headEnd
			if f.symbol >= 0 {
				s.Kind = facts.KindMethod
			}
			if f.static {
				s.Flags |= facts.Static
			}
			w.symbol(s)
		case c.IsError():
			w.damaged(c)
		case c.IsNamed():
			w.walk(c)
		}
		if i < len(list) {
			behind = w.b.Line(max(list[i].Start(), list[i].End()-min(list[i].End(), 1)))
		}
	}
}
