package cfamily

// isPointer tells library types that act as pointers.
func isPointer(name string) bool {
	switch name {
	case "unique_ptr", "shared_ptr", "optional", "reference_wrapper", "weak_ptr", "not_null", "observer_ptr":
		return true
	}
	return false
}

func isSequence(name string) bool {
	switch name {
	case "vector", "array", "deque", "list", "forward_list", "set", "unordered_set", "multiset", "span", "initializer_list", "queue", "stack", "priority_queue":
		return true
	}
	return false
}

func isMap(name string) bool {
	switch name {
	case "map", "unordered_map", "multimap", "unordered_multimap":
		return true
	}
	return false
}

// entry is what iteration over a map gives.
func entry(t *typ) *typ { return &typ{kind: external, name: "pair", args: t.args[:2]} }

// library is what a member of the best known library types gives.
func library(t *typ, name string) *typ {
	switch {
	case isPointer(t.name) && len(t.args) > 0:
		switch name {
		case "get", "release":
			return starred(t.args[0], 1)
		case "value", "value_or":
			return t.args[0]
		case "lock":
			return &typ{kind: external, name: "shared_ptr", args: t.args}
		}
	case isSequence(t.name) && len(t.args) > 0:
		switch name {
		case "front", "back", "at", "top", "emplace_back":
			return t.args[0]
		case "begin", "end", "rbegin", "rend", "cbegin", "cend", "data", "insert", "erase", "find":
			return starred(t.args[0], 1)
		}
	case isMap(t.name) && len(t.args) > 1:
		switch name {
		case "at":
			return t.args[1]
		case "begin", "end", "find", "lower_bound", "upper_bound":
			return starred(entry(t), 1)
		}
	case t.name == "pair" && len(t.args) == 2:
		switch name {
		case "first":
			return t.args[0]
		case "second":
			return t.args[1]
		}
	}
	return externalType
}

// libraryElement is what an index into a library type or iteration over it gives.
func libraryElement(t *typ, iterated bool) *typ {
	switch {
	case isSequence(t.name) && len(t.args) > 0, t.name == "unique_ptr" && len(t.args) > 0:
		return starred(t.args[0], 0)
	case isMap(t.name) && len(t.args) > 1:
		if iterated {
			return entry(t)
		}
		return t.args[1]
	}
	return externalType
}
