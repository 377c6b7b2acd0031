package scip

import (
	"fmt"
	"strings"
)

// Suffix is the kind of a descriptor, given by the punctuation behind it.
type Suffix uint8

const (
	SuffixNamespace     Suffix = iota + 1 // name/
	SuffixType                            // name#
	SuffixTerm                            // name.
	SuffixMethod                          // name(disambiguator).
	SuffixTypeParameter                   // [name]
	SuffixParameter                       // (name)
	SuffixMeta                            // name:
	SuffixMacro                           // name!
)

// Descriptor is one step of the path to a symbol within its package.
type Descriptor struct {
	Name string
	// Disambiguator tells methods of one name apart, "" for the first.
	Disambiguator string
	Suffix        Suffix
}

// Symbol is a symbol taken apart.
type Symbol struct {
	// Local is the name of a symbol of one document, "" for all others, which
	// have the rest.
	Local string
	// Scheme names the tool or language; Manager, Package and Version the
	// package, each "" where the symbol has ".".
	Scheme, Manager, Package, Version string
	Descriptors                       []Descriptor
}

// IsLocal tells whether a symbol means something within its document only.
func IsLocal(symbol string) bool { return strings.HasPrefix(symbol, "local ") }

// ParseSymbol takes a symbol apart:
//
//	symbol     = "local " simple | scheme " " manager " " package " " version " " descriptor+
//	descriptor = name "/" | name "#" | name "." | name "(" [name] ")." | "[" name "]" |
//	             "(" name ")" | name ":" | name "!"
//	name       = simple | "`" text with "`" doubled "`"
//
// In the words before the descriptors a space is doubled.
func ParseSymbol(symbol string) (Symbol, error) {
	if name, ok := strings.CutPrefix(symbol, "local "); ok {
		if simple(name) != len(name) || name == "" {
			return Symbol{}, symbolError(symbol, "a bad local name")
		}
		return Symbol{Local: name}, nil
	}
	var out Symbol
	rest := symbol
	for i, word := range []*string{&out.Scheme, &out.Manager, &out.Package, &out.Version} {
		var ok bool
		if *word, rest, ok = terminated(rest, ' '); !ok {
			return Symbol{}, symbolError(symbol, "too few words")
		}
		if i > 0 && *word == "." {
			*word = ""
		}
	}
	if rest == "" {
		return Symbol{}, symbolError(symbol, "no descriptor")
	}
	for rest != "" {
		d, next, ok := descriptor(rest)
		if !ok {
			return Symbol{}, symbolError(symbol, fmt.Sprintf("a bad descriptor at byte %d", len(symbol)-len(rest)))
		}
		out.Descriptors = append(out.Descriptors, d)
		rest = next
	}
	return out, nil
}

// symbolError keeps hostile symbols short.
func symbolError(symbol, fault string) error {
	if len(symbol) > 120 {
		symbol = symbol[:120] + "…"
	}
	return fmt.Errorf("%w: symbol %q has %s", ErrFormat, symbol, fault)
}

func descriptor(s string) (d Descriptor, rest string, ok bool) {
	for _, b := range []struct {
		open, close string
		suffix      Suffix
	}{{"(", ")", SuffixParameter}, {"[", "]", SuffixTypeParameter}} {
		if inner, is := strings.CutPrefix(s, b.open); is {
			if d.Name, rest, ok = identifier(inner); ok {
				d.Suffix = b.suffix
				rest, ok = strings.CutPrefix(rest, b.close)
			}
			return d, rest, ok
		}
	}
	if d.Name, rest, ok = identifier(s); !ok || rest == "" {
		return d, rest, false
	}
	mark := rest[0]
	rest = rest[1:]
	switch mark {
	case '/':
		d.Suffix = SuffixNamespace
	case '#':
		d.Suffix = SuffixType
	case '.':
		d.Suffix = SuffixTerm
	case ':':
		d.Suffix = SuffixMeta
	case '!':
		d.Suffix = SuffixMacro
	case '(':
		d.Suffix = SuffixMethod
		if !strings.HasPrefix(rest, ")") {
			if d.Disambiguator, rest, ok = identifier(rest); !ok {
				return d, rest, false
			}
		}
		rest, ok = strings.CutPrefix(rest, ").")
	default:
		ok = false
	}
	return d, rest, ok
}

func identifier(s string) (name, rest string, ok bool) {
	if inner, quoted := strings.CutPrefix(s, "`"); quoted {
		return terminated(inner, '`')
	}
	n := simple(s)
	return s[:n], s[n:], n > 0
}

// simple is the length of the simple identifier that s begins with.
func simple(s string) int {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && c != '+' && c != '-' && c != '$' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return i
		}
	}
	return len(s)
}

// terminated reads up to a mark that is not doubled and takes the mark.
func terminated(s string, mark byte) (text, rest string, ok bool) {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, mark)
		if i < 0 {
			return "", s, false
		}
		if i+1 == len(s) || s[i+1] != mark {
			if b.Len() == 0 {
				return s[:i], s[i+1:], true
			}
			b.WriteString(s[:i])
			return b.String(), s[i+1:], true
		}
		b.WriteString(s[:i+1])
		s = s[i+2:]
	}
}

// Name is the word that stands for the symbol in a text, as far as its form
// tells: "" for modules, files and what has no name there. A use under another
// name (an alias, a default import) has another word.
func (s Symbol) Name() string {
	if s.Local != "" || len(s.Descriptors) == 0 {
		return ""
	}
	last := s.Descriptors[len(s.Descriptors)-1]
	name := last.Name
	switch last.Suffix {
	case SuffixNamespace:
		return ""
	case SuffixMeta:
		// scip-python has one for each module; scip-typescript numbers the
		// properties of object literals.
		if name == "__init__" {
			return ""
		}
		return strings.TrimRight(name, "0123456789")
	}
	for _, accessor := range []string{"<get>", "<set>"} {
		if rest, ok := strings.CutPrefix(name, accessor); ok {
			return rest
		}
	}
	if name == "<constructor>" {
		return "constructor"
	}
	return name
}
