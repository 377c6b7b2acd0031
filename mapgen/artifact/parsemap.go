package artifact

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// ParseMap reads a map. Errors are as of [ParseIndex].
func ParseMap(data []byte) (*Map, error) {
	p, err := start(data, kindMap)
	if err != nil {
		return nil, fmt.Errorf("parse map: %w", err)
	}
	m := &Map{}
	group := ""
	for p.next() {
		done, err := p.common(&m.Dir, &m.Summary, &m.Tags, &m.Omitted)
		if err == nil && !done {
			err = p.mapLine(m, &group)
		}
		if err != nil {
			return nil, fmt.Errorf("parse map: %w", err)
		}
	}
	if !p.title {
		return nil, fmt.Errorf("parse map: %w", p.errorf("no title"))
	}
	return m, nil
}

func (p *parser) mapLine(m *Map, group *string) error {
	item, isItem := strings.CutPrefix(p.line, "- ")
	switch p.section {
	case "":
		if to, ok := strings.CutPrefix(p.line, "Index: "); ok {
			if _, _, rest, ok := cutLink(to); !ok || rest != "" {
				return p.errorf("damaged link")
			}
			return nil
		}
	case sectionDependsOn:
		if !isItem {
			break
		}
		name, rest, ok := plaintext.CutCode(item)
		if !ok || rest != "" {
			return p.errorf("directory is not one code span")
		}
		m.DependsOn = append(m.DependsOn, hiddenDir(name))
		return nil
	case sectionOthers, sectionUnanalysed:
		if !isItem {
			break
		}
		f, ok := parseNote(item)
		if !ok {
			return p.errorf("file is not \"`name` — note\"")
		}
		if p.section == sectionOthers {
			m.Others = append(m.Others, f)
		} else {
			m.Unanalysed = append(m.Unanalysed, f)
		}
		return nil
	case sectionFiles:
		if heading, ok := strings.CutPrefix(p.line, "### "); ok {
			f, ok := parseHeading(heading)
			if !ok {
				return p.errorf("file heading is not \"`name` language; role\"")
			}
			m.Files = append(m.Files, f)
			*group = ""
			return nil
		}
		if len(m.Files) > 0 {
			return p.fileLine(&m.Files[len(m.Files)-1], group)
		}
	}
	return p.unknown()
}

func parseHeading(s string) (f MapFile, ok bool) {
	if f.Name, s, ok = plaintext.CutCode(s); !ok {
		return f, false
	}
	s, roles, hasRoles := strings.Cut(s, "; ")
	if hasRoles {
		f.Roles = strings.Split(roles, ", ")
	}
	if s != "" {
		f.Language, ok = strings.CutPrefix(s, " ")
	}
	return f, ok
}

// fileLine reads a line of a file's section. group is the name of the
// definition that indented symbols belong to.
func (p *parser) fileLine(f *MapFile, group *string) error {
	if text, ok := strings.CutPrefix(p.line, "> "); ok && f.Summary == "" {
		f.Summary = plaintext.Unescape(text)
		return nil
	}
	if member, ok := strings.CutPrefix(p.line, "  - "); ok {
		s, ok := parseSymbol(member)
		if !ok || *group == "" {
			return p.errorf("damaged member")
		}
		s.Container = *group
		f.Symbols = append(f.Symbols, s)
		return nil
	}
	item, ok := strings.CutPrefix(p.line, "- ")
	if !ok {
		return p.unknown()
	}
	if rest, ok := strings.CutPrefix(item, lineImports); ok {
		target, rest, ok := plaintext.CutCode(rest)
		note := ImportNote{Target: hiddenDir(target)}
		if names, found := strings.CutPrefix(rest, ": "); found && ok {
			note.Symbols, rest, ok = cutCodes(names)
		}
		if !ok || rest != "" {
			return p.errorf("damaged import")
		}
		f.Imports = append(f.Imports, note)
		return nil
	}
	if rest, ok := strings.CutPrefix(item, lineTests); ok {
		test, rest, ok := plaintext.CutCode(rest)
		if !ok || rest != "" {
			return p.errorf("damaged test")
		}
		f.Tests = append(f.Tests, test)
		return nil
	}
	if rest, ok := strings.CutPrefix(item, lineSymbols); ok {
		names, more, ok := parseNames(rest)
		if !ok {
			return p.errorf("list of symbols is not \"`A`, `B`, about 20 more\"")
		}
		f.Names, f.More = append(f.Names, names...), max(f.More, more)
		return nil
	}
	if rest, ok := strings.CutPrefix(item, lineIn); ok {
		if *group, rest, ok = plaintext.CutCode(rest); !ok || rest != "" {
			return p.errorf("damaged container")
		}
		return nil
	}
	s, ok := parseSymbol(item)
	if !ok {
		return p.errorf("symbol is not \"kind `name`\", \"kind `signature`\" or \"kind `name`: `signature`\"")
	}
	*group = s.Name
	f.Symbols = append(f.Symbols, s)
	return nil
}

func parseSymbol(line string) (s MapSymbol, ok bool) {
	words, rest := plaintext.CutText(line)
	if kind, private := strings.CutPrefix(words, "private "); private {
		words, s.Private = kind, true
	}
	if words != "" {
		if s.Kind, ok = strings.CutSuffix(words, " "); !ok {
			return s, false
		}
	}
	span, rest, ok := plaintext.CutCode(rest)
	if !ok || strings.ContainsAny(s.Kind, " :") {
		return s, false
	}
	switch {
	case strings.HasPrefix(rest, ": `"):
		s.Name = span
		if s.Signature, rest, ok = plaintext.CutCode(rest[2:]); !ok {
			return s, false
		}
	case strings.HasPrefix(rest, ":"):
		s.Name, rest = span, rest[1:]
	case isBareName(span):
		s.Name = span
	default:
		s.Name, s.Signature = declaredName(span), span
		if s.Kind == "" {
			s.Kind = identifier(span)
		}
	}
	s.Doc, ok = cutSuffix(rest)
	return s, ok && s.Name != "" && s.Kind != ""
}

func cutCodes(s string) (names []string, rest string, ok bool) {
	for {
		var name string
		if name, s, ok = plaintext.CutCode(s); !ok {
			return nil, s, false
		}
		names = append(names, name)
		after, found := strings.CutPrefix(s, ", ")
		if !found || !strings.HasPrefix(after, "`") {
			return names, s, true
		}
		s = after
	}
}

// parseNames reads "`A`, `B`, about 20 more" or "about 20".
func parseNames(s string) (names []string, more int, ok bool) {
	if strings.HasPrefix(s, "`") {
		if names, s, ok = cutCodes(s); !ok {
			return nil, 0, false
		}
		if s == "" {
			return names, 0, true
		}
		if s, ok = strings.CutPrefix(s, ", "); !ok {
			return nil, 0, false
		}
		if s, ok = strings.CutSuffix(s, " more"); !ok {
			return nil, 0, false
		}
	}
	if s == "a few" {
		return names, 5, true
	}
	s, ok = strings.CutPrefix(s, "about ")
	n, err := strconv.ParseUint(s, 10, 31)
	return names, int(n), ok && err == nil && n > 0
}
