package python

import "strings"

// builtin tells a name that every module has.
func builtin(name string) bool { return builtins[name] }

var builtins = words(`
abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright
credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash
help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open
ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type
vars zip __import__ __debug__ __name__ __file__ __doc__ __package__ __spec__ __loader__ __path__ __builtins__
basestring buffer cmp execfile file intern long raw_input reduce reload unichr unicode xrange
BaseException BaseExceptionGroup Exception ExceptionGroup ArithmeticError AssertionError AttributeError
BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError
FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError
PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning
RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError
TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError
UnicodeWarning UserWarning ValueError Warning ZeroDivisionError Ellipsis NotImplemented`)

// common are names of members that strings, lists, files and the like have, so
// that a member of an unknown value is more likely theirs.
var common = words(`
append extend insert remove pop clear index count sort reverse copy get items keys values update setdefault popitem
add discard union difference intersection issubset issuperset join split strip lstrip rstrip startswith endswith
replace format encode decode lower upper title find rfind splitlines read write close open readline readlines seek
tell flush fileno name group groups groupdict start end span match search sub pattern isdigit isalpha isalnum
partition rpartition rsplit zfill ljust rjust center exists is_dir is_file mkdir args run send put throw next
parent suffix stem parts resolve real imag shape dtype size ndim mean sum min max std`)

// basicTypes are the types of literals.
var basicTypes = words(`str bytes bytearray int float complex bool list dict tuple set frozenset`)

// ofBuiltins are the members of strings, numbers and containers that common
// leaves out.
var ofBuiltins = words(`
capitalize casefold expandtabs format_map isascii isdecimal isidentifier islower isnumeric isprintable isspace istitle
isupper maketrans removeprefix removesuffix swapcase title translate rindex hex fromhex
as_integer_ratio bit_count bit_length conjugate denominator from_bytes is_integer numerator to_bytes
difference_update fromkeys intersection_update isdisjoint symmetric_difference symmetric_difference_update
appendleft extendleft popleft rotate maxlen elements most_common subtract total default_factory move_to_end
new_child maps gi_frame gi_running gi_code ag_frame ag_running asend athrow aclose`)

func words(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}
