package cfamily

import (
	"strings"
)

// head is what the parameters of a function demand of a call.
type head struct{ least, most int }

// manyArguments is the most that functions take which take any number.
const manyArguments = 1 << 20

// head counts the parameters; those with a default are told by the signature.
func (r *Resolver) head(d def) head {
	if h, ok := r.heads[d]; ok {
		return h
	}
	s := r.symbol(d)
	h := head{len(s.Params), len(s.Params)}
	for _, p := range s.Params {
		if strings.Contains(p.Type, "...") {
			h.most = manyArguments
			h.least--
		}
	}
	if strings.HasSuffix(s.Signature, "…") {
		h.least = 0
	} else if i := strings.Index(s.Signature, s.Name+"("); i >= 0 {
		depth := 0
		list := s.Signature[i+len(s.Name):]
	scan:
		for k, c := range list {
			if strings.HasPrefix(list[k:], "...") {
				h.most = manyArguments
			}
			switch c {
			case '(', '[', '{', '<':
				depth++
			case ')', ']', '}', '>':
				if depth--; depth == 0 {
					break scan
				}
			case '=':
				if depth == 1 {
					h.least--
				}
			}
		}
	}
	h.least = max(h.least, 0)
	r.heads[d] = h
	return h
}

// choose keeps what a call can mean by the number of its arguments, then by their
// types; byTypes tells that those decided.
func (c *context) choose(list []entity, args []*typ, told bool) (picked []entity, byTypes bool) {
	if !told {
		return list, false
	}
	var fit []entity
	for _, e := range list {
		if s := c.r.symbol(e.like); !isFunction(s.Kind) {
			fit = append(fit, e)
		} else if h := c.r.head(e.like); h.least <= len(args) && len(args) <= h.most {
			fit = append(fit, e)
		}
	}
	if len(fit) < 2 {
		return fit, false
	}
	best, top := []entity(nil), 0
	for _, e := range fit {
		score := c.score(e.like, args)
		if score > top || best == nil {
			best, top = nil, score
		}
		if score == top {
			best = append(best, e)
		}
	}
	return best, len(best) < len(fit)
}

// byConst picks, of two methods that differ in const alone, the one for the value
// that they are called on.
func (c *context) byConst(list []entity, constant bool) []entity {
	if len(list) != 2 {
		return list
	}
	a, b := c.r.parameters(list[0].like), c.r.parameters(list[1].like)
	switch {
	case a == b+constMark:
		if constant {
			return list[:1]
		}
		return list[1:]
	case b == a+constMark:
		if constant {
			return list[1:]
		}
		return list[:1]
	}
	return list
}

// score tells how well arguments fit parameters.
func (c *context) score(d def, args []*typ) int {
	s := c.r.symbol(d)
	score := 0
	for i, a := range args {
		if i >= len(s.Params) {
			break
		}
		p := c.r.typeOf(d, s.Params[i].Type, c.uses)
		switch {
		case a.kind == unknown || p.kind == unknown || p.kind == variable:
		case a.kind == instance && p.kind == instance:
			switch {
			case a.stars != p.stars:
				score -= 8
			case a.def == p.def:
				score += 4
			case c.r.derives(a.def, p.def, c.uses):
				score += 2
			default:
				score -= 4
			}
		case a.kind == basic && p.kind == basic && a.stars == p.stars && (a.name == "" || p.name == "" || a.name == p.name):
			score += 2
		case a.kind == external && p.kind == external && a.stars == p.stars && a.name != "" && a.name == p.name:
			score += 4
		case a.kind != p.kind:
			score -= 2
		}
	}
	return score
}

// arguments are the types of the arguments of a call, and whether they are
// told: only those of C++ in a body are.
func (j *job) arguments(ref int32, c *context) ([]*typ, bool) {
	at := &j.f.Refs[ref]
	if j.f.Language != "cpp" || c.scope < 0 || j.inMacro(at.Enclosing) {
		return nil, false
	}
	b, ok := j.local.arguments[at.Start]
	if !ok {
		return nil, true
	}
	if j.f.Bindings[b].Init == expanded {
		return nil, false
	}
	var out []*typ
	for _, s := range strings.Split(j.f.Bindings[b].Init, ";") {
		if s == "" {
			s = "?"
		}
		out = append(out, c.eval(c.r.shape(s)))
	}
	return out, true
}
