// Package swift reads Swift.
//
// The grammar at hand lags behind the language and damages one file in four of
// current code, often a whole type at a time. So a reader of the brackets and
// keywords, which hold declarations together in every version of the language,
// takes its place. Each branch of a conditional compilation is read, as all of
// them hold whole declarations.
package swift

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
)

// Language is the row of Swift.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "swift",
		Version:      1,
		Extensions:   []string{".swift"},
		Filenames:    []string{"Package.swift"},
		Interpreters: []string{"swift"},
		Extract:      extract,
		Roles:        roles,
	}
}

var (
	testName = lazyregexp.New(`^(?:.*[a-z0-9])?(?:Tests?|TestCase|Spec)(?:[+_-].*)?\.swift$`)
	manifest = lazyregexp.New(`^Package(?:@swift-[0-9.]+)?\.swift$`)
)

func roles(p string) facts.Role {
	dir, base := path.Split(p)
	if manifest.MatchString(base) {
		return facts.RoleBuild
	}
	if testName.MatchString(base) || base == "XCTestManifests.swift" || base == "LinuxMain.swift" {
		return facts.RoleTest
	}
	for part := range strings.SplitSeq(dir, "/") {
		// Targets of a package or project: Tests/AppTests, AppUITests.
		if strings.HasSuffix(part, "Tests") || part == "Test" || part == "Specs" {
			return facts.RoleTest
		}
	}
	return 0
}

func extract(b *lang.Builder) {
	x := lex(b.Source)
	w := &walker{b: b, x: x, toks: x.toks, damaged: len(x.damage) > 0, blocks: map[int]bool{}}
	w.ctx.visibility = facts.Protected
	for _, s := range x.damage {
		b.Damage(s)
	}
	for _, s := range x.comments {
		b.MarkDoc(s)
	}
	w.file()
}

var createdBy = lazyregexp.New(`(?i)created by|swift-tools-version|swiftlint:|swift-format-ignore|swiftformat:`)

func (w *walker) file() {
	if s := w.x.header; s.End > 0 && s.End-s.Start < 4096 {
		text := lang.CleanComment(string(w.b.Source[s.Start:s.End]))
		own := len(w.toks) == 0 || w.is(0, "import") || !w.blankBetween(s.End, w.tok(0).start)
		if own && !lang.LooksLikeLicense(text) && !createdBy.MatchString(text) && (len(w.toks) == 0 || w.tok(0).doc < 0) {
			w.b.SetSummary(describe(text))
		}
	}
	w.items(0, len(w.toks))
	if w.statements && !w.manifest && !w.damaged {
		w.b.AddTrait(facts.EntryPoint)
	}
}

// blankBetween tells whether a declaration follows a comment without a blank
// line, and so owns it.
func (w *walker) blankBetween(from, to uint32) bool {
	return from <= to && blank(w.x.all[from:to])
}

var (
	docField = lazyregexp.New(`^[-*+] ?\w[\w ]*:`)
	docLink  = lazyregexp.New("``([^`\n]*)``|<doc:([^>\n]*)>")
)

// describe is the text of a comment up to its fields, without links.
func describe(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		l := strings.TrimSpace(line)
		if strings.Trim(l, "-=/*") == "" && len(l) > 3 || strings.HasPrefix(l, "===") || strings.HasPrefix(l, "MARK:") {
			continue
		}
		if docField.MatchString(l) {
			break
		}
		kept = append(kept, l)
	}
	return strings.TrimSpace(docLink.ReplaceAllString(strings.ToValidUTF8(strings.Join(kept, "\n"), ""), "$1$2"))
}

func (w *walker) docText(doc int32) string {
	if doc < 0 {
		return ""
	}
	s := w.x.docs[doc]
	text := string(w.b.Source[s.Start:min(s.End, s.Start+8192)])
	return describe(lang.CleanComment(text))
}
