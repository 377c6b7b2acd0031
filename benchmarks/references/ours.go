package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/project-map/project-map/benchmarks/internal/lab"
	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/roles"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// program is what we say of a checkout.
type program struct {
	*edges.Program
	dir, name, commit string
	family            string
	texts             [][]byte
	starts            [][]int // of the lines of each file, made when first asked
	// edges of each file of the family, by its number.
	edges map[int][]edges.Edge
	// lines of the files that were resolved, and what that took.
	lines   int
	resolve time.Duration
}

// extractAll reads all files of a work tree that git knows.
func extractAll(repo *lab.Repo, family string) (*program, error) {
	list, err := repo.Git("ls-files", "-z", "--cached")
	if err != nil {
		return nil, err
	}
	commit, err := repo.Git("rev-parse", "--short=10", "HEAD")
	if err != nil {
		return nil, err
	}
	p := &program{dir: repo.Dir, name: nameOf(repo.Dir), commit: commit, family: family, edges: map[int][]edges.Edge{}}
	paths := strings.Split(strings.TrimRight(list, "\x00"), "\x00")
	slices.Sort(paths)
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	var files []facts.Entry
	for _, path := range paths {
		full := filepath.Join(repo.Dir, filepath.FromSlash(path))
		info, err := os.Lstat(full)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(full)
		if err != nil {
			return nil, fmt.Errorf("read a file of the work tree: %w", err)
		}
		l := table.ByPath(path)
		f := x.Extract(text, extract.Plan{Language: l, Extension: strings.ToLower(filepath.Ext(path))})
		files = append(files, facts.Entry{Path: path, File: f, Role: roles.Of(path, l, f, roles.Hints{})})
		p.texts = append(p.texts, text)
	}
	p.Program = edges.NewProgram(files)
	p.starts = make([][]int, len(files))
	return p, nil
}

// nameOf is what tables call a checkout: REPOSITORY for REPOSITORY/src.
func nameOf(dir string) string {
	if b := filepath.Base(dir); b != "src" && b != "repo" {
		return b
	}
	return filepath.Base(filepath.Dir(dir))
}

// counted tells whether a file is measured: one of the family whose text was
// parsed as it stands on disk, so that places can be compared.
func (p *program) counted(doc int) bool {
	f := p.Files[doc].File
	return f.Family == p.family && f.Outlined() && f.Traits&(facts.Decoded|facts.Masked|facts.Truncated) == 0
}

// resolveAll resolves the files of the family. The outlines that the resolver
// gets of other files have no details, as in a real run.
func (p *program) resolveAll(make func(*edges.Program) edges.Resolver) {
	outlines := slices.Clone(p.Files)
	for i := range outlines {
		f := *outlines[i].File
		f.Refs, f.Scopes, f.Bindings, f.Terms = nil, nil, nil, nil
		outlines[i].File = &f
	}
	view := &edges.Program{Files: outlines, Targets: p.Targets, ByPath: p.ByPath}
	start := time.Now()
	r := make(view)
	for doc := range p.Files {
		if f := p.Files[doc].File; f.Family == p.family && f.Outlined() {
			p.edges[doc] = r.Resolve(doc, f, &edges.Uses{}, nil)
			p.lines += int(f.Lines)
		}
	}
	p.resolve = time.Since(start)
}

// place is where a name begins: behind a quote or number sign, which tools
// count to the name or not.
func (p *program) place(doc, at int) place {
	if t := p.texts[doc]; at < len(t) && strings.IndexByte("\"'`#", t[at]) >= 0 {
		at++
	}
	return place{doc, at}
}

func (p *program) lineOf(at place) (line, column int) {
	if p.starts[at.doc] == nil {
		p.starts[at.doc] = []int{0}
		for i, c := range p.texts[at.doc] {
			if c == '\n' {
				p.starts[at.doc] = append(p.starts[at.doc], i+1)
			}
		}
	}
	s := p.starts[at.doc]
	n, found := slices.BinarySearch(s, at.at)
	if !found {
		n--
	}
	return n + 1, at.at - s[n] + 1
}

// where prints a place as path:line:column.
func (p *program) where(at place) string {
	line, column := p.lineOf(at)
	return fmt.Sprintf("%s:%d:%d", p.Files[at.doc].Path, line, column)
}

// lineText is the line of a place, shortened.
func (p *program) lineText(at place) string {
	line, _ := p.lineOf(at)
	start, t := p.starts[at.doc][line-1], p.texts[at.doc]
	end := len(t)
	if line < len(p.starts[at.doc]) {
		end = p.starts[at.doc][line] - 1
	}
	s := strings.TrimSpace(string(t[start:end]))
	if r := []rune(s); len(r) > 110 {
		s = string(r[:110]) + "…"
	}
	return s
}

// wordAt is the identifier that begins at a place.
func (p *program) wordAt(at place) string {
	t := p.texts[at.doc]
	end := at.at
	for end < len(t) && (t[end] == '_' || t[end] == '$' || t[end] >= 0x80 ||
		'0' <= t[end] && t[end] <= '9' || 'a' <= t[end] && t[end] <= 'z' || 'A' <= t[end] && t[end] <= 'Z') {
		end++
	}
	return string(t[min(at.at, end):end])
}

// kindOf is the kind of a symbol of ours in the words of the truth, "" for those
// that are not compared.
func kindOf(s *facts.Symbol) string {
	switch s.Kind {
	case facts.KindClass, facts.KindStruct, facts.KindInterface, facts.KindEnum, facts.KindType:
		return kindType
	case facts.KindFunction:
		return kindFunction
	case facts.KindMethod, facts.KindConstructor, facts.KindProperty:
		return kindMethod
	case facts.KindField, facts.KindEnumMember:
		return kindField
	case facts.KindConstant, facts.KindVariable:
		return kindVariable
	}
	return ""
}
