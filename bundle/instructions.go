package bundle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/templates"
)

const (
	maxNamed     = 5 // files named in one instruction
	maxNotes     = 10
	noteLine     = 200 // runes
	originRunes  = 500 // the longest name in a registry
	commandRunes = 200
	// handWritten is the source of workflows that people wrote for this
	// program; they come before those found in build files.
	handWritten = ".project-map.yaml"
)

var instructionTemplates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Parse(templates.Text(templates.ContextInstructions)))
})

// instruction fills in one of the embedded lines. The data is text that has been
// neutralised.
func instruction(name string, data any) string {
	var b strings.Builder
	if err := instructionTemplates().ExecuteTemplate(&b, name, data); err != nil {
		// The templates are embedded and tested; only a programmer gets here.
		panic(fmt.Sprintf("template %s: %v", name, err))
	}
	return plaintext.Line(b.String(), 0)
}

// instructionLines are the lines of the section "instructions", without what is
// said about the budget.
func instructionLines(c *store.Catalog, s *selection, o *Options) []string {
	var out []string
	add := func(name string, data any) { out = append(out, instruction(name, data)) }
	if s.nothing {
		start := ""
		if rootIndex(c, o) {
			start = artifact.IndexName
		}
		add("nothing", start)
	}
	add("read", nil)
	add("trust", nil)
	if s.confidence == ranker.Low {
		if !s.nothing {
			add("low", nil)
		} else {
			add("confidence", s.confidence)
		}
	} else {
		add("confidence", s.confidence)
	}
	if files := s.instructionFiles(c); len(files) > 0 {
		add("agents", named(files))
	}
	for _, b := range s.neighbours(c, o.References) {
		add("beside", b)
	}
	if tests := s.testsNear(c); len(tests) > 0 {
		add("tests", named(tests))
	}
	if command := testCommand(c, o); command != "" {
		add("test", command)
	}
	revision := prose(s.freshness.Revision, 80)
	switch s.freshness.State {
	case Fresh:
		if revision != "" {
			add("fresh", revision)
		}
	case Stale:
		var cited []string
		for _, f := range s.staleCited {
			cited = append(cited, f.Path)
		}
		add("stale", struct {
			Revision string
			Cited    []string
		}{revision, named(cited)})
		if len(s.added) > 0 {
			add("added", named(s.added))
		}
	default:
		add("unverified", revision)
	}
	if s.fromPages {
		add("artifacts", nil)
	}
	if t := plaintext.Line(o.Origin, originRunes); t != "" {
		add("origin", plaintext.Code(t))
	}
	for _, n := range o.Notes[:min(len(o.Notes), maxNotes)] {
		if t := prose(n, noteLine); t != "" {
			out = append(out, t)
		}
	}
	return out
}

func rootIndex(c *store.Catalog, o *Options) bool {
	if o.ArtifactExists != nil {
		return o.ArtifactExists(artifact.IndexName)
	}
	return len(c.Dirs()) > 0 && c.Dirs()[0].HasMap
}

// named shows the first few paths and counts the rest.
func named(paths []string) []string {
	var out []string
	for _, p := range paths[:min(len(paths), maxNamed)] {
		out = append(out, name(p))
	}
	if n := len(paths) - maxNamed; n > 0 {
		out = append(out, strconv.Itoa(n)+" more")
	}
	return out
}

// testCommand is the user's own, or what a workflow called test says. None is
// made up.
func testCommand(c *store.Catalog, o *Options) string {
	if t := plaintext.Line(o.TestCommand, commandRunes); t != "" {
		return plaintext.Code(t)
	}
	var found []artifact.Workflow
	for _, w := range c.Meta().Workflows {
		if strings.EqualFold(w.Name, "test") && plaintext.Line(w.Command, 0) != "" {
			found = append(found, w)
		}
	}
	if len(found) == 0 {
		return ""
	}
	w := found[0]
	if i := slices.IndexFunc(found, func(w artifact.Workflow) bool { return w.Source == handWritten }); i >= 0 {
		w = found[i]
	}
	t := plaintext.Code(plaintext.Line(w.Command, commandRunes))
	if source := plaintext.Line(w.Source, 80); source != "" {
		t += " (from " + name(source) + ")"
	}
	return t
}

// counted shows a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
