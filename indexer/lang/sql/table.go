package sql

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/idl"
)

func (r *reader) table(s statement, o object, next int, d facts.Symbol, sign func(int) string) {
	d.Kind = facts.KindStruct
	open := r.until(next, s.to, "as", "engine", "with", "for", "from", "default", "stored", "location", "options", "distribution")
	for i := next; i < open; i++ {
		if r.Is(i, "(") {
			open = i
			break
		}
	}
	if r.low(next) == "using" {
		open = s.to // what a module takes, no columns
	}
	d.Signature = sign(open)
	var bases []object
	base := func(i int) {
		if b, _ := r.object(i, s.to); b.name != "" {
			bases = append(bases, b)
			d.Bases = append(d.Bases, b.name)
		}
	}
	end := s.to
	if r.Is(open, "(") {
		end = r.group(open, s.to)
	}
	switch {
	case r.is(next, "partition") && r.is(next+1, "of"):
		base(next + 2)
	case r.is(next, "like"), r.is(next, "clone"):
		base(next + 1)
	}
	if i := r.until(end, s.to, "inherits"); r.Is(i+1, "(") && i < s.to {
		base(i + 2)
	}
	if d.Doc = r.doc(s.from); d.Doc == "" {
		if i := r.until(end, s.to, "comment"); i < s.to {
			d.Doc = r.quotedText(i+1, s.to)
		}
	}
	at := r.definition(s, o, -1, d)
	r.remember(o, at)
	for _, b := range bases {
		r.use(facts.RefInherit, b, at)
	}
	if r.Is(open, "(") {
		r.parts(open+1, end, func(from, to int) { r.entry(from, to, at, o.name, end) })
	}
	if as := r.until(end, s.to, "as"); as < s.to {
		r.uses(as, s.to, at)
	}
}

// quotedText is the string at i, behind an equals sign or not.
func (r *reader) quotedText(i, to int) string {
	if r.Is(i, "=") {
		i++
	}
	if k := r.At(i); i < to && (k.Kind == idl.String || k.Kind == quoted) && k.End-k.Start > 2 {
		text := string(r.Source[k.Start+1 : min(k.End-1, k.Start+600)])
		return strings.ReplaceAll(strings.ToValidUTF8(text, ""), "''", "'")
	}
	return ""
}

// entry reads a column or constraint of a table. table is its index or -1 where
// it is defined elsewhere, name its name; last is the token behind the list.
func (r *reader) entry(from, to, table int, name string, last int) {
	if r.is(from, "constraint") && r.identifier(from+1) != "" {
		o := object{name: r.identifier(from + 1), token: from + 1}
		if to > from+2 {
			at := r.member(from, to, o, table, name, facts.Symbol{Kind: facts.KindProperty, Signature: r.Between(from, to)})
			r.foreign(from, to, at)
		}
		return
	}
	if r.isConstraint(from, to) {
		if r.is(from, "like") {
			o, _ := r.object(from+1, to)
			r.use(facts.RefInherit, o, table)
		}
		r.foreign(from, to, table)
		return
	}
	column := r.identifier(from)
	if column == "" {
		return
	}
	end := from + 1
	for end < to && !r.endsType(end) {
		if r.Is(end, "(") {
			end = r.group(end, to)
		}
		end++
	}
	end = min(end, to)
	s := facts.Symbol{Kind: facts.KindField, Signature: r.Between(from, to), Type: r.Between(from+1, end)}
	if s.Doc = r.doc(from); s.Doc == "" {
		if c := r.until(end, to, "comment"); c < to {
			s.Doc = r.quotedText(c+1, to)
		}
	}
	if s.Doc == "" && to <= last {
		if s.Doc = r.Behind(to); s.Doc == "" || !r.Is(to, ",") {
			s.Doc = r.Behind(to - 1)
		}
	}
	at := r.member(from, to, object{name: column, token: from}, table, name, s)
	r.foreign(from, to, at)
}

func (r *reader) member(from, to int, o object, table int, container string, s facts.Symbol) int {
	k := r.At(o.token)
	s.Name, s.Container = o.name, container
	s.Span = facts.Span{Start: r.At(from).Start, End: r.At(to - 1).End}
	s.NameSpan = facts.Span{Start: k.Start, End: k.End}
	at := r.out.Add(table, s)
	if s.Kind == facts.KindField {
		r.named[strings.ToLower(container+"."+o.name)] = at
	}
	return at
}

// foreign finds the tables that an entry refers to.
func (r *reader) foreign(from, to, in int) {
	for i := from; i < to; i++ {
		if r.is(i, "references") {
			o, _ := r.object(i+1, to)
			r.use(facts.RefType, o, in)
		}
	}
}

func (r *reader) isConstraint(i, to int) bool {
	next := r.low(i + 1)
	switch r.low(i) {
	case "constraint":
		return true
	case "primary", "foreign":
		return next == "key"
	case "unique":
		return r.Is(i+1, "(") || next == "key" || next == "index" || next == "clustered" || next == "nonclustered" || next == "nulls" ||
			r.identifier(i+1) != "" && r.Is(i+2, "(") && r.At(i+3).Kind != idl.Number
	case "check", "exclude":
		return r.Is(i+1, "(") || next == "using"
	case "like":
		return true
	case "period":
		return next == "for"
	case "partition", "projection":
		return next == "by" || i+2 < to
	case "key", "index", "fulltext", "spatial":
		return r.Is(i+1, "(") || next == "key" || next == "index" || r.identifier(i+1) != "" && r.Is(i+2, "(") && r.At(i+3).Kind != idl.Number ||
			next != "" && r.is(i+2, "using")
	case "watermark":
		return next == "for"
	}
	return false
}

// endsType tells words that stand behind the type of a column.
func (r *reader) endsType(i int) bool {
	switch r.low(i) {
	case "not", "null", "default", "primary", "unique", "references", "check", "constraint", "collate", "generated", "auto_increment",
		"autoincrement", "identity", "comment", "on", "as", "encode", "distkey", "sortkey", "stored", "virtual", "invisible", "masked",
		"sparse", "rowguidcol", "options", "foreign", "storage", "compression", "charset", "codec", "ttl", "alias", "key", "after", "first":
		return true
	case "character":
		return r.is(i+1, "set")
	case "with":
		return !r.is(i+1, "time") && !r.is(i+1, "local")
	}
	return false
}

// alterTable reads what ALTER TABLE adds and renames.
func (r *reader) alterTable(s statement) {
	i := r.until(s.from, s.to, "table") + 1
	for r.is(i, "if") || r.is(i, "exists") || r.is(i, "only") {
		i++
	}
	o, next := r.object(i, s.to)
	if o.name == "" {
		return
	}
	r.use(facts.RefType, o, -1)
	if r.is(next, "with") { // WITH CHECK ADD CONSTRAINT
		next += 2
	}
	adding := false
	r.parts(next, s.to, func(from, to int) {
		switch r.low(from) {
		case "add":
			adding = true
			from++
		case "rename":
			adding = false
			r.rename(s, o, from+1, to)
			return
		case "alter", "drop", "modify", "change", "set", "enable", "disable", "validate", "owner", "attach", "detach", "replace", "engine", "auto_increment", "cluster", "inherit", "switch":
			adding = false
			r.foreign(from, to, -1)
			return
		}
		if !adding {
			return
		}
		for r.is(from, "column") || r.is(from, "if") || r.is(from, "not") || r.is(from, "exists") {
			from++
		}
		if r.Is(from, "(") {
			end := r.group(from, to)
			r.parts(from+1, end, func(a, b int) { r.entry(a, b, -1, o.name, -1) })
			return
		}
		if from+1 < to {
			r.entry(from, to, -1, o.name, -1)
		}
	})
}

func (r *reader) rename(s statement, table object, i, to int) {
	column := r.is(i, "column")
	if column {
		i++
	}
	at := r.until(i, to, "to") + 1
	if at >= to || !column && at != i+1 && at != i+2 {
		return
	}
	o, _ := r.object(at, to)
	if o.name == "" {
		return
	}
	d := facts.Symbol{Kind: facts.KindField, Container: table.name, Signature: r.Between(s.from, to)}
	if at == i+1 {
		d.Kind, d.Container = facts.KindStruct, table.qualifier
	}
	r.definition(statement{s.from, to, r.At(to - 1).End}, o, -1, d)
}

// commentOn gives COMMENT ON … IS '…' to what it documents.
func (r *reader) commentOn(s statement) {
	if !r.is(s.from+1, "on") {
		return
	}
	is := r.until(s.from, s.to, "is")
	text := r.quotedText(is+1, s.to)
	o, _ := r.object(s.from+3, is)
	if text == "" || o.name == "" {
		return
	}
	key := strings.ToLower(o.name)
	if r.is(s.from+2, "column") {
		table := o.qualifier[strings.LastIndexByte(o.qualifier, '.')+1:]
		key = strings.ToLower(table) + "." + key
	}
	if at, ok := r.named[key]; ok {
		if d := r.out.Symbol(at); d.Doc == "" {
			d.Doc = text
		}
	}
}
