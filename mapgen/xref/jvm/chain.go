package jvm

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

const (
	// maxChain bounds how many calls of one expression are looked at with their
	// arguments, maxBack how far the reference to such a call is searched for.
	maxChain = 12
	maxBack  = 200
)

// receiver is the type of what stands before a reference. Where that is a call,
// the arguments of the call tell the overload and the type arguments of a
// generic method: a shape does not have them, but the reference to the called
// method stands shortly before.
func (j *job) receiver(i int32, c *context) *typ { return j.before(i, c, 0) }

func (j *job) before(i int32, c *context, depth int) *typ {
	q := j.f.Refs[i].Qualifier
	prefix, name, ok := lastCall(q)
	if !ok || depth > maxChain || j.f.Language != java {
		return c.eval(j.r.shape(q))
	}
	for k := i - 1; k >= 0 && k >= i-maxBack; k-- {
		ref := &j.f.Refs[k]
		if ref.Kind != facts.RefCall || ref.Name != name || ref.Qualifier != prefix {
			continue
		}
		if t := j.remembered(k, c, depth); t != nil {
			return t
		}
		break
	}
	return c.eval(j.r.shape(q))
}

// argument is the type of an argument by its shape. The reference to what it
// calls stands behind the one of the call that it is an argument of.
func (j *job) argument(i int32, shape string, c *context, depth int) *typ {
	prefix, name, ok := lastCall(shape)
	if !ok || depth > maxChain {
		return c.eval(j.r.shape(shape))
	}
	for k := i + 1; int(k) < len(j.f.Refs) && k <= i+maxBack; k++ {
		ref := &j.f.Refs[k]
		if ref.Kind != facts.RefCall || ref.Name != name || ref.Qualifier != prefix {
			continue
		}
		if t := j.remembered(k, c, depth+1); t != nil {
			return t
		}
		break
	}
	return c.eval(j.r.shape(shape))
}

// remembered is resultAt, once for each reference. What is found depends on the
// file alone, for its references are resolved in their order.
func (j *job) remembered(k int32, c *context, depth int) *typ {
	t, ok := j.results[k]
	if !ok {
		t = j.resultAt(k, c, depth)
		j.results[k] = t
	}
	return t
}

// resultAt is what the call at a reference gives, or nil where only its shape
// tells.
func (j *job) resultAt(k int32, c *context, depth int) *typ {
	ref := &j.f.Refs[k]
	at := *c
	at.sym, at.scope, at.at = ref.Enclosing, j.local.scopes.At(ref.Start), ref.Start
	var list []found
	var recv *typ
	if ref.Qualifier == "" {
		list, _ = at.methods(ref.Name)
		recv = at.this()
	} else {
		recv = j.before(k, &at, depth+1)
		list = at.methodsOf(recv, ref.Name)
		if len(list) == 0 {
			return at.call(recv, ref.Name)
		}
	}
	if len(list) == 0 {
		return nil
	}
	args, told := j.arguments(k, &at, depth+1)
	picked, byTypes := at.choose(list, args, told)
	if len(picked) != 1 || !isMethod(j.r.symbol(picked[0].def).Kind) {
		return at.resultOfAll(list, recv)
	}
	m := picked[0]
	t := at.result(m.def)
	if params := j.r.typeParams(m.def); len(params) > 0 {
		bound := make([]*typ, len(params))
		for i := range bound {
			bound[i] = unknownType
		}
		for i, a := range args {
			unify(at.parameter(m.def, i, len(args)), a, m.def, bound, 0)
		}
		t = subst(t, m.def, bound)
	}
	return at.place(weakenedIf(t, byTypes), m, recv, viaResult)
}

// unify reads the type arguments of a generic method off an argument.
func unify(param, arg *typ, method def, bound []*typ, depth int) {
	switch {
	case depth > maxTypeDepth || !known(arg) || arg.kind == null || arg.kind == lambda:
	case param.kind == variable && param.def == method:
		if param.n < len(bound) && !known(bound[param.n]) {
			bound[param.n] = weakened(arg)
		}
	case param.kind == arg.kind && param.def == arg.def && param.name == arg.name && len(param.args) == len(arg.args):
		for i := range param.args {
			unify(param.args[i], arg.args[i], method, bound, depth+1)
		}
	}
}

// lastCall parts the shape of a call into what stands before the name and the
// name.
func lastCall(q string) (prefix, name string, ok bool) {
	q, ok = strings.CutSuffix(q, "()")
	if !ok {
		return "", "", false
	}
	name = q
	if i := strings.LastIndexByte(q, '.'); i >= 0 {
		prefix, name = q[:i], q[i+1:]
	}
	if name == "" || strings.ContainsAny(name, "()[]{}<># ") || strings.HasPrefix(prefix, "new ") && !strings.Contains(prefix, "()") {
		return "", "", false
	}
	return prefix, name, true
}
