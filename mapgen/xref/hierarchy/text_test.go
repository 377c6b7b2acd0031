package hierarchy

import (
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

func TestTypeParameters(t *testing.T) {
	for _, c := range []struct{ name, signature, want string }{
		{"Box", "public class Box<K, V extends List<K>> extends Base<Item>", "K V"},
		{"Box", "class Box extends Base<Item>", ""},
		{"Box", "template <class T, typename U = V<int>> class Box", "T U"},
		{"add", "public <T, R extends Comparable<R>> R add(T x)", "T R"},
		{"Get", "T Get<in T, out R>(T x)", "T R"},
		{"get", "List<Item> get()", "Item"}, // a type of Java before the name may be one
		{"Box", "Box<", ""}, {"Box", "", ""}, {"", "<<>>", ""},
	} {
		if got := strings.Join(typeParameters(&facts.Symbol{Name: c.name, Signature: c.signature}), " "); got != c.want {
			t.Errorf("%q: got %q, want %q", c.signature, got, c.want)
		}
	}
}

func TestPlainType(t *testing.T) {
	for in, want := range map[string]string{
		"final java.util.Map<String, a.b.C>": "Map<String,C>", "const std::string &": "string&", "string?": "string",
		"int...": "int...", "this Foo": "Foo", "a.b.": "", "::x": "::x", "params X[]": "X[]",
	} {
		if got := plainType(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestImplements(t *testing.T) {
	for head, want := range map[string]bool{
		"impl Reader for Disk": true, "impl<T: Fn() -> X<U>> a::Reader<T> for Wrap<T>": true, "impl<'a> Reader for &'a Disk": true,
		"impl Reader": false, "impl Disk": false, "impl Other for Reader": false, "impl<T": false, "": false, "impl<T> for Reader": false,
	} {
		if got := implements(head, "Reader"); got != want {
			t.Errorf("%q: %t", head, got)
		}
	}
}

// Signatures of Go are the same where their types are, however these are called.
func TestSignatures(t *testing.T) {
	f := &facts.File{Language: "go", Family: "go", Package: "a", Imports: []facts.Import{
		{Module: "context"}, {Module: "context", Alias: "ctx"}, {Module: "gopkg.in/yaml.v3"}, {Module: "example.com/go-x/v2"}, {Module: "io/fs"}, {Module: "os"},
	}, Symbols: []facts.Symbol{
		{Name: "Own", Kind: facts.KindStruct, Parent: -1, Signature: "type Own struct"},
		{Name: "Same", Kind: facts.KindType, Parent: -1, Signature: "type Same = []Own", Type: "[]Own"},
	}}
	n := newGoNames(edges.WithTargets([]facts.Entry{{Path: "a/a.go", File: f}}, make([][]xref.Target, 1)))
	for _, c := range []struct {
		a, b       string
		same, sure bool
	}{
		{"context.Context", "ctx.Context", true, true},
		{"map[string]any", "map[string]interface{}", true, true},
		{"[]byte", "[]uint8", true, true},
		{"func(name string, x *Own) (n int, err error)", "func(string, *Own) (int, error)", true, true},
		{"Same", "[]Own", true, true},
		{"os.FileMode", "fs.FileMode", true, true},
		{"yaml.Node", "yaml.Node", true, true},
		{"x.Y", "yaml.Y", false, false},
		{"T", "T", true, false},
		{"gone.T", "fs.T", true, false},
		{"Own", "fs.Own", false, false},
		{"chan Own", "chan<- Own", false, false},
		{"", "int", false, false},
	} {
		same, sure := n.append(0, c.a, nil).same(n.append(0, c.b, nil))
		if same != c.same || sure != c.sure {
			t.Errorf("%s and %s: same %t, sure %t", c.a, c.b, same, sure)
		}
	}
}

// A type that is made of itself many times over ends.
func TestAliasesOfThemselves(t *testing.T) {
	f := &facts.File{Language: "go", Family: "go", Package: "a", Symbols: []facts.Symbol{
		{Name: "A", Kind: facts.KindType, Parent: -1, Signature: "type A = func(A)", Type: "func(" + strings.Repeat("A, ", 200) + "A)"},
	}}
	n := newGoNames(edges.WithTargets([]facts.Entry{{Path: "a.go", File: f}}, make([][]xref.Target, 1)))
	if got := n.append(0, "A", nil); len(got) == 0 || len(got) > 2*maxSignature {
		t.Errorf("%d parts", len(got))
	}
}

func FuzzTexts(f *testing.F) {
	f.Add("Box", "template <class T> Box<T>::a(b::c x)", "func(a b.C, d ...map[string]E) (f, g error)")
	f.Add("Reader", "impl<T: Fn() -> X> a::Reader<T> for Wrap<T>", "a.b.c..d::e:::f")
	f.Fuzz(func(t *testing.T, name, text, typ string) {
		s := &facts.Symbol{Name: name, Signature: text, Params: []facts.Param{{Type: typ}}, Bases: []string{text, typ}}
		file := &facts.File{Language: "go", Family: "go", Package: "a", Imports: []facts.Import{{Module: text}, {Module: name, Alias: typ}}, Symbols: []facts.Symbol{{Name: "A", Kind: facts.KindType, Signature: "type A = " + typ, Type: typ, Parent: -1}}}
		n := newGoNames(edges.WithTargets([]facts.Entry{{Path: "a/a.go", File: file}}, make([][]xref.Target, 1)))
		one := n.append(0, typ, nil)
		if same, _ := one.same(slices.Clone(one)); !same {
			t.Errorf("%q is not itself", typ)
		}
		n.wellKnown(0, typ)
		results(text)
		implements(text, name)
		wayOf(s, name)
		if m := (member{file, s, true}); !m.sameParameters(s, s) {
			t.Errorf("%q takes other than itself", typ)
		}
	})
}
