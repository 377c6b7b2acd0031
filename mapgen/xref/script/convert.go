package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Endings of the qualifier of a key of an object literal.
const (
	endKey   = ".(@key)"
	endShort = ".(@short)"
)

// converted handles assertions and the pseudo conversions that the extraction
// writes into shapes, see the package ecmascript: x.(@0) is what the first
// parameter of x takes, and so on.
func (r *Resolver) converted(t *typ, to string, pl place, uses *edges.Uses) *typ {
	op, pseudo := strings.CutPrefix(to, "@")
	if !pseudo {
		return r.typeText(to, pl, ref{-1, -1}, uses)
	}
	word, rest, _ := strings.Cut(op, " ")
	switch {
	case strings.HasPrefix(op, "<"):
		return r.applied(t, op, pl, uses)
	case word == "await":
		return awaited(t)
	case word == "return":
		return r.result(t, uses)
	case word == "props":
		return r.props(t, uses)
	case word == "likely":
		return unlikely(t)
	case word == "is" || word == "not":
		key, values, _ := strings.Cut(rest, "=")
		return r.discriminated(t, key, strings.Split(values, "|"), word == "is", uses)
	case word == "of":
		if to := r.constructed(rest, pl, uses); to != nil && to.kind == typeInstance {
			return to
		}
		return t
	case word == "in":
		return r.holding(t, rest, uses)
	case word == "guard":
		return r.guarded(t, rest, pl, uses)
	}
	if n, err := strconv.Atoi(op); err == nil {
		return r.parameter(t, n, uses)
	}
	return t
}

// parts are the types that a value can be.
func (r *Resolver) alternatives(t *typ, uses *edges.Uses) []*typ {
	for range 4 {
		if t == nil || t.kind != typeParameter {
			break
		}
		t = r.constraint(t, uses)
	}
	if t == nil || t.kind != typeUnion {
		return nil
	}
	return t.args
}

// discriminated keeps the parts of a union whose member is one of several
// literals, or those whose member is none of them.
func (r *Resolver) discriminated(t *typ, key string, values []string, is bool, uses *edges.Uses) *typ {
	if t != nil && t.kind == typeIntersection {
		args := make([]*typ, len(t.args))
		for i, a := range t.args {
			args[i] = r.discriminated(a, key, values, is, uses)
		}
		if slices.Equal(args, t.args) {
			return t
		}
		n := omittingNames(union(typeIntersection, args), t.without)
		if t.likely {
			n = unlikely(n)
		}
		if t.partial {
			n = optional(n)
		}
		return n
	}
	all := r.alternatives(t, uses)
	if all == nil {
		return t
	}
	var out []*typ
	sure := true
	for _, u := range all {
		hits := r.membersOf(u, key, uses)
		if len(hits) == 0 {
			if !is {
				out = append(out, u)
			}
			continue
		}
		keep := false
		for _, h := range hits {
			text := ""
			if h.at.sym >= 0 {
				text = declaredText(r.symbol(h.at))
			}
			if text == "" {
				keep, sure = true, sure && !is
				continue
			}
			if e := r.expression(text); is {
				keep = keep || literal(e, values)
			} else {
				keep = keep || e.kind != exprString && e.kind != exprName && e.kind != exprBasic || !literal(e, values)
			}
		}
		if keep {
			out = append(out, u)
		}
	}
	if len(out) == 0 {
		return t
	}
	n := union(typeUnion, out)
	if !sure || t.likely {
		return unlikely(n)
	}
	return n
}

// literal tells whether a type can be one of several literals.
func literal(e *expr, values []string) bool {
	switch e.kind {
	case exprUnion:
		for _, a := range e.args {
			if literal(a, values) {
				return true
			}
		}
		return false
	case exprString:
		for _, v := range values {
			if v == "'"+e.name+"'" {
				return true
			}
		}
		return false
	case exprName:
		for _, v := range values {
			if v == e.name || strings.HasSuffix(v, "."+e.name) || strings.HasSuffix(e.name, "."+v) {
				return true
			}
			if strings.HasPrefix(v, "'") || strings.Contains(v, ".") && strings.Contains(e.name, ".") {
				continue
			}
			return !strings.Contains(e.name, ".") // an alias can be anything
		}
		return false
	case exprBasic:
		switch e.name {
		case "true", "false", "null", "undefined":
			for _, v := range values {
				if v == e.name {
					return true
				}
			}
			return false
		}
		return true
	}
	return true
}

// holding keeps the parts of a union that have a member.
func (r *Resolver) holding(t *typ, name string, uses *edges.Uses) *typ {
	var out []*typ
	for _, u := range r.alternatives(t, uses) {
		if len(r.membersOf(u, name, uses)) > 0 {
			out = append(out, u)
		}
	}
	if len(out) == 0 {
		return t
	}
	return union(typeUnion, out)
}

// guarded is the type that a type guard tells, where the function is one.
func (r *Resolver) guarded(t *typ, guard string, pl place, uses *edges.Uses) *typ {
	f := r.value(steps(guard), pl, uses)
	if f == nil || f.kind != typeFunction {
		return t
	}
	uses.Doc(int(f.at.doc))
	for _, p := range r.siblings(f.at) {
		_, is, ok := strings.Cut(r.symbol(p).Type, " is ")
		if !ok || strings.HasPrefix(r.symbol(p).Type, "asserts") {
			continue
		}
		to := r.typeText(is, place{doc: p.doc, sym: p.sym, scope: -1}, p, uses)
		if to == nil || to.kind == typeExternal || to.kind == typeParameter {
			return t
		}
		return to
	}
	return t
}
