package csharp

import "slices"

// extensions are the extension methods of a name that a value has: those of the
// namespaces around and imported ones whose first parameter takes it.
func (c *context) extensions(t *typ, name string) []found {
	if t.kind == classOf || t.kind == namespace || t.kind == unknown || t.kind == null {
		return nil
	}
	c.uses.Key(extensionKey + name)
	list := c.r.extensions[name]
	if len(list) == 0 {
		return nil
	}
	e := c.r.env(c.doc, c.uses)
	var near, far []found
	spaces := c.r.around(def{c.doc, c.sym})
	for _, d := range list {
		c.uses.Doc(int(d.doc))
		space := c.r.namespace(d)
		own, imported := slices.Contains(spaces, space), c.imports(e, spaces, space)
		if !own && !imported && !c.importsStatic(e, d) {
			// Projects can import namespaces for all their files.
			if _, near := c.r.nearProjects(c.doc, c.uses).level[c.r.project(d.doc)]; !near {
				continue
			}
		}
		p := c.parameterType(d, 0)
		fit := c.fits(t, p)
		// What is outside may have a method of its own by the name.
		outside := t.kind == external || t.kind == arrayOf || t.kind == basic
		if fit == never || outside && (fit < surely && common(name) || t.name == "Type" && ofType(name)) {
			continue
		}
		m := found{def: d, owner: ancestor{class: noClass}, extends: true, weak: fit <= maybe && (p.kind != variable || c.r.erased(p, c.uses) != externalType) || !own && !imported || t.weak || outside && t.kind != basic}
		if fit >= near0 {
			near = append(near, m)
		} else {
			far = append(far, m)
		}
	}
	if len(near) > 0 {
		// Overloads for more general receivers stay behind: the arguments decide.
		return append(near, far...)
	}
	return far
}

// ofType tells methods that types have at run time: libraries for old platforms
// bring them as extensions, which are only taken there.
func ofType(name string) bool {
	switch name {
	case "GetMethod", "GetMethods", "GetField", "GetFields", "GetProperty", "GetProperties", "GetConstructor", "GetConstructors", "GetMember", "GetMembers", "GetInterfaces",
		"GetGenericArguments", "IsAssignableFrom", "IsInstanceOfType", "IsSubclassOf", "MakeGenericType", "GetElementType", "BaseType", "IsEnum":
		return true
	}
	return false
}

func (c *context) imports(e *environment, spaces []string, space string) bool {
	for _, n := range e.namespaces {
		if n == space {
			return true
		}
		for _, s := range spaces {
			if joined(s, n) == space {
				return true
			}
		}
	}
	return false
}

func (c *context) importsStatic(e *environment, d def) bool {
	class, ok := c.r.classAt[def{d.doc, c.r.symbol(d).Parent}]
	if !ok {
		return false
	}
	for _, n := range e.statics {
		if slices.Contains(c.r.typePath(c.doc, -1, c.r.typeText(n).path, c.uses), class) {
			return true
		}
	}
	return false
}
