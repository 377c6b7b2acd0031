package csharp

// library is what a method or property of a well-known generic type of the
// library gives, or nil. That the name means that type is likely, no more.
func library(t *typ, name string) *typ {
	arg := func(n int) *typ {
		if n < len(t.args) {
			return weakened(t.args[n])
		}
		return externalType
	}
	of := func(name string, args ...*typ) *typ {
		out := named(name, args...)
		return weakened(out)
	}
	switch {
	case t.kind == arrayOf || isCollection(t.name) && len(t.args) == 1:
		switch name {
		case "First", "FirstOrDefault", "Last", "LastOrDefault", "Single", "SingleOrDefault", "ElementAt", "ElementAtOrDefault", "Find", "FindLast",
			"Dequeue", "Pop", "Peek", "Current", "Min", "Max", "MinBy", "MaxBy":
			if len(t.args) == 1 {
				return arg(0)
			}
		case "Where", "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending", "Take", "Skip", "TakeWhile", "SkipWhile", "Distinct", "DistinctBy", "Reverse", "Concat",
			"Union", "Except", "Intersect", "AsEnumerable", "AsQueryable", "DefaultIfEmpty", "Append", "Prepend", "AsReadOnly", "AsNoTracking", "Include", "AsSplitQuery", "FindAll":
			return of("IEnumerable", arg(0))
		case "ToList", "ToHashSet", "ToImmutableList", "ToImmutableArray":
			return of("List", arg(0))
		case "ToArray":
			return weakened(array(arg(0)))
		case "ToListAsync":
			return of("Task", of("List", arg(0)))
		case "FirstAsync", "FirstOrDefaultAsync", "SingleAsync", "SingleOrDefaultAsync", "FindAsync":
			return of("Task", arg(0))
		case "GetEnumerator":
			return of("IEnumerator", arg(0))
		case "Count", "Length", "LongCount", "IndexOf":
			return intType
		case "Any", "All", "Contains", "TryDequeue", "TryPop":
			return boolType
		case "Value":
			return arg(0)
		}
	case isMap(t.name) && len(t.args) == 2:
		switch name {
		case "Values":
			return of("IEnumerable", arg(1))
		case "Keys":
			return of("IEnumerable", arg(0))
		case "GetOrAdd", "AddOrUpdate", "GetValueOrDefault":
			return arg(1)
		case "Where", "ToList", "OrderBy", "ToArray":
			return of("IEnumerable", of("KeyValuePair", arg(0), arg(1)))
		case "First", "FirstOrDefault", "Single", "Last":
			return of("KeyValuePair", arg(0), arg(1))
		}
	case t.name == "KeyValuePair" && len(t.args) == 2:
		switch name {
		case "Key":
			return arg(0)
		case "Value":
			return arg(1)
		}
	case t.name == "IGrouping" && len(t.args) == 2:
		if name == "Key" {
			return arg(0)
		}
		return library(of("IEnumerable", arg(1)), name)
	case isTask(t.name) && len(t.args) == 1:
		switch name {
		case "Result", "GetResult":
			return arg(0)
		case "ConfigureAwait", "GetAwaiter", "AsTask", "WaitAsync", "Task":
			return t
		}
	case (t.name == "Lazy" || t.name == "ThreadLocal" || t.name == "AsyncLocal" || t.name == "IOptions" || t.name == "IOptionsSnapshot" || t.name == "WeakReference") && len(t.args) == 1:
		if name == "Value" || name == "Target" {
			return arg(0)
		}
	case t.name == "IOptionsMonitor" && len(t.args) == 1:
		if name == "CurrentValue" || name == "Get" {
			return arg(0)
		}
	case isDelegate(t.name):
		switch name {
		case "Invoke":
			return delegateOutside(t)
		case "Compile":
			if t.name == "Expression" && len(t.args) == 1 {
				return arg(0)
			}
		}
	case t.kind == basic && t.name == "string":
		switch name {
		case "Length", "IndexOf", "LastIndexOf", "CompareTo":
			return intType
		case "Split":
			return array(stringType)
		case "Contains", "StartsWith", "EndsWith", "Equals":
			return boolType
		case "Substring", "Trim", "ToLower", "ToUpper", "Replace", "TrimEnd", "TrimStart", "Insert", "Remove", "ToLowerInvariant", "ToUpperInvariant", "PadLeft", "PadRight":
			return stringType
		case "ToCharArray":
			return array(&typ{kind: basic, name: "char"})
		}
	}
	switch name {
	case "ToString", "GetName", "Join", "Format":
		return stringType
	case "GetHashCode":
		return intType
	case "Token":
		return named("CancellationToken")
	case "Equals":
		return boolType
	case "GetType":
		return named("Type")
	}
	return nil
}

// elementOf is what iteration over a library type or array gives, or nil.
func elementOf(t *typ) *typ {
	switch {
	case t.kind == arrayOf:
		return t.args[0]
	case t.kind != external:
	case isCollection(t.name) && len(t.args) == 1:
		return weakened(t.args[0])
	case isMap(t.name) && len(t.args) == 2:
		return weakened(named("KeyValuePair", t.args...))
	case t.name == "IGrouping" && len(t.args) == 2:
		return weakened(t.args[1])
	}
	return nil
}

// overElements tells methods of collections whose lambdas get the elements.
func overElements(name string) bool {
	switch name {
	case "Where", "Select", "SelectMany", "Any", "All", "First", "FirstOrDefault", "Last", "LastOrDefault", "Single", "SingleOrDefault", "Count", "Sum", "Min", "Max",
		"Average", "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending", "GroupBy", "ToDictionary", "ToLookup", "TakeWhile", "SkipWhile", "ForEach", "Find", "FindAll",
		"FindIndex", "Exists", "RemoveAll", "TrueForAll", "DistinctBy", "MinBy", "MaxBy", "Include", "FirstOrDefaultAsync", "FirstAsync", "AnyAsync", "SingleOrDefaultAsync", "SumAsync", "CountAsync", "LongCount":
		return true
	}
	return false
}

func isCollection(name string) bool {
	switch name {
	case "List", "IList", "ICollection", "IEnumerable", "IReadOnlyList", "IReadOnlyCollection", "Collection", "ReadOnlyCollection", "ObservableCollection", "HashSet", "ISet",
		"SortedSet", "Queue", "Stack", "LinkedList", "ConcurrentQueue", "ConcurrentBag", "ConcurrentStack", "BlockingCollection", "IQueryable", "IOrderedEnumerable", "IOrderedQueryable",
		"IEnumerator", "IAsyncEnumerable", "DbSet", "ImmutableList", "ImmutableArray", "Span", "ReadOnlySpan", "Memory", "ReadOnlyMemory", "ArraySegment", "IReadOnlySet", "IIncludableQueryable":
		return true
	}
	return false
}

func isMap(name string) bool {
	switch name {
	case "Dictionary", "IDictionary", "IReadOnlyDictionary", "ConcurrentDictionary", "SortedDictionary", "SortedList", "ReadOnlyDictionary", "ImmutableDictionary", "FrozenDictionary":
		return true
	}
	return false
}

func isTask(name string) bool { return name == "Task" || name == "ValueTask" }

func isDelegate(name string) bool {
	switch name {
	case "Func", "Action", "Predicate", "Expression", "Comparison", "EventHandler", "Converter":
		return true
	}
	return false
}

// parametersOutside are the types of the parameters of a delegate of the library,
// and whether it is one.
func parametersOutside(t *typ) ([]*typ, bool) {
	if t.kind != external {
		return nil, false
	}
	switch t.name {
	case "Func":
		return t.args[:max(0, len(t.args)-1)], len(t.args) > 0
	case "Action", "Predicate":
		return t.args, true
	case "Converter":
		return t.args[:min(1, len(t.args))], true
	case "Comparison":
		if len(t.args) == 1 {
			return []*typ{t.args[0], t.args[0]}, true
		}
	case "EventHandler":
		return append([]*typ{externalType}, t.args...), true
	case "Expression":
		if len(t.args) == 1 {
			return parametersOutside(t.args[0])
		}
	}
	return nil, false
}

// delegateOutside is what a delegate of the library gives.
func delegateOutside(t *typ) *typ {
	switch t.name {
	case "Func", "Converter":
		if len(t.args) > 0 {
			return t.args[len(t.args)-1]
		}
	case "Predicate":
		return boolType
	case "Comparison":
		return intType
	case "Expression":
		if len(t.args) == 1 && t.args[0].kind == external {
			return delegateOutside(t.args[0])
		}
	}
	return voidType
}

// libraryName are names of the library that nearly every file knows: a type of
// the revision that bears one is meant only where it is imported.
func libraryName(name string) bool {
	switch name {
	case "Task", "List", "Dictionary", "Type", "Action", "Func", "Exception", "Attribute", "Enum", "Math", "Convert", "Console", "Guid", "DateTime", "TimeSpan", "Uri", "Path", "File",
		"Stream", "Thread", "Timer", "Random", "Assert", "Fact", "Theory", "Test", "Environment", "Activator", "Array", "Tuple", "Lazy", "Nullable", "Version", "Index", "Range", "Lock",
		"Expression", "Assembly", "IEnumerable", "Enumerable", "Queryable", "CancellationToken", "HttpClient", "Encoding", "StringBuilder", "Regex", "Match", "Group", "Debug", "Buffer", "Monitor", "System":
		return true
	}
	return false
}
