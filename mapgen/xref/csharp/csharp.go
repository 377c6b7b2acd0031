// Package csharp resolves references of C#: from the uses of names to the
// definitions that they mean.
//
// It follows the rules of the language as far as declared types lead:
// namespaces and using directives, nested types, inheritance, generics, members
// of values whose types are written or follow from what they are assigned,
// overloads by the arguments of a call, extension methods, and the parameters of
// lambdas by what they are passed to. The parts of a partial class are one class.
// Nothing is inferred from bodies of other files, so the outlines of those are
// enough.
//
// The files follow the questions: classes.go says which definitions are one
// class, typetext.go reads a type expression, names.go says what type a name
// means, members.go what a class inherits and has for members, extensions.go
// what others add to it, types.go and library.go what values are, local.go what
// stands around a place of the file at hand, values.go what an expression gives
// and outside.go what members that the revision does not define give, lookup.go
// what bare names and members mean there, calls.go and infer.go what a call calls
// and gives, overload.go and fits.go which overload it means, razor.go what Razor
// files add, references.go turns all that into edges, and rules.go says what each
// rule is worth.
package csharp

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

const family = "csharp"

// def is a definition of the revision.
type def struct{ doc, sym int32 }

// Resolver resolves the files of one revision. It implements edges.Resolver and
// edges.Grouper.
type Resolver struct {
	p       *edges.Program
	classes []class
	// byFull are the classes of a full name, one for each project; bySimple those
	// of a simple name, both with the number of type parameters; classAt finds the
	// class of a definition.
	byFull   map[string][]int32
	bySimple map[string][]int32
	classAt  map[def]int32
	// extensions are the extension methods of a name, byMember the members of
	// classes.
	extensions map[string][]def
	byMember   map[string][]def
	// projects are the project files of a directory, globals the files of a project
	// with global usings, build files those that hold for all below a directory.
	projects map[string][]int32
	globals  map[string][]int32
	builds   map[string][]int32
	sharing  map[string][]int32 // by project, see shares
	// references are the projects that one references, see nearProjects.
	references map[string]*projects
	envs       []*environment     // by document, made when first asked
	inner      [][][]int32        // by document and definition, see inside
	behind     map[string][]int32 // classes behind Razor files, by their directory
	// modular tells of documents that have several namespaces.
	modular []bool
	spaces  map[string][]string // see around
	quick   quick

	shapes map[string][]edges.Step
	texts  map[string]text
	vars   map[def][]typeParam

	stack   edges.Stack
	orders  edges.Memo[int32, []ancestor]
	found   edges.Memo[memberName, *[]found]
	types   edges.Memo[def, *typ]
	results edges.Memo[def, *typ]
	named   edges.Memo[nameAt, *[]int32]
}

// quick are answers that were given to the file at hand before, with what they
// need noted.
type quick struct {
	uses   *edges.Uses
	orders map[int32][]ancestor
	found  map[memberName][]found
	named  map[nameAt][]int32
}

// New prepares a program for resolving.
func New(p *edges.Program) *Resolver {
	r := &Resolver{
		p: p, byFull: map[string][]int32{}, bySimple: map[string][]int32{}, classAt: map[def]int32{}, extensions: map[string][]def{},
		byMember: map[string][]def{}, projects: map[string][]int32{}, globals: map[string][]int32{}, builds: map[string][]int32{}, sharing: map[string][]int32{}, behind: map[string][]int32{}, references: map[string]*projects{}, envs: make([]*environment, len(p.Files)), inner: make([][][]int32, len(p.Files)),
		modular: make([]bool, len(p.Files)), spaces: map[string][]string{},
		shapes: map[string][]edges.Step{}, texts: map[string]text{}, vars: map[def][]typeParam{},
	}
	r.orders.Stack, r.found.Stack, r.types.Stack, r.results.Stack, r.named.Stack = &r.stack, &r.stack, &r.stack, &r.stack, &r.stack
	for i := range p.Files {
		switch dir, base := facts.DirOf(p.Files[i].Path), path.Base(p.Files[i].Path); {
		case path.Ext(base) == ".csproj":
			r.projects[dir] = append(r.projects[dir], int32(i))
		case slices.ContainsFunc(buildFiles, func(name string) bool { return strings.EqualFold(name, base) }):
			r.builds[dir] = append(r.builds[dir], int32(i))
		}
		if strings.HasSuffix(p.Files[i].Path, ".cshtml.cs") || strings.HasSuffix(p.Files[i].Path, ".razor.cs") {
			dir := facts.DirOf(p.Files[i].Path)
			r.behind[dir] = append(r.behind[dir], int32(i))
		}
	}
	for i := range p.Files {
		if p.Files[i].File.Family == family {
			r.index(int32(i))
		}
	}
	return r
}

// index adds the definitions of a file.
func (r *Resolver) index(doc int32) {
	f := r.file(doc)
	project := r.project(doc)
	r.modular[doc] = slices.ContainsFunc(f.Symbols, func(s facts.Symbol) bool { return s.Kind == facts.KindModule && s.Parent < 0 })
	if slices.ContainsFunc(f.Imports, isGlobal) {
		r.globals[project] = append(r.globals[project], doc)
	}
	full := make([]string, len(f.Symbols))
	for k := range f.Symbols {
		s := &f.Symbols[k]
		d := def{doc, int32(k)}
		prefix := ""
		switch {
		case s.Parent >= 0:
			prefix = full[s.Parent]
		case s.Kind != facts.KindModule:
			prefix = r.namespace(d)
		}
		switch {
		case s.Kind == facts.KindModule:
			full[k] = joined(prefix, s.Name)
		case isType(s.Kind):
			name := withArity(s.Name, len(r.typeParams(d)))
			full[k] = joined(prefix, name)
			if f.Language == razor && s.Name == codeClass {
				full[k], name = r.componentName(doc)
			}
			r.addPart(d, full[k], name, project)
		case s.Parent >= 0 && isType(f.Symbols[s.Parent].Kind) && s.Kind != facts.KindConstructor:
			r.byMember[s.Name] = append(r.byMember[s.Name], d)
			if isExtension(s) {
				r.extensions[s.Name] = append(r.extensions[s.Name], d)
			}
		}
	}
}

// buildFiles hold for every project below their directory.
var buildFiles = []string{"Directory.Build.props", "Directory.Build.targets"}

// maxBuildFiles bounds how many build files a project is taken to have.
const maxBuildFiles = 100

// shares lists the files whose global usings hold for a project: sources of it,
// its project file, build files above it and what these import.
func (r *Resolver) shares(project string) []int32 {
	if out, ok := r.sharing[project]; ok {
		return out
	}
	out := slices.Clone(r.globals[project])
	sources := len(out)
	out = append(out, r.projects[project]...)
	for dir := project; ; dir = facts.DirOf(dir) {
		out = append(out, r.builds[dir]...)
		if dir == "" {
			break
		}
	}
	for i := sources; i < len(out) && len(out)-sources < maxBuildFiles; i++ {
		for _, t := range r.p.Targets[out[i]] {
			if t.Doc < 0 {
				continue
			}
			ext := path.Ext(r.p.Files[t.Doc].Path)
			if (ext == ".props" || ext == ".targets") && !slices.Contains(out, int32(t.Doc)) {
				out = append(out, int32(t.Doc))
			}
		}
	}
	r.sharing[project] = out
	return out
}

func isGlobal(m facts.Import) bool { return m.Flags&facts.ImportReexport != 0 }

// project is the directory of the project file that a document belongs to.
func (r *Resolver) project(doc int32) string {
	dir := facts.DirOf(r.p.Files[doc].Path)
	for ; dir != ""; dir = facts.DirOf(dir) {
		if len(r.projects[dir]) > 0 {
			return dir
		}
	}
	return ""
}

// namespace is that around a definition. In a file with several namespaces each
// is a definition, and what stands in none of them is global; else the file says
// it.
func (r *Resolver) namespace(d def) string {
	f := r.file(d.doc)
	if f.Language == razor && f.Package == "" {
		return r.folderSpace(d.doc)
	}
	if !r.modular[d.doc] {
		return f.Package
	}
	name := ""
	for s := d.sym; s >= 0; s = f.Symbols[s].Parent {
		if f.Symbols[s].Kind == facts.KindModule {
			name = joined(f.Symbols[s].Name, name)
		}
	}
	return name
}

// Keys of groups.
const (
	// typeKey with the simple name of a type, with the number of its type
	// parameters: the files that define one.
	typeKey = "csharp type "
	// extensionKey and memberKey with a name: the files with such methods.
	extensionKey = "csharp extension "
	memberKey    = "csharp member "
	// projectKey with a directory: the project files that can be that of its files,
	// the files with global usings for them, and what Razor files there share.
	projectKey = "csharp project "
)

// Group implements edges.Grouper.
func (r *Resolver) Group(key string) []int {
	var docs []int32
	of := func(list []def) {
		for _, d := range list {
			docs = append(docs, d.doc)
		}
	}
	if name, ok := strings.CutPrefix(key, typeKey); ok {
		for _, c := range r.bySimple[name] {
			of(r.classes[c].parts)
			docs = append(docs, r.projects[r.classes[c].project]...)
			for _, d := range r.classes[c].parts {
				if r.file(d.doc).Language == razor {
					docs = append(docs, r.shared(r.dir(d.doc))...)
				}
			}
		}
	} else if name, ok := strings.CutPrefix(key, extensionKey); ok {
		of(r.extensions[name])
		for _, d := range r.extensions[name] {
			docs = append(docs, r.projects[r.project(d.doc)]...)
		}
	} else if name, ok := strings.CutPrefix(key, memberKey); ok {
		of(r.byMember[name])
	} else if dir, ok := strings.CutPrefix(key, projectKey); ok {
		docs = append(append(docs, r.behind[dir]...), r.shared(dir)...)
		project := ""
		for ; ; dir = facts.DirOf(dir) {
			docs = append(docs, r.projects[dir]...)
			if project == "" && len(r.projects[dir]) > 0 {
				project = dir
			}
			if dir == "" {
				break
			}
		}
		docs = append(docs, r.shares(project)...)
	}
	var out []int
	for _, d := range docs {
		out = append(out, int(d))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func joinPath(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

func (r *Resolver) file(doc int32) *facts.File { return r.p.Files[doc].File }

// symbol is the definition itself.
func (r *Resolver) symbol(d def) *facts.Symbol { return &r.file(d.doc).Symbols[d.sym] }

// shape takes a shape apart, once. A cast gets something to cast.
func (r *Resolver) shape(s string) []edges.Step {
	steps, ok := r.shapes[s]
	if !ok {
		prefix, rest := "", s
		for _, p := range []string{"range ", "await ", "range ", "await "} {
			if cut, ok := strings.CutPrefix(rest, p); ok {
				prefix, rest = prefix+p, cut
			}
		}
		if strings.HasPrefix(rest, "(") {
			rest = "?" + rest
		}
		steps = edges.ParseShape(prefix + rest)
		r.shapes[s] = steps
	}
	return steps
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "." + b
}

func isType(k facts.Kind) bool {
	return k == facts.KindClass || k == facts.KindInterface || k == facts.KindEnum || k == facts.KindStruct || k == facts.KindType
}

func isMethod(k facts.Kind) bool { return k == facts.KindMethod || k == facts.KindFunction }

func isVariable(k facts.Kind) bool {
	return k == facts.KindField || k == facts.KindConstant || k == facts.KindVariable || k == facts.KindProperty || k == facts.KindEnumMember
}

func isExtension(s *facts.Symbol) bool {
	return isMethod(s.Kind) && len(s.Params) > 0 && strings.HasPrefix(s.Params[0].Type, "this ")
}
