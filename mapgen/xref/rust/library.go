package rust

// What well-known types of the standard library, and of the crates that take
// their place, give. Names that the revision defines itself never come here.

// wraps tells types whose members are those of what they hold, by Deref.
func wraps(name string) bool {
	switch name {
	case "Box", "Rc", "Arc", "Ref", "RefMut", "Cow", "Pin", "ManuallyDrop", "Guard", "MutexGuard", "RwLockReadGuard", "RwLockWriteGuard",
		"LazyLock", "LazyCell", "Lazy", "OwnedMutexGuard", "MappedMutexGuard", "CachePadded", "PeekMut", "AssertUnwindSafe":
		return true
	}
	return false
}

func isOption(name string) bool { return name == "Option" || name == "Result" }

func isList(name string) bool {
	switch name {
	case "[]", "Vec", "VecDeque", "HashSet", "BTreeSet", "IndexSet", "LinkedList", "BinaryHeap", "SmallVec", "ArrayVec", "Slab":
		return true
	}
	return false
}

func isMap(name string) bool {
	switch name {
	case "HashMap", "BTreeMap", "IndexMap", "DashMap", "AHashMap", "FxHashMap":
		return true
	}
	return false
}

func isCell(name string) bool {
	switch name {
	case "Mutex", "RwLock", "RefCell", "Cell", "OnceCell", "OnceLock", "UnsafeCell", "ReentrantMutex", "ArcSwap":
		return true
	}
	return false
}

func isIterator(name string) bool {
	switch name {
	case "Iter", "IterMut", "IntoIter", "Iterator", "IntoIterator", "DoubleEndedIterator", "ExactSizeIterator", "Drain", "Peekable", "Rev", "Skip", "Take",
		"Chain", "Cloned", "Copied", "Fuse", "Cycle", "StepBy", "FromFn", "Once", "Empty", "Repeat", "Stream", "Receiver", "UnboundedReceiver":
		return true
	}
	return false
}

// item is what iteration over a value of the library yields.
func item(t *typ) *typ {
	switch {
	case t.kind != external:
		return unknownType
	case isList(t.name), isIterator(t.name), isOption(t.name):
		return t.arg(0)
	case isMap(t.name):
		return &typ{kind: tuple, args: []*typ{t.arg(0), t.arg(1)}}
	case wraps(t.name) && len(t.args) > 0:
		return item(t.args[0])
	case t.name == "Range":
		return numberType
	}
	return externalType
}

// held is what x? and the patterns Some(y) and Ok(y) take out of a value.
func held(t *typ, failed bool) *typ {
	switch {
	case t.kind == external && isOption(t.name):
		if failed {
			return t.arg(1)
		}
		return t.arg(0)
	case t.kind == external && t.name == "Guard":
		return t
	case t.kind == external && t.name == "Poll":
		return held(t.arg(0), failed)
	case t.kind == external:
		if !failed && len(t.args) > 0 && !isList(t.name) && !isMap(t.name) && !wraps(t.name) {
			return t.args[0] // an alias such as io::Result<T>
		}
		return externalType
	}
	return unknownType
}

// same tells methods that give the value itself, or a view or copy of it.
func same(name string) bool {
	switch name {
	case "clone", "to_owned", "borrow", "borrow_mut", "as_ref", "as_mut", "by_ref", "as_deref", "as_deref_mut", "deref", "deref_mut", "unwrap_unchecked",
		"cloned", "copied", "await", "into_boxed_slice", "as_pin_mut", "get_ref", "as_slice", "as_mut_slice", "to_vec", "into_inner_ref", "project":
		return true
	}
	return false
}

// adapter tells methods of iterators that keep what is yielded.
func adapter(name string) bool {
	switch name {
	case "filter", "skip", "take", "rev", "chain", "peekable", "skip_while", "take_while", "by_ref", "fuse", "inspect", "step_by", "cloned", "copied", "cycle",
		"into_iter", "iter", "iter_mut", "sorted", "sorted_by", "sorted_by_key", "dedup", "par_iter", "into_par_iter", "drain", "difference", "union",
		"intersection", "unique":
		return true
	}
	return false
}

// library is what a method of a value of the library gives.
func library(t *typ, name string) *typ {
	if same(name) && !(isCell(t.name) && (name == "borrow" || name == "borrow_mut")) {
		return t
	}
	option := func(of *typ) *typ { return externalOf("Option", of) }
	switch {
	case isOption(t.name):
		switch name {
		case "unwrap", "expect", "unwrap_or", "unwrap_or_else", "unwrap_or_default", "get_or_insert", "get_or_insert_with", "insert":
			return t.arg(0)
		case "unwrap_err", "expect_err":
			return t.arg(1)
		case "ok", "take", "filter", "or", "or_else", "xor", "replace":
			if t.name == "Option" || name == "ok" {
				return option(t.arg(0))
			}
			return t
		case "err":
			return option(t.arg(1))
		case "ok_or", "ok_or_else", "context", "with_context", "map_err", "inspect_err", "inspect", "wrap_err":
			return externalOf("Result", t.arg(0))
		case "iter", "iter_mut", "into_iter":
			return externalOf("Iter", t.arg(0))
		case "is_some", "is_none", "is_ok", "is_err":
			return boolType
		case "flatten":
			return t.arg(0)
		}
	case t.name == "Guard":
		switch name {
		case "unwrap", "expect", "unwrap_or_else", "ok":
			return t
		}
	case isCell(t.name):
		switch name {
		case "lock", "read", "write", "borrow", "borrow_mut", "get_mut", "try_lock", "try_borrow", "try_borrow_mut", "into_inner", "load", "blocking_lock",
			"get_or_init", "try_read", "try_write":
			return externalOf("Guard", t.arg(0))
		case "get":
			if t.name == "Cell" {
				return t.arg(0)
			}
			return option(t.arg(0))
		case "take", "replace":
			return t.arg(0)
		}
	case isList(t.name):
		switch name {
		case "first", "last", "get", "get_mut", "pop", "pop_front", "pop_back", "peek", "front", "back", "first_mut", "last_mut", "front_mut", "back_mut",
			"iter_max", "peek_mut":
			return option(t.arg(0))
		case "iter", "iter_mut", "into_iter", "drain", "par_iter", "retain":
			return externalOf("Iter", t.arg(0))
		case "remove", "swap_remove":
			return t.arg(0)
		case "split_off":
			return t
		}
	case isMap(t.name):
		switch name {
		case "get", "get_mut", "remove", "insert":
			return option(t.arg(1))
		case "entry":
			return externalOf("Entry", t.arg(1))
		case "iter", "iter_mut", "into_iter", "drain":
			return externalOf("Iter", item(t))
		case "keys", "into_keys":
			return externalOf("Iter", t.arg(0))
		case "values", "values_mut", "into_values":
			return externalOf("Iter", t.arg(1))
		}
	case t.name == "Entry":
		switch name {
		case "or_insert", "or_insert_with", "or_default", "or_insert_with_key":
			return t.arg(0)
		case "and_modify":
			return t
		}
	case isIterator(t.name):
		return iterated(item(t), name)
	case wraps(t.name):
		if name == "into_inner" || name == "leak" {
			return t.arg(0)
		}
		return library(t.arg(0), name)
	}
	return externalType
}

// iterated is what a method of an iterator over values gives.
func iterated(of *typ, name string) *typ {
	switch name {
	case "next", "last", "nth", "find", "max", "min", "max_by", "min_by", "max_by_key", "min_by_key", "peek", "next_back", "next_if", "reduce", "rfind",
		"recv", "try_recv", "blocking_recv", "at_most_one":
		return externalOf("Option", of)
	case "enumerate":
		return externalOf("Iter", &typ{kind: tuple, args: []*typ{numberType, of}})
	case "zip":
		return externalOf("Iter", &typ{kind: tuple, args: []*typ{of, unknownType}})
	case "flatten":
		return externalOf("Iter", item(of))
	}
	if adapter(name) {
		return externalOf("Iter", of)
	}
	return externalType
}

// passed is the n-th parameter of a closure that is passed to a method of a value
// of the library.
func passed(t *typ, name string, n int) *typ {
	switch {
	case isOption(t.name):
		switch name {
		case "map_err", "unwrap_or_else", "or_else", "inspect_err":
			if t.name == "Result" {
				return t.arg(1)
			}
			return unknownType
		}
		if n == 0 {
			return t.arg(0)
		}
	case isIterator(t.name), isList(t.name), isMap(t.name):
		of := item(t)
		switch name {
		case "fold", "try_fold":
			if n == 1 {
				return of
			}
			return unknownType
		case "scan":
			return unknownType
		case "retain":
			if of.kind == tuple {
				return of.arg(n)
			}
			return of
		}
		if isMap(t.name) {
			return unknownType
		}
		return of
	case t.name == "Entry":
		return t.arg(0)
	case wraps(t.name) && len(t.args) > 0:
		return passed(t.args[0], name, n)
	}
	return unknownType
}
