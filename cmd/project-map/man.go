package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/registry"
)

// manPage writes the manual of the program in the macros of man(7), which groff
// and mandoc read. It is made of the tree of commands, so that it says what
// --help says; date is the day it is of, as 2006-01-02, "" for none.
func manPage(w io.Writer, app *cli.App, date string) error {
	m := &man{}
	m.line(`.TH PROJECT-MAP 1 "%s" "project-map %s" "User Commands"`, date, roffQuoted(app.Version))
	m.section("NAME")
	m.line("%s \\-", roff(app.Name))
	m.prose(app.Usage)
	m.section("SYNOPSIS")
	m.synopsis(app.UsageText)
	m.section("DESCRIPTION")
	m.description(app.Description)
	m.section("GLOBAL OPTIONS")
	m.prose("They may stand before or behind the command.")
	m.flags(app.Flags)
	m.section("COMMANDS")
	m.prose("Options may stand before or behind arguments; what follows \"--\" is an argument.")
	for _, c := range app.Commands {
		if c.Hidden || c.Name == "help" {
			continue
		}
		m.command(app.Name, c)
	}
	m.section("EXIT STATUS")
	for _, e := range exitCodes {
		m.term(`\fB%d\fR`, e.code)
		m.prose(e.means)
	}
	m.section("ENVIRONMENT")
	for _, e := range manEnvironment {
		m.term(`\fB%s\fR`, roff(e.name))
		m.prose(e.text)
	}
	m.section("FILES")
	for _, f := range manFiles {
		m.term(`\fI%s\fR`, roff(f.name))
		m.prose(f.text)
	}
	m.section("SEE ALSO")
	m.line(`\fBgit\fR(1)`)
	_, err := io.WriteString(w, m.b.String())
	return err
}

// exitCodes are those of errors.go.
var exitCodes = []struct {
	code  int
	means string
}{
	{exitOK, "Done, nothing to report."},
	{exitFindings, "Done, and something was found: maps that are not fresh, something to mend."},
	{exitUsage, "The call or the configuration is wrong."},
	{exitCannot, "The call is right and cannot be carried out."},
}

type manEntry struct{ name, text string }

var manEnvironment = []manEntry{
	{"GIT_DIR, GIT_INDEX_FILE", "As for git: hooks are called with them."},
	{"NO_COLOR", "Switches colours off, like --no-color."},
	{keyPassword, "The password of the secret key that an archive is signed with."},
	{registry.EnvHost + ", " + registry.EnvUser, "A registry, and who publish and pull log in to it as."},
	{registry.EnvPassword, "The password or token for it."},
	{envEnabled, "Overrides contextLayer.enabled of .project-map.yaml."},
	{envModel, "Overrides contextLayer.model."},
	{envMaxInput, "Overrides contextLayer.maxInputTokens."},
	{envMaxOutput, "Overrides contextLayer.maxOutputTokens."},
	{envCache, "Overrides contextLayer.cache."},
}

var manFiles = []manEntry{
	{".pi-map.index.md, .pi-map.md", "The index and the map of a directory."},
	{".project-map/", "The store that queries read; it can be deleted at any time."},
	{".project-map.yaml", "The configuration, read from the revision that is indexed."},
	{".projectmapignore", "Paths to leave out, in the syntax of .gitignore; in any directory."},
	{".git/project-map/facts", "The cache of what was read of each file, shared by all work trees; it can be deleted at any time."},
}

// man collects a page.
type man struct {
	b    strings.Builder
	last string
}

func (m *man) line(format string, args ...any) {
	l := fmt.Sprintf(format, args...)
	// A section begins a paragraph by itself.
	if l != ".PP" || !strings.HasPrefix(m.last, ".S") {
		m.b.WriteString(l + "\n")
	}
	m.last = l
}

// prose sets running text, in lines that people can read in the source.
func (m *man) prose(text string) {
	var line string
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = roff(word)
		case len(line)+1+len(roff(word)) > 78:
			m.line("%s", line)
			line = roff(word)
		default:
			line += " " + strings.TrimPrefix(roff(word), `\&`)
		}
	}
	if line != "" {
		m.line("%s", line)
	}
}

func (m *man) section(name string) { m.line(".SH %s", name) }

func (m *man) term(format string, args ...any) {
	m.line(".TP")
	m.line(format, args...)
}

func (m *man) command(parents string, c *cli.Command) {
	usage := c.UsageText
	if usage == "" {
		usage = parents + " " + c.Name
		if len(c.VisibleFlags()) > 0 {
			usage += " [options]"
		}
		if c.ArgsUsage != "" {
			usage += " " + c.ArgsUsage
		}
	}
	_, above, _ := strings.Cut(parents+" ", " ")
	m.line(`.SS "%s"`, roffQuoted(above+strings.Join(c.Names(), ", ")))
	m.synopsis(usage)
	m.line(".PP")
	m.prose(capital(c.Usage) + ".")
	m.description(c.Description)
	m.flags(c.VisibleFlags())
	for _, sub := range c.Subcommands {
		if !sub.Hidden && sub.Name != "help" {
			m.command(parents+" "+c.Name, sub)
		}
	}
}

// synopsis sets a usage line as it is, with the program's name in bold.
func (m *man) synopsis(usage string) {
	name, rest, _ := strings.Cut(usage, " ")
	m.line("%s", strings.TrimRight(fmt.Sprintf(`\fB%s\fR %s`, roff(name), roff(rest)), " "))
}

// description sets paragraphs, and blocks that are indented as examples.
func (m *man) description(text string) {
	var paragraph []string
	example := false
	flush := func() {
		switch {
		case example:
			m.line(".sp\n.RS 4\n.nf")
			for _, l := range paragraph {
				m.line("%s", roff(strings.TrimRight(strings.TrimPrefix(l, "   "), " ")))
			}
			m.line(".fi\n.RE")
		case len(paragraph) > 0:
			m.line(".PP")
			m.prose(strings.Join(paragraph, " "))
		}
		paragraph, example = nil, false
	}
	for l := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(l) == "" || strings.HasPrefix(l, " ") != example {
			flush()
		}
		if strings.TrimSpace(l) != "" {
			example = strings.HasPrefix(l, " ")
			paragraph = append(paragraph, l)
		}
	}
	flush()
}

// placeholder matches the name of a value in the help of an option.
var placeholder = regexp.MustCompile(`^(\S+) (.+)$`)

func (m *man) flags(flags []cli.Flag) {
	for _, f := range flags {
		if v, ok := f.(cli.VisibleFlag); ok && !v.IsVisible() || slices.Contains(f.Names(), "help") {
			continue
		}
		names, usage, _ := strings.Cut(cli.FlagStringer(f), "\t")
		// Options that can be repeated are named twice.
		names, _, _ = strings.Cut(names, " [ ")
		var parts []string
		for name := range strings.SplitSeq(names, ", ") {
			if p := placeholder.FindStringSubmatch(strings.TrimSpace(name)); p != nil {
				parts = append(parts, fmt.Sprintf(`\fB%s\fR \fI%s\fR`, roff(p[1]), roff(p[2])))
			} else {
				parts = append(parts, fmt.Sprintf(`\fB%s\fR`, roff(strings.TrimSpace(name))))
			}
		}
		m.term("%s", strings.Join(parts, ", "))
		m.prose(capital(strings.TrimSpace(usage)) + ".")
	}
}

// capital begins a sentence, unless the first word is a value.
func capital(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if s == "" || strings.Contains(first, "|") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// roff escapes a text, so that each of its characters is set as it is.
func roff(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		l = roffEscapes.Replace(l)
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			l = `\&` + l
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`,
	"—", `\(em`, "…", `...`, "→", `\(->`, "\t", "    ")

// roffQuoted escapes an argument of a macro.
func roffQuoted(s string) string {
	return strings.ReplaceAll(roffEscapes.Replace(strings.ReplaceAll(s, "\n", " ")), `"`, `\(dq`)
}
