package script

import "github.com/project-map/project-map/mapgen/xref/edges"

// builtinMember is the type of a member of a type of the language.
func builtinMember(t *typ, name string) *typ {
	switch t.kind {
	case typeList, typePromise:
		return &typ{kind: typeBuiltin, name: name, self: t, likely: t.likely}
	case typeMap:
		if t.name == "Record" {
			if t.args[1] == nil {
				return nil
			}
			return t.args[1]
		}
		return &typ{kind: typeBuiltin, name: name, self: t, likely: t.likely}
	case typeExternal, typeKey:
		return external
	case typeBuiltin:
		return external
	case typeFunction, typeSignature:
		switch name {
		case "call", "apply", "bind":
			return &typ{kind: typeBuiltin, name: name, self: t}
		}
	}
	return nil
}

// builtinResult is what a call of a method of the language gives.
func builtinResult(t *typ) *typ {
	self := t.self
	if self == nil {
		return external
	}
	switch self.kind {
	case typeFunction, typeSignature:
		if t.name == "bind" {
			return self
		}
		return nil
	case typeList:
		e := self.args[0]
		switch t.name {
		case "pop", "shift", "at", "find", "findLast":
			return e
		case "filter", "slice", "concat", "reverse", "sort", "splice", "toSorted", "toReversed", "with", "fill", "values", "copyWithin", "add", "flat":
			return self
		case "map", "flatMap", "from":
			return listOf(nil)
		case "next":
			return &typ{kind: typeMap, name: "Record", args: []*typ{nil, e}}
		case "reduce", "reduceRight":
			return nil
		case "entries":
			return listOf(&typ{kind: typeList, name: "tuple", args: []*typ{external, e}})
		}
		return external
	case typeMap:
		switch t.name {
		case "get":
			return self.args[1]
		case "set":
			return self
		case "values":
			return listOf(self.args[1])
		case "keys":
			return listOf(self.args[0])
		case "entries":
			return listOf(&typ{kind: typeList, name: "tuple", args: self.args})
		}
		return external
	case typePromise:
		switch t.name {
		case "catch", "finally":
			return self
		}
		return &typ{kind: typePromise, args: []*typ{nil}}
	}
	return external
}

// element is what an index or an iteration yields.
func (r *Resolver) element(t *typ, uses *edges.Uses) *typ {
	if t == nil {
		return nil
	}
	var out *typ
	switch t.kind {
	case typeList:
		if t.name == "tuple" {
			out = union(typeUnion, t.args)
		} else {
			out = t.args[0]
		}
	case typeMap:
		if t.name == "Record" {
			out = t.args[1]
		} else {
			out = &typ{kind: typeList, name: "tuple", args: t.args}
		}
	case typeExternal:
		return external
	case typeUnion, typeIntersection:
		parts := make([]*typ, len(t.args))
		for i, u := range t.args {
			parts[i] = r.element(u, uses)
		}
		out = union(typeUnion, parts)
	case typeParameter:
		out = r.element(r.constraint(t, uses), uses)
	case typeObject:
		for i := range t.expr.members {
			if m := &t.expr.members[i]; m.name == "[]" {
				out = subst(r.eval(m.typ, t.place, t.at, nil, uses, 0), t.bound)
			}
		}
	case typeInstance:
		for _, h := range r.membersOf(t, "[]", uses) {
			return r.hitType(&h, uses)
		}
		// A class that extends a list.
		for _, p := range r.parts(t.at, uses) {
			for _, b := range r.bases(p, uses) {
				if b.kind == typeList || b.kind == typeMap {
					out = r.element(subst(b, r.bind(p, t.args, uses)), uses)
				}
			}
		}
	}
	if t.likely {
		return unlikely(out)
	}
	return out
}

// standard are global names of the language and its platforms: what is behind
// them is outside the revision.
var standard = set(
	"Object", "Array", "String", "Number", "Boolean", "Symbol", "BigInt", "Function", "Promise", "Map", "Set", "WeakMap", "WeakSet", "WeakRef",
	"Date", "RegExp", "Math", "JSON", "Reflect", "Proxy", "Intl", "Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError",
	"URIError", "AggregateError", "ArrayBuffer", "SharedArrayBuffer", "DataView", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array",
	"Uint16Array", "Int32Array", "Uint32Array", "Float32Array", "Float64Array", "Atomics", "WebAssembly", "globalThis", "window", "document",
	"navigator", "location", "history", "console", "process", "global", "Buffer", "module", "exports", "require", "__dirname", "__filename",
	"setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "queueMicrotask", "requestAnimationFrame", "cancelAnimationFrame",
	"fetch", "Request", "Response", "Headers", "URL", "URLSearchParams", "FormData", "Blob", "File", "FileReader", "AbortController", "AbortSignal",
	"Event", "CustomEvent", "EventTarget", "MessageChannel", "MessagePort", "Worker", "WebSocket", "XMLHttpRequest", "localStorage", "sessionStorage",
	"indexedDB", "caches", "crypto", "performance", "TextEncoder", "TextDecoder", "Node", "Element", "HTMLElement", "SVGElement", "Text", "Comment",
	"Document", "DocumentFragment", "MutationObserver", "IntersectionObserver", "ResizeObserver", "getComputedStyle", "matchMedia", "alert",
	"confirm", "prompt", "parseInt", "parseFloat", "isNaN", "isFinite", "encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI",
	"escape", "unescape", "eval", "structuredClone", "atob", "btoa", "self", "undefined", "NaN", "Infinity", "arguments", "Iterator", "Image", "Audio",
	"describe", "it", "test", "expect", "beforeEach", "afterEach", "beforeAll", "afterAll", "before", "after", "jest", "vi", "suite", "QUnit",
	"Record", "Partial", "Required", "Readonly", "Pick", "Omit", "Exclude", "Extract", "NonNullable", "Parameters", "ReturnType", "InstanceType",
	"Awaited", "ThisType", "Iterable", "IterableIterator", "AsyncIterable", "Generator", "AsyncGenerator", "ReadonlyArray", "ReadonlyMap",
	"ReadonlySet", "PromiseLike", "ArrayLike", "PropertyKey", "PropertyDescriptor", "ConstructorParameters", "Uppercase", "Lowercase", "Capitalize",
	"Uncapitalize", "TemplateStringsArray", "JSX", "NodeJS", "ErrorEvent", "MouseEvent", "KeyboardEvent", "Window", "Storage", "MediaQueryList",
)

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}
