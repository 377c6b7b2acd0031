package all

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

// read extracts the facts of a text as the indexer does.
func read(t *testing.T, name, text string) *facts.File {
	t.Helper()
	table := Table()
	f := extract.New(table, extract.DefaultLimits).Extract([]byte(text), extract.Plan{
		Language: table.ByPath(name), Extension: strings.ToLower(path.Ext(name)),
	})
	langtest.Check(t, f, []byte(text))
	return f
}

// definitions lists "kind container.name" with the line, in the order of the file.
func definitions(f *facts.File) []string {
	var out []string
	for i := range f.Symbols {
		s := &f.Symbols[i]
		name := s.Name
		if s.Container != "" {
			name = s.Container + "." + name
		}
		out = append(out, fmt.Sprintf("%s %s @%d", s.Kind, name, s.Line))
	}
	return out
}

// references lists "kind qualifier.name in enclosing".
func references(f *facts.File) []string {
	var out []string
	for i := range f.Refs {
		r := &f.Refs[i]
		name := r.Name
		if r.Qualifier != "" {
			name = r.Qualifier + "." + name
		}
		in := "-"
		if r.Enclosing >= 0 {
			in = f.Symbols[r.Enclosing].Name
		}
		out = append(out, fmt.Sprintf("%s %s in %s", r.Kind, name, in))
	}
	return out
}

// kindOfInput is a kind of input that breaks tools of this sort.
type kindOfInput struct {
	name string
	file string
	text string
	// defs are all definitions where exact is set, else some of them.
	defs  []string
	exact bool
	refs  []string
	// damaged allows syntax errors to be noted.
	damaged bool
	also    func(t *testing.T, f *facts.File)
}

func TestKindsOfInput(t *testing.T) {
	for _, k := range kindsOfInput {
		t.Run(k.name, func(t *testing.T) {
			f := read(t, k.file, k.text)
			if f.Depth != facts.Parsed {
				t.Fatalf("%s is %s: %s", k.file, f.Depth, f.Reason)
			}
			got := definitions(f)
			if k.exact && !slices.Equal(got, k.defs) {
				t.Errorf("definitions\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(k.defs, "\n\t"))
			}
			for _, want := range k.defs {
				if n := len(slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s != want })); n != 1 {
					t.Errorf("%q found %d times in\n\t%s", want, n, strings.Join(got, "\n\t"))
				}
			}
			refs := references(f)
			for _, want := range k.refs {
				if !slices.Contains(refs, want) {
					t.Errorf("no reference %q in\n\t%s", want, strings.Join(refs, "\n\t"))
				}
			}
			if len(f.Damage) > 0 && !k.damaged {
				t.Errorf("damage %v", f.Damage)
			}
			if k.also != nil {
				k.also(t, f)
			}
		})
	}
}
