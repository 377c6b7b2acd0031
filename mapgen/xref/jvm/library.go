package jvm

import "strings"

// library is what a method or property of a well-known generic type of the
// library gives, or nil. That the name means that type is likely, no more.
func library(t *typ, name string) *typ {
	arg := func(n int) *typ {
		if n < len(t.args) {
			return weakened(t.args[n])
		}
		return externalType
	}
	of := func(name string, args ...*typ) *typ { return with(&typ{kind: external, name: name, weak: true}, args) }
	switch {
	case isCollection(t.name):
		switch name {
		case "get", "remove", "poll", "peek", "pop", "element", "first", "last", "getFirst", "getLast", "removeFirst", "removeLast",
			"pollFirst", "pollLast", "peekFirst", "peekLast", "take", "next", "single", "firstOrNull", "lastOrNull", "singleOrNull", "getOrNull":
			return arg(0)
		case "iterator", "listIterator":
			return of("Iterator", arg(0))
		case "stream", "parallelStream":
			return of("Stream", arg(0))
		case "subList", "filter", "sorted", "distinct", "limit", "skip", "reversed", "drop", "toList", "toMutableList", "asSequence", "asReversed", "sortedBy":
			return t
		case "findFirst", "findAny", "min", "max", "reduce":
			return of("Optional", arg(0))
		case "orElse", "orElseThrow", "orElseGet", "getAndSet", "call", "join", "find", "firstNotNullOf", "invoke":
			return arg(0)
		}
	case isMap(t.name):
		switch name {
		case "get", "put", "remove", "getOrDefault", "putIfAbsent", "computeIfAbsent", "compute", "computeIfPresent", "merge", "getValue", "getOrPut":
			return arg(1)
		case "values":
			return of("Collection", arg(1))
		case "keySet", "keys":
			return of("Set", arg(0))
		case "entrySet", "entries":
			return of("Set", of("Entry", arg(0), arg(1)))
		}
	case t.name == "Entry":
		switch name {
		case "getKey", "key":
			return arg(0)
		case "getValue", "value":
			return arg(1)
		}
	}
	return nil
}

func isCollection(name string) bool {
	switch name {
	case "List", "ArrayList", "LinkedList", "Collection", "Iterable", "Iterator", "ListIterator", "Set", "HashSet", "LinkedHashSet", "TreeSet", "SortedSet",
		"Queue", "Deque", "ArrayDeque", "BlockingQueue", "LinkedBlockingQueue", "PriorityQueue", "Stack", "Vector", "CopyOnWriteArrayList", "Optional",
		"Stream", "Supplier", "Callable", "Future", "CompletableFuture", "AtomicReference", "ThreadLocal", "WeakReference", "SoftReference",
		"MutableList", "MutableSet", "MutableCollection", "Sequence", "ConcurrentLinkedQueue", "LinkedBlockingDeque", "BlockingDeque", "Provider":
		return true
	}
	return false
}

func isMap(name string) bool {
	switch name {
	case "Map", "HashMap", "LinkedHashMap", "TreeMap", "ConcurrentHashMap", "ConcurrentMap", "SortedMap", "NavigableMap", "WeakHashMap", "IdentityHashMap",
		"EnumMap", "MutableMap", "Hashtable":
		return true
	}
	return false
}

// libraryResult is what a method of the library gives whose name says it, as far
// as the choice of an overload needs it.
func libraryResult(t *typ, name string) *typ {
	switch name {
	case "toString", "substring", "trim", "toLowerCase", "toUpperCase", "format", "concat", "readLine", "getSimpleName":
		return stringType
	case "length", "size", "indexOf", "hashCode", "lastIndexOf", "intValue", "parseInt", "nextInt":
		return &typ{kind: basic, name: "int"}
	case "longValue", "parseLong", "currentTimeMillis", "nanoTime":
		return &typ{kind: basic, name: "long"}
	case "charAt":
		return &typ{kind: basic, name: "char"}
	case "isEmpty", "equals", "contains", "hasNext", "startsWith", "endsWith":
		return booleanType
	case "getBytes", "toByteArray":
		return array(&typ{kind: basic, name: "byte"})
	case "toCharArray":
		return array(&typ{kind: basic, name: "char"})
	case "valueOf":
		return t
	}
	return externalType
}

// libraryConstant is a constant of a library class: most are of that class.
func libraryConstant(t *typ, name string) *typ {
	if t.name == "" || looksLikeType(name) || name != strings.ToUpper(name) {
		return externalType
	}
	switch t.name {
	case "Integer":
		return &typ{kind: basic, name: "int"}
	case "Long", "Short", "Byte", "Float", "Double":
		return &typ{kind: basic, name: strings.ToLower(t.name)}
	case "Character":
		return &typ{kind: basic, name: "char"}
	}
	return weakened(&typ{kind: external, name: t.name})
}
