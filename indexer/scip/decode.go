package scip

import (
	"fmt"
	"math"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// decoder takes one message of an index apart.
type decoder struct {
	limits *Limits
	// names holds each symbol once: a document names the same ones over and over.
	names   map[string]string
	details int
}

// field is one field of a message: n for numbers, b for everything else.
type field struct {
	num protowire.Number
	typ protowire.Type
	n   uint64
	b   []byte
}

// fields calls use for each field of a message. Fields of types that SCIP does
// not use are skipped.
func fields(b []byte, use func(f field) error) error {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return fmt.Errorf("%w: %v", ErrFormat, protowire.ParseError(n))
		}
		b = b[n:]
		f := field{num: num, typ: typ}
		switch typ {
		case protowire.VarintType:
			f.n, n = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			f.b, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(num, typ, b)
		}
		if n < 0 {
			return fmt.Errorf("%w: field %d: %v", ErrFormat, num, protowire.ParseError(n))
		}
		b = b[n:]
		if typ != protowire.VarintType && typ != protowire.BytesType {
			continue
		}
		if err := use(f); err != nil {
			return err
		}
	}
	return nil
}

func (f field) text(limit int) (string, error) {
	if err := f.check(limit); err != nil {
		return "", err
	}
	return string(f.b), nil
}

func (f field) check(limit int) error {
	switch {
	case f.typ != protowire.BytesType:
		return fmt.Errorf("%w: field %d is no text", ErrFormat, f.num)
	case len(f.b) > limit:
		return fmt.Errorf("%w: a text of %d bytes, more than %d", ErrLimit, len(f.b), limit)
	case !utf8.Valid(f.b):
		return fmt.Errorf("%w: field %d is not UTF-8", ErrFormat, f.num)
	}
	return nil
}

func (f field) message() ([]byte, error) {
	if f.typ != protowire.BytesType {
		return nil, fmt.Errorf("%w: field %d is no message", ErrFormat, f.num)
	}
	return f.b, nil
}

// set reads a text into its place and keeps the first error.
func set(to *string, f field, limit int) (err error) {
	*to, err = f.text(limit)
	return err
}

func (d *decoder) name(f field) (string, error) {
	if err := f.check(d.limits.String); err != nil {
		return "", err
	}
	if s, ok := d.names[string(f.b)]; ok {
		return s, nil
	}
	s := string(f.b)
	d.names[s] = s
	return s, nil
}

func (d *decoder) detail() error {
	if d.details++; d.details > d.limits.Details {
		return fmt.Errorf("%w: more than %d diagnostics, relationships and documents of symbols in a document", ErrLimit, d.limits.Details)
	}
	return nil
}

func decodeMetadata(b []byte, l *Limits) (Metadata, error) {
	var m Metadata
	err := fields(b, func(f field) error {
		switch f.num {
		case 2:
			body, err := f.message()
			if err != nil {
				return err
			}
			return fields(body, func(f field) error {
				switch f.num {
				case 1:
					return set(&m.Tool, f, l.String)
				case 2:
					return set(&m.Version, f, l.String)
				}
				return nil
			})
		case 3:
			return set(&m.ProjectRoot, f, l.String)
		}
		return nil
	})
	if err != nil {
		return m, fmt.Errorf("metadata: %w", err)
	}
	return m, nil
}

// decodeDocument reads a document, its path as it stands there.
func decodeDocument(b []byte, l *Limits, tool string) (*Document, error) {
	d := &decoder{limits: l, names: map[string]string{}}
	doc := &Document{}
	occurrences, symbols := 0, 0
	// Counted first, so that limits hold before anything is allocated and the
	// lists are made in their size.
	err := fields(b, func(f field) error {
		switch f.num {
		case 1:
			return set(&doc.Path, f, l.String)
		case 2:
			occurrences++
		case 3:
			symbols++
		case 4:
			return set(&doc.Language, f, l.String)
		case 6:
			doc.Encoding = Encoding(min(f.n, uint64(encodingCount)))
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case occurrences > l.Occurrences:
		return nil, fmt.Errorf("%w: %d occurrences in %q, more than %d", ErrLimit, occurrences, doc.Path, l.Occurrences)
	case symbols > l.Symbols:
		return nil, fmt.Errorf("%w: %d symbols in %q, more than %d", ErrLimit, symbols, doc.Path, l.Symbols)
	}
	doc.settle(tool)
	doc.Occurrences = make([]Occurrence, 0, occurrences)
	doc.Symbols = make([]SymbolInfo, 0, symbols)
	err = fields(b, func(f field) error {
		switch f.num {
		case 2:
			body, err := f.message()
			if err != nil {
				return err
			}
			o, ok, err := d.occurrence(body)
			if ok {
				doc.Occurrences = append(doc.Occurrences, o)
			} else {
				doc.Dropped++
			}
			return err
		case 3:
			body, err := f.message()
			if err != nil {
				return err
			}
			s, err := d.symbol(body)
			doc.Symbols = append(doc.Symbols, s)
			return err
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%q: %w", doc.Path, err)
	}
	return doc, nil
}

// occurrence reads an occurrence; it is not ok without a valid range.
func (d *decoder) occurrence(b []byte) (o Occurrence, ok bool, err error) {
	var plain, plainEnclosing numbers
	var typed, typedEnclosing numbers
	err = fields(b, func(f field) (err error) {
		switch f.num {
		case 1:
			return plain.add(f)
		case 2:
			o.Symbol, err = d.name(f)
		case 3:
			o.Roles = Role(f.n)
		case 6:
			if err := d.detail(); err != nil {
				return err
			}
			body, err := f.message()
			if err != nil {
				return err
			}
			x, err := d.diagnostic(body)
			o.Diagnostics = append(o.Diagnostics, x)
			return err
		case 7:
			return plainEnclosing.add(f)
		case 8:
			return typed.members(f, 3)
		case 9:
			return typed.members(f, 4)
		case 10:
			return typedEnclosing.members(f, 3)
		case 11:
			return typedEnclosing.members(f, 4)
		}
		return err
	})
	if err != nil {
		return o, false, err
	}
	if typed.count == 0 {
		typed = plain
	}
	if typedEnclosing.count == 0 {
		typedEnclosing = plainEnclosing
	}
	o.Range, ok = typed.asRange()
	o.Enclosing, _ = typedEnclosing.asRange()
	return o, ok, nil
}

// numbers collects the ends of a range: line and two columns, or twice line and
// column.
type numbers struct {
	n     [4]int32
	count int
}

func (r *numbers) put(n uint64) {
	v := int32(-1) // no valid place
	if n <= math.MaxInt32 {
		v = int32(n)
	}
	if r.count < len(r.n) {
		r.n[r.count] = v
	}
	r.count = min(r.count+1, 5)
}

// add reads a list of numbers, packed or one field each.
func (r *numbers) add(f field) error {
	if f.typ == protowire.VarintType {
		r.put(f.n)
		return nil
	}
	for b := f.b; len(b) > 0; {
		n, size := protowire.ConsumeVarint(b)
		if size < 0 {
			return fmt.Errorf("%w: range: %v", ErrFormat, protowire.ParseError(size))
		}
		r.put(n)
		b = b[size:]
	}
	return nil
}

// members reads a message whose fields 1 to count are the numbers. It replaces
// what was read before: one of several forms holds, the last.
func (r *numbers) members(f field, count int) error {
	body, err := f.message()
	if err != nil {
		return err
	}
	*r = numbers{count: count}
	return fields(body, func(f field) error {
		if f.num >= 1 && int(f.num) <= count {
			one := numbers{}
			one.put(f.n)
			r.n[f.num-1] = one.n[0]
		}
		return nil
	})
}

func (r *numbers) asRange() (Range, bool) {
	var out Range
	switch r.count {
	case 3:
		out = Range{Position{r.n[0], r.n[1]}, Position{r.n[0], r.n[2]}}
	case 4:
		out = Range{Position{r.n[0], r.n[1]}, Position{r.n[2], r.n[3]}}
	default:
		return Range{}, false
	}
	s, e := out.Start, out.End
	if s.Line < 0 || s.Column < 0 || e.Line < s.Line || e.Column < 0 || e.Line == s.Line && e.Column < s.Column {
		return Range{}, false
	}
	return out, true
}

func (d *decoder) diagnostic(b []byte) (out Diagnostic, err error) {
	err = fields(b, func(f field) error {
		switch f.num {
		case 1:
			out.Severity = Severity(min(f.n, uint64(severityCount)))
		case 2:
			return set(&out.Code, f, d.limits.String)
		case 3:
			return set(&out.Message, f, d.limits.Prose)
		case 4:
			return set(&out.Source, f, d.limits.String)
		}
		return nil
	})
	return out, err
}

func (d *decoder) symbol(b []byte) (s SymbolInfo, err error) {
	kind := uint64(0)
	err = fields(b, func(f field) (err error) {
		switch f.num {
		case 1:
			s.Symbol, err = d.name(f)
		case 3:
			if err := d.detail(); err != nil {
				return err
			}
			text, err := f.text(d.limits.Prose)
			s.Documentation = append(s.Documentation, text)
			return err
		case 4:
			if err := d.detail(); err != nil {
				return err
			}
			body, err := f.message()
			if err != nil {
				return err
			}
			r, err := d.relationship(body)
			s.Relationships = append(s.Relationships, r)
			return err
		case 5:
			kind = f.n
		case 6:
			return set(&s.DisplayName, f, d.limits.String)
		case 7:
			body, err := f.message()
			if err != nil {
				return err
			}
			return fields(body, func(f field) error {
				if f.num == 5 {
					return set(&s.Signature, f, d.limits.Prose)
				}
				return nil
			})
		case 8:
			s.Enclosing, err = d.name(f)
		}
		return err
	})
	if err != nil {
		return s, err
	}
	s.settle(kind)
	return s, nil
}

func (d *decoder) relationship(b []byte) (r Relationship, err error) {
	err = fields(b, func(f field) (err error) {
		switch f.num {
		case 1:
			r.Symbol, err = d.name(f)
		case 2:
			r.Reference = f.n != 0
		case 3:
			r.Implementation = f.n != 0
		case 4:
			r.TypeDefinition = f.n != 0
		case 5:
			r.Definition = f.n != 0
		}
		return err
	})
	return r, err
}
