package idl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

func texts(t *Tokens) string {
	var out []string
	for i := range t.All {
		out = append(out, t.Text(i))
	}
	return strings.Join(out, "|")
}

func TestScan(t *testing.T) {
	c := Syntax{Slash: true}
	for _, x := range []struct {
		src    string
		syntax Syntax
		want   string
	}{
		{"a.b = -1; // c\n/* d */ e", c, "a|.|b|=|-|1|;|e"},
		{"a.b # c\nd", Syntax{Hash: true, Inside: "."}, "a.b|d"},
		{`"a\"b" 'c'`, c, `"a\"b"|'c'`},
		{"\"open\nb", c, "\"open|b"},
		{"/* open\nb", c, "b"},
		{`"""a "b" \""" c""" d`, Syntax{Block: true}, `"""a "b" \""" c"""|d`},
		{`""" open d`, Syntax{Block: true}, "open|d"},
		{"注文 é", c, "注文|é"},
		{"\ufeffa", c, "a"},
	} {
		if got := texts(Scan([]byte(x.src), x.syntax)); got != x.want {
			t.Errorf("%q: %s, want %s", x.src, got, x.want)
		}
	}
}

func TestBalanced(t *testing.T) {
	for src, want := range map[string]bool{"{()[]}": true, "{": false, "}{": false, "(": false, "\"{\"": true, "": true} {
		if got := Scan([]byte(src), Syntax{}).Balanced; got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}

func TestComments(t *testing.T) {
	s := Scan([]byte("// Licensed to you.\n\n// The header of it.\n\n// Above a.\n// More.\na // Behind a.\n\n/* Far. */\n\nb c"), Syntax{Slash: true})
	for what, got := range map[string][2]string{
		"above":        {s.Above(0), "Above a.\nMore."},
		"behind":       {s.Behind(0), "Behind a."},
		"far above":    {s.Above(1), ""},
		"same line":    {s.Above(2), ""},
		"none behind":  {s.Behind(1), ""},
		"none at last": {s.Behind(2), ""},
		"header":       {s.Header(0), "The header of it."},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %q, want %q", what, got[0], got[1])
		}
	}
}

func TestOutlineDropsMembersFirst(t *testing.T) {
	var o Outline
	var src strings.Builder
	add := func(parent int, name string) int {
		from := uint32(src.Len())
		src.WriteString(name + " ")
		span := facts.Span{Start: from, End: from + uint32(len(name))}
		return o.Add(parent, facts.Symbol{Name: name, Kind: facts.KindStruct, Span: span, NameSpan: span})
	}
	for i := range MaxSymbols - 10 {
		at := add(-1, fmt.Sprintf("top%d", i))
		member := add(at, fmt.Sprintf("member%d", i))
		o.Ref(facts.RefType, "used", "", member, o.Symbol(member).Span.Start)
	}
	b := lang.NewBuilder([]byte(src.String()), "")
	o.Emit(b)
	f := b.Finish()
	top := 0
	for _, s := range f.Symbols {
		if s.Parent < 0 {
			top++
		}
	}
	if len(f.Symbols) != MaxSymbols || top != MaxSymbols-10 {
		t.Errorf("%d symbols, %d at the top", len(f.Symbols), top)
	}
	if last := f.Refs[len(f.Refs)-1]; f.Symbols[last.Enclosing].Name != fmt.Sprintf("top%d", MaxSymbols-11) {
		t.Errorf("the reference of a dropped member is in %q", f.Symbols[last.Enclosing].Name)
	}
}

func TestQualified(t *testing.T) {
	for in, want := range map[string][2]string{"a": {"a", ""}, "a.b.c": {"c", "a.b"}, ".a.b": {"b", "a"}, ".a": {"a", ""}} {
		if last, q := Qualified(in); last != want[0] || q != want[1] {
			t.Errorf("%q: %q of %q", in, last, q)
		}
	}
}
