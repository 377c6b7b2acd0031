package oracle

import (
	"fmt"
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
)

// maxMissing bounds the files that a coverage names.
const maxMissing = 5

// searched judges a set of files: which of them were analysed. why is "" for one
// that was.
func (o *Oracle) searched(in func(doc int, d *store.Doc) bool, why func(doc int, d *store.Doc) string) Coverage {
	var c Coverage
	for doc := range o.c.NumDocs() {
		d := o.doc(doc)
		if !in(doc, &d) {
			continue
		}
		c.Searched++
		reason := why(doc, &d)
		if reason == "" {
			c.Analysed++
		} else if len(c.Missing) < maxMissing {
			c.Missing = append(c.Missing, Missing{d.Path, reason})
		}
	}
	return c
}

// unless leaves out the files that cannot hold a name: all their words are known,
// and it is none of them. holding are the documents that hold it, sorted; known
// is false where its words say nothing.
func (o *Oracle) unless(holding []int, known bool, why func(int, *store.Doc) string) func(int, *store.Doc) string {
	return func(doc int, d *store.Doc) string {
		reason := why(doc, d)
		if reason == "" || !known || o.c.Meta().FromArtifacts || d.Depth == facts.Listed || d.Traits&facts.Truncated != 0 {
			return reason
		}
		if _, holds := slices.BinarySearch(holding, doc); holds {
			return reason
		}
		return ""
	}
}

// conclude gives the state of a search that found nothing.
func (c *Coverage) conclude() {
	c.State = Absent
	if c.Analysed < c.Searched || c.Bounded {
		c.State = NotAnalysed
	}
}

// isCode tells whether definitions and references of programs can stand in a
// file. What is not text cannot hold any.
func isCode(_ int, d *store.Doc) bool {
	switch d.Reason {
	case facts.ReasonBinary, facts.ReasonSymlink, facts.ReasonSubmodule, facts.ReasonLFSPointer:
		return false
	}
	return d.Nature == facts.Code || d.Family != ""
}

// unparsed is the reason why the definitions of a file are not known.
func (o *Oracle) unparsed(_ int, d *store.Doc) string {
	if o.c.Meta().FromArtifacts {
		return "only its map is at hand"
	}
	switch {
	case d.Depth == facts.Parsed && d.Traits&facts.Damaged != 0:
		return "parts of it have syntax errors"
	case d.Depth == facts.Parsed || d.Aside():
		return ""
	case d.Reason != "":
		return string(d.Reason)
	}
	return d.Depth.String()
}

// unresolved is the reason why the references of a file are not known.
func (o *Oracle) unresolved(doc int, d *store.Doc) string {
	if r := o.unparsed(doc, d); r != "" {
		return r
	}
	if o.refs == nil {
		return "the store has no references"
	}
	switch o.refs.Resolution(doc) {
	case store.Unresolved:
		return "its references are not resolved"
	case store.ByNames:
		return fmt.Sprintf("references of %s are matched by name only", d.Language)
	}
	return ""
}

// sayCoverage puts what was not analysed into words.
func (a *draft) sayCoverage() {
	c := &a.coverage
	if c.State == NotAnalysed && c.Searched > c.Analysed {
		m := ""
		if len(c.Missing) > 0 {
			m = fmt.Sprintf(", such as %s (%s)", c.Missing[0].File, c.Missing[0].Reason)
		}
		a.say("Not analysed: %d of the %s that could hold it%s.", c.Searched-c.Analysed, plural(c.Searched, "file"), m)
	}
}
