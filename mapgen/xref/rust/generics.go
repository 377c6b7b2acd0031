package rust

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// param is a type parameter with its bounds.
type param struct {
	name   string
	bounds []*text
}

// header is the head of an impl block taken apart.
type header struct {
	params []param
	trait  *text // nil without one
	self   *text
}

// header reads the head of an impl block, once.
func (r *Resolver) header(s string) *header {
	h, ok := r.headers[s]
	if !ok {
		h = parseHeader(s)
		r.headers[s] = h
	}
	return h
}

func parseHeader(s string) *header {
	p := &typeParser{s: s}
	h := &header{}
	p.word("impl")
	if p.take("<") {
		h.params = p.parameters()
	}
	p.word("const")
	p.take("!")
	h.self = p.typ(0)
	if p.word("for") {
		h.trait = h.self
		h.self = p.typ(0)
	}
	if p.word("where") {
		h.params = p.where(h.params)
	}
	return h
}

// parameters reads a list of parameters up to the closing bracket.
func (p *typeParser) parameters() []param {
	var out []param
	for p.at < len(p.s) {
		before := p.at
		switch {
		case p.take(">"):
			return out
		case p.take(","):
			continue
		case p.lifetime():
			if p.take(":") {
				p.bounds(0)
			}
			continue
		case p.word("const"):
			p.name()
			if p.take(":") {
				p.typ(1)
			}
			if p.take("=") {
				p.typ(1)
			}
			continue
		}
		one := param{name: p.name()}
		if p.take(":") {
			one.bounds = p.bounds(0)
		}
		if p.take("=") {
			p.typ(1)
		}
		out = append(out, one)
		if p.at == before {
			p.at++
		}
	}
	return out
}

// where reads the clauses that bound parameters further.
func (p *typeParser) where(params []param) []param {
	for p.at < len(p.s) {
		before := p.at
		if p.take(",") {
			continue
		}
		if p.lifetime() {
			if p.take(":") {
				p.bounds(0)
			}
			continue
		}
		t := p.typ(0)
		if p.take(":") {
			bounds := p.bounds(0)
			if len(t.path) == 1 {
				for i := range params {
					if params[i].name == t.path[0] {
						params[i].bounds = append(params[i].bounds, bounds...)
					}
				}
			}
		}
		if p.at == before {
			return params
		}
	}
	return params
}

// ownParams are the type parameters that a definition itself declares.
func (r *Resolver) ownParams(d def) []param {
	list, ok := r.generics[d]
	if !ok {
		list = readParams(r.symbol(d))
		r.generics[d] = list
	}
	return list
}

func readParams(s *facts.Symbol) []param {
	if !isType(s.Kind) && !isFunction(s.Kind) {
		return nil
	}
	at := -1
	for _, keyword := range []string{"fn ", "struct ", "enum ", "trait ", "type ", "union "} {
		if i := strings.Index(s.Signature, keyword+s.Name+"<"); i >= 0 && (i == 0 || s.Signature[i-1] == ' ') {
			at = i + len(keyword) + len(s.Name) + 1
			break
		}
	}
	if at < 0 {
		return nil
	}
	p := &typeParser{s: s.Signature, at: at}
	out := p.parameters()
	if i := strings.Index(s.Signature[p.at:], " where "); i >= 0 {
		p.at += i + len(" where ")
		out = p.where(out)
	}
	return out
}
