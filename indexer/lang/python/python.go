// Package python is the row of Python: its files, its grammar and the walk that
// reports definitions, references, imports and scopes.
//
// The walk is flat: it runs over the preorder array of the tree and calls
// itself only where a scope opens (function, class, lambda, comprehension,
// narrowed branch), at most maxDepth times. Text nested deeper than that is
// still read, without scopes of its own, so that no input can exhaust the
// stack.
package python

import (
	"bytes"
	"path"
	"strings"

	"github.com/smacker/go-tree-sitter/python"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of Python 3 and, as far as definitions go, Python 2.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "python",
		Aliases:      []string{"py", "python3", "python2"},
		Version:      2,
		Extensions:   []string{".py", ".pyi", ".pyw"},
		Filenames:    []string{"SConstruct", "SConscript", "wscript"},
		Interpreters: []string{"python", "pythonw", "pypy"},
		Grammar:      func() *syntax.Grammar { return syntax.NewGrammar(python.GetLanguage()) },
		Leaves: lang.Leaves{
			Comments: []string{"comment"},
			Strings:  []string{"string"},
			Imports:  []string{"import_statement", "import_from_statement", "future_import_statement"},
		},
		Extract: report,
		Resync:  resync,
		Roles:   roles,
	}
}

var definitionLine = lazyregexp.New(`^[ \t\f]*(?:(?:async[ \t]+)?def[ \t]+[\pL_][\pL\pN_]*[ \t]*[(\[\\]|class[ \t]+[\pL_][\pL\pN_]*[ \t]*(?:[(:\[\\#]|\r?\n?$))`)

// resync leaves out decorators: they belong to the definition below them.
func resync(line []byte) bool {
	// Most lines start with neither, and the pattern is dear.
	head := bytes.TrimLeft(line, " \t\f")
	if len(head) == 0 || (head[0] != 'a' && head[0] != 'c' && head[0] != 'd') {
		return false
	}
	return definitionLine.Match(line)
}

func roles(p string) facts.Role {
	base := path.Base(p)
	stem, ext, _ := strings.Cut(base, ".")
	var r facts.Role
	switch base {
	case "SConstruct", "SConscript", "wscript":
		return facts.RoleBuild
	}
	switch strings.ToLower(ext) {
	case "pyi":
		r |= facts.RoleDeclaration
	case "py", "pyw":
	default:
		return 0
	}
	switch {
	case stem == "__init__":
		r |= facts.RolePackageInit
	case stem == "conftest", stem == "tests", stem == "test",
		strings.HasPrefix(stem, "test_"), strings.HasSuffix(stem, "_test"), strings.HasSuffix(stem, "_tests"):
		r |= facts.RoleTest
	case stem == "setup", stem == "noxfile", stem == "fabfile", stem == "dodo":
		r |= facts.RoleBuild
	case strings.HasSuffix(stem, "_pb2"), strings.HasSuffix(stem, "_pb2_grpc"):
		r |= facts.RoleGenerated
	}
	return r
}

// builtins are names of the language that are no reference to a definition of
// the repository unless the file binds them itself.
var builtins = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`
abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr
classmethod compile complex copyright credits delattr dict dir divmod enumerate
eval exec exit filter float format frozenset getattr globals hasattr hash help
hex id input int isinstance issubclass iter len license list locals map max
memoryview min next object oct open ord pow print property quit range repr
reversed round set setattr slice sorted staticmethod str sum super tuple type
vars zip __import__ None True False Ellipsis NotImplemented __debug__ __name__
__file__ __doc__ __package__ __spec__ __loader__ __path__ __builtins__ __class__
basestring buffer cmp execfile file intern long raw_input reduce reload unichr
unicode xrange apply coerce
BaseException BaseExceptionGroup Exception ExceptionGroup ArithmeticError
AssertionError AttributeError BlockingIOError BrokenPipeError BufferError
BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError
EncodingWarning EnvironmentError FileExistsError FileNotFoundError
FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
IndentationError IndexError InterruptedError IsADirectoryError KeyError
KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError
NotADirectoryError NotImplementedError OSError OverflowError
PendingDeprecationWarning PermissionError ProcessLookupError RecursionError
ReferenceError ResourceWarning RuntimeError RuntimeWarning StandardError
StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit
TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError
UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning
ValueError Warning WindowsError ZeroDivisionError`) {
		m[n] = true
	}
	return m
}()
