// Package facts is the vocabulary of the project: what one blob says, with no
// path, no git and no syntax tree in it.
//
// The indexer produces a File for every blob, the map generator folds Files of
// a directory into artifacts and a catalog, and the ranker reads what is left.
// A File is keyed by blob and recipe, so everything in it follows from the
// bytes of the blob and the version of the extractor alone. What depends on
// where the blob lies (its role as a test, say) stands in Entry.
//
// Invariant: nothing marked InBody, no Term, no Reference and no Binding may
// reach an artifact, so that editing the body of a function changes no map.
package facts

import (
	"slices"
	"strings"
)

// Depth tells how deep a blob was read.
type Depth uint8

const (
	// Listed: only the path is known.
	Listed Depth = iota
	// Words: the text was split into words. The definitions of a generated file
	// are known all the same (see File.Outlined), but stay off the pages.
	Words
	// Parsed: an extractor of the language read it.
	Parsed
)

func (d Depth) String() string {
	switch d {
	case Parsed:
		return "parsed"
	case Words:
		return "words only"
	}
	return "listed"
}

// Reason tells why a blob was read less deep than parsed, in words fit to
// print. The empty reason stands for "nothing held it back".
type Reason string

const (
	ReasonBinary      Reason = "binary"
	ReasonOversized   Reason = "larger than the size limit"
	ReasonUnreadable  Reason = "unreadable"
	ReasonMissing     Reason = "not in the object store"
	ReasonSymlink     Reason = "symbolic link"
	ReasonSubmodule   Reason = "submodule"
	ReasonVendored    Reason = "vendored"
	ReasonGenerated   Reason = "generated"
	ReasonMinified    Reason = "minified"
	ReasonNoExtractor Reason = "no extractor for this language"
	ReasonParserLimit Reason = "parser limit reached"
	ReasonLFSPointer  Reason = "Git LFS pointer"
)

// Nature tells what kind of text a language is for.
type Nature uint8

const (
	// NatureUnknown: nothing is known of the language.
	NatureUnknown Nature = iota
	// Code: programs, and schemas and queries that programs are written against.
	Code
	// Data: configuration, markup and build files that only list things.
	Data
	// Prose: documents.
	Prose

	natureCount
)

func (n Nature) String() string {
	return [...]string{"unknown", "code", "data", "prose", "unknown"}[min(n, natureCount)]
}

// Kind is the kind of a definition, the same vocabulary for every language.
type Kind uint8

const (
	KindUnknown Kind = iota
	KindModule       // module, package or namespace that holds definitions
	KindClass
	KindStruct
	KindInterface // interface, protocol, trait
	KindEnum
	KindEnumMember
	KindType // alias or other named type
	KindFunction
	KindMethod
	KindConstructor
	KindProperty // accessor pair or computed member
	KindField
	KindConstant
	KindVariable
	KindMacro
	KindHeading // of a document
	KindKey     // of a configuration file
	KindTarget  // something a build tool can run: Makefile target, package script, CI job

	kindCount
)

var kindNames = [kindCount]string{
	"unknown", "module", "class", "struct", "interface", "enum", "enum member",
	"type", "function", "method", "constructor", "property", "field",
	"constant", "variable", "macro", "heading", "key", "target",
}

func (k Kind) String() string {
	if k < kindCount {
		return kindNames[k]
	}
	return "unknown"
}

// ParseKind is the inverse of Kind.String; an unknown word is KindUnknown.
func ParseKind(s string) Kind {
	for i, n := range kindNames {
		if n == s {
			return Kind(i)
		}
	}
	return KindUnknown
}

// Visibility tells how far a definition can be seen.
type Visibility uint8

const (
	// Public: usable from other files or packages.
	Public Visibility = iota
	// Protected: usable by the package, or by subclasses.
	Protected
	// Private: usable in the file, class or unit only.
	Private
)

func (v Visibility) String() string {
	switch v {
	case Private:
		return "private"
	case Protected:
		return "protected"
	}
	return "public"
}

// Span is a half-open range of bytes of the blob. Both ends lie on character
// borders and inside the blob.
type Span struct{ Start, End uint32 }

// Len is the length in bytes.
func (s Span) Len() int { return int(s.End - s.Start) }

// Contains tells whether o lies inside s.
func (s Span) Contains(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Param is a parameter of a function as it was written.
type Param struct {
	Name string // empty where the language allows it
	Type string // type expression with whitespace collapsed, or ""
}

// SymbolFlags are yes-or-no facts about a definition.
type SymbolFlags uint16

const (
	// InBody: defined inside the body of a function (local class, nested
	// function, attribute set in a method). Left out of artifacts.
	InBody SymbolFlags = 1 << iota
	// Exported: named by an export clause or a list of exports.
	Exported
	// DefaultExport: what the module exports by default.
	DefaultExport
	Static
	Abstract
	Async
	// Overload: a signature without a body that belongs to an implementation.
	Overload
	// Obsolete: marked as deprecated by the language's own means.
	Obsolete
	// Declaration: stands for a definition elsewhere (ambient, forward).
	Declaration
	// Getter and Setter: accessor of a property.
	Getter
	Setter
	// Main: what the runtime starts (func main and the like).
	Main
)

// Symbol is one definition.
type Symbol struct {
	Name       string
	Kind       Kind
	Visibility Visibility
	Flags      SymbolFlags
	// Parent is the index in File.Symbols of the definition that encloses
	// this one, or -1. A parent stands before its children.
	Parent int32
	// Container names what the symbol belongs to (receiver type, class), also
	// where that is defined in another file; "" for top-level definitions.
	Container string
	// Signature is the declaration without its body on one line, at most
	// MaxSignature bytes.
	Signature string
	// Doc is the first sentence of the documentation, at most MaxDoc bytes.
	Doc string
	// Span covers the whole definition with its body, NameSpan its name.
	Span, NameSpan Span
	// Line and EndLine count from 1.
	Line, EndLine uint32
	// Type is the declared type of a variable, field or property and the
	// declared result of a function, as written ("" when not written).
	Type string
	// Params are the declared parameters of a function.
	Params []Param
	// Bases are type expressions of superclasses, implemented interfaces and
	// embedded types.
	Bases []string
	// Init is the shape of the initialiser (see Shape in the package lang).
	Init string
}

// RefKind is the way a name is used.
type RefKind uint8

const (
	RefCall RefKind = iota
	RefType
	RefImport
	RefInherit
	// RefRead is any other use of a name as a value.
	RefRead

	refKindCount
)

func (k RefKind) String() string {
	return [...]string{"call", "type", "import", "inherit", "read", "unknown"}[min(k, refKindCount)]
}

// Reference is one use of a name.
type Reference struct {
	Name string
	Kind RefKind
	// Qualifier is the shape of what stands before the name ("c.store" in
	// c.store.Save()), "" for a bare name.
	Qualifier string
	// Enclosing is the index of the innermost definition that holds the
	// reference, or -1 at the level of the file.
	Enclosing int32
	// Start is the byte offset of the name; Line counts from 1.
	Start uint32
	Line  uint32
}

// ImportedName is one name that an import clause brings in.
type ImportedName struct {
	Name  string // as exported by the module; "*" for everything, "default"
	Alias string // local name where it differs
}

// ImportFlags are yes-or-no facts about an import.
type ImportFlags uint8

const (
	// ImportInBody: stands inside a function. Left out of artifacts.
	ImportInBody ImportFlags = 1 << iota
	// ImportTypeOnly: erased before the program runs.
	ImportTypeOnly
	// ImportReexport: also exports what it brings in.
	ImportReexport
	// ImportDynamic: import() or require() with a literal argument.
	ImportDynamic
)

// Import is one import clause.
type Import struct {
	// Module is the module as written: "./store", "a.b", "..pkg", "fmt".
	Module string
	// Alias is the local name of the whole module, where one is given.
	Alias string
	Names []ImportedName
	Flags ImportFlags
	Line  uint32
}

// Export is one name that a module gives away under an export clause.
type Export struct {
	Name  string // name seen from outside; "*" with a Module re-exports all
	Local string // local name, where it differs
	// Module is set for re-exports.
	Module string
}

// Scope is a region in which bindings are visible.
type Scope struct {
	Span   Span
	Parent int32 // index in File.Scopes, -1 for the file's own scope
	Symbol int32 // definition whose body it is, -1
}

// Binding is a name bound inside a scope that is not a Symbol: parameter,
// local variable, loop or catch variable. It shadows outer names.
type Binding struct {
	Name  string
	Scope int32
	Start uint32
	Type  string // declared type expression or ""
	Init  string // shape of the initialiser or ""
}

// Field is where in a text a word stands.
type Field uint8

const (
	FieldDefs Field = iota // names of definitions
	FieldDoc               // documentation and comments
	FieldStrings
	FieldImports
	FieldBody

	NumFields
)

// Term is a word of the text, normalised by the package words, with how often
// it occurs in each field. Compound identifiers count with each of their words
// and, with a leading "=", as a whole.
type Term struct {
	Text   string
	Counts [NumFields]uint16
}

// Traits are facts about a whole blob.
type Traits uint16

const (
	// GeneratedHeader: a header says that a program wrote the file.
	GeneratedHeader Traits = 1 << iota
	// EntryPoint: a program starts here.
	EntryPoint
	// Decoded: the bytes were not UTF-8 and were converted first; spans count
	// bytes of the converted text.
	Decoded
	// Masked: a secret shape was replaced before anything was extracted.
	Masked
	// TestCode: the content shows that it is a test.
	TestCode
	// Truncated: only the beginning of the text was analysed.
	Truncated
	// Damaged: parts of it could not be read, see File.Damage. Set in the catalog,
	// which does not hold these.
	Damaged
)

// Caps of what is kept of one definition, in bytes.
const (
	MaxSignature = 240
	MaxDoc       = 240
	MaxName      = 200
)

// File is what one blob says.
type File struct {
	// Language is the lower-case name of the language, or "". It need not have a
	// row.
	Language string
	// Family names the ecosystem of the language: what is written together,
	// imports each other and keeps its tests by the same rules ("javascript" for
	// TypeScript too). It is "" unless Nature is Code.
	Family string
	Nature Nature
	Depth  Depth
	Reason Reason
	Traits Traits
	Size   uint32 // bytes of the blob
	Lines  uint32
	// Package is the package or module the file declares itself part of.
	Package string
	// Summary is the first sentence of the file's own documentation: package
	// comment, module docstring, first paragraph of a document, header.
	Summary string

	Symbols  []Symbol
	Imports  []Import
	Exports  []Export
	Refs     []Reference
	Scopes   []Scope
	Bindings []Binding
	// Terms stand in the order of their first occurrence.
	Terms []Term
	// FieldLengths counts the words of each field, compounds once a part.
	FieldLengths [NumFields]uint32
	// Damage lists the ranges that the parser could not read.
	Damage []Span
}

// Outlined tells whether the definitions, imports and references of a file are
// known: it was parsed, or it is a generated file whose outline was read beside
// its words. References are resolved by this; what describes a file to people
// and to the ranking asks for Parsed.
func (f *File) Outlined() bool {
	return f.Depth == Parsed || f.Aside()
}

// Aside tells whether a file that was read for words has an outline, which only
// references and look-ups of definitions may use.
func (f *File) Aside() bool {
	return f.Depth == Words && f.Reason == ReasonGenerated &&
		(f.Package != "" || len(f.Symbols) > 0 || len(f.Imports) > 0 || len(f.Exports) > 0)
}

// WithoutAsides is files as they are described: those Aside are copied without
// their outline. Where there are none, it is files itself.
func WithoutAsides(files []Entry) []Entry {
	out := files
	for i := range files {
		f := files[i].File
		if f == nil || !f.Aside() {
			continue
		}
		if &out[0] == &files[0] {
			out = slices.Clone(files)
		}
		bare := *f
		bare.Package, bare.Symbols, bare.Imports, bare.Exports = "", nil, nil, nil
		bare.Refs, bare.Scopes, bare.Bindings = nil, nil, nil
		out[i].File = &bare
	}
	return out
}

// Role tells what a file is for, which follows from its path and its facts.
type Role uint16

const (
	RoleTest Role = 1 << iota
	RoleDoc
	RoleExample
	RoleVendored
	RoleGenerated
	RoleConfig
	RoleBuild       // build and CI definitions
	RoleLocale      // translations
	RoleDeclaration // declares what is implemented elsewhere (.d.ts, .pyi)
	RolePackageInit // stands for its directory (__init__.py, index.js, doc.go)
)

var roleNames = []struct {
	role Role
	name string
}{
	{RoleTest, "test"}, {RoleDoc, "documentation"}, {RoleExample, "example"},
	{RoleVendored, "vendored"}, {RoleGenerated, "generated"},
	{RoleConfig, "configuration"}, {RoleBuild, "build"},
	{RoleLocale, "translation"}, {RoleDeclaration, "declaration"},
	{RolePackageInit, "package"},
}

// Names lists the roles in a fixed order.
func (r Role) Names() []string {
	var out []string
	for _, n := range roleNames {
		if r&n.role != 0 {
			out = append(out, n.name)
		}
	}
	return out
}

// Has tells whether all roles of o are in r.
func (r Role) Has(o Role) bool { return r&o == o }

// Mode is the kind of a tree entry.
type Mode uint8

const (
	ModeRegular Mode = iota
	ModeExecutable
	ModeSymlink
	ModeSubmodule
)

// BlobID is the git object id of a blob.
type BlobID [20]byte

// Entry is a file of a revision with what its blob says.
type Entry struct {
	Path string // slash separated, relative to the root of the repository
	Mode Mode
	Blob BlobID
	Role Role
	File *File
}

// ParseRoles is the inverse of Role.Names; unknown words are ignored.
func ParseRoles(names []string) Role {
	var r Role
	for _, n := range names {
		for _, known := range roleNames {
			if known.name == n {
				r |= known.role
			}
		}
	}
	return r
}

// CommonDirs counts the directories that two paths start with.
func CommonDirs(a, b string) int {
	n := 0
	for {
		i := strings.IndexByte(a, '/')
		if i < 0 || !strings.HasPrefix(b, a[:i+1]) {
			return n
		}
		a, b = a[i+1:], b[i+1:]
		n++
	}
}

// DirOf is the directory of a slash-separated path; "" is the root.
func DirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}
