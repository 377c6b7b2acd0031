package rust

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// literal is the value of a composite literal T{}.
func (c *context) literal(name string) *typ {
	if list := c.literalDefs(name); len(list) > 0 {
		d := list[0]
		if s := c.r.symbol(d); s.Kind == facts.KindEnumMember {
			d.sym = s.Parent
		}
		return &typ{kind: instance, def: d, via: viaConstructed}
	}
	return externalOf(name[strings.LastIndexByte(name, '.')+1:])
}

// literalDefs are the structs or variants that a literal names.
func (c *context) literalDefs(name string) []def {
	path := strings.Split(name, ".")
	var n named
	if self := c.selfNamed(path[0]); self != noDef {
		n = named{defs: []def{self}}
		for _, seg := range path[1:] {
			n = c.stepAll(n.defs, seg)
		}
	} else {
		n = c.r.path(c.doc, c.sym, path, c.uses)
	}
	var out []def
	for _, d := range c.r.aliased(c.r.typesOf(n.defs), c.uses) {
		if k := c.r.symbol(d).Kind; k == facts.KindStruct || k == facts.KindEnumMember || k == facts.KindEnum {
			out = append(out, d)
		}
	}
	return out
}

// field is the n-th field of a tuple struct or variant, which its signature
// tells.
func (c *context) field(name string, n int) *typ {
	if list := c.literalDefs(name); len(list) > 0 {
		return c.positional(list[0], n, nil)
	}
	return externalType
}

func (c *context) positional(d def, n int, recv *typ) *typ {
	s := c.r.symbol(d)
	c.uses.Doc(int(d.doc))
	i := strings.IndexByte(s.Signature, '(')
	// The bracket of pub(crate) stands before the name.
	if at := strings.Index(s.Signature, s.Name); at >= 0 {
		i = strings.IndexByte(s.Signature[at:], '(') + at
	}
	if i < 0 || i >= len(s.Signature) || s.Signature[i] != '(' {
		return unknownType
	}
	p := &typeParser{s: s.Signature, at: i + 1}
	for k := 0; p.at < len(p.s) && p.peek() != ')'; k++ {
		for p.take("#") {
			if p.take("[") {
				p.until(']')
			}
		}
		if p.word("pub") && p.peek() == '(' {
			p.at++
			p.until(')')
		}
		before := p.at
		t := p.typ(0)
		if k == n {
			out := c.deeper(d).typeOf(t)
			owner := d
			if s.Kind == facts.KindEnumMember {
				owner.sym = s.Parent
			}
			if recv != nil && recv.def == owner {
				out = substitute(out, owner, bindAll(c.r.ownParams(owner), recv.args), 0)
			}
			return learned(out, viaField)
		}
		p.take(",")
		if p.at == before {
			break
		}
	}
	return unknownType
}

// part is the n-th part of a tuple.
func (c *context) part(t *typ, n int) *typ {
	switch t.kind {
	case tuple:
		return t.arg(n)
	case external:
		if wraps(t.name) && len(t.args) > 0 {
			return c.part(t.args[0], n)
		}
		return externalType
	}
	return unknownType
}
