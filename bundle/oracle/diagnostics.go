package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
)

// finding is a fault in a file.
type finding struct {
	doc int
	store.Finding
}

// severities orders levels, gravest first.
var severities = []string{"error", "warning", "note", "none"}

func severityRank(level string) int {
	if i := slices.Index(severities, level); i >= 0 {
		return i
	}
	return len(severities)
}

// diagnostics answers what is known to be wrong in the files of a scope: results
// of linters and compilers, syntax errors, imports that lead nowhere, and files
// that were not analysed.
func (o *Oracle) diagnostics(r *Request) (*draft, error) {
	in, err := scopeOf(r)
	if err != nil {
		return nil, err
	}
	a := &draft{confidence: High}
	var list []finding
	cov := Coverage{}
	var gaps []gap
	for doc := range o.c.NumDocs() {
		d := o.doc(doc)
		if !in(d.Path) {
			continue
		}
		cov.Searched++
		cov.Analysed++
		if o.refs != nil {
			for _, f := range o.refs.Findings(doc) {
				list = append(list, finding{doc, f})
			}
		}
		if why := o.gapOf(&d); why != "" {
			gaps = append(gaps, gap{doc, why})
			cov.Analysed--
			if len(cov.Missing) < maxMissing {
				cov.Missing = append(cov.Missing, Missing{d.Path, why})
			}
		}
	}
	scope := cmp.Or(r.Scope, r.File, "the repository")
	if cov.Searched == 0 {
		cov.Searched, cov.Analysed, cov.State = o.c.NumDocs(), o.c.NumDocs(), Absent
		a.coverage = cov
		a.say("No file of the revision matches %s.", scope)
		return a, nil
	}
	slices.SortStableFunc(list, func(x, y finding) int {
		return cmp.Or(btoi(x.Suppressed)-btoi(y.Suppressed), severityRank(x.Level)-severityRank(y.Level), cmp.Compare(o.remote(x.doc), o.remote(y.doc)), cmp.Compare(x.doc, y.doc), cmp.Compare(x.Line, y.Line))
	})
	counts := map[string]int{}
	suppressed := 0
	for _, f := range list {
		if f.Suppressed {
			suppressed++
			continue
		}
		counts[f.Level]++
	}
	cov.State = Found
	var words []string
	for _, s := range severities {
		if n := counts[s]; n > 0 {
			words = append(words, plural(n, s))
		}
	}
	where := "In " + scope + " (" + plural(cov.Searched, "file") + ")"
	switch {
	case len(list) > 0:
		text := where + ": " + strings.Join(words, ", ")
		if len(words) == 0 {
			text = where + ": nothing open"
		}
		if suppressed > 0 {
			text += fmt.Sprintf(", %d suppressed", suppressed)
		}
		a.say("%s.", text)
	case len(gaps) > 0:
		a.say("%s: nothing was found in the files that were analysed.", where)
	default:
		cov.State = Absent
		a.say("%s: nothing was found.", where)
	}
	for _, f := range list {
		o.citeFinding(a, f.doc, f.Finding)
		o.suggest(a, f.doc, f.Line)
	}
	if len(gaps) > 0 {
		o.sayGaps(a, gaps)
	}
	a.say("%s", o.toolsWords())
	if o.o.Pages != nil {
		for _, p := range o.o.Pages() {
			if in(p.Path) {
				a.evidence = append(a.evidence, Evidence{Type: FromDiagnostic, File: p.Path, Detail: "artifact: " + p.Problem})
				cov.State = Found
			}
		}
	}
	a.coverage = cov
	if len(a.evidence) == 0 && cov.State == Absent {
		a.confidence = High
	}
	return a, nil
}

// gap is a file whose faults cannot be known, with the reason.
type gap struct {
	doc    int
	reason string
}

// maxGaps bounds the files that are cited as not analysed; the budget bounds them
// further.
const maxGaps = 60

// sayGaps tells which files were not analysed, and why: those that could hold code
// first, for what is binary is seldom what was asked about.
func (o *Oracle) sayGaps(a *draft, gaps []gap) {
	counts := map[string]int{}
	for _, g := range gaps {
		counts[g.reason]++
	}
	var words []string
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		words = append(words, fmt.Sprintf("%d %s", counts[reason], reason))
	}
	a.say("%s of the scope %s not analysed (%s).", plural(len(gaps), "file"), map[bool]string{true: "was", false: "were"}[len(gaps) == 1], listOf(words, 6))
	slices.SortStableFunc(gaps, func(x, y gap) int { return btoi(!o.couldHoldCode(x.doc)) - btoi(!o.couldHoldCode(y.doc)) })
	for _, g := range gaps[:min(len(gaps), maxGaps)] {
		o.cite(a, FromDiagnostic, g.doc, 0, 0, "", "not analysed: "+g.reason)
	}
}

func (o *Oracle) couldHoldCode(doc int) bool {
	d := o.doc(doc)
	return isCode(doc, &d)
}

// gapOf is the reason why faults of a file cannot be known, "" for a file that was
// read as deep as its kind allows.
func (o *Oracle) gapOf(d *store.Doc) string {
	switch {
	case o.c.Meta().FromArtifacts:
		return "only its map is at hand"
	case d.Depth == facts.Parsed || d.Size == 0 && d.Reason == "":
		return ""
	case d.Reason == facts.ReasonNoExtractor:
		// Text of a kind that nobody parses: nothing is missing of it.
		return ""
	}
	return cmp.Or(string(d.Reason), d.Depth.String())
}

// toolsWords says whose findings are in the store: without a linter's report
// nothing is said of what a linter would find.
func (o *Oracle) toolsWords() string {
	names := []string{"project-map (syntax, imports)"}
	if o.refs != nil {
		for _, e := range o.refs.Meta().Evidence {
			if n := cmp.Or(e.Tool, e.Name); !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return "Looked at by " + strings.Join(names, ", ") + "."
}

func (o *Oracle) citeFinding(a *draft, doc int, f store.Finding) {
	from, to := f.Line, f.EndLine
	if f.Offset > 0 || f.OffsetEnd > 0 {
		from, to = o.linesOf(doc, f.Offset, f.OffsetEnd)
	}
	detail := f.Level + ": " + f.Message
	if tool := strings.TrimSpace(f.Tool + " " + f.Rule); tool != "" {
		detail += " (" + tool + ")"
	}
	if f.Suppressed {
		detail += ", suppressed"
	}
	o.cite(a, FromDiagnostic, doc, from, to, "", detail)
}

// linesOf turns bytes of a file into lines; 0 where its text is not at hand.
func (o *Oracle) linesOf(doc int, from, to uint32) (uint32, uint32) {
	at, start, end := uint32(0), uint32(0), uint32(0)
	for i, line := range o.source(doc) {
		next := at + uint32(len(line)) + 1
		if start == 0 && from < next {
			start = uint32(i + 1)
		}
		if start > 0 && to <= next {
			end = uint32(i + 1)
			break
		}
		at = next
	}
	return start, max(start, end)
}

// scopeOf tells which paths a request is about: a pattern, a directory or a file.
func scopeOf(r *Request) (func(string) bool, error) {
	scope := cmp.Or(r.Scope, r.File)
	if scope == "" || scope == "." || scope == "**" {
		return func(string) bool { return true }, nil
	}
	clean, err := cleanPath(scope)
	if err != nil {
		return nil, err
	}
	if !doublestar.ValidatePattern(clean) {
		return nil, badRequest("scope %q is no pattern such as src/**/*.ts", scope)
	}
	plain := !strings.ContainsAny(clean, "*?[{")
	return func(p string) bool {
		if plain {
			return p == clean || strings.HasPrefix(p, clean+"/")
		}
		ok, _ := doublestar.Match(clean, p)
		if !ok && !strings.Contains(clean, "/") {
			// "*.py" means those of every directory.
			ok, _ = doublestar.Match("**/"+clean, p)
		}
		return ok
	}, nil
}
