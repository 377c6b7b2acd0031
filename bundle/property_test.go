package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/query"
	"github.com/project-map/project-map/templates"
)

var headings = []string{"query", "relevant indexes", "relevant maps", "likely files", "relevant symbols", "excerpts", "instructions"}

var excerptLine = regexp.MustCompile("^[0-9]+:( |$)")

// check asserts what holds for every bundle.
func check(t testing.TB, b *Bundle) {
	t.Helper()
	got := string(b.Markdown())
	// Sections in their order, and no line that forges one.
	var found []string
	mark := ""
	for i, l := range strings.Split(got, "\n") {
		switch {
		case mark != "" && l == mark:
			mark = ""
			continue
		case mark != "":
			if !excerptLine.MatchString(l) {
				t.Fatalf("line %d of an excerpt: %q", i, l)
			}
		case i == 0:
			if !strings.HasPrefix(l, "# Context bundle: ") || l == "# Context bundle: " {
				t.Fatalf("title %q", l)
			}
			continue
		case strings.HasPrefix(l, "#"):
			found = append(found, strings.TrimPrefix(l, "## "))
			continue
		case strings.HasPrefix(l, "```"):
			if found[len(found)-1] != "excerpts" {
				t.Fatalf("fence in line %d, section %s: %q", i, found[len(found)-1], l)
			}
			mark = l[:len(l)-len(strings.TrimLeft(l, "`"))]
			continue
		}
		if j := strings.IndexFunc(l, func(r rune) bool { return r != '\t' && plaintext.Invisible(r) }); j >= 0 {
			t.Fatalf("line %d holds %q: %q", i, l[j:], l)
		}
	}
	if mark != "" {
		t.Fatalf("an open fence in\n%s", got)
	}
	want := slices.DeleteFunc(slices.Clone(headings), func(h string) bool {
		return (h == "relevant symbols" || h == "excerpts") && !slices.Contains(found, h)
	})
	if !slices.Equal(found, want) {
		t.Fatalf("sections %q in\n%s", found, got)
	}
	for _, h := range found {
		if s := section(got, h); len(s) == 0 || s[0] == "" {
			t.Fatalf("section %s is empty in\n%s", h, got)
		}
	}
	if b.Tokens() != estimate(got) {
		t.Fatalf("%d tokens reported, %d estimated", b.Tokens(), estimate(got))
	}
	if b.Tokens() > b.budget && !b.OverBudget() {
		t.Fatalf("%d tokens for a budget of %d in\n%s", b.Tokens(), b.budget, got)
	}
	if b.OverBudget() && len(b.plan.kept[classFile])+len(b.plan.kept[classIndex]) > 1 {
		t.Fatalf("over budget, and yet kept %v", b.plan.kept)
	}
	checkJSON(t, b)
}

// checkJSON compares the JSON with its schema.
func checkJSON(t testing.TB, b *Bundle) {
	t.Helper()
	data, err := b.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if i := bytes.IndexFunc(data, func(r rune) bool { return r != '\n' && plaintext.Invisible(r) }); i >= 0 {
		t.Fatalf("JSON holds %q", data[i:min(len(data), i+20)])
	}
	var schema map[string]any
	if err := json.Unmarshal([]byte(templates.Text(templates.ContextSchema)), &schema); err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	if err := validate(schema, schema, value, "$"); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
}

// validate checks a value against the part of JSON Schema that is used here.
func validate(root, schema map[string]any, value any, at string) error {
	if ref, ok := schema["$ref"].(string); ok {
		defs := root["$defs"].(map[string]any)
		def, ok := defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		if !ok {
			return fmt.Errorf("%s: no definition %s", at, ref)
		}
		return validate(root, def, value, at)
	}
	ok := false
	switch v := value.(type) {
	case map[string]any:
		ok = schema["type"] == "object"
		properties, _ := schema["properties"].(map[string]any)
		for _, r := range schema["required"].([]any) {
			if _, has := v[r.(string)]; !has {
				return fmt.Errorf("%s: no %v", at, r)
			}
		}
		for k, x := range v {
			p, has := properties[k].(map[string]any)
			if !has {
				return fmt.Errorf("%s: %s is not in the schema", at, k)
			}
			if err := validate(root, p, x, at+"."+k); err != nil {
				return err
			}
		}
	case []any:
		ok = schema["type"] == "array"
		for i, x := range v {
			if err := validate(root, schema["items"].(map[string]any), x, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case string:
		ok = schema["type"] == "string"
	case bool:
		ok = schema["type"] == "boolean"
	case float64:
		ok = schema["type"] == "number" || schema["type"] == "integer" && v == math.Trunc(v)
		if low, has := schema["minimum"].(float64); has && v < low {
			return fmt.Errorf("%s: %v is below %v", at, v, low)
		}
	}
	if !ok {
		return fmt.Errorf("%s: %v is not of type %v", at, value, schema["type"])
	}
	if enum, has := schema["enum"].([]any); has && !slices.ContainsFunc(enum, func(e any) bool { return reflect.DeepEqual(e, value) }) {
		return fmt.Errorf("%s: %v is none of %v", at, value, enum)
	}
	return nil
}

// nasty are pieces that try to break out of where they are put.
var nasty = []string{
	"word", "parse", "stale", "signature", "\n## instructions\n", "```", "~~~", "`", "<!--", "-->", "\u202e", "\x1b[31m", "\x00",
	"\xff", "漢字", "# ", "- ", "> ", "[a](b)", "|", "\t", "\r\n", "\u2028", "ﷺ", "e\u0301", "🙂", " — ", ":12", "&amp;", "\\", "\"", "'",
	"<script>", "<|endoftext|>", "==", "__init__", "\u200b", "1. ",
}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(nasty[r.IntN(len(nasty))])
		if r.IntN(3) > 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

type randomCase struct {
	fixture *fixture
	query   *query.Query
	result  *ranker.Result
	options Options
}

func newRandomCase(t testing.TB, r *rand.Rand) randomCase {
	f := &fixture{files: map[string]*facts.Entry{}, text: map[string]string{}, dirs: map[string]string{}}
	if r.IntN(10) > 0 {
		f.dirs[""] = randomText(r, 8)
	}
	for i := range r.IntN(25) {
		dir := fmt.Sprintf("d%d", r.IntN(4))
		if r.IntN(4) == 0 {
			dir += strings.ReplaceAll(randomText(r, 2), "/", "")
		}
		p := fmt.Sprintf("%s/%d%s.go", dir, i, strings.ReplaceAll(randomText(r, 3), "/", ""))
		if r.IntN(5) == 0 {
			p = fmt.Sprintf("%d.go", i)
		}
		f.files[p] = sourceFile(strings.TrimSpace(randomText(r, 1)), randomText(r, 12), facts.Role(r.IntN(8)),
			definition(fmt.Sprintf("f%d%s", i, randomText(r, 2)), facts.Kind(r.IntN(15)), randomText(r, 10), uint32(r.IntN(20)), uint32(r.IntN(30))))
		f.text[p] = strings.Repeat(randomText(r, 40)+"\n", r.IntN(20))
		if r.IntN(2) == 0 {
			f.dirs[dir] = randomText(r, 10)
		}
	}
	f.meta = func(m *store.Meta) {
		if r.IntN(2) == 0 {
			m.Instructions = []string{"AGENTS.md", "d1/CLAUDE.md"}
			m.Workflows = []artifact.Workflow{{Name: "test", Source: randomText(r, 2), Command: randomText(r, 5)}}
		}
	}
	c := f.build(t)
	res := &ranker.Result{Confidence: ranker.Level(r.IntN(3))}
	for _, d := range r.Perm(c.NumDocs())[:r.IntN(c.NumDocs()+1)] {
		x := ranker.Candidate{Doc: d, Path: c.Path(d), Score: r.NormFloat64()}
		for range r.IntN(8) {
			x.Reasons = append(x.Reasons, ranker.Reason{Signal: "words", Value: r.Float64(), Weight: 2, Share: r.Float64() - .2, Detail: randomText(r, 6)})
		}
		if r.IntN(40) == 0 {
			x.Score = math.NaN()
		}
		res.Files = append(res.Files, x)
		if r.IntN(2) == 0 {
			for _, s := range c.SymbolsOf(d) {
				res.Symbols = append(res.Symbols, ranker.SymbolCandidate{Symbol: s, Path: c.Path(d), Score: r.Float64(), Match: randomText(r, 1)})
			}
		}
	}
	score := 1.0
	for _, d := range r.Perm(len(c.Dirs()))[:min(3, len(c.Dirs()))] {
		res.Dirs = append(res.Dirs, ranker.DirCandidate{Dir: d, Path: c.Dirs()[d].Path, Score: score})
		score *= r.Float64()
	}
	o := Options{Limit: r.IntN(15), Explain: r.IntN(2) == 0, Excerpts: r.IntN(2) == 0, Source: f, ArtifactsOnly: r.IntN(4) == 0}
	for _, x := range res.Files {
		if r.IntN(6) == 0 {
			o.Stale = append(o.Stale, StaleFile{x.Path, []State{Modified, Deleted, Added}[r.IntN(3)]})
		}
	}
	if r.IntN(3) == 0 {
		o.Notes = []string{randomText(r, 20)}
		o.Freshness = Freshness{Fresh, randomText(r, 4)}
	}
	return randomCase{f, query.Parse(randomText(r, []int{3, 10, 80, 2000}[r.IntN(4)])), res, o}
}

func (x *randomCase) build(budget int) *Bundle {
	o := x.options
	o.Budget = budget
	return Build(x.query, x.fixture.catalog, x.result, o)
}

// TestProperties checks random bundles over rising budgets: every one is well
// formed, the same input gives the same bytes, and a larger budget keeps all
// that a smaller one keeps.
func TestProperties(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 30
	}
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		x := newRandomCase(t, r)
		budgets := []int{1, 50, 100, 150, 200, 250, 300, 350, 400, 500, 700, 1000, 1500, 1700, 3000, 20000}
		for range 10 {
			budgets = append(budgets, 1+r.IntN(2500))
		}
		slices.Sort(budgets)
		var last *Bundle
		for _, budget := range budgets {
			b := x.build(budget)
			if budget%5 == 0 {
				check(t, b)
			}
			if budget%10 == 0 && !bytes.Equal(b.markdown, x.build(budget).markdown) {
				t.Fatalf("seed %d, budget %d: two runs differ", seed, budget)
			}
			for class := range last.keptItems() {
				for item, text := range last.plan.kept[class] {
					if now, ok := b.plan.kept[class][item]; !ok || now != text {
						t.Fatalf("seed %d: budget %d keeps %q, %d does not", seed, last.budget, text, budget)
					}
				}
			}
			last = b
		}
		if last.plan.anyDropped() || last.OverBudget() {
			t.Fatalf("seed %d: something was dropped from a budget of %d", seed, last.budget)
		}
	}
}

func (b *Bundle) keptItems() []map[int]string {
	if b == nil {
		return nil
	}
	return b.plan.kept[:]
}

// TestEveryInstructionRenders makes sure that no template can fail at run time.
func TestEveryInstructionRenders(t *testing.T) {
	data := map[string]any{
		"read": nil, "trust": nil, "nothing": "x", "confidence": ranker.High, "low": nil, "agents": []string{"a", "b"}, "beside": beside{"a", []string{"b"}, []string{"c"}}, "tests": []string{"a"}, "test": "x", "fresh": "x",
		"stale": struct {
			Revision string
			Cited    []string
		}{"x", []string{"a"}},
		"added": []string{"a"}, "unverified": "x", "artifacts": nil, "origin": "`x`", "dropped": []string{"1 file"}, "over": 7, "list": []string{"a"},
	}
	for _, x := range instructionTemplates().Templates() {
		if x.Name() == "" {
			continue
		}
		d, ok := data[x.Name()]
		if !ok {
			t.Errorf("no data for template %s", x.Name())
			continue
		}
		if got := instruction(x.Name(), d); got == "" || strings.Contains(got, "<no value>") {
			t.Errorf("%s: %q", x.Name(), got)
		}
	}
}

func FuzzBuild(f *testing.F) {
	for _, s := range nasty {
		f.Add(s, 300)
		f.Add(s+"\n"+s, 1000)
	}
	x := plainFixture(f)
	r := x.usual(f)
	f.Fuzz(func(t *testing.T, text string, budget int) {
		b := Build(query.Parse(text), x.catalog, r, Options{Budget: budget % 5000, Explain: true, Excerpts: true, Source: x})
		check(t, b)
	})
}
