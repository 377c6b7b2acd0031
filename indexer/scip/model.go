package scip

import "github.com/project-map/project-map/indexer/facts"

// Metadata is what an index says of itself.
type Metadata struct {
	// Tool and Version name the program that wrote the index.
	Tool, Version string
	// ProjectRoot is a URI on the machine where the index was made. Nothing may
	// be read from there.
	ProjectRoot string
}

// Document is what an index says of one file.
type Document struct {
	// Path is slash separated and relative to the root of the project, clean and
	// inside it.
	Path string
	// Language as the tool wrote it, often "".
	Language string
	// Encoding is what columns count until Convert has been called.
	Encoding    Encoding
	Occurrences []Occurrence
	Symbols     []SymbolInfo
	// Dropped counts occurrences without a usable range.
	Dropped int

	breaks breaks
	text   *lineTable // set by Convert
}

// Position is a place in a text: both count from 0. Column is in units of the
// document's Encoding.
type Position struct{ Line, Column int32 }

// Range is half open.
type Range struct{ Start, End Position }

// Role tells what an occurrence does with its symbol, a set of bits.
type Role uint32

const (
	RoleDefinition Role = 1 << iota
	RoleImport
	RoleWrite
	RoleRead
	RoleGenerated
	RoleTest
	RoleForwardDefinition
)

// Has tells whether all roles of o are in r.
func (r Role) Has(o Role) bool { return r&o == o }

// Occurrence is one place where a symbol stands.
type Occurrence struct {
	Range Range
	// Enclosing is the range of the whole definition or call where the tool gives
	// it, the zero Range otherwise.
	Enclosing Range
	// Symbol is "" where only diagnostics are given. Symbols that begin with
	// "local " mean something within their document only.
	Symbol      string
	Roles       Role
	Diagnostics []Diagnostic
}

// Severity of a diagnostic.
type Severity uint8

const (
	SeverityUnknown Severity = iota
	SeverityError
	SeverityWarning
	SeverityInformation
	SeverityHint

	severityCount
)

func (s Severity) String() string {
	return [...]string{"unknown", "error", "warning", "information", "hint", "unknown"}[min(s, severityCount)]
}

// Diagnostic is what a tool found fault with.
type Diagnostic struct {
	Severity              Severity
	Code, Message, Source string
}

// Relationship is what a symbol is to another one.
type Relationship struct {
	Symbol string
	// Implementation: implements or overrides it. Reference: uses of one are uses
	// of the other. TypeDefinition: it is the type. Definition: it is defined
	// where the other one is.
	Implementation, Reference, TypeDefinition, Definition bool
}

// SymbolInfo describes a symbol.
type SymbolInfo struct {
	Symbol string
	// Kind is KindUnknown where neither the tool nor the form of the symbol tells.
	Kind        facts.Kind
	DisplayName string
	// Signature is the declaration as the tool prints it, "" where it does not.
	Signature string
	// Documentation is Markdown, without the signature.
	Documentation []string
	// Enclosing is the symbol that a local symbol belongs to, often "".
	Enclosing     string
	Relationships []Relationship
}
