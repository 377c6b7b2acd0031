package scip

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// kindByNumber are the kinds of the schema that have one of ours. Parameters and
// the like have none.
var kindByNumber = map[uint64]facts.Kind{
	66: facts.KindMethod,   // AbstractMethod
	72: facts.KindProperty, // Accessor
	7:  facts.KindClass,    // Class
	86: facts.KindType,     // Concept
	8:  facts.KindConstant, // Constant
	9:  facts.KindConstructor,
	62: facts.KindInterface, // Contract
	73: facts.KindMethod,    // Delegate
	11: facts.KindEnum,      // Enum
	12: facts.KindEnumMember,
	63: facts.KindType,     // Error
	13: facts.KindProperty, // Event
	84: facts.KindClass,    // Extension
	15: facts.KindField,    // Field
	17: facts.KindFunction,
	18: facts.KindProperty,  // Getter
	20: facts.KindClass,     // Instance
	21: facts.KindInterface, // Interface
	64: facts.KindModule,    // Library
	25: facts.KindMacro,
	26: facts.KindMethod,
	74: facts.KindMethod, // MethodAlias
	67: facts.KindMethod, // MethodSpecification
	85: facts.KindClass,  // Mixin
	29: facts.KindModule,
	30: facts.KindModule, // Namespace
	33: facts.KindClass,  // Object
	35: facts.KindModule, // Package
	36: facts.KindModule, // PackageObject
	41: facts.KindProperty,
	42: facts.KindInterface, // Protocol
	68: facts.KindMethod,    // ProtocolMethod
	69: facts.KindMethod,    // PureVirtualMethod
	45: facts.KindProperty,  // Setter
	75: facts.KindClass,     // SingletonClass
	76: facts.KindMethod,    // SingletonMethod
	77: facts.KindField,     // StaticDataMember
	78: facts.KindProperty,  // StaticEvent
	79: facts.KindField,     // StaticField
	80: facts.KindMethod,    // StaticMethod
	81: facts.KindProperty,  // StaticProperty
	82: facts.KindVariable,  // StaticVariable
	49: facts.KindStruct,
	47: facts.KindField,     // Subscript
	53: facts.KindInterface, // Trait
	70: facts.KindMethod,    // TraitMethod
	54: facts.KindType,
	55: facts.KindType,      // TypeAlias
	56: facts.KindInterface, // TypeClass
	71: facts.KindMethod,    // TypeClassMethod
	57: facts.KindType,      // TypeFamily
	59: facts.KindStruct,    // Union
	60: facts.KindConstant,  // Value
	61: facts.KindVariable,
}

// settle fills in what tools write elsewhere: a kind that only the form of the
// symbol tells, and a signature that is a fenced block of the documentation.
func (s *SymbolInfo) settle(kind uint64) {
	if s.Signature == "" && len(s.Documentation) > 0 {
		if body, rest, ok := cutFence(s.Documentation[0]); ok {
			s.Signature = body
			s.Documentation = s.Documentation[1:]
			if rest != "" {
				s.Documentation = append([]string{rest}, s.Documentation...)
			}
		}
	}
	if s.Kind = kindByNumber[kind]; kind == 0 && !IsLocal(s.Symbol) {
		if parsed, err := ParseSymbol(s.Symbol); err == nil {
			s.Kind = parsed.Kind()
		}
	}
}

// cutFence takes the fenced block that a text begins with.
func cutFence(text string) (body, rest string, ok bool) {
	after, ok := strings.CutPrefix(text, "```")
	if !ok {
		return "", text, false
	}
	_, after, ok = strings.Cut(after, "\n") // the language
	if !ok {
		return "", text, false
	}
	body, rest, ok = strings.Cut(after, "\n```")
	return strings.TrimSpace(body), strings.TrimSpace(rest), ok
}

// Kind is what the form of a symbol tells of its kind. It cannot tell a class
// from an interface, or a constant from a variable; KindUnknown stands for
// parameters and type parameters.
func (s Symbol) Kind() facts.Kind {
	if len(s.Descriptors) == 0 {
		return facts.KindUnknown
	}
	last := s.Descriptors[len(s.Descriptors)-1]
	inType := len(s.Descriptors) > 1 && s.Descriptors[len(s.Descriptors)-2].Suffix == SuffixType
	switch last.Suffix {
	case SuffixNamespace, SuffixMeta:
		return facts.KindModule
	case SuffixType:
		return facts.KindType
	case SuffixMacro:
		return facts.KindMacro
	case SuffixMethod:
		if inType {
			return facts.KindMethod
		}
		return facts.KindFunction
	case SuffixTerm:
		if inType {
			return facts.KindField
		}
		return facts.KindVariable
	}
	return facts.KindUnknown
}
