package lua

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// local reads the names and values behind the keyword.
func (p *parser) local(start int) {
	var names []token
	constant := map[int]bool{}
	for p.at(p.i).kind == tokName {
		names = append(names, p.at(p.i))
		p.i++
		if p.is(p.i, "<") && p.at(p.i+1).kind == tokName && p.is(p.i+2, ">") {
			constant[len(names)-1] = p.is(p.i+1, "const")
			p.i += 3
		}
		if !p.accept(",") {
			break
		}
	}
	headEnd := p.end()
	if p.report && p.top() && p.depth == 1 {
		for _, n := range names {
			p.defined["local "+p.text(n)] = true
		}
	}
	var values []value
	if p.accept("=") {
		values = p.values(start, names, "", true)
	}
	if len(values) == 1 && values[0].protected && len(names) > 1 {
		values = []value{{shape: "true"}, values[0]}
	}
	for k, n := range names {
		v := value{}
		if k < len(values) {
			v = values[k]
		}
		p.store(target{start: start, headEnd: headEnd, name: n, local: true, constant: constant[k]}, v, k, values)
	}
}

// values reads the expressions of an assignment. A function that is the first
// value is named after the first target.
func (p *parser) values(start int, names []token, container string, local bool) []value {
	var out []value
	for k := 0; ; k++ {
		at := p.i
		d := definition{}
		if k < len(names) {
			d = definition{start: start, name: names[k], container: container, local: local}
			if local && p.is(p.i, "function") {
				p.bindInBody(names[k], "func")
			}
		}
		v := p.named(d)
		if p.i == at {
			break
		}
		out = append(out, v)
		if !p.accept(",") {
			break
		}
	}
	return out
}

// target is what a value is stored in.
type target struct {
	start, headEnd  int
	name            token
	container       string
	local, constant bool
}

// store reports a name that gets a value.
func (p *parser) store(t target, v value, k int, values []value) {
	if t.name.end == t.name.start {
		return
	}
	name := p.text(t.name)
	if t.container != "" && v.function {
		p.modules[first(t.container)] = true
	}
	if !p.report {
		return
	}
	if v.module != "" && k < len(values) {
		i := facts.Import{Module: v.module}
		p.taken(v.start)
		if v.member != "" {
			i.Names = []facts.ImportedName{{Name: v.member}}
			if v.member != name {
				i.Names[0].Alias = name
			}
		} else if t.container == "" {
			i.Alias = name
		}
		p.b.Import(i, uint32(v.start))
		if t.local {
			p.imports[name] = true
			p.bind(t.name, "", v.shape)
		}
		if t.container == "" {
			return
		}
	}
	if v.function {
		return // reported with its body
	}
	init := v.shape
	if k >= len(values) && len(values) > 0 && values[len(values)-1].call {
		init = lang.Shape(values[len(values)-1].shape + "#" + string(rune('0'+min(k-len(values)+1, 9))))
	}
	if !p.top() || t.local && p.depth > 1 {
		switch {
		case t.local:
			p.bind(t.name, "", init)
		case t.container == "self" && p.class != "" && !p.defined[p.class+"."+name]:
			p.defined[p.class+"."+name] = true
			p.define(t, facts.KindField, v, init, p.class)
		}
		return
	}
	// A local that only gives a shorter name to something.
	if t.local && isChain(init) && strings.HasSuffix("."+init, "."+name) {
		p.bind(t.name, "", init)
		return
	}
	key := t.container + "." + name
	if t.container == "" {
		key = "." + name
	}
	if p.defined[key] {
		return
	}
	if name == "__index" && t.container != "" { // C.__index = C makes a class
		if i := p.b.FindSymbol(t.container); i >= 0 {
			s := p.b.At(i)
			s.Kind = facts.KindClass
			if isChain(v.shape) && v.shape != t.container {
				s.Bases = append(s.Bases, v.shape)
			}
		}
		return
	}
	p.defined[key] = true
	kind := facts.KindVariable
	switch {
	case v.class:
		kind = facts.KindClass
	case (v.table || v.shape == "{}") && t.container == "" && (p.returned[name] || p.modules[name]):
		kind = facts.KindModule
	case t.constant:
		kind = facts.KindConstant
	case isUpper(name) && (init == "0" || init == `""` || init == "true"):
		kind = facts.KindConstant
	case t.container != "":
		kind = facts.KindField
	}
	p.define(t, kind, v, init, t.container)
}

func (p *parser) define(t target, kind facts.Kind, v value, init, container string) {
	name := p.text(t.name)
	doc := p.above(t.start)
	if doc.class && kind != facts.KindField {
		kind = facts.KindClass
	}
	signature := strings.TrimRight(string(p.src[t.start:t.headEnd]), " \t=")
	if v.shape == `""` || v.shape == "0" || v.shape == "true" || isChain(v.shape) || v.class {
		signature = string(p.src[t.start:p.end()])
		if line, _, more := strings.Cut(signature, "\n"); more {
			signature = line
		}
	}
	s := facts.Symbol{
		Name: name, Kind: kind, Container: container, Doc: doc.doc, Signature: signature, Init: init, Bases: append(v.bases, doc.bases...),
		Span: facts.Span{Start: uint32(t.start), End: uint32(p.end())}, NameSpan: facts.Span{Start: uint32(t.name.start), End: uint32(t.name.end)},
	}
	owner := first(container)
	switch {
	case container == "" && t.local && !p.returned[name], doc.private, strings.HasPrefix(name, "_") && !p.returned[name],
		container != "" && len(p.returned) > 0 && !p.returned[owner] && p.defined["local "+owner]:
		s.Visibility = facts.Private
	}
	if s.Visibility == facts.Public && (p.returned[name] && container == "" || p.returned[owner] && owner != "") {
		s.Flags |= facts.Exported
	}
	if i := p.b.Symbol(s); i >= 0 {
		p.inherits(v.bases, v.start)
	}
}

func (p *parser) inherits(bases []string, at int) {
	for _, base := range bases {
		owner, name := "", base
		if k := strings.LastIndexByte(base, '.'); k >= 0 {
			owner, name = base[:k], base[k+1:]
		}
		p.b.Reference(facts.RefInherit, name, owner, uint32(at))
	}
}

// assignment reads an assignment or a call.
func (p *parser) assignment() {
	start := p.at(p.i).start
	if p.at(p.i).kind != tokName && !p.is(p.i, "(") {
		return
	}
	var targets []value
	for {
		at := p.i
		targets = append(targets, p.operand(definition{}))
		if p.i == at || !p.is(p.i, ",") {
			break
		}
		p.i++
	}
	headEnd := p.end()
	last := targets[len(targets)-1]
	if !p.is(p.i, "=") {
		if last.call && p.top() {
			p.code = true
			// setmetatable(C, { __index = Base })
			if last.owner != "" && len(last.bases) > 0 && p.report {
				if i := p.b.FindSymbol(last.owner); i >= 0 {
					s := p.b.At(i)
					s.Kind = facts.KindClass
					s.Bases = append(s.Bases, last.bases...)
					p.inherits(last.bases, last.start)
				}
			}
		}
		return
	}
	p.i++
	var names []token
	container := ""
	for _, t := range targets {
		name := t.name
		if t.call {
			name = token{}
		}
		names = append(names, name)
	}
	if len(targets) > 0 && isChain(targets[0].owner) {
		container = targets[0].owner
	}
	values := p.values(start, names, container, false)
	for k, n := range names {
		v := value{}
		if k < len(values) {
			v = values[k]
		}
		owner := ""
		if isChain(targets[k].owner) {
			owner = targets[k].owner
		}
		if owner == "" && targets[k].owner != "" && !v.function {
			continue // a member of what has no name
		}
		if owner == "" && p.report && (p.b.Bound(p.text(n)) || p.defined["local "+p.text(n)]) {
			continue // a local gets another value
		}
		if n.end > n.start && p.report && owner == "" && p.top() && p.b.Extension == ".rockspec" && p.text(n) == "package" {
			if t := p.at(p.i - 1); t.kind == tokString {
				p.b.SetPackage(p.literalOf(t))
			}
		}
		p.store(target{start: start, headEnd: headEnd, name: n, container: owner}, v, k, values)
	}
}

// isKey tells whether a string under [ ] can stand as a name.
func isKey(s string) bool {
	return s != "" && len(s) <= 80 && !strings.ContainsAny(s, " \t\r\n\\\"'")
}

func isUpper(s string) bool {
	return strings.ToUpper(s) == s && strings.ToLower(s) != s
}

// table reads a constructor. d names the table where it is the value of a name;
// at the level of the file its fields are definitions. It gives the number of
// functions in it and the table under __index.
func (p *parser) table(d definition) (bodies int, index string) {
	p.i++
	named := d.name.end > d.name.start
	container := ""
	if named {
		container = p.text(d.name)
		if d.container != "" {
			container = d.container + "." + container
		}
	}
	for !p.is(p.i, "}") && p.at(p.i).kind != tokEOF {
		at := p.i
		t := p.at(p.i)
		key := token{}
		switch {
		case t.kind == tokName && p.is(p.i+1, "="):
			key = t
			p.i += 2
		case p.is(p.i, "["):
			p.i++
			k := p.at(p.i)
			p.nestedExpr()
			last := p.at(p.i - 1)
			chain := k.kind == tokName && last.kind == tokName && isChain(string(p.src[k.start:last.end]))
			p.expect("]")
			p.accept("=")
			if chain && p.is(p.i, "function") { // named after the constant
				key = last
			}
			if k.kind == tokString {
				if text := p.literalOf(k); isKey(text) && p.src[k.start] != '[' {
					key = token{tokName, k.start + 1, k.start + 1 + len(text)}
				}
			}
		}
		inner := definition{}
		if key.end > key.start {
			inner = definition{start: t.start, name: key, container: container}
		}
		headEnd := p.end()
		v := p.named(inner)
		bodies += v.bodies
		if key.end > key.start && named && p.report && p.top() && !v.function && p.depth <= 3 {
			p.store(target{start: t.start, headEnd: max(headEnd, key.end), name: key, container: container}, v, 0, []value{v})
		}
		if key.end > key.start && p.text(key) == "__index" && isChain(v.shape) {
			index = v.shape
		}
		if !p.accept(",") && !p.accept(";") || p.i == at {
			break
		}
	}
	p.expect("}")
	return bodies, index
}
