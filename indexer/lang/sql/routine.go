package sql

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/idl"
)

// routine reads a function, procedure, aggregate or macro.
func (r *reader) routine(s statement, o object, next int, kind string, d facts.Symbol, sign func(int) string) {
	d.Kind = facts.KindFunction
	if kind == "macro" {
		d.Kind = facts.KindMacro
	}
	end := r.headEnd(next, s.to)
	d.Signature = sign(end)
	d.Params, d.Type = r.parameters(next, end)
	at := r.definition(s, o, -1, d)
	r.named[strings.ToLower(o.name)] = at
}

// headEnd is where the head of a routine ends and its body or options begin.
func (r *reader) headEnd(i, to int) int {
	for ; i < to; i++ {
		if r.Is(i, "(") {
			i = r.group(i, to)
			continue
		}
		if r.At(i).Kind == body {
			return i
		}
		switch r.low(i) {
		case "as", "is", "begin", "language", "return", "deterministic", "immutable", "stable", "volatile", "strict", "security",
			"sql", "reads", "modifies", "contains", "comment", "with", "declare", "select", "insert", "update", "delete",
			"call", "if", "pipelined", "authid", "not", "cost", "parallel", "leakproof", "called":
			if r.low(i) == "return" && !r.is(i+1, "(") && r.At(i+1).Kind == idl.Word && r.isOracleReturn(i, to) {
				continue
			}
			return i
		}
	}
	return min(i, to)
}

// isOracleReturn tells RETURN type IS … from RETURN expression.
func (r *reader) isOracleReturn(i, to int) bool {
	for k := i + 1; k < to && k < i+12; k++ {
		switch r.low(k) {
		case "is", "as", "deterministic", "pipelined":
			return true
		}
		if r.Is(k, ";") {
			return true
		}
	}
	return to <= i+6
}

func (r *reader) parameters(i, end int) (params []facts.Param, result string) {
	add := func(from, to int) {
		for r.is(from, "in") || r.is(from, "out") || r.is(from, "inout") || r.is(from, "variadic") {
			from++
		}
		if len(params) >= 100 || from >= to {
			return
		}
		stop := r.until(from, to, "default", ":", "=")
		name := r.identifier(from)
		if name == "" || stop == from+1 && !strings.HasPrefix(name, "@") {
			params = append(params, facts.Param{Type: r.Between(from, stop)})
			return
		}
		typ := from + 1
		for r.is(typ, "in") || r.is(typ, "out") || r.is(typ, "as") || r.is(typ, "nocopy") {
			typ++
		}
		params = append(params, facts.Param{Name: name, Type: r.Between(typ, max(typ, stop))})
	}
	rest := i
	if r.Is(i, "(") {
		rest = r.group(i, end)
		r.parts(i+1, rest, add)
	} else if strings.HasPrefix(r.identifier(i), "@") {
		r.parts(i, end, add)
	}
	for k := rest; k < end; k++ {
		if r.is(k, "returns") || r.is(k, "return") {
			return params, r.Between(k+1, end)
		}
	}
	return params, ""
}

// members reads the routines of a package.
func (r *reader) members(s statement, from, owner int) {
	if owner < 0 {
		return
	}
	for i := from; i < s.to; i++ {
		w := r.low(i)
		if w != "procedure" && w != "function" || !r.At(i).First || r.identifier(i+1) == "" {
			continue
		}
		end := r.headEnd(i+2, s.to)
		for k := i + 2; k < end; k++ {
			if r.At(k).First && (r.is(k, "procedure") || r.is(k, "function") || r.is(k, "end") || r.is(k, "type")) {
				end = k
				break
			}
		}
		d := facts.Symbol{Kind: facts.KindFunction, Signature: r.Between(i, end), Doc: r.Above(i)}
		d.Params, d.Type = r.parameters(i+2, end)
		k := r.At(i + 1)
		d.Name = r.identifier(i + 1)
		d.Span = facts.Span{Start: r.At(i).Start, End: max(k.End, r.At(end-1).End)}
		d.NameSpan = facts.Span{Start: k.Start, End: k.End}
		r.out.Add(owner, d)
		i = max(i, end-1)
	}
}

// onTable reads what belongs to a table: trigger, index, policy, rule.
func (r *reader) onTable(s statement, o object, next int, d facts.Symbol, sign func(int) string) {
	on := r.until(next, s.to, "on")
	if r.low(s.from+1) == "rule" || r.low(s.from+3) == "rule" {
		on = r.until(next, s.to, "to")
	}
	d.Signature = sign(r.until(next, s.to, "begin", "execute", "as", "declare"))
	table := object{}
	if on < s.to {
		k := on + 1
		if r.is(k, "only") {
			k++
		}
		table, _ = r.object(k, s.to)
		switch strings.ToLower(table.name) {
		case "database", "schema", "all":
			table = object{}
		}
		d.Container = table.name
	}
	at := r.definition(s, o, -1, d)
	if table.name != "" {
		r.use(facts.RefType, table, at)
	}
	if d.Kind == facts.KindFunction {
		i := r.until(on, s.to, "execute")
		if r.is(i+1, "function") || r.is(i+1, "procedure") {
			f, _ := r.object(i+2, s.to)
			r.use(facts.RefCall, f, at)
		}
	}
}

func (r *reader) typeDefinition(s statement, o object, next int, kind string, d facts.Symbol, sign func(int) string) {
	d.Kind = facts.KindType
	i := next
	if r.is(i, "as") || r.is(i, "is") {
		i++
	}
	switch {
	case kind == "domain":
		d.Signature = sign(s.to)
		d.Type = r.Between(i, r.until(i, s.to, "not", "null", "default", "check", "constraint"))
		r.definition(s, o, -1, d)
		return
	case r.is(i, "enum") && r.Is(i+1, "("):
		d.Kind, d.Signature = facts.KindEnum, sign(s.to)
		at := r.definition(s, o, -1, d)
		end := r.group(i+1, s.to)
		for k := i + 2; k < end; k++ {
			if t := r.At(k); t.Kind == idl.String && t.End-t.Start > 2 {
				span := facts.Span{Start: t.Start, End: t.End}
				r.out.Add(at, facts.Symbol{
					Name: r.quotedText(k, end), Kind: facts.KindEnumMember, Container: o.name, Span: span, NameSpan: span,
					Signature: r.Text(k), Doc: r.Above(k),
				})
			}
		}
		return
	}
	for r.is(i, "object") || r.is(i, "table") || r.is(i, "under") {
		i++
	}
	if !r.Is(i, "(") {
		d.Signature = sign(s.to)
		r.definition(s, o, -1, d)
		return
	}
	d.Kind, d.Signature = facts.KindStruct, sign(i)
	at := r.definition(s, o, -1, d)
	end := r.group(i, s.to)
	r.parts(i+1, end, func(from, to int) {
		if w := r.low(from); w != "member" && w != "static" && w != "constructor" && w != "map" && !strings.Contains(w, "=") {
			r.entry(from, to, at, o.name, end)
		}
	})
}
