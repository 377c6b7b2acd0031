package csharp

// infer reads the type arguments of a generic method off the arguments of a
// call: first off values, then, if lambdas count, off what those give.
func (c *context) infer(m found, args []argument, recv *typ, lambdas bool) []*typ {
	params := c.r.typeParams(m.def)
	if len(params) == 0 {
		return nil
	}
	bound := make([]*typ, len(params))
	for i := range bound {
		bound[i] = unknownType
	}
	if m.extends {
		c.unify(c.parameterType(m.def, 0), recv, m.def, bound, 0)
	}
	for i := range args {
		if !args[i].lambda {
			if k := c.parameterOf(m, i, args); k >= 0 {
				c.unify(c.memberType(m, k, recv, len(args)), args[i].t, m.def, bound, 0)
			}
		}
	}
	for i := range args {
		if !args[i].lambda || !lambdas {
			continue
		}
		k := c.parameterOf(m, i, args)
		if k < 0 {
			continue
		}
		_, result, ok := c.delegate(c.memberType(m, k, recv, len(args)))
		if !ok {
			continue
		}
		got := c.body(&args[i])
		if args[i].async {
			got = named("Task", got)
			if result.kind == external && result.name == "ValueTask" {
				got = named("ValueTask", got.args...)
			}
		}
		c.unify(result, got, m.def, bound, 0)
	}
	return bound
}

// memberType is the type of a parameter with the type arguments of the receiver.
func (c *context) memberType(m found, k int, recv *typ, n int) *typ {
	return c.placed(c.parameterAt(m.def, k, n), m, recv, viaDeclared)
}

// unify reads the type arguments of a generic method off an argument.
func (c *context) unify(param, arg *typ, method def, bound []*typ, depth int) {
	if depth > maxTypeDepth || !known(arg) || arg.kind == null || arg.kind == group {
		return
	}
	if param.kind == variable {
		if param.def == method && param.n < len(bound) && !known(bound[param.n]) && arg != voidType {
			bound[param.n] = arg
		}
		return
	}
	each := func(args []*typ) {
		for i := range min(len(param.args), len(args)) {
			c.unify(param.args[i], args[i], method, bound, depth+1)
		}
	}
	if len(param.args) == 0 {
		return
	}
	switch {
	case param.kind == arg.kind && param.class == arg.class && param.name == arg.name:
		each(arg.args)
	case param.kind == instance && arg.kind == instance:
		for _, a := range c.r.order(arg.class, c.uses) {
			if a.class == param.class {
				list := make([]*typ, len(a.args))
				for i := range list {
					list[i] = subst(a.args[i], c.r.owner(arg.class), arg.args)
				}
				each(list)
				return
			}
		}
	case param.kind == external && arg.kind == instance:
		for _, a := range c.r.order(arg.class, c.uses) {
			if a.class == noClass && a.out.name == param.name {
				each(subst(a.out, c.r.owner(arg.class), arg.args).args)
				return
			}
		}
	case param.kind == external && isCollection(param.name) && len(param.args) == 1:
		if e := elementOf(arg); e != nil {
			each([]*typ{e})
		}
	}
}
