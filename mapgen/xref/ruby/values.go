package ruby

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// kind of a type.
type kind uint8

const (
	unknown kind = iota
	// instance of a class or of what mixes a module in.
	instance
	// classOf is a class or module itself.
	classOf
	// external is a value of which only is known that its class lies outside.
	external
)

// How a type was learned.
type via uint8

const (
	viaSelf via = iota
	viaClass
	viaConstructed
	viaValue
	viaName
)

// typ is what a value is.
type typ struct {
	kind kind
	path string
	via  via
	// weak tells that the value may be something else.
	weak bool
	// both tells a module whose methods are functions too.
	both bool
}

var externalType = typ{kind: external}

func (t typ) known() bool { return t.kind != unknown }

func (t typ) via1(v via) typ {
	t.via = max(t.via, v)
	return t
}

// core is the class of Ruby's own that a literal is of: the revision can open it.
func literalType(shape string) typ {
	name := map[string]string{`""`: "String", "0": "Integer", "[]": "Array", "{}": "Hash", "func": "Proc"}[shape]
	if name == "" {
		return externalType
	}
	return typ{kind: instance, path: name, via: viaConstructed}
}

// eval is the type of an expression.
func (c *context) eval(steps []edges.Step) typ {
	var t typ
	name := "" // of what was evaluated last
	for i := range steps {
		s := &steps[i]
		before := name
		if name = s.Name; s.Op == edges.Call {
			name = before
		}
		switch s.Op {
		case edges.Root:
			t = c.root(s.Name, i+1 < len(steps) && steps[i+1].Op == edges.Call)
		case edges.Member:
			if oneOfMany(s.Name) && t.kind != instance {
				t = c.elementOf(before)
				break
			}
			t = c.send(t, s.Name)
		case edges.Call:
		case edges.New:
			t = c.construct(c.constantType(s.Name))
		case edges.Basic:
			t = literalType(s.Name)
		case edges.Index:
			if t = c.send(t, "[]"); !t.known() {
				t = c.elementOf(before)
			}
		case edges.Range:
			t = c.elementOf(before)
		default:
			t = typ{}
		}
	}
	return t
}

// oneOfMany tells methods that give one of several values.
func oneOfMany(name string) bool {
	switch name {
	case "first", "last", "find", "detect", "pop", "shift", "sample", "min_by", "max_by", "fetch":
		return true
	}
	return false
}

// elementOf guesses the class of one of several values by their name: pages are
// each a Page.
func (c *context) elementOf(name string) typ {
	for _, plural := range [][2]string{{"ies", "y"}, {"sses", "ss"}, {"xes", "x"}, {"ches", "ch"}, {"s", ""}} {
		if one, ok := strings.CutSuffix(name, plural[0]); ok && one != "" {
			return c.orNamed(typ{}, one+plural[1])
		}
	}
	return typ{}
}

// root is what a name alone gives.
func (c *context) root(name string, called bool) typ {
	switch {
	case name == "self":
		return c.self()
	case name == "super":
		return typ{}
	case name == "nil" || name == "true":
		return externalType
	case name[0] == '@':
		return c.variable(name)
	case name[0] == '$':
		return typ{}
	case isPath(name):
		return c.constantType(name)
	}
	if !called {
		if t, ok := c.bound(name); ok {
			return c.orNamed(t, name)
		}
	}
	self := c.self()
	list := c.methodsOf(self, name)
	if len(list) == 0 && c.method() == noDef && self.kind == classOf {
		list = c.methodsOf(typ{kind: instance, path: self.path}, name)
	}
	if len(list) == 0 {
		if self.kind == classOf && (name == "new" || name == "class" || name == "name") {
			return c.send(self, name)
		}
		for _, d := range c.functions(name) {
			list = append(list, found{def: d, weak: true})
		}
		if len(list) == 0 && self.kind == unknown && c.local != nil && !core(name) {
			if only := c.helpers(name); len(only) == 1 {
				list = append(list, found{def: only[0], weak: true})
			}
		}
	}
	if len(list) == 0 && core(name) {
		return typ{}
	}
	return c.orNamed(c.resultOf(list, self), name)
}

// orNamed guesses the class of a value of which nothing is known by its name.
func (c *context) orNamed(t typ, name string) typ {
	if t.known() {
		return t
	}
	name = strings.TrimLeft(name, "@")
	for _, n := range []string{name, inFull(name)} {
		if p := c.classNamed(camel(n)); p != "" {
			return typ{kind: instance, path: p, via: viaName, weak: true}
		}
	}
	return t
}

// classNamed is the path of the class that a name means at a place, or of the
// only class of that name.
func (c *context) classNamed(name string) string {
	if name == "" {
		return ""
	}
	p := c.constant(c.nesting(), name, "")
	if p == "" && len(name) > 3 {
		c.uses.Key(classKey + name)
		if list := c.r.classes[name]; len(list) == 1 {
			p = list[0]
		}
	}
	if p == "" || !c.r.isClassPath(p, c.uses) || c.r.isModule(p, c.uses) {
		return ""
	}
	return p
}

// inFull is the word that a customary short form stands for, "" for none.
func inFull(name string) string {
	switch name {
	case "doc":
		return "document"
	case "config", "conf":
		return "configuration"
	case "req":
		return "request"
	case "res", "resp":
		return "response"
	case "ctx":
		return "context"
	case "env":
		return "environment"
	case "conn":
		return "connection"
	case "app":
		return "application"
	case "repo":
		return "repository"
	case "cmd":
		return "command"
	case "opts":
		return "options"
	}
	return ""
}

// camel turns the_name into TheName, "" where that is no name of a class.
func camel(name string) string {
	var out strings.Builder
	up := true
	for _, r := range name {
		switch {
		case r == '_':
			up = true
		case r == '?' || r == '!' || r == '=':
			return ""
		case up:
			out.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			out.WriteRune(r)
		}
	}
	s := out.String()
	if utf8.RuneCountInString(s) < 3 {
		return ""
	}
	return s
}

// constantType is what a constant holds.
func (c *context) constantType(name string) typ {
	return c.r.constantType(c.constant(c.nesting(), name, ""), c.uses)
}

func (r *Resolver) constantType(p string, uses *edges.Uses) typ {
	if p == "" {
		return externalType
	}
	p = r.target(p, uses)
	list := r.consts[p]
	if len(list) == 0 {
		return externalType
	}
	if isClass(r.symbol(list[0]).Kind) {
		return typ{kind: classOf, path: p, via: viaClass}
	}
	return r.result(list[0], uses).via1(viaValue)
}

func (c *context) construct(t typ) typ {
	switch t.kind {
	case classOf:
		if list := c.r.ofClass(t.path, "new", c.uses); len(list) > 0 {
			if got := c.resultOf(list, t); got.known() {
				return got
			}
		}
		v := viaConstructed
		if t.via > viaConstructed {
			v = t.via
		}
		return typ{kind: instance, path: t.path, via: v, weak: t.weak}
	case external:
		return externalType
	}
	return typ{}
}

// send is what a method of a value gives.
func (c *context) send(t typ, name string) typ {
	switch name {
	case "itself", "tap", "freeze", "dup", "clone":
		return t
	case "class", "singleton_class":
		switch t.kind {
		case instance:
			return typ{kind: classOf, path: t.path, via: t.via, weak: t.weak}
		case external:
			return externalType
		}
		return typ{}
	case "new", "allocate":
		if t.kind == classOf {
			return c.construct(t)
		}
	}
	if t.kind == external {
		return externalType
	}
	if t.kind == unknown {
		if core(name) {
			return typ{}
		}
		return c.orNamed(typ{}, name)
	}
	list := c.methodsOf(t, name)
	if len(list) == 0 {
		if t.weak || c.r.open(t.path, c.uses) || core(name) {
			return typ{}
		}
		return c.orNamed(typ{}, name)
	}
	return c.orNamed(c.resultOf(list, t), name)
}

// methodsOf are the definitions of a method that a value has.
func (c *context) methodsOf(t typ, name string) []found {
	switch t.kind {
	case instance:
		return c.r.ofInstance(t.path, name, c.uses)
	case classOf:
		list := c.r.ofClass(t.path, name, c.uses)
		if len(list) == 0 && t.both {
			list = c.r.ofInstance(t.path, name, c.uses)
		}
		return list
	}
	return nil
}

// resultOf is what a method with these definitions gives, called on a value.
func (c *context) resultOf(list []found, self typ) typ {
	var out typ
	for i, m := range list {
		// Doubles say the same again.
		if i > 0 && m.owner == list[0].owner && c.r.symbol(m.def).Init == c.r.symbol(list[0].def).Init && c.r.symbol(m.def).Type == c.r.symbol(list[0].def).Type {
			continue
		}
		t := c.r.result(m.def, c.uses)
		// What a method says of its own class holds for the class it was called on.
		if self.path != "" && t.path == m.owner && t.via == viaSelf && t.kind != external {
			t.path = self.path
		}
		t.weak = t.weak || m.weak
		switch {
		case i == 0:
			out = t
		case t.kind != out.kind || t.path != out.path:
			return typ{}
		}
	}
	if out.known() {
		out = out.via1(max(viaValue, self.via))
		out.weak = out.weak || self.weak
	}
	return out
}

// result is what a method gives or a variable or constant holds.
func (r *Resolver) result(d def, uses *edges.Uses) typ {
	return r.results.Get(d, uses, func(uses *edges.Uses) typ {
		uses.Doc(int(d.doc))
		s := r.symbol(d)
		if t := r.documented(d, s.Type, uses); t.known() {
			return t.via1(viaValue)
		}
		c := &context{r: r, doc: d.doc, sym: d.sym, scope: -1, uses: uses}
		switch {
		case s.Kind == facts.KindProperty:
			owner := r.owners[d.doc][d.sym]
			if owner == "" {
				return typ{}
			}
			for _, m := range r.ofInstance(owner, "@"+s.Name, uses) {
				if t := r.result(m.def, uses); t.known() {
					return t
				}
			}
			return typ{}
		case s.Init == "" || s.Init == "?" || s.Init == "nil":
			return typ{}
		case s.Kind == facts.KindField:
			c.sym = s.Parent
		}
		return c.oneOf(s.Init)
	})
}

// oneOf is the type of a value that has one of several shapes.
func (c *context) oneOf(init string) typ {
	var out typ
	for _, shape := range strings.Split(init, " | ") {
		t := c.eval(c.r.shape(shape))
		switch {
		case !t.known() && out.known():
			out.weak = true
		case !out.known():
			t.weak = t.weak || shape != init
			out = t
		case out.kind != t.kind || out.path != t.path:
			return typ{}
		}
	}
	return out
}

// variable is what an instance variable holds.
func (c *context) variable(name string) typ {
	self := c.self()
	if self.path == "" {
		return typ{}
	}
	var out typ
	for _, m := range c.r.ofInstance(self.path, name, c.uses) {
		if t := c.r.result(m.def, c.uses); t.known() {
			out = t
			break
		}
	}
	return c.orNamed(out.via1(viaValue), name)
}

// documented reads a type in the manner of YARD: one class, perhaps nil.
func (r *Resolver) documented(at def, text string, uses *edges.Uses) typ {
	if text == "" {
		return typ{}
	}
	var out typ
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		var t typ
		switch part {
		case "nil", "NilClass":
			continue
		case "self":
			c := &context{r: r, doc: at.doc, sym: at.sym, scope: -1, uses: uses}
			t = c.self()
		case "Boolean", "Bool", "true", "false", "void", "Symbol", "Integer", "Float", "Numeric":
			t = externalType
		default:
			name, generic, _ := strings.Cut(part, "<")
			if !isPath(name) {
				return typ{}
			}
			p := r.constant(r.nestingOf(at), name, "", uses)
			t = r.constantType(p, uses)
			switch {
			case t.kind == classOf && (name == "Class" || generic != "" && name == "Class"):
				return typ{}
			case t.kind == classOf:
				t.kind = instance
			case p != "":
				return typ{}
			}
		}
		if out.known() && out != t {
			return typ{}
		}
		out = t
	}
	return out
}
