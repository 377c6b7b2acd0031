package revision

import "strings"

// glob is a compiled git wildcard pattern. Git's syntax is that of
// gitignore(5): ? and [...] match one byte other than a slash, * any number of
// them, and ** whole path components where it stands alone between slashes.
//
// Patterns come from repositories, so matching must not backtrack: it runs the
// pattern as a set of states over the text, in O(len(pattern) * len(text)).
type glob struct {
	tokens []globToken
	never  bool // malformed: matches nothing, as in git
	fold   bool // ASCII letters match without case
}

type globToken struct {
	op  globOp
	lit byte
	set *[256]bool
}

type globOp uint8

const (
	opLiteral globOp = iota
	opAny            // one byte, no slash
	opSet            // one byte of the set, no slash
	opStar           // any bytes without a slash
	opAll            // any bytes
	opOptDirs        // nothing (skips the opDirs that follows), or
	opDirs           // any bytes up to and with a slash
)

// compileGlob compiles a pattern. With pathname unset the text is a single path
// component, and ** means *.
func compileGlob(pattern string, pathname, fold bool) *glob {
	g := &glob{fold: fold}
	for i := 0; i < len(pattern); {
		c := pattern[i]
		switch c {
		case '\\':
			if i+1 == len(pattern) {
				g.never = true
				return g
			}
			// As in git, an escaped letter stands for itself even when the rest
			// matches without case.
			g.tokens = append(g.tokens, globToken{op: opLiteral, lit: pattern[i+1]})
			i += 2
		case '?':
			g.tokens = append(g.tokens, globToken{op: opAny})
			i++
		case '*':
			start := i
			for i < len(pattern) && pattern[i] == '*' {
				i++
			}
			rest := pattern[i:]
			alone := (start == 0 || pattern[start-1] == '/') &&
				(rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
			switch {
			case !pathname || i-start == 1 || !alone:
				g.tokens = append(g.tokens, globToken{op: opStar})
			case strings.HasPrefix(rest, "/"):
				g.tokens = append(g.tokens, globToken{op: opOptDirs}, globToken{op: opDirs})
				i++
			default:
				g.tokens = append(g.tokens, globToken{op: opAll})
			}
		case '[':
			set, n, ok := compileSet(pattern[i:], fold)
			if !ok {
				g.never = true
				return g
			}
			g.tokens = append(g.tokens, globToken{op: opSet, set: set})
			i += n
		default:
			g.literal(c)
			i++
		}
	}
	return g
}

func (g *glob) literal(c byte) {
	if g.fold {
		c = lower(c)
	}
	g.tokens = append(g.tokens, globToken{op: opLiteral, lit: c})
}

// compileSet compiles a bracket expression at the start of s and returns its
// length in bytes. With fold the text arrives in lower case; like git, only
// ranges and classes then take letters of either case.
func compileSet(s string, fold bool) (*[256]bool, int, bool) {
	set := new([256]bool)
	i := 1
	negated := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negated {
		i++
	}
	var prev byte // start of a possible range; 0 for none
	for first := true; ; first = false {
		if i >= len(s) {
			return nil, 0, false
		}
		c := s[i]
		if c == ']' && !first {
			i++
			break
		}
		switch {
		case c == '\\':
			i++
			if i >= len(s) {
				return nil, 0, false
			}
			c = s[i]
			set[c] = true
			prev = c
		case c == '-' && prev != 0 && i+1 < len(s) && s[i+1] != ']':
			i++
			if s[i] == '\\' {
				i++
				if i >= len(s) {
					return nil, 0, false
				}
			}
			for b := int(prev); b <= int(s[i]); b++ {
				set[b] = true
				if fold {
					set[lower(byte(b))] = true
				}
			}
			prev = 0
		case c == '[' && i+1 < len(s) && s[i+1] == ':':
			end := strings.IndexByte(s[i+2:], ']')
			if end < 0 {
				return nil, 0, false
			}
			name, ok := strings.CutSuffix(s[i+2:i+2+end], ":")
			if !ok { // no ":]": an ordinary bracket
				set['['] = true
				prev = '['
				break
			}
			class, ok := charClasses[name]
			if !ok {
				return nil, 0, false
			}
			for b := range 256 {
				if class(byte(b)) {
					set[b] = true
					if fold {
						set[lower(byte(b))] = true
					}
				}
			}
			i += 2 + end
			prev = 0
		default:
			set[c] = true
			prev = c
		}
		i++
	}
	if negated {
		for b := range set {
			set[b] = !set[b]
		}
	}
	return set, i, true
}

var charClasses = map[string]func(byte) bool{
	"alnum":  func(b byte) bool { return isAlpha(b) || isDigit(b) },
	"alpha":  isAlpha,
	"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl":  func(b byte) bool { return b < ' ' || b == 0x7f },
	"digit":  isDigit,
	"graph":  func(b byte) bool { return b > ' ' && b < 0x7f },
	"lower":  func(b byte) bool { return b >= 'a' && b <= 'z' },
	"print":  func(b byte) bool { return b >= ' ' && b < 0x7f },
	"punct":  func(b byte) bool { return b > ' ' && b < 0x7f && !isAlpha(b) && !isDigit(b) },
	"space":  func(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' },
	"upper":  func(b byte) bool { return b >= 'A' && b <= 'Z' },
	"xdigit": func(b byte) bool { return isDigit(b) || lower(b) >= 'a' && lower(b) <= 'f' },
}

func isAlpha(b byte) bool { return lower(b) >= 'a' && lower(b) <= 'z' }
func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b - 'A' + 'a'
	}
	return b
}

// match reports whether the pattern matches the whole text.
func (g *glob) match(text string) bool {
	if g.never {
		return false
	}
	n := len(g.tokens)
	var small [2][64]bool
	var cur, next []bool
	if n < len(small[0]) {
		cur, next = small[0][:n+1], small[1][:n+1]
	} else {
		cur, next = make([]bool, n+1), make([]bool, n+1)
	}
	cur[0] = true
	g.skip(cur)
	for i := range len(text) {
		c := text[i]
		if g.fold {
			c = lower(c)
		}
		clear(next)
		alive := false
		for s, on := range cur[:n] {
			if !on {
				continue
			}
			t := &g.tokens[s]
			switch t.op {
			case opLiteral:
				next[s+1] = next[s+1] || c == t.lit
				alive = alive || c == t.lit
			case opAny:
				next[s+1] = next[s+1] || c != '/'
				alive = alive || c != '/'
			case opSet:
				ok := c != '/' && t.set[c]
				next[s+1] = next[s+1] || ok
				alive = alive || ok
			case opStar:
				next[s] = next[s] || c != '/'
				alive = alive || c != '/'
			case opAll:
				next[s], alive = true, true
			case opDirs:
				next[s], alive = true, true
				next[s+1] = next[s+1] || c == '/'
			}
		}
		if !alive {
			return false
		}
		g.skip(next)
		cur, next = next, cur
	}
	return cur[n]
}

// skip adds the states reachable without consuming a byte.
func (g *glob) skip(states []bool) {
	for s := range g.tokens {
		if !states[s] {
			continue
		}
		switch g.tokens[s].op {
		case opStar, opAll:
			states[s+1] = true
		case opOptDirs:
			states[s+1], states[s+2] = true, true
		}
	}
}
