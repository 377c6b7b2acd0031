package oracle

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/plaintext"
)

// task is what people run in a repository: the words that ask for it, and the
// names that targets of build files have for it, the usual one first.
type task struct {
	words, names []string
}

var tasks = []task{
	{[]string{"test", "tests", "tested", "testing", "testsuite", "specs", "spec", "suite"}, []string{"test", "tests", "check", "spec", "unit"}},
	{[]string{"build", "builds", "built", "building", "compile", "compiled", "compiling", "binary"}, []string{"build", "compile", "all", "dist"}},
	{[]string{"lint", "linter", "linters", "linting", "vet"}, []string{"lint", "vet", "check", "style"}},
	{[]string{"format", "formatter", "formatting", "reformat", "fmt"}, []string{"format", "fmt", "style", "prettier"}},
	{[]string{"benchmark", "benchmarks", "bench", "benches", "benchmarking"}, []string{"bench", "benchmark", "benchmarks", "perf"}},
	{[]string{"start", "serve", "server", "launch", "locally", "dev"}, []string{"start", "serve", "dev", "run", "server", "up"}},
	{[]string{"install", "installs", "installed", "setup", "bootstrap"}, []string{"install", "setup", "bootstrap", "deps", "init"}},
	{[]string{"release", "publish", "releasing"}, []string{"release", "publish"}},
	{[]string{"deploy", "deployed", "deployment"}, []string{"deploy"}},
	{[]string{"docs", "documentation"}, []string{"docs", "doc", "documentation"}},
	{[]string{"e2e", "end-to-end", "integration", "acceptance", "functional"}, []string{"e2e", "integration", "acceptance", "functional"}},
	{[]string{"coverage"}, []string{"coverage", "cover", "cov"}},
	{[]string{"migrate", "migrations", "migration"}, []string{"migrate", "migrations"}},
	{[]string{"generate", "regenerate", "codegen"}, []string{"generate", "gen", "codegen"}},
	{[]string{"clean", "cleanup"}, []string{"clean"}},
	{[]string{"typecheck", "types", "type-check"}, []string{"typecheck", "types", "mypy", "tsc"}},
}

// wanted is a word of a question that says what is to be run.
type wanted struct {
	task  string   // the first name of a task, "" for any other word
	words []string // what targets have for it, as it was written first
}

// runnable is a target that fits a question, or a section that speaks of it.
type runnable struct {
	name    string
	doc     int
	line    uint32
	command string // "" where it is not known
	body    string // what the target runs in turn; "" where that is not known
	summary string
	score   float64
}

// askRun answers how something is run: by the targets of build files and the jobs
// of CI that are called so, else by the convention of the ecosystem and the
// sections of documents that speak of it. It gives up where none is there.
func (o *Oracle) askRun(a *draft, t target, text string) bool {
	asked := askedTasks(text)
	at := ""
	if t.dir >= 0 {
		at = o.c.Dirs()[t.dir].Path
		asked = slices.DeleteFunc(asked, func(w wanted) bool { return w.task == "" && strings.Contains(at, w.words[0]) })
	}
	if len(asked) == 0 {
		return false
	}
	targets := o.targetsIn(asked, func(p string) bool { return facts.DirOf(p) == at })
	var conventions, jobs, sections []runnable
	if len(targets) == 0 || o.scriptsOfOthers(targets) {
		conventions = o.conventionsFor(asked, at)
	}
	if len(targets) == 0 {
		jobs = o.targetsIn(asked, func(p string) bool {
			return facts.DirOf(p) == ".github/workflows" || strings.HasPrefix(p, ".gitlab-ci")
		})
	}
	sections = o.sectionsFor(asked)
	how := func(list []runnable) string {
		var out []string
		for _, r := range list {
			if r.command != "" {
				out = append(out, plaintext.Code(r.command)+" ("+o.place(r.doc, r.line)+")")
			} else {
				out = append(out, "target "+plaintext.Code(r.name)+" of "+o.place(r.doc, r.line))
			}
		}
		return alternatives(out)
	}
	switch {
	case len(targets) > 0:
		a.say("Run %s.", how(targets))
		if s := targets[0].summary; s != "" {
			a.say("%s: %s", plaintext.Code(targets[0].name), s)
		}
		if len(conventions) > 0 {
			a.say("By convention, too: %s.", how(conventions))
		}
		if targets[0].score < 1.5 || len(conventions) > 0 {
			a.confidence = Medium
		}
	case len(conventions) > 0:
		a.confidence = Medium
		a.say("No target of a build file is called so. By convention: %s.", how(conventions))
	case len(sections)+len(jobs) > 0:
		a.confidence = Medium
		a.say("No target of a build file is called so.")
	default:
		return false
	}
	a.coverage = Coverage{State: Found, Searched: o.c.NumDocs(), Analysed: o.c.NumDocs()}
	sections, jobs = sections[:min(2, len(sections))], jobs[:min(2, len(jobs))]
	if len(jobs) > 0 {
		a.say("CI does it in %s of %s.", plaintext.Code(jobs[0].name), o.place(jobs[0].doc, jobs[0].line))
	}
	if len(sections) > 0 && len(targets) == 0 {
		a.say("Section %s of %s speaks of it.", plaintext.Code(sections[0].name), o.place(sections[0].doc, sections[0].line))
	}
	for _, r := range slices.Concat(targets, conventions, jobs, sections) {
		detail := cmp.Or(r.command, r.summary, r.name)
		if r.body != "" && r.body != r.name {
			detail += ", which runs " + r.body
		}
		o.cite(a, FromFile, r.doc, r.line, r.line, r.name, detail)
		o.suggest(a, r.doc, r.line)
	}
	return true
}

// scriptsOfOthers tells whether targets are scripts of a package.json beside which
// another ecosystem is at home: those of its assets, as a rule.
func (o *Oracle) scriptsOfOthers(targets []runnable) bool {
	for _, r := range targets {
		if path.Base(o.c.Path(r.doc)) != "package.json" {
			return false
		}
	}
	for _, name := range []string{"mix.exs", "go.mod", "Cargo.toml", "Gemfile", "pom.xml", "build.gradle", "build.gradle.kts", "composer.json", "pyproject.toml", "setup.py"} {
		if _, ok := o.c.DocByPath(name); ok {
			return true
		}
	}
	return false
}

func alternatives(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// askedTasks gives the words of a question that say what is to be run; none where
// the question names no task.
func askedTasks(text string) []wanted {
	var out []wanted
	known := map[int]bool{}
	for _, w := range strings.Fields(cueWords(text)) {
		k := slices.IndexFunc(tasks, func(t task) bool { return slices.Contains(t.words, w) })
		switch {
		case k >= 0 && known[k]:
		case k >= 0:
			known[k] = true
			out = append(out, wanted{tasks[k].names[0], slices.Concat([]string{w}, tasks[k].names, tasks[k].words)})
		case len(w) < 2 || isQuestionWord(w) || isAskingWord(w) || isRunWord(w):
		default:
			out = append(out, wanted{words: []string{w}})
		}
	}
	if len(known) == 0 {
		return nil
	}
	return out
}

// isRunWord tells the words around a task that name none.
func isRunWord(w string) bool {
	switch w {
	case "run", "runs", "running", "execute", "command", "commands", "target", "way", "only", "app", "application", "program", "whole", "full", "entire", "local", "own", "machine", "it", "everything", "new", "get", "make":
		return true
	}
	return false
}

// fits scores a name against the asked words: each of its parts should be asked
// for, under its own name or another of the task, and each asked word be in it.
// What is asked for beside the tests says which of them.
func fits(name string, asked []wanted) float64 {
	parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_:./ @", r) })
	score, met := 0.0, false
	for _, a := range asked {
		weight := 1.5
		if a.task == "test" {
			weight = 1
		}
		best := -.7
		for rank, w := range a.words {
			for _, p := range parts {
				if p == w || p == strings.TrimSuffix(w, "s") {
					best, met = max(best, 2-.2*float64(min(rank, 3))), true
				}
			}
		}
		score += weight * best
	}
	if !met {
		return 0
	}
	for _, p := range parts {
		if slices.ContainsFunc(tasks, func(t task) bool {
			return slices.Contains(t.names, p) || slices.Contains(t.names, strings.TrimSuffix(p, "s"))
		}) && !askedFor(p, asked) {
			score-- // another task
		}
		if !askedFor(p, asked) {
			score -= .6
		}
	}
	return score
}

// askedFor tells whether a part of a name is among the asked words.
func askedFor(part string, asked []wanted) bool {
	return slices.ContainsFunc(asked, func(a wanted) bool {
		return slices.ContainsFunc(a.words, func(w string) bool { return part == w || part == strings.TrimSuffix(w, "s") })
	})
}

const (
	// maxRunnables is how many an answer lists.
	maxRunnables = 4
	// minFit keeps names away that share a side meaning of a task only, such as a
	// check of the syntax of documents with the tests.
	minFit = 1.3
)

// targetsIn finds the targets of files that fit.
func (o *Oracle) targetsIn(asked []wanted, in func(p string) bool) []runnable {
	workflows := map[string]string{}
	for _, w := range o.c.Meta().Workflows {
		for _, t := range w.Targets {
			if t.Kind == artifact.TargetFile && w.Command != "" {
				workflows[t.Path+"\x00"+w.Name] = plaintext.Line(w.Command, 0)
			}
		}
	}
	var out []runnable
	for doc := range o.c.NumDocs() {
		if p := o.c.Path(doc); !in(p) {
			continue
		}
		for _, s := range o.symbols(doc) {
			if s.Kind != facts.KindTarget {
				continue
			}
			if score := fits(s.Name, asked); score >= minFit {
				r := runnable{name: s.Name, doc: doc, line: s.Line, command: workflows[o.c.Path(doc)+"\x00"+s.Name], summary: s.Summary, score: score}
				if l := o.doc(doc).Language; l == "json" || l == "toml" {
					r.body = plaintext.Line(s.Signature, maxDetail/2) // a script; elsewhere it is the head of the target
				}
				out = append(out, r)
			}
		}
	}
	return o.best(out)
}

// sectionsFor finds the headings of documents for contributors that speak of a
// task.
func (o *Oracle) sectionsFor(asked []wanted) []runnable {
	var out []runnable
	for doc := range o.c.NumDocs() {
		if !speaksToContributors(o.c.Path(doc)) {
			continue
		}
		for _, s := range o.symbols(doc) {
			if s.Kind != facts.KindHeading {
				continue
			}
			if score := fits(s.Name, asked); score >= minFit {
				out = append(out, runnable{name: s.Name, doc: doc, line: s.Line, summary: s.Summary, score: score})
			}
		}
	}
	return o.best(out)
}

// speaksToContributors tells documents that say how a repository is worked on.
func speaksToContributors(p string) bool {
	dir, base := facts.DirOf(p), strings.ToLower(path.Base(p))
	switch path.Ext(base) {
	case ".md", ".rst", ".adoc", ".txt", ".markdown", "":
	default:
		return false
	}
	if strings.Count(dir, "/") > 1 {
		return false
	}
	for _, w := range []string{"contribut", "develop", "hacking", "testing", "building", "agents", "claude"} {
		if strings.Contains(base, w) {
			return true
		}
	}
	return dir == "" && (strings.HasPrefix(base, "readme") || strings.HasPrefix(base, "install"))
}

// best orders runnables by how they fit, then by place, and keeps those that fit
// about as well as the first.
func (o *Oracle) best(list []runnable) []runnable {
	slices.SortStableFunc(list, func(a, b runnable) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(btoi(a.command == ""), btoi(b.command == "")),
			strings.Compare(o.c.Path(a.doc), o.c.Path(b.doc)), cmp.Compare(a.line, b.line))
	})
	n := 0
	for n < len(list) && n < maxRunnables && list[n].score >= list[0].score-1 {
		n++
	}
	return list[:n]
}
