package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// Errors of parsing, to be tested with errors.Is. Any other error is a
// *SyntaxError.
var (
	ErrForeign    = errors.New("not a project-map page")
	ErrNewer      = errors.New("written in a newer format than this program reads; use a newer project-map")
	ErrConflicted = errors.New("unresolved merge conflict; run project-map validate --fix")
)

// SyntaxError is damage to a page. Line counts from 1.
type SyntaxError struct {
	Line int
	Msg  string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// parser walks the lines of a page.
type parser struct {
	text    string // what follows the current line
	line    string
	n       int // number of the current line, from 1
	lenient bool
	section string
	title   bool
}

// next advances to the next line that is not blank.
func (p *parser) next() bool {
	for p.text != "" {
		p.line, p.text, _ = strings.Cut(p.text, "\n")
		p.n++
		if p.line != "" {
			return true
		}
	}
	return false
}

func (p *parser) errorf(format string, args ...any) error {
	return &SyntaxError{p.n, fmt.Sprintf(format, args...)}
}

// unknown is the answer to a line that has no place here: a page with newer
// features may hold such lines, ours may not.
func (p *parser) unknown() error {
	if p.lenient {
		return nil
	}
	if len(p.line) > 60 {
		return p.errorf("unexpected line %q...", p.line[:60])
	}
	return p.errorf("unexpected line %q", p.line)
}

func start(data []byte, want string) (*parser, error) {
	kind, format, feature, err := Header(data)
	if err != nil {
		return nil, err
	}
	if format > FormatVersion {
		return nil, fmt.Errorf("format %d: %w", format, ErrNewer)
	}
	if kind != want {
		return nil, fmt.Errorf("page of kind %q, not %q: %w", kind, want, ErrForeign)
	}
	data = unixLines(data)
	if hasConflict(data) {
		return nil, ErrConflicted
	}
	p := &parser{text: string(data), lenient: feature > FeatureVersion}
	p.next() // the header
	return p, nil
}

// unixLines undoes what a checkout with core.autocrlf does.
func unixLines(data []byte) []byte {
	if bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

// common handles the lines that both kinds of page have; done is false for a
// line that is the caller's.
func (p *parser) common(dir, summary *string, tags *[]string, omitted *[]Omission) (done bool, err error) {
	line := p.line
	switch {
	case strings.HasPrefix(line, "# ") && !p.title:
		name, rest, ok := plaintext.CutCode(line[2:])
		if !ok || rest != "" {
			return true, p.errorf("title is not one code span")
		}
		p.title = true
		*dir = hiddenDir(name)
		return true, nil
	case strings.HasPrefix(line, "## "):
		p.section = line[3:]
		return true, nil
	case p.section == sectionOmitted && strings.HasPrefix(line, "- "):
		*omitted = append(*omitted, Omission(plaintext.Unescape(line[2:])))
		return true, nil
	case p.section != "":
		return false, nil
	case line == notice:
		return true, nil
	case strings.HasPrefix(line, "> ") && *summary == "":
		*summary = plaintext.Unescape(line[2:])
		return true, nil
	case strings.HasPrefix(line, "Tags: ") && *tags == nil:
		*tags = strings.Split(line[len("Tags: "):], ", ")
		return true, nil
	}
	return false, nil
}

func hiddenDir(name string) string {
	if name == "." {
		return ""
	}
	return name
}

// ParseIndex reads an index. Errors are ErrForeign, ErrNewer, ErrConflicted or
// a *SyntaxError. What it returns is normalized if the page is canonical.
func ParseIndex(data []byte) (*Index, error) {
	p, err := start(data, kindIndex)
	if err != nil {
		return nil, fmt.Errorf("parse index: %w", err)
	}
	x := &Index{}
	for p.next() {
		done, err := p.common(&x.Dir, &x.Summary, &x.Tags, &x.Omitted)
		if err == nil && !done {
			err = p.index(x)
		}
		if err != nil {
			return nil, fmt.Errorf("parse index: %w", err)
		}
	}
	if !p.title {
		return nil, fmt.Errorf("parse index: %w", p.errorf("no title"))
	}
	x.Parent = parentIndex(x.Dir)
	return x, nil
}

func (p *parser) index(x *Index) error {
	item, isItem := strings.CutPrefix(p.line, "- ")
	switch {
	case p.section == "":
		for _, prefix := range []string{"Parent: ", "Map: "} {
			if to, ok := strings.CutPrefix(p.line, prefix); ok {
				if _, _, rest, ok := cutLink(to); !ok || rest != "" {
					return p.errorf("damaged link")
				}
				return nil
			}
		}
		return p.unknown()
	case !isItem:
		return p.unknown()
	}
	switch p.section {
	case sectionDirectories:
		name, to, rest, ok := cutLink(item)
		text, fine := cutSuffix(rest)
		if !ok || !fine || to != name+"/"+IndexName {
			return p.errorf("directory is not \"[`name`](name/%s)\"", IndexName)
		}
		x.Children = append(x.Children, Child{Name: name, Summary: text})
	case sectionFiles:
		f, ok := parseNote(item)
		if !ok {
			return p.errorf("file is not \"`name` — note\"")
		}
		x.Files = append(x.Files, f)
	case sectionHints:
		h, ok := parseHint(item)
		if !ok {
			return p.errorf("hint is not \"for topic read files: `path`\"")
		}
		x.Hints = append(x.Hints, h)
	case sectionWorkflows:
		w, ok := parseWorkflow(item)
		if !ok {
			return p.errorf("workflow is not \"`name` from `source` run `command` read files: `path` — description\"")
		}
		x.Workflows = append(x.Workflows, w)
	default:
		return p.unknown()
	}
	return nil
}

// cutSuffix reads " — text" or nothing.
func cutSuffix(s string) (text string, ok bool) {
	if s == "" {
		return "", true
	}
	text, ok = strings.CutPrefix(s, textMark)
	return plaintext.Unescape(text), ok && text != ""
}

func cutLink(s string) (name, to, rest string, ok bool) {
	s, ok = strings.CutPrefix(s, "[")
	if !ok {
		return "", "", "", false
	}
	if name, s, ok = plaintext.CutCode(s); !ok {
		return "", "", "", false
	}
	if s, ok = strings.CutPrefix(s, "]("); !ok {
		return "", "", "", false
	}
	if to, rest, ok = strings.Cut(s, ")"); !ok {
		return "", "", "", false
	}
	to, ok = plaintext.Unlink(to)
	return name, to, rest, ok
}

func parseNote(s string) (FileNote, bool) {
	name, rest, ok := plaintext.CutCode(s)
	text, fine := cutSuffix(rest)
	return FileNote{Name: name, Note: text}, ok && fine
}

func parseHint(s string) (h Hint, ok bool) {
	s, ok = strings.CutPrefix(s, "for ")
	if !ok {
		return h, false
	}
	// The topic holds no bare backtick, so the first one begins a target and
	// the last " read " before it ends the topic.
	text, _ := plaintext.CutText(s)
	at := strings.LastIndex(text, " read ")
	if at < 0 {
		return h, false
	}
	h.Topic = plaintext.Unescape(text[:at])
	var rest string
	h.Targets, rest, ok = cutTargets(s[at+len(" read "):])
	return h, ok && rest == ""
}

func cutTargets(s string) (list []Target, rest string, ok bool) {
	kind := TargetKind(-1)
	for {
		next := kind
		for k := TargetFile; k <= TargetMap; k++ {
			if after, found := strings.CutPrefix(s, k.String()+": "); found {
				next, s = k, after
				break
			}
		}
		var path string
		if path, s, ok = plaintext.CutCode(s); !ok || next < 0 {
			return nil, s, false
		}
		kind = next
		list = append(list, Target{kind, path})
		after, found := strings.CutPrefix(s, ", ")
		if !found {
			after, found = strings.CutPrefix(s, "; ")
		}
		if !found {
			return list, s, true
		}
		s = after
	}
}

func parseWorkflow(s string) (w Workflow, ok bool) {
	if w.Name, s, ok = plaintext.CutCode(s); !ok {
		return w, false
	}
	if after, found := strings.CutPrefix(s, " from "); found {
		if w.Source, s, ok = plaintext.CutCode(after); !ok {
			return w, false
		}
	}
	if after, found := strings.CutPrefix(s, " run "); found {
		if w.Command, s, ok = plaintext.CutCode(after); !ok {
			return w, false
		}
	}
	if after, found := strings.CutPrefix(s, " read "); found {
		if w.Targets, s, ok = cutTargets(after); !ok {
			return w, false
		}
	}
	w.Description, ok = cutSuffix(s)
	return w, ok
}

// Header reads the header comment alone: the kind ("index" or "map") and the
// versions. The error is ErrForeign if there is none.
func Header(data []byte) (kind string, format, feature int, err error) {
	line, _, _ := bytes.Cut(data[:min(len(data), 200)], []byte("\n"))
	text, ok := strings.CutPrefix(strings.TrimSuffix(string(line), "\r"), headerPrefix)
	if !ok {
		return "", 0, 0, fmt.Errorf("no header: %w", ErrForeign)
	}
	text, ok = strings.CutSuffix(text, headerSuffix)
	fields := strings.Split(text, " ")
	if !ok || len(fields) < 3 || fields[0] != kindIndex && fields[0] != kindMap {
		return "", 0, 0, fmt.Errorf("damaged header: %w", ErrForeign)
	}
	format, okFormat := version(fields[1], "format=")
	feature, okFeature := version(fields[2], "feature=")
	if !okFormat || !okFeature {
		return "", 0, 0, fmt.Errorf("damaged header: %w", ErrForeign)
	}
	return fields[0], format, feature, nil
}

func version(field, prefix string) (int, bool) {
	s, ok := strings.CutPrefix(field, prefix)
	n, err := strconv.ParseUint(s, 10, 16)
	return int(n), ok && err == nil
}
