package component

import (
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
)

func TestClosing(t *testing.T) {
	for code, rest := range map[string]string{
		`{a}x`:                               "x",
		`{ "}" + '}' + f("\"}") }x`:          "x",
		"{`} ${ {a: `}`} } }`}x":             "x",
		"{a // }\n}x":                        "x",
		"{/* } */}x":                         "x",
		`{s.replace(/[/}]/g, 1) / 2 / b}x`:   "x",
		`{a / b}x /`:                         "x /",
		`{() => { return /}/.test(q) }}x`:    "x",
		`{[{}, ({})]}x`:                      "x",
		`{`:                                  "-",
		`{(}`:                                "-",
		`{"`:                                 "-",
		"{`${":                               "-",
		`{/*}`:                               "-",
		strings.Repeat("{", 20_000):          "-",
		"{" + strings.Repeat("(", 20_000):    "-",
		"{" + strings.Repeat("`${", 20_000):  "-",
		"{" + strings.Repeat("=/[", 100_000): "-",
	} {
		end, ok := NewScanner([]byte(code), true).Closing(0)
		if got := "-"; ok {
			if got = code[end+1:]; got != rest {
				t.Errorf("%.40q: behind the brace %q, want %q", code, got, rest)
			}
		} else if rest != got {
			t.Errorf("%.40q: no end", code)
		}
	}
}

func TestTag(t *testing.T) {
	src := `<a.B-c x="1 > 2" y='"' z=3/4 {...rest} w={"}" > '>'} :[k.v]="d" bare` + " t=`${a}`" + ` / @e.f = "g"  />rest`
	tag, ok := NewScanner([]byte(src), true).Tag(0)
	if !ok || tag.Name != "a.B-c" || !tag.SelfClosing || src[tag.End:] != "rest" {
		t.Fatalf("%+v", tag)
	}
	var got []string
	for _, a := range tag.Attributes {
		got = append(got, a.Name+"="+src[a.ValueStart:a.ValueEnd])
	}
	want := []string{"x=1 > 2", `y="`, "z=3/4", "=...rest", `w="}" > '>'`, ":[k.v]=d", "bare=", "t=${a}", "@e.f=g"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	for _, torn := range []string{"<a", "<a b", `<a b="`, "<a b={", "<a <b>", "<a b=`", "<a :["} {
		if _, ok := NewScanner([]byte(torn), true).Tag(0); ok {
			t.Errorf("%q is read as a tag", torn)
		}
	}
}

func TestScopesStayBalanced(t *testing.T) {
	for _, c := range []struct{ ops, want string }{
		{"( )", "{ }"},
		{"( ( ) )", "{ { } }"},
		{"( (", "; ;"}, // never closed
		{") (", "  ;"},
		{"(o)", "{ }"},
	} {
		src := []byte(strings.Repeat(" ", len(c.ops)))
		o := NewOverlay(src)
		s := NewScopes(o)
		for i, op := range c.ops {
			switch op {
			case '(':
				s.Block("b", i, "{", i+1, -1)
			case 'o':
				s.Open("p")
			case ')':
				s.Close("b", i, 1)
			}
		}
		s.Finish()
		got := []byte(strings.Repeat(" ", len(c.ops)))
		for _, p := range o.Pieces() {
			copy(got[p.Start:], p.Text)
		}
		if string(got) != c.want {
			t.Errorf("%q: %q, want %q", c.ops, got, c.want)
		}
	}
}

func TestScopesCancelWhatHasNoRoom(t *testing.T) {
	o := NewOverlay([]byte("abcd"))
	s := NewScopes(o)
	s.Block("outer", 0, "{", 1, -1)
	s.Block("inner", 1, "{", 2, -1)
	s.Close("outer", 3, 1)
	if got := string(o.Pieces()[0].Text); got != ";{" {
		t.Errorf("%q", got)
	}
}

func TestStatement(t *testing.T) {
	for src, want := range map[string]string{
		"< a >":                 "  a;",
		"<{a: 1}>":              "!{a: 1};",
		"<function () {}>":      "!function () {};",
		"<classy>":              " classy;",
		"<a &amp;&amp; b>":      " a &&         b;",
		"<f(&quot;x&quot;)>":    ` f("     x"     );`,
		"<>":                    "",
		"<a &lt; b &gt; &amp;>": " a <    b >    &amp;;",
	} {
		o := NewOverlay([]byte(src))
		o.Statement(1, len(src)-1)
		got := []byte(strings.Repeat(" ", len(src)))
		for _, p := range o.Pieces() {
			copy(got[p.Start:], p.Text)
		}
		if strings.TrimRight(string(got), " ") != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestComponent(t *testing.T) {
	for name, want := range map[string]string{
		"div": "", "MyButton": "call MyButton", "my-button": "call MyButton", "font-face": "", "svelte:head": "",
		"Foo.Bar": "read Foo, call Foo.Bar", "a.b.C": "read a, read a.b, call a.b.C", ".": "", "A.": "read A", "-x": "",
	} {
		f := &File{}
		f.Component(name, 0, true)
		var got []string
		for _, u := range f.Uses {
			text := u.Kind.String() + " " + u.Name
			if u.Qualifier != "" {
				text = u.Kind.String() + " " + u.Qualifier + "." + u.Name
			}
			if u.Kind == facts.RefCall && !strings.HasSuffix(Pascal(name), u.Name) {
				t.Errorf("%s: call of %s", name, u.Name)
			}
			got = append(got, text)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestLanguages(t *testing.T) {
	for text, want := range map[string]string{
		`<script>`: "javascript", `<script lang="ts">`: "typescript", `<script lang=tsx>`: "tsx", `<script lang="coffee">`: "coffeescript",
		`<script type="module">`: "javascript", `<script type="text/typescript">`: "typescript", `<script type="application/ld+json">`: "",
		`<script type="text/x-template">`: "", `<style>`: "css", `<style lang="scss" scoped>`: "scss", `<style lang='styl'>`: "stylus", `<style lang="postcss">`: "css",
	} {
		tag, ok := NewScanner([]byte(text), false).Tag(0)
		if !ok {
			t.Fatal(text)
		}
		got := StyleLanguage(tag)
		if tag.Name == "script" {
			got = ScriptLanguage(tag, "javascript")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
