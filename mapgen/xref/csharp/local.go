package csharp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Names of bindings by which the extraction of C# tells more of a place than
// names: see links.go of the row.
const (
	bindArguments = "()"
	bindNew       = "new()"
	bindThisCall  = "this()"
	bindBaseCall  = "base()"
	bindTypes     = "<>"
	bindAttribute = "[]"
	bindReceiver  = "."
)

// job is the resolving of one file.
type job struct {
	r    *Resolver
	doc  int32
	f    *facts.File
	uses *edges.Uses
	out  []edges.Edge

	// named are the bindings of names, which scopes finds.
	named  *facts.File
	scopes *edges.Scopes
	// By the place of a name: arguments with the word that says what they are
	// for, type arguments, what stands before it, the reference to it, and whether
	// it is that of an attribute.
	arguments  map[uint32]passed
	generics   map[uint32]string
	receivers  map[uint32]string
	calls      map[uint32]int32
	attributes map[uint32]bool
	functions  map[innerName]int32 // of bodies

	// Answers about the file at hand. They depend on nothing but it and outlines,
	// for its references are resolved in their order.
	bound   answers[int32, *typ]
	choices answers[uint32, *choice]
	results answers[uint32, *typ]
	// open are the questions under way, and whether what is asked is to be
	// forgotten.
	open      []bool
	forgotten int
}

// answers are those to questions that need one another. One that leads back to
// itself has the zero answer there, and what was asked between is forgotten, for
// it was answered without it.
type answers[K comparable, V any] map[K]*answer[V]

type answer[V any] struct {
	value V
	done  bool
	level int // in job.open
}

const (
	// maxDepth bounds how deep answers may need one another.
	maxDepth = 200
	// maxForgotten bounds the answers below one question at the top that are
	// forgotten.
	maxForgotten = 400
)

func (a answers[K, V]) get(j *job, key K, find func() V) V {
	known := a[key]
	if known != nil && known.done {
		return known.value
	}
	var zero V
	if len(j.open) == 0 {
		j.forgotten = 0
	}
	if known != nil || len(j.open) >= maxDepth || j.forgotten > maxForgotten {
		from := 0
		if known != nil {
			from = known.level + 1
		}
		for i := from; i < len(j.open); i++ {
			j.open[i] = true
		}
		return zero
	}
	known = &answer[V]{level: len(j.open)}
	a[key] = known
	j.open = append(j.open, false)
	known.value = find()
	cut := j.open[known.level]
	j.open = j.open[:known.level]
	if known.done = !cut; cut {
		j.forgotten++
		delete(a, key)
	}
	return known.value
}

// passed are the arguments of a call, and the type of new() without one.
type passed struct{ word, shapes, typ string }

type innerName struct {
	sym  int32
	name string
}

func (r *Resolver) newJob(doc int32, f *facts.File, uses *edges.Uses, out []edges.Edge) *job {
	named := *f
	named.Bindings = make([]facts.Binding, 0, len(f.Bindings))
	j := &job{
		r: r, doc: doc, f: f, uses: uses, out: out, named: &named, arguments: map[uint32]passed{}, generics: map[uint32]string{}, receivers: map[uint32]string{},
		calls: map[uint32]int32{}, attributes: map[uint32]bool{}, functions: map[innerName]int32{},
		bound: answers[int32, *typ]{}, choices: answers[uint32, *choice]{}, results: answers[uint32, *typ]{},
	}
	r.quick = quick{uses: uses, orders: map[int32][]ancestor{}, found: map[memberName][]found{}, named: map[nameAt][]int32{}}
	for i := range f.Bindings {
		b := &f.Bindings[i]
		switch b.Name {
		case bindArguments, bindNew, bindThisCall, bindBaseCall:
			j.arguments[b.Start] = passed{b.Name, b.Init, b.Type}
		case bindAttribute:
			j.attributes[b.Start] = true
			j.arguments[b.Start] = passed{b.Name, b.Init, ""}
		case bindTypes:
			j.generics[b.Start] = b.Type
		case bindReceiver:
			j.receivers[b.Start] = b.Init
		default:
			named.Bindings = append(named.Bindings, *b)
		}
	}
	j.scopes = edges.NewScopes(&named)
	for i := range f.Refs {
		if f.Refs[i].Kind == facts.RefCall {
			j.calls[f.Refs[i].Start] = int32(i)
		}
	}
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.Flags&facts.InBody != 0 && isMethod(s.Kind) {
			j.functions[innerName{s.Parent, s.Name}] = int32(i)
		}
	}
	return j
}

// context is where an expression stands, which decides what its names mean.
type context struct {
	r        *Resolver
	doc, sym int32
	// job knows parameters and local variables of the file at hand; nil where only
	// outlines may be used.
	job   *job
	scope int32
	at    uint32
	uses  *edges.Uses
}

// place is the context of an offset of the file at hand.
func (j *job) place(sym int32, at uint32) *context {
	return &context{r: j.r, doc: j.doc, sym: sym, job: j, scope: j.scopes.At(at), at: at, uses: j.uses}
}

// levels are the classes around a place, from the inside out.
func (c *context) levels() []int32 {
	f := c.r.file(c.doc)
	var out []int32
	for s := c.sym; s >= 0; s = f.Symbols[s].Parent {
		if class, ok := c.r.classAt[def{c.doc, s}]; ok {
			out = append(out, class)
		}
	}
	if f.Language == razor {
		for _, class := range c.r.component(c.doc, c.uses) {
			if !slices.Contains(out, class) {
				out = append(out, class)
			}
		}
	}
	return out
}

// this is the class around as a value.
func (c *context) this() *typ {
	if around := c.levels(); len(around) > 0 {
		return c.r.own(around[0], viaThis)
	}
	return unknownType
}

// local is the type of a local variable, or nil where there is none of the name.
func (c *context) local(name string) *typ {
	if c.job == nil {
		return nil
	}
	i := c.job.scopes.Lookup(c.scope, name, c.at, false)
	if i < 0 {
		return nil
	}
	return c.binding(i)
}

// binding is the type that a binding gives its name.
func (c *context) binding(i int32) *typ {
	j := c.job
	return some(j.bound.get(j, i, func() *typ {
		uses := j.uses
		b := &j.named.Bindings[i]
		in := &context{r: c.r, doc: c.doc, sym: j.f.Scopes[b.Scope].Symbol, job: j, scope: b.Scope, at: max(b.Start, 1) - 1, uses: uses}
		switch {
		case b.Type != "":
			return c.r.typeOf(c.doc, in.sym, b.Type, uses)
		case b.Init == "":
			return unknownType
		case strings.HasPrefix(b.Init, "=>"):
			return in.byTarget(b.Init[2:])
		}
		return in.eval(c.r.shape(b.Init))
	}))
}

// byTarget is the type of a parameter of a lambda, by its number and what the
// lambda is passed or assigned to, or of an out variable, without a number.
func (c *context) byTarget(s string) *typ {
	number, target, ok := strings.Cut(s, ":")
	if !ok {
		return unknownType
	}
	n, err := strconv.Atoi(number)
	var t *typ
	if rest, isCall := strings.CutPrefix(target, "@"); isCall && strings.Contains(rest, ":") {
		call, argument, _ := strings.Cut(rest, ":")
		at, err1 := strconv.ParseUint(call, 10, 32)
		k, err2 := strconv.Atoi(argument)
		if err1 != nil || err2 != nil {
			return unknownType
		}
		t = c.parameterOfCall(uint32(at), k, n, err == nil)
	} else {
		t = c.eval(c.r.shape(target))
	}
	if err != nil {
		return t
	}
	params, _, ok := c.delegate(t)
	if !ok || n >= len(params) {
		return unknownType
	}
	return learned(params[n], viaLambda)
}
