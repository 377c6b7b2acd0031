package sarif

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// How much is kept of strings that are short in any real report, in bytes.
const (
	maxName  = 1 << 10
	maxShort = 4 << 10
)

// maxExtensions bounds the places where the rule of a result is looked for.
const maxExtensions = 1000

// rule is a rule with what its results need of it.
type rule struct {
	Rule
	guid     string
	level    Level
	messages map[string]string
}

// component is the driver of a run or an extension of it.
type component struct {
	Tool
	guid     string
	rules    []rule
	byID     map[string]int
	byGUID   map[string]int // in lower case
	messages map[string]string
}

// run is a run with what its results refer to.
type run struct {
	Run
	columns ColumnUnit
	driver  component
	more    []component // extensions
	// files is the table of artifacts.
	files []reference
	bases bases
	// results is where the array of results begins, -1 where there is none.
	results int64
}

// keep counts memory that stays for as long as the Reader.
func (r *Reader) keep(parts ...string) error {
	const overhead = 64 // of the things that hold a string
	for _, s := range parts {
		r.kept += overhead + len(s)
	}
	if r.kept > r.limits.Declared {
		return fmt.Errorf("%w: its rules, files and other declarations take more than %d bytes", ErrLimit, r.limits.Declared)
	}
	return nil
}

func (r *Reader) readRun(l *lexer) (*run, error) {
	out := &run{results: -1}
	err := l.object(func(key string) error {
		switch key {
		case "tool":
			return l.object(func(key string) error {
				switch key {
				case "driver":
					return r.readComponent(l, &out.driver)
				case "extensions":
					return l.array(func() error {
						if len(out.more) >= maxExtensions {
							return fmt.Errorf("%w: more than %d extensions", ErrLimit, maxExtensions)
						}
						out.more = append(out.more, component{})
						return r.readComponent(l, &out.more[len(out.more)-1])
					})
				}
				return l.skip()
			})
		case "results":
			if is, err := l.null(); is || err != nil {
				return err
			}
			b, err := l.peek()
			out.results = l.at()
			if err == nil && b != '[' {
				err = l.bad("%q where the array of results should begin", b)
			}
			if err != nil {
				return err
			}
			return l.skip()
		case "columnKind":
			kind, err := l.str(maxName)
			if kind == "utf16CodeUnits" {
				out.columns = UTF16
			}
			return err
		case "artifacts":
			return l.array(func() error {
				ref := reference{index: noNumber}
				err := l.object(func(key string) (err error) {
					if key != "location" {
						return l.skip()
					}
					ref, err = readReference(l)
					return err
				})
				if err == nil {
					err = r.keep(ref.uri, ref.base)
				}
				out.files = append(out.files, ref)
				return err
			})
		case "originalUriBaseIds":
			out.bases.defined = map[string]reference{}
			return l.object(func(id string) error {
				ref, err := readReference(l)
				out.bases.defined[id] = ref
				if err != nil {
					return err
				}
				return r.keep(id, ref.uri, ref.base)
			})
		case "versionControlProvenance":
			return r.readProvenance(l, out)
		case "externalPropertyFileReferences":
			return l.object(func(key string) error {
				out.External = out.External || key == "results"
				return l.skip()
			})
		}
		return l.skip()
	})
	if err != nil {
		return nil, err
	}
	out.Tool = out.driver.Tool
	out.bases.settle(r.roots, slices.Sorted(maps.Keys(out.bases.defined)))
	return out, nil
}

func (r *Reader) readProvenance(l *lexer, out *run) error {
	first := true
	return l.array(func() error {
		err := l.object(func(key string) error {
			switch key {
			case "revisionId":
				id, err := l.str(maxName)
				if first {
					out.Revision = id
				}
				return err
			case "mappedTo":
				ref, err := readReference(l)
				if err != nil || ref.base == "" || ref.uri != "" && ref.uri != "." && ref.uri != "./" {
					return err
				}
				if out.bases.mapped == nil {
					out.bases.mapped = map[string]bool{}
				}
				// Several repositories may be mapped; only the first is this one.
				if first {
					out.bases.mapped[ref.base] = true
				}
				return nil
			}
			return l.skip()
		})
		first = false
		return err
	})
}

func (r *Reader) readComponent(l *lexer, c *component) error {
	semantic, dotted := "", ""
	err := l.object(func(key string) (err error) {
		switch key {
		case "name":
			c.Name, err = l.str(maxName)
		case "guid":
			c.guid, err = l.str(maxName)
		case "version":
			c.Version, err = l.str(maxName)
		case "semanticVersion":
			semantic, err = l.str(maxName)
		case "dottedQuadFileVersion":
			dotted, err = l.str(maxName)
		case "globalMessageStrings":
			c.messages, err = r.readMessages(l)
		case "rules":
			err = l.array(func() error {
				one, err := r.readRule(l)
				c.rules = append(c.rules, one)
				return err
			})
		default:
			err = l.skip()
		}
		return err
	})
	for _, v := range []string{semantic, dotted} {
		if c.Version == "" {
			c.Version = v
		}
	}
	c.byID, c.byGUID = make(map[string]int, len(c.rules)), map[string]int{}
	for i := range c.rules {
		if _, twice := c.byID[c.rules[i].ID]; !twice {
			c.byID[c.rules[i].ID] = i
		}
		if guid := strings.ToLower(c.rules[i].guid); guid != "" {
			c.byGUID[guid] = i
		}
	}
	return err
}

func (r *Reader) readRule(l *lexer) (rule, error) {
	out, full := rule{}, ""
	err := l.object(func(key string) (err error) {
		switch key {
		case "id":
			out.ID, err = l.str(maxName)
		case "guid":
			out.guid, err = l.str(maxName)
		case "name":
			out.Name, err = l.str(maxName)
		case "helpUri":
			out.HelpURI, err = l.str(maxShort)
		case "shortDescription":
			out.Short, err = readText(l, maxShort)
		case "fullDescription":
			full, err = readText(l, maxShort)
		case "messageStrings":
			out.messages, err = r.readMessages(l)
		case "defaultConfiguration":
			err = l.object(func(key string) error {
				if key != "level" {
					return l.skip()
				}
				s, err := l.str(maxName)
				out.level, _ = parseLevel(s)
				return err
			})
		default:
			err = l.skip()
		}
		return err
	})
	if out.Short == "" {
		out.Short = full
	}
	if err != nil {
		return out, err
	}
	return out, r.keep(out.ID, out.guid, out.Name, out.HelpURI, out.Short, "")
}

// readText reads the text of a multiformat message string.
func readText(l *lexer, most int) (text string, err error) {
	markdown := ""
	err = l.object(func(key string) (err error) {
		switch key {
		case "text":
			text, err = l.str(most)
		case "markdown":
			markdown, err = l.str(most)
		default:
			err = l.skip()
		}
		return err
	})
	if text == "" {
		text = markdown
	}
	return text, err
}

func (r *Reader) readMessages(l *lexer) (map[string]string, error) {
	out := map[string]string{}
	err := l.object(func(id string) error {
		text, err := readText(l, r.limits.Message)
		out[id] = text
		if err != nil {
			return err
		}
		return r.keep(id, text)
	})
	return out, err
}

func readReference(l *lexer) (reference, error) {
	out := reference{index: noNumber}
	err := l.object(func(key string) (err error) {
		switch key {
		case "uri":
			out.uri, err = l.str(maxURI)
		case "uriBaseId":
			out.base, err = l.str(maxName)
		case "index":
			out.index, err = l.number()
		default:
			err = l.skip()
		}
		return err
	})
	return out, err
}
