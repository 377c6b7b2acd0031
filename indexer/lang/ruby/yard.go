package ruby

import (
	"strings"

	"github.com/project-map/project-map/indexer/lang"
)

// docTags are the types that the documentation of a method names, in the
// manner of YARD.
type docTags struct {
	result string
	params map[string]string
}

// of is the type of a parameter, whose name may have its marks.
func (t docTags) of(name string) string { return t.params[strings.Trim(name, "*&:")] }

func tagsOf(text string) docTags {
	var t docTags
	if !strings.Contains(text, "@return") && !strings.Contains(text, "@param") {
		return t
	}
	for line := range strings.Lines(text) {
		tag, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if tag != "@return" && tag != "@param" {
			continue
		}
		before, after, _ := strings.Cut(rest, "[")
		typ, after, closed := strings.Cut(after, "]")
		if !closed {
			continue
		}
		typ = lang.Collapse(typ)
		if tag == "@return" {
			if t.result == "" {
				t.result = typ
			}
			continue
		}
		name := strings.TrimSpace(before)
		if name == "" {
			name, _, _ = strings.Cut(strings.TrimSpace(after), " ")
		}
		if t.params == nil {
			t.params = map[string]string{}
		}
		t.params[strings.Trim(name, "*&:")] = typ
	}
	return t
}
