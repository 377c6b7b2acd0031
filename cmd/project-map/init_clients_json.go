package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// The configurations of clients are written by people, with comments and commas
// behind the last member where the client allows them. They are edited as text:
// a member is put in or taken out, and nothing else changes. Each edit is undone
// to the byte by its opposite.

// layout is how a file is written.
type layout struct {
	newline string
	unit    string // of indentation
}

// entry is a server's entry on several lines; indent is that of its line.
func (l layout) entry(fields []field, indent string) string {
	var b strings.Builder
	b.WriteString("{")
	for i, f := range fields {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(l.newline + indent + l.unit + quoted(f.name) + ": " + quotedValue(f.value))
	}
	b.WriteString(l.newline + indent + "}")
	return b.String()
}

// server is an object that holds nothing but the server.
func (l layout) server(fields []field, indent string) string {
	inner := indent + l.unit
	return "{" + l.newline + inner + quoted(serverName) + ": " + l.entry(fields, inner) + l.newline + indent + "}"
}

// inlineEntry is a server's entry on one line.
func inlineEntry(fields []field) string {
	var parts []string
	for _, f := range fields {
		parts = append(parts, quoted(f.name)+": "+quotedValue(f.value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func inlineServer(fields []field) string {
	return "{" + quoted(serverName) + ": " + inlineEntry(fields) + "}"
}

func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSpace(b.String())
}

func quotedValue(v any) string {
	list, ok := v.([]string)
	if !ok {
		return quoted(v.(string))
	}
	var parts []string
	for _, s := range list {
		parts = append(parts, quoted(s))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// document is a configuration: its text, and the same with comments and commas
// behind last members blanked out, so that offsets agree.
type document struct {
	text, plain []byte
	value       map[string]any
	top         object
	// commas are the offsets of those that were blanked out.
	commas map[int]bool
	layout
}

// object is an object of a document, by offsets of its text.
type object struct {
	open, close int // of the braces
	members     []member
}

type member struct {
	name       string
	key        int // start of the name
	start, end int // of the value
	comma      int // behind the value, -1 for none
}

// find returns the index of a member, -1 for none.
func (o object) find(name string) (int, error) {
	found := -1
	for i, m := range o.members {
		if m.name != name {
			continue
		}
		if found >= 0 {
			return -1, fmt.Errorf("it has %q twice", name)
		}
		found = i
	}
	return found, nil
}

// readDocument reads JSON, with comments and commas behind last members.
func readDocument(text []byte) (*document, error) {
	d := &document{text: text, layout: layout{newline: newlineOf(text), unit: "  "}}
	if err := d.blank(); err != nil {
		return nil, err
	}
	r := json.NewDecoder(bytes.NewReader(d.plain))
	r.UseNumber()
	if !json.Valid(d.plain) {
		return nil, errors.New("it is no JSON")
	}
	if err := r.Decode(&d.value); err != nil || d.value == nil {
		return nil, errors.New("it is no JSON object")
	}
	var err error
	if d.top, err = d.object(bytes.IndexByte(d.plain, '{')); err != nil {
		return nil, err
	}
	if len(d.top.members) > 0 {
		if indent, alone := d.indentOf(d.top.members[0].key); alone && indent != "" {
			d.unit = indent
		}
	}
	return d, nil
}

// blank fills plain and commas.
func (d *document) blank() error {
	d.plain, d.commas = bytes.Clone(d.text), map[int]bool{}
	p := d.plain
	wipe := func(from, to int) {
		for k := from; k < to; k++ {
			if p[k] != '\n' && p[k] != '\r' {
				p[k] = ' '
			}
		}
	}
	if bytes.HasPrefix(p, []byte("\xef\xbb\xbf")) {
		wipe(0, 3)
	}
	comma := -1 // a comma with nothing behind it so far
	for i := 0; i < len(p); {
		switch c := p[i]; {
		case c == '"':
			end := stringEnd(p, i)
			if end < 0 {
				return errors.New("a string does not end")
			}
			i, comma = end, -1
			continue
		case bytes.HasPrefix(p[i:], []byte("//")):
			end := bytes.IndexByte(p[i:], '\n')
			if end < 0 {
				end = len(p) - i
			}
			wipe(i, i+end)
			i += end
			continue
		case bytes.HasPrefix(p[i:], []byte("/*")):
			end := bytes.Index(p[i+2:], []byte("*/"))
			if end < 0 {
				return errors.New("a comment does not end")
			}
			wipe(i, i+end+4)
			i += end + 4
			continue
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				p[comma] = ' '
				d.commas[comma] = true
			}
			comma = -1
		case !isSpace(c):
			comma = -1
		}
		i++
	}
	return nil
}

// object finds the members of the object at an offset. The document is valid.
func (d *document) object(open int) (object, error) {
	o := object{open: open, close: d.valueEnd(open) - 1}
	for i := open + 1; ; {
		for i < o.close && (isSpace(d.plain[i]) || d.plain[i] == ',') {
			if d.commas[i] || d.plain[i] == ',' {
				if len(o.members) == 0 {
					return o, errors.New("it is no JSON")
				}
				o.members[len(o.members)-1].comma = i
			}
			i++
		}
		if i >= o.close {
			return o, nil
		}
		m := member{key: i, comma: -1}
		end := stringEnd(d.plain, i)
		if err := json.Unmarshal(d.plain[i:end], &m.name); err != nil {
			return o, fmt.Errorf("a name cannot be read: %w", err)
		}
		for i = end; isSpace(d.plain[i]) || d.plain[i] == ':'; i++ {
		}
		m.start, m.end = i, d.valueEnd(i)
		i = m.end
		o.members = append(o.members, m)
	}
}

// valueEnd is the offset behind the value at an offset.
func (d *document) valueEnd(i int) int {
	depth := 0
	for i < len(d.plain) {
		switch c := d.plain[i]; c {
		case '"':
			i = stringEnd(d.plain, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			} else if depth < 0 {
				return i // of a number or word at the end of what holds it
			}
		default:
			if depth == 0 && (c == ',' || isSpace(c)) {
				return i
			}
		}
		i++
	}
	return i
}

// stringEnd is the offset behind the string at an offset, -1 if it has no end.
func stringEnd(p []byte, i int) int {
	for i++; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// indentOf is the white space before an offset, and whether nothing else stands
// before it on its line.
func (d *document) indentOf(at int) (string, bool) {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1 : at]
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return string(line[:n]), n == len(line)
}

// contentEnd is the offset behind the last thing before an offset, which may be
// a comment.
func (d *document) contentEnd(before int) int {
	for before > 0 && isSpace(d.text[before-1]) {
		before--
	}
	return before
}

// insert puts a member last into an object: on a line of its own where the
// brace stands on one, else behind what is there.
func (d *document) insert(o object, name string, lines func(indent string) string, inline string) []byte {
	at := d.contentEnd(o.close)
	before, trailing := "", ""
	last := at
	if n := len(o.members); n > 0 {
		if m := o.members[n-1]; m.comma < 0 {
			before, last = ",", m.end
		} else {
			trailing = ","
		}
	}
	var text string
	if bytes.IndexByte(d.text[at:o.close], '\n') >= 0 {
		indent, alone := "", false
		if n := len(o.members); n > 0 {
			indent, alone = d.indentOf(o.members[n-1].key)
		}
		if !alone {
			indent, _ = d.indentOf(o.close)
			indent += d.unit
		}
		text = d.newline + indent + quoted(name) + ": " + lines(indent) + trailing
	} else {
		text = " " + quoted(name) + ": " + inline + trailing
		if len(o.members) == 0 {
			text += " "
		}
	}
	return bytes.Join([][]byte{d.text[:last], []byte(before), d.text[last:at], []byte(text), d.text[at:]}, nil)
}

// remove takes a member out of an object.
func (d *document) remove(o object, k int) []byte {
	m := o.members[k]
	start, end := d.contentEnd(m.key), m.end
	cut := start // a comma that goes as well
	switch {
	case m.comma >= 0:
		end = m.comma + 1
	case k > 0:
		cut = o.members[k-1].comma
	}
	if len(o.members) == 1 && d.text[end] == ' ' && bytes.IndexByte(d.text[start:m.key], '\n') < 0 {
		end++
	}
	if cut == start {
		return bytes.Join([][]byte{d.text[:start], d.text[end:]}, nil)
	}
	return bytes.Join([][]byte{d.text[:cut], d.text[cut+1 : start], d.text[end:]}, nil)
}

// servers finds the object that holds the servers, -1 where there is none.
func (c mcpClient) servers(d *document) (k int, o object, entry any, err error) {
	if k, err = d.top.find(c.section); err != nil || k < 0 {
		return k, o, nil, err
	}
	values, ok := d.value[c.section].(map[string]any)
	if !ok {
		return k, o, nil, fmt.Errorf("%q is no object", c.section)
	}
	if o, err = d.object(d.top.members[k].start); err != nil {
		return k, o, nil, err
	}
	if _, err := o.find(serverName); err != nil {
		return k, o, nil, err
	}
	if v, ok := values[serverName]; ok {
		if v == nil {
			v = false // an entry, if none that says anything
		}
		return k, o, v, nil
	}
	return k, o, nil, nil
}

func (c mcpClient) addJSON(text []byte) ([]byte, clientOutcome, error) {
	d, err := readDocument(text)
	if err != nil {
		return nil, "", err
	}
	k, o, entry, err := c.servers(d)
	switch {
	case err != nil:
		return nil, "", err
	case reflect.DeepEqual(entry, any(c.value())):
		return nil, clientUnchanged, nil
	case entry != nil:
		return nil, clientKept, nil
	}
	var out []byte
	if k < 0 {
		out = d.insert(d.top, c.section, func(indent string) string { return d.server(c.entry, indent) }, inlineServer(c.entry))
		d.value[c.section] = map[string]any{serverName: c.value()}
	} else {
		out = d.insert(o, serverName, func(indent string) string { return d.entry(c.entry, indent) }, inlineEntry(c.entry))
		d.value[c.section].(map[string]any)[serverName] = c.value()
	}
	return out, clientMerged, d.reads(out)
}

func (c mcpClient) dropJSON(text []byte) ([]byte, clientOutcome, error) {
	d, err := readDocument(text)
	if err != nil {
		return nil, "", err
	}
	k, o, entry, err := c.servers(d)
	switch {
	case err != nil:
		return nil, "", err
	case entry == nil:
		return nil, clientUnchanged, nil
	case !reflect.DeepEqual(entry, any(c.value())):
		return nil, clientKept, nil
	}
	m := d.top.members[k]
	indent, _ := d.indentOf(m.key)
	if value := string(text[m.start:m.end]); value == inlineServer(c.entry) || value == d.server(c.entry, indent) {
		delete(d.value, c.section)
		out := d.remove(d.top, k)
		return out, clientRemoved, d.reads(out)
	}
	i, err := o.find(serverName)
	if err != nil {
		return nil, "", err
	}
	delete(d.value[c.section].(map[string]any), serverName)
	out := d.remove(o, i)
	return out, clientRemoved, d.reads(out)
}

// reads checks that an edited text says what it should.
func (d *document) reads(text []byte) error {
	after, err := readDocument(text)
	if err == nil && !reflect.DeepEqual(d.value, after.value) {
		err = errors.New("the rest would not be read as before")
	}
	return err
}
