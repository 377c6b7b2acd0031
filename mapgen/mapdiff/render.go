package mapdiff

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// declarationRunes is how much of a declaration or summary a line shows.
const declarationRunes = 120

// Options say how a difference is laid out.
type Options struct {
	// From and To name the revisions.
	From, To string
	// Limit is the number of lines in each section, 0 for no limit: forges refuse
	// long comments.
	Limit int
}

// style is what tells Markdown from plain text.
type style struct {
	title, section func(string) string
	// code shows a name or a declaration, prose a summary: all of it is text of the
	// repository and not to be trusted.
	code, prose func(string) string
	file        func(string) string // line above the symbols of a file
	item        string
}

var plain = style{
	title:   func(s string) string { return s + "\n" },
	section: func(s string) string { return "\n" + s + "\n" },
	code:    oneLine,
	prose:   oneLine,
	file:    func(s string) string { return "  " + oneLine(s) + "\n" },
	item:    "  ",
}

var markdown = style{
	title:   func(s string) string { return "## " + s + "\n\n" },
	section: func(s string) string { return "\n### " + s + "\n\n" },
	code:    plaintext.Code,
	prose:   func(s string) string { return unreferenced(plaintext.Markdown(s)) },
	file:    func(s string) string { return "- " + plaintext.Code(s) + "\n" },
	item:    "- ",
}

// oneLine shows a name in a terminal; only one that would break the line is quoted.
func oneLine(s string) string {
	if strings.ContainsAny(s, "\n\t") {
		s = strconv.Quote(s)
	}
	return plaintext.Terminal(s)
}

// unreferenced keeps forges from taking words for people and issues, which they
// would notify and link: a comment between sign and name is invisible there.
func unreferenced(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte(s[i])
		if (s[i] == '@' || s[i] == '#') && i+1 < len(s) && s[i+1] != ' ' {
			b.WriteString("<!-- -->")
		}
	}
	return b.String()
}

// Text lays a difference out for a terminal.
func (d *Diff) Text(o Options) []byte { return d.render(plain, o, "  ") }

// Markdown lays a difference out for a comment on a pull request.
func (d *Diff) Markdown(o Options) []byte { return d.render(markdown, o, "  - ") }

// list writes the lines of a section, as many as the limit allows.
type list struct {
	b     *strings.Builder
	s     style
	limit int
	lines int
}

func (l *list) full() bool { return l.limit > 0 && l.lines >= l.limit }

func (l *list) rest(n int, noun string) {
	if n > 0 {
		fmt.Fprintf(l.b, "%s%s\n", l.s.item, "and "+count(n, "more "+noun))
	}
}

// items writes a line for each thing, and how many are left out at the limit.
func items[T any](l *list, all []T, noun string, line func(*T) string) {
	for i := range all {
		if l.full() {
			l.rest(len(all)-i, noun)
			return
		}
		l.lines++
		fmt.Fprintf(l.b, "%s%s\n", l.s.item, line(&all[i]))
	}
}

func (d *Diff) render(s style, o Options, nested string) []byte {
	var b strings.Builder
	b.WriteString(s.title("Map changes from " + s.code(o.From) + " to " + s.code(o.To)))
	b.WriteString(d.headline() + "\n")
	if len(d.Directories) > 0 {
		b.WriteString(s.section("Directories"))
		items(&list{b: &b, s: s, limit: o.Limit}, d.Directories, "directory", func(x *Directory) string { return directoryLine(s, x) })
	}
	if len(d.Files) > 0 {
		b.WriteString(s.section("Public symbols"))
		d.renderSymbols(&list{b: &b, s: s, limit: o.Limit}, nested)
	}
	if len(d.Dependencies) > 0 {
		b.WriteString(s.section("Dependencies between directories"))
		items(&list{b: &b, s: s, limit: o.Limit}, d.Dependencies, "dependency", func(x *Dependency) string {
			return string(x.Change) + ": " + s.code(shown(x.From)) + " → " + s.code(shown(x.To))
		})
	}
	if len(d.NotCompared) > 0 {
		b.WriteString(s.section("Not compared"))
		items(&list{b: &b, s: s, limit: o.Limit}, d.NotCompared, "file", func(x *Skipped) string {
			return s.code(x.Path) + ": " + s.prose(plaintext.Line(x.Reason, declarationRunes))
		})
	}
	return []byte(b.String())
}

func (d *Diff) renderSymbols(l *list, nested string) {
	left := 0
	for i := range d.Files {
		left += len(d.Files[i].Symbols)
	}
	for i := range d.Files {
		if l.full() {
			break
		}
		l.b.WriteString(l.s.file(d.Files[i].Path))
		for _, x := range d.Files[i].Symbols {
			if l.full() {
				break
			}
			l.lines++
			left--
			fmt.Fprintf(l.b, "%s%s%s\n", strings.TrimSuffix(l.s.item, "- "), nested, symbolLine(l.s, &x))
		}
	}
	l.rest(left, "symbol")
}

func directoryLine(s style, x *Directory) string {
	line := string(x.Change) + ": " + s.code(shown(x.Path))
	text := func(t string) string { return s.prose(plaintext.Line(t, declarationRunes)) }
	switch {
	case x.Change == Changed && x.Before == "":
		return line + ", now: " + text(x.After)
	case x.Change == Changed && x.After == "":
		return line + ", without a summary now; was: " + text(x.Before)
	case x.Change == Changed:
		return line + ", now: " + text(x.After) + " (was: " + text(x.Before) + ")"
	case x.Before+x.After != "":
		return line + ", " + text(x.Before+x.After)
	}
	return line
}

func symbolLine(s style, x *Symbol) string {
	code := func(t string) string { return s.code(plaintext.Line(t, declarationRunes)) }
	line := string(x.Change) + ": "
	if x.Container != "" {
		line += s.code(x.Container) + " "
	}
	switch x.Change {
	case Changed:
		return line + code(x.Before) + " → " + code(x.After)
	case Moved:
		return line + code(x.After) + " from " + s.code(x.From)
	case Removed:
		return line + code(x.Before)
	}
	return line + code(x.After)
}

// shown is the path of a directory for readers.
func shown(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// headline counts the changes in a sentence.
func (d *Diff) headline() string {
	if d.Empty() {
		return "Nothing changed that maps tell of."
	}
	var parts []string
	for _, k := range []struct {
		noun string
		n    Counts
	}{{"directory", d.Summary.Directories}, {"public symbol", d.Summary.Symbols}, {"dependency", d.Summary.Dependencies}} {
		total := k.n.Added + k.n.Removed + k.n.Changed + k.n.Moved
		if total == 0 {
			continue
		}
		var by []string
		for _, c := range []struct {
			n    int
			what Change
		}{{k.n.Added, Added}, {k.n.Removed, Removed}, {k.n.Changed, Changed}, {k.n.Moved, Moved}} {
			if c.n > 0 {
				by = append(by, fmt.Sprintf("%d %s", c.n, c.what))
			}
		}
		parts = append(parts, count(total, k.noun)+" ("+strings.Join(by, ", ")+")")
	}
	return strings.Join(parts, "; ") + "."
}

// count joins a number and a noun.
func count(n int, noun string) string {
	switch base, y := strings.CutSuffix(noun, "y"); {
	case n == 1:
		return "1 " + noun
	case y:
		return fmt.Sprintf("%d %sies", n, base)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
