package sql

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/idl"
)

// objectKind finds the word that says what CREATE or ALTER is about, between a
// statement's first token and to.
func objectKind(t *idl.Tokens, from, to int) (kind string, at int) {
	for i := from + 1; i < to && i < from+24; i++ {
		switch w := lower(t, i); w {
		case "table", "view", "function", "procedure", "proc", "trigger", "index", "type", "sequence", "schema", "database", "keyspace",
			"domain", "policy", "rule", "synonym", "package", "aggregate", "macro", "event", "task", "dictionary":
			if w == "event" && (isKeyword(t, i+1, "trigger") || isKeyword(t, i+1, "table")) {
				continue
			}
			if w == "index" && i > from+1 && isKeyword(t, i-1, "on") {
				return "", i
			}
			return w, i
		case "as", "on", "user", "role", "login", "extension", "server", "publication", "subscription", "statistics", "operator",
			"cast", "collation", "language", "stage", "pipe", "stream", "warehouse", "tablespace", "foreign_key", "certificate", "group":
			return "", i
		case "":
			if isKeyword(t, i, "(") {
				return "", i
			}
		}
	}
	return "", from
}

func (r *reader) statement(s statement, query int) {
	switch r.low(s.from) {
	case "create":
		r.create(s)
		return
	case "alter":
		if r.low(s.from+1) == "table" || r.low(s.from+2) == "table" {
			r.alterTable(s)
		}
		return
	case "comment":
		r.commentOn(s)
		return
	case "copy":
		if o, next := r.object(s.from+1, s.to); !r.is(next, "to") {
			r.use(facts.RefRead, o, query)
		}
		return
	case "begin", "if", "do", "exec", "execute":
		for i := s.from; i < s.to && i < s.from+60; i++ {
			if r.is(i, "create") && i > s.from && objectWord(r.Tokens, i, s.to) {
				r.create(statement{i, s.to, s.end})
				return
			}
		}
	case "drop", "grant", "revoke", "set", "use":
		return
	}
	r.uses(s.from, s.to, query)
}

func objectWord(t *idl.Tokens, i, to int) bool {
	kind, _ := objectKind(t, i, to)
	return kind != ""
}

// definition adds what a statement makes.
func (r *reader) definition(s statement, o object, parent int, d facts.Symbol) int {
	k := r.At(o.token)
	d.Name = o.name
	if d.Container == "" {
		d.Container = o.qualifier
	}
	if d.Doc == "" {
		d.Doc = r.doc(s.from)
	}
	d.Span = facts.Span{Start: r.At(s.from).Start, End: max(s.end, k.End)}
	d.NameSpan = facts.Span{Start: k.Start, End: k.End}
	r.first = min(r.first, s.from)
	if o.name == "" {
		return -1
	}
	return r.out.Add(parent, d)
}

// doc is the comment above a statement, unless a tool wrote it.
func (r *reader) doc(i int) string {
	text := r.Above(i)
	for _, p := range []string{"Name: ", "Table structure for", "+goose", "+migrate", "migrate:", "changeset", "name:", "Dumping", "Data for Name", "Structure de la table", "Temporary view structure", "Index: ", "Object:", "noqa", "liquibase"} {
		if strings.HasPrefix(text, p) {
			return ""
		}
	}
	return text
}

func (r *reader) create(s statement) {
	kind, at := objectKind(r.Tokens, s.from, s.to)
	if kind == "" {
		return
	}
	head := at
	for head > s.from+1 && isModifier(r.low(head-1)) {
		head--
	}
	i := at + 1
	if kind == "package" || kind == "type" {
		if r.is(i, "body") {
			i++
		}
	}
	for r.is(i, "concurrently") || r.is(i, "if") && r.is(i+1, "not") && r.is(i+2, "exists") {
		if r.is(i, "if") {
			i += 2
		}
		i++
	}
	d := facts.Symbol{}
	for k := s.from + 1; k < at; k++ {
		if w := r.low(k); w == "temp" || w == "temporary" {
			d.Visibility = facts.Private
		}
	}
	if kind == "index" && (r.is(i, "on") || r.is(i, "(")) {
		if o, _ := r.object(i+1, s.to); r.is(i, "on") {
			r.use(facts.RefType, o, -1)
		}
		return
	}
	if kind == "schema" && r.is(i, "authorization") {
		i++
	}
	o, next := r.object(i, s.to)
	if o.name == "" || strings.HasPrefix(o.name, "#") {
		if o.name == "" {
			r.uses(next, s.to, -1)
		}
		return
	}
	sign := func(to int) string { return r.signature(head, i, at+1, min(to, s.to)) }
	switch kind {
	case "table":
		r.table(s, o, next, d, sign)
	case "view":
		d.Kind = facts.KindType
		end := r.until(next, s.to, "as")
		d.Signature = sign(end)
		v := r.definition(s, o, -1, d)
		r.remember(o, v)
		r.uses(end, s.to, v)
	case "function", "procedure", "proc", "aggregate", "macro":
		r.routine(s, o, next, kind, d, sign)
	case "trigger", "policy", "rule":
		d.Kind = facts.KindFunction
		if kind != "trigger" {
			d.Kind = facts.KindProperty
		}
		r.onTable(s, o, next, d, sign)
	case "index":
		d.Kind = facts.KindProperty
		r.onTable(s, o, next, d, sign)
	case "type", "domain":
		r.typeDefinition(s, o, next, kind, d, sign)
	case "sequence", "dictionary", "synonym":
		d.Kind = facts.KindVariable
		d.Signature = sign(s.to)
		v := r.definition(s, o, -1, d)
		if r.is(next, "for") {
			target, _ := r.object(next+1, s.to)
			r.use(facts.RefType, target, v)
		}
	case "schema", "database", "keyspace":
		d.Kind = facts.KindModule
		d.Signature = sign(next)
		r.definition(s, o, -1, d)
	case "event", "task":
		d.Kind = facts.KindTarget
		d.Signature = sign(r.until(next, s.to, "do", "as", "begin"))
		r.definition(s, o, -1, d)
	case "package":
		d.Kind = facts.KindModule
		d.Signature = sign(next)
		r.members(s, next, r.definition(s, o, -1, d))
	}
}

func isModifier(w string) bool {
	switch w {
	case "unique", "materialized", "temp", "temporary", "unlogged", "external", "foreign", "virtual", "global", "local", "transient",
		"clustered", "nonclustered", "columnstore", "fulltext", "spatial", "bitmap", "constraint", "recursive", "dynamic", "hybrid",
		"volatile", "multiset", "event", "secure", "live", "streaming", "public", "vector", "search":
		return true
	}
	return false
}

// signature is the text of a head without IF NOT EXISTS: the words before the
// name, then from the name on.
func (r *reader) signature(head, name, kindEnd, to int) string {
	return r.Between(head, min(kindEnd, name)) + " " + r.Between(name, to)
}

// until is the index of the first of some words outside of parentheses, or to.
func (r *reader) until(i, to int, words ...string) int {
	for ; i < to; i++ {
		if r.Is(i, "(") {
			i = r.group(i, to)
			continue
		}
		for _, w := range words {
			if r.is(i, w) {
				return i
			}
		}
	}
	return min(i, to)
}

// remember makes a definition known to COMMENT ON.
func (r *reader) remember(o object, at int) {
	if at >= 0 {
		r.named[strings.ToLower(o.name)] = at
	}
}

func (r *reader) use(kind facts.RefKind, o object, in int) {
	if o.name == "" || strings.HasPrefix(o.name, "#") || strings.HasPrefix(o.name, "@") || strings.EqualFold(o.name, "dual") {
		return
	}
	if in < 0 {
		key := o.qualifier + "." + o.name
		if r.used[key] {
			return
		}
		r.used[key] = true
	}
	r.out.Ref(kind, o.name, o.qualifier, in, r.At(o.token).Start)
}

// uses finds the tables that a query names.
func (r *reader) uses(from, to, in int) {
	local := map[string]bool{}
	for i := from; i < to; i++ {
		if r.is(i, "as") {
			k := i + 1
			if r.is(k, "not") {
				k++
			}
			if r.is(k, "materialized") {
				k++
			}
			if name := r.identifier(i - 1); name != "" && r.Is(k, "(") {
				local[strings.ToLower(name)] = true
			}
		}
	}
	seen := map[string]bool{}
	for i := from; i < to; i++ {
		w := r.low(i)
		switch w {
		case "from":
			if r.is(i-1, "distinct") || r.isArgument(i) {
				continue
			}
		case "join", "into":
		case "update":
			if i > from && (r.is(i-1, "for") || r.is(i-1, "on") || r.is(i-1, "do") || r.is(i-1, "or") || r.is(i-1, "key")) {
				continue
			}
		default:
			continue
		}
		for k := i + 1; k < to; {
			for r.is(k, "only") || r.is(k, "lateral") || r.is(k, "table") || r.is(k, "overwrite") {
				k++
			}
			switch r.low(k) {
			case "select", "set", "values", "unnest":
				k = to
				continue
			}
			if r.At(k).Kind == idl.String {
				break
			}
			o, next := r.object(k, to)
			if o.name == "" || r.Is(next, "(") && w != "into" {
				break
			}
			if key := strings.ToLower(o.qualifier + "." + o.name); !seen[key] && !(o.qualifier == "" && local[strings.ToLower(o.name)]) {
				seen[key] = true
				r.use(facts.RefRead, o, in)
			}
			if w != "from" {
				break
			}
			// FROM a, b x, c AS y
			if r.is(next, "as") {
				next++
			}
			if !r.Is(next, ",") {
				next++
			}
			if !r.Is(next, ",") {
				break
			}
			k = next + 1
		}
	}
}

// isArgument tells the FROM of EXTRACT(year FROM x) and its like.
func (r *reader) isArgument(i int) bool {
	for k := i - 1; k > i-8 && k > 0; k-- {
		if r.Is(k, "(") {
			switch r.low(k - 1) {
			case "extract", "trim", "substring", "overlay", "position", "substr":
				return true
			}
			return false
		}
	}
	return false
}
