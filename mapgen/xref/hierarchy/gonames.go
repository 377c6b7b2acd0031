package hierarchy

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// signature is the types of parameters and results of a method of Go, in parts.
type signature []part

// part is a name or a mark of a type expression.
type part struct {
	text string
	// pkg is the package of a name, "" for marks and for what the language itself
	// has; unsure where it is not known.
	pkg    string
	unsure bool
}

// same tells whether two signatures have the same types, and whether that is
// sure.
func (s signature) same(o signature) (same, sure bool) {
	if len(s) != len(o) {
		return false, false
	}
	sure = true
	for i := range s {
		if s[i].text != o[i].text {
			return false, false
		}
		switch {
		case s[i].unsure || o[i].unsure:
			sure = false
		case s[i].pkg != o[i].pkg:
			return false, false
		}
	}
	return true, sure
}

// goName is a name in a package of Go, which is told by its directory and name,
// or by its import path alone.
type goName struct{ dir, pkg, name string }

// goNames says what the names of types mean in the files of a program.
type goNames struct {
	p *edges.Program
	// types are the types that packages define.
	types map[goName]Definition
	// packages are the names of packages that others import, by directory.
	packages map[string]string
}

func newGoNames(p *edges.Program) *goNames {
	n := &goNames{p: p, types: map[goName]Definition{}, packages: map[string]string{}}
	for doc := range p.Files {
		f := p.Files[doc].File
		if f.Family != goFamily {
			continue
		}
		dir := facts.DirOf(p.Files[doc].Path)
		if was := n.packages[dir]; f.Package != "" && (was == "" || was == "main") && !strings.HasSuffix(p.Files[doc].Path, "_test.go") {
			n.packages[dir] = f.Package
		}
		for i := range f.Symbols {
			if s := &f.Symbols[i]; s.Parent < 0 && isType(s) {
				n.types[n.own(int32(doc), s.Name)] = Definition{int32(doc), int32(i)}
			}
		}
	}
	return n
}

// isAlias tells another name of a type: type A = B, type A[T any] = B[T].
func isAlias(s *facts.Symbol) bool {
	rest := strings.TrimPrefix(s.Signature, "type "+s.Name)
	if i := strings.LastIndex(rest, "] = "); strings.HasPrefix(rest, "[") && i >= 0 {
		return true
	}
	return strings.HasPrefix(rest, " = ")
}

// own is a name of the package of a file.
func (n *goNames) own(doc int32, name string) goName {
	return goName{facts.DirOf(n.p.Files[doc].Path), n.p.Files[doc].File.Package, name}
}

// predeclared are the types that the language has.
var predeclared = map[string]bool{
	"bool": true, "byte": true, "comparable": true, "complex64": true, "complex128": true, "error": true, "float32": true, "float64": true,
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true, "rune": true, "string": true, "uint": true, "uint8": true,
	"uint16": true, "uint32": true, "uint64": true, "uintptr": true,
}

// keywords are what a type expression can have besides names.
var keywords = map[string]bool{"chan": true, "func": true, "interface": true, "map": true, "struct": true}

// append adds the parts of a type expression in a file, and a mark of its end.
func (n *goNames) append(doc int32, t string, out signature) signature {
	return append(n.parts(doc, t, out, 0), part{text: ","})
}

const (
	// maxAliases bounds how many names of one type are followed.
	maxAliases = 8
	// maxSignature bounds the parts of a signature, which aliases can make long.
	maxSignature = 1000
)

func (n *goNames) parts(doc int32, t string, out signature, level int) signature {
	for i := 0; i < len(t) && len(out) < maxSignature; {
		c := t[i]
		if !isWord(c) {
			if c != ' ' && c != '\t' {
				out = append(out, part{text: string(c)})
			}
			i++
			continue
		}
		name, end := nameAt(t, i)
		qualifier := ""
		if end < len(t) && t[end] == '.' && end+1 < len(t) && isWord(t[end+1]) {
			qualifier = name
			name, end = nameAt(t, end+1)
		}
		i = end
		// A name before a type is that of a parameter, which means nothing.
		if rest := strings.TrimLeft(t[i:], " "); qualifier == "" && !keywords[name] && rest != t[i:] && rest != "" && (isWord(rest[0]) || strings.ContainsRune("*[(.", rune(rest[0]))) {
			continue
		}
		out = n.meaning(doc, qualifier, name, out, level)
	}
	return out
}

func nameAt(t string, from int) (name string, end int) {
	end = from
	for end < len(t) && isWord(t[end]) {
		end++
	}
	return t[from:end], end
}

// meaning adds what a name means in a file: for another name of a type that type.
// any is interface{}, byte is uint8 and rune is int32.
func (n *goNames) meaning(doc int32, qualifier, name string, out signature, level int) signature {
	at, sure := n.own(doc, name), true
	if qualifier != "" {
		at, sure = n.imported(doc, qualifier)
		at.name = name
		if at.dir == "" && at.pkg == "os" && ofFS[name] {
			at.pkg = "io/fs"
		}
	}
	d, defined := n.types[at]
	if defined && level < maxAliases {
		if s := &n.p.Files[d.Doc].File.Symbols[d.Symbol]; s.Kind == facts.KindType && isAlias(s) && s.Type != "" {
			return n.parts(d.Doc, s.Type, out, level+1)
		}
	}
	switch {
	case defined || qualifier != "":
		return append(out, part{text: name, pkg: at.dir + " " + at.pkg, unsure: !sure})
	case name == "byte":
		name = "uint8"
	case name == "rune":
		name = "int32"
	case keywords[name] || predeclared[name] || name[0] >= '0' && name[0] <= '9':
	case name == "any":
		return append(out, part{text: "interface"}, part{text: "{"}, part{text: "}"})
	default:
		return append(out, part{text: name, unsure: true}) // a type parameter, say
	}
	return append(out, part{text: name})
}

// ofFS are the types of io/fs that os has other names for.
var ofFS = map[string]bool{"DirEntry": true, "FileInfo": true, "FileMode": true, "PathError": true}

// imported is the package that a file calls by a name, and whether that is sure.
func (n *goNames) imported(doc int32, name string) (goName, bool) {
	imports := n.p.Files[doc].File.Imports
	for k := range imports {
		m := &imports[k]
		of := goName{pkg: m.Module}
		for _, t := range n.p.Targets[doc] {
			if t.Import == k && t.Doc < 0 {
				of = goName{dir: t.Dir, pkg: n.packages[t.Dir]}
			}
		}
		switch {
		case m.Alias != "":
			if m.Alias == name {
				return of, true
			}
		case of.pkg != m.Module:
			if of.pkg == name {
				return of, true
			}
		case slices.Contains(likelyNames(m.Module), name):
			return of, true
		}
	}
	return goName{}, false
}

// likelyNames are the names that a package from outside may have by its path.
func likelyNames(module string) []string {
	base := path.Base(module)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && strings.Contains(module, "/") {
		base = path.Base(path.Dir(module))
	}
	if i := strings.LastIndex(base, ".v"); i > 0 && strings.Trim(base[i+2:], "0123456789") == "" {
		base = base[:i]
	}
	short := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go"), ".go")
	return []string{base, short, strings.NewReplacer("-", "", ".", "").Replace(base), strings.NewReplacer("-", "", ".", "").Replace(short), strings.ReplaceAll(base, "-", "_")}
}

// outsideMethod is a method of an interface of the library.
type outsideMethod struct {
	name      string
	signature signature
}

// library are interfaces that others embed, with their methods: the name, the
// parameters and the results.
var library = map[string][]string{
	" error":             {"Error()string"},
	"fmt Stringer":       {"String()string"},
	"io Reader":          {"Read([]byte)int,error"},
	"io Writer":          {"Write([]byte)int,error"},
	"io Closer":          {"Close()error"},
	"io Seeker":          {"Seek(int64,int)int64,error"},
	"io ReaderAt":        {"ReadAt([]byte,int64)int,error"},
	"io WriterAt":        {"WriteAt([]byte,int64)int,error"},
	"io ByteReader":      {"ReadByte()byte,error"},
	"io ByteWriter":      {"WriteByte(byte)error"},
	"io StringWriter":    {"WriteString(string)int,error"},
	"io ReadWriter":      {"Read([]byte)int,error", "Write([]byte)int,error"},
	"io ReadCloser":      {"Read([]byte)int,error", "Close()error"},
	"io WriteCloser":     {"Write([]byte)int,error", "Close()error"},
	"io ReadSeeker":      {"Read([]byte)int,error", "Seek(int64,int)int64,error"},
	"io WriteSeeker":     {"Write([]byte)int,error", "Seek(int64,int)int64,error"},
	"io ReadWriteCloser": {"Read([]byte)int,error", "Write([]byte)int,error", "Close()error"},
	"io ReadWriteSeeker": {"Read([]byte)int,error", "Write([]byte)int,error", "Seek(int64,int)int64,error"},
	"sort Interface":     {"Len()int", "Less(int,int)bool", "Swap(int,int)"},
}

// wellKnown are the methods of an interface of the library that a file embeds.
func (n *goNames) wellKnown(doc int32, base string) ([]outsideMethod, bool) {
	base = strings.TrimPrefix(base, "*")
	qualifier, name, ok := strings.Cut(base, ".")
	key := " " + base
	if ok {
		pkg, _ := n.imported(doc, qualifier)
		key = pkg.pkg + " " + name
	} else if _, own := n.types[n.own(doc, base)]; own {
		return nil, false
	}
	list, ok := library[key]
	var out []outsideMethod
	for _, text := range list {
		name, rest, _ := strings.Cut(text, "(")
		params, results, _ := strings.Cut(rest, ")")
		m := outsideMethod{name: name}
		for _, p := range splitTop(params) {
			m.signature = n.append(doc, p, m.signature)
		}
		m.signature = append(m.signature, part{text: ")"})
		for _, r := range splitTop(results) {
			m.signature = n.append(doc, r, m.signature)
		}
		out = append(out, m)
	}
	return out, ok
}
