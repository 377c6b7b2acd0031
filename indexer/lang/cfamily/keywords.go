package cfamily

// isCaps tells whether a word looks like a macro: capitals, digits and
// underscores only.
func isCaps(w string) bool {
	upper := false
	for i := 0; i < len(w); i++ {
		c := w[i]
		if c >= 'a' && c <= 'z' || c >= 0x80 {
			return false
		}
		upper = upper || c >= 'A' && c <= 'Z'
	}
	return upper && len(w) > 1
}

type keywordClass uint8

const (
	kwStorage   keywordClass = iota + 1 // storage classes, qualifiers, function specifiers
	kwPrimitive                         // built-in types
	kwTag
	kwAttribute // blanked with their parentheses
	kwStatement // start a statement of their own
	kwOther
)

var keywords = func() map[string]keywordClass {
	m := map[string]keywordClass{}
	for class, words := range map[keywordClass][]string{
		kwStorage: {"static", "extern", "inline", "const", "volatile", "register", "typedef", "constexpr", "consteval", "constinit",
			"virtual", "explicit", "friend", "mutable", "thread_local", "_Thread_local", "restrict", "typename", "alignas", "_Atomic"},
		kwPrimitive: {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool", "_Bool", "auto", "wchar_t",
			"char8_t", "char16_t", "char32_t", "decltype", "typeof", "__typeof__", "_Complex", "__int128"},
		kwTag: {"struct", "class", "union", "enum"},
		kwAttribute: {"__attribute__", "__attribute", "__declspec", "__extension__", "__inline", "__inline__", "__forceinline",
			"__cdecl", "__stdcall", "__fastcall", "__vectorcall", "__restrict", "__restrict__", "__const", "__volatile__", "_Noreturn", "noreturn",
			"_Alignas", "__thread", "export", "__global__", "__device__", "__host__", "__shared__", "__constant__"},
		kwStatement: {"using", "namespace", "template", "static_assert", "_Static_assert", "concept", "asm", "__asm__"},
		kwOther: {"operator", "public", "protected", "private", "signals", "if", "else", "for", "while", "do", "switch", "case", "default",
			"return", "goto", "break", "continue", "sizeof", "new", "delete", "this", "throw", "try", "catch", "requires", "noexcept", "override"},
	} {
		for _, w := range words {
			m[w] = class
		}
	}
	return m
}()
