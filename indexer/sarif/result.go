package sarif

import (
	"cmp"
	"slices"
	"strings"
)

// rawResult is a result as it stands in the report.
type rawResult struct {
	ruleID, kind, level, baseline string
	ruleIndex                     int
	// rule is the reference of the member rule.
	rule         ruleReference
	message      message
	locations    []rawLocation
	related      []rawLocation
	suppressed   bool
	fingerprints []Fingerprint
}

type ruleReference struct {
	id, guid string
	index    int
	// component names what has the rule; given tells whether it was named.
	component componentReference
	given     bool
}

type componentReference struct {
	name, guid string
	index      int
}

type rawLocation struct {
	file    reference
	region  Region
	message message
}

// readResult reads a result; it is nil where it was refused.
func (r *Reader) readResult(l *lexer, of *run) (*Result, error) {
	raw, err := r.readRaw(l)
	if err != nil {
		return nil, err
	}
	def, from := of.rule(raw)
	id := cmp.Or(raw.ruleID, raw.rule.id)
	out := &Result{Tool: of.Tool, Columns: of.columns, Suppressed: raw.suppressed, Fingerprints: raw.fingerprints}
	if def != nil {
		out.Rule, out.Level = def.Rule, def.level
		id = cmp.Or(id, def.ID)
	}
	out.Rule.ID = id
	if level, ok := parseLevel(raw.level); ok {
		out.Level = level
	} else if raw.level == "" && raw.kind != "" && raw.kind != "fail" {
		out.Level = LevelNone
	}
	if raw.kind == "pass" || raw.kind == "notApplicable" || raw.baseline == "absent" {
		r.refuse(NoFinding, id)
		return nil, nil
	}
	out.Message = cmp.Or(r.text(raw.message, def, from, of), out.Rule.Short, out.Rule.Name, id)
	if len(raw.locations) == 0 {
		r.refuse(NoLocation, id)
		return nil, nil
	}
	found := false
	for i, loc := range slices.Concat(raw.locations, raw.related) {
		own := i < len(raw.locations)
		if !own && !found {
			break
		}
		place, _, ok := r.place(loc, def, from, of)
		switch {
		case !ok:
		case own && !found:
			found, out.Location = true, place
		case len(out.Related) < r.limits.Details:
			out.Related = append(out.Related, place)
		}
	}
	if !found {
		// All were refused; the first one says why.
		loc := raw.locations[0]
		_, why, _ := r.place(loc, def, from, of)
		r.refuse(why, cmp.Or(loc.file.uri, loc.file.base, id))
		return nil, nil
	}
	return out, nil
}

// place resolves a location.
func (r *Reader) place(loc rawLocation, def *rule, from *component, of *run) (Location, Reason, bool) {
	if loc.file == (reference{index: noNumber}) {
		return Location{}, NoLocation, false
	}
	file := loc.file
	if file.uri == "" && file.index >= 0 && file.index < len(of.files) {
		file = of.files[file.index]
	}
	clean, why, ok := of.bases.resolve(file)
	if !ok {
		return Location{}, why, false
	}
	return Location{Path: clean, Region: loc.region, Message: r.text(loc.message, def, from, of)}, 0, true
}

// rule finds the rule of a result and the component that has it, nil where the
// report has none. An index that leads to a rule of another name is not believed.
func (of *run) rule(raw *rawResult) (*rule, *component) {
	id := cmp.Or(raw.ruleID, raw.rule.id)
	named := &of.driver
	if ref := raw.rule.component; raw.rule.given {
		if ref.index >= 0 && ref.index < len(of.more) {
			named = &of.more[ref.index]
		} else if ref.index < 0 {
			for i := range of.more {
				c := &of.more[i]
				if ref.guid != "" && strings.EqualFold(ref.guid, c.guid) || ref.guid == "" && ref.name != "" && ref.name == c.Name {
					named = c
					break
				}
			}
		}
	}
	for _, i := range []int{raw.rule.index, raw.ruleIndex} {
		if i >= 0 && i < len(named.rules) {
			if found := &named.rules[i]; id == "" || id == found.ID || strings.HasPrefix(id, found.ID+"/") {
				return found, named
			}
		}
	}
	if i, ok := named.byGUID[strings.ToLower(raw.rule.guid)]; ok {
		return &named.rules[i], named
	}
	// CA1000/1 is a part of CA1000.
	const maxParts = 8
	for range maxParts {
		for _, c := range []*component{named, &of.driver} {
			if i, ok := c.byID[id]; ok && id != "" {
				return &c.rules[i], c
			}
		}
		for i := range of.more {
			if at, ok := of.more[i].byID[id]; ok && id != "" {
				return &of.more[i].rules[at], &of.more[i]
			}
		}
		n := strings.LastIndexByte(id, '/')
		if n < 0 {
			break
		}
		id = id[:n]
	}
	return nil, named
}

// text is the text of a message. Braces mean something only where the message is
// a template: tools that write the text itself do not double them.
func (r *Reader) text(m message, def *rule, from *component, of *run) string {
	text := cmp.Or(m.text, m.markdown)
	template := len(m.arguments) > 0
	if m.text == "" && m.id != "" {
		found := ""
		if def != nil {
			found = def.messages[m.id]
		}
		for _, c := range []*component{from, &of.driver} {
			found = cmp.Or(found, c.messages[m.id])
		}
		if found != "" {
			text, template = found, true
		}
	}
	if template {
		text = format(text, m.arguments, r.limits.Message)
	}
	return cut(unlink(text), r.limits.Message)
}

func (r *Reader) readRaw(l *lexer) (*rawResult, error) {
	out := &rawResult{ruleIndex: noNumber, rule: ruleReference{index: noNumber}}
	out.rule.component.index = noNumber
	r.left = messageBudget * r.limits.Message
	err := l.object(func(key string) (err error) {
		switch key {
		case "ruleId":
			out.ruleID, err = l.str(maxName)
		case "ruleIndex":
			out.ruleIndex, err = l.number()
		case "rule":
			out.rule, err = readRuleReference(l)
		case "kind":
			out.kind, err = l.str(maxName)
		case "level":
			out.level, err = l.str(maxName)
		case "baselineState":
			out.baseline, err = l.str(maxName)
		case "message":
			out.message, err = r.readMessage(l)
		case "locations":
			out.locations, err = r.readLocations(l)
		case "relatedLocations":
			out.related, err = r.readLocations(l)
		case "suppressions":
			out.suppressed, err = readSuppressions(l)
		case "fingerprints":
			err = r.readFingerprints(l, out, false)
		case "partialFingerprints":
			err = r.readFingerprints(l, out, true)
		default:
			err = l.skip()
		}
		return err
	})
	slices.SortFunc(out.fingerprints, func(a, b Fingerprint) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value), boolInt(a.Partial)-boolInt(b.Partial))
	})
	return out, err
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func readRuleReference(l *lexer) (ruleReference, error) {
	out := ruleReference{index: noNumber, component: componentReference{index: noNumber}}
	err := l.object(func(key string) (err error) {
		switch key {
		case "id":
			out.id, err = l.str(maxName)
		case "guid":
			out.guid, err = l.str(maxName)
		case "index":
			out.index, err = l.number()
		case "toolComponent":
			out.given = true
			err = l.object(func(key string) (err error) {
				switch key {
				case "name":
					out.component.name, err = l.str(maxName)
				case "guid":
					out.component.guid, err = l.str(maxName)
				case "index":
					out.component.index, err = l.number()
				default:
					err = l.skip()
				}
				return err
			})
		default:
			err = l.skip()
		}
		return err
	})
	return out, err
}

// messageBudget is how many of the longest messages are kept of one result with
// all its locations and arguments.
const messageBudget = 64

func (r *Reader) readMessage(l *lexer) (message, error) {
	str := func() (string, error) {
		s, err := l.str(min(r.limits.Message, r.left))
		r.left = max(0, r.left-len(s))
		return s, err
	}
	out := message{}
	err := l.object(func(key string) (err error) {
		switch key {
		case "text":
			out.text, err = str()
		case "markdown":
			out.markdown, err = str()
		case "id":
			out.id, err = l.str(maxName)
		case "arguments":
			err = l.array(func() error {
				if len(out.arguments) >= r.limits.Details {
					return l.skip()
				}
				s, err := str()
				out.arguments = append(out.arguments, s)
				return err
			})
		default:
			err = l.skip()
		}
		return err
	})
	return out, err
}

func (r *Reader) readLocations(l *lexer) ([]rawLocation, error) {
	var out []rawLocation
	err := l.array(func() error {
		if len(out) >= r.limits.Details {
			return l.skip()
		}
		loc := rawLocation{file: reference{index: noNumber}}
		err := l.object(func(key string) (err error) {
			switch key {
			case "physicalLocation":
				err = l.object(func(key string) (err error) {
					switch key {
					case "artifactLocation":
						loc.file, err = readReference(l)
					case "region":
						loc.region, err = readRegion(l)
					default:
						err = l.skip()
					}
					return err
				})
			case "message":
				loc.message, err = r.readMessage(l)
			default:
				err = l.skip()
			}
			return err
		})
		out = append(out, loc)
		return err
	})
	return out, err
}

// readSuppressions tells whether a result is suppressed: there are suppressions,
// and none is still under review or rejected.
func readSuppressions(l *lexer) (bool, error) {
	some, all := false, true
	err := l.array(func() error {
		some = true
		return l.object(func(key string) error {
			if key != "status" {
				return l.skip()
			}
			status, err := l.str(maxName)
			all = all && (status == "" || status == "accepted")
			return err
		})
	})
	return some && all, err
}

func (r *Reader) readFingerprints(l *lexer, out *rawResult, partial bool) error {
	return l.object(func(name string) error {
		if len(out.fingerprints) >= r.limits.Details {
			return l.skip()
		}
		value, err := l.str(maxName)
		out.fingerprints = append(out.fingerprints, Fingerprint{Name: name, Value: value, Partial: partial})
		return err
	})
}
