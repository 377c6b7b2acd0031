package graphql

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/idl"
)

func (r *reader) operation(start, head int, doc string) int {
	root := map[string]string{"query": "Query", "mutation": "Mutation", "subscription": "Subscription"}[r.Text(head)]
	i := head + 1
	s := facts.Symbol{Kind: facts.KindFunction, Doc: doc}
	named := r.At(i).Kind == idl.Word
	if named {
		i++
	}
	var uses []int
	if r.Is(i, "(") {
		s.Params, uses, i = r.arguments(i)
	}
	end := i
	i = r.directives(i)
	at := -1
	if named {
		at = r.add(start, head, head+1, end, s)
	}
	r.types(uses, at)
	return r.selections(i, at, root)
}

func (r *reader) fragment(start, head int, doc string) int {
	i := head + 2
	if r.Is(i, "(") { // variables of fragments, an old proposal
		_, _, i = r.arguments(i)
	}
	on := -1
	if r.Is(i, "on") && r.At(i+1).Kind == idl.Word {
		on = i + 1
		i += 2
	}
	at := r.add(start, head, head+1, i, facts.Symbol{Kind: facts.KindType, Doc: doc})
	root := ""
	if on >= 0 {
		r.types([]int{on}, at)
		switch r.Text(on) {
		case "Query", "Mutation", "Subscription":
			root = r.Text(on)
		}
	}
	return r.selections(r.directives(i), at, root)
}

// selections reads { … }: fragments and types that it names anywhere, and
// the fields of the root type of an operation.
func (r *reader) selections(i, in int, root string) int {
	if !r.Is(i, "{") {
		return i
	}
	depth := 0
	for i < len(r.All) {
		if depth > 0 && r.resumes(i) {
			break
		}
		switch {
		case r.Is(i, "{"):
			depth++
			i++
		case r.Is(i, "}"):
			depth--
			i++
		case r.Is(i, "("):
			i = r.Skip(i, r.resumes)
		case r.Is(i, "@"):
			i = max(i+1, r.directives(i))
		case r.Is(i, ".") && r.Is(i+1, ".") && r.Is(i+2, "."):
			i += 3
			kind := facts.RefRead
			if r.Is(i, "on") {
				i++
				kind = facts.RefType
			}
			if r.At(i).Kind == idl.Word {
				r.out.Ref(kind, r.Text(i), "", in, r.At(i).Start)
				i++
			}
		case r.At(i).Kind == idl.Word && depth == 1 && root != "":
			if r.Is(i+1, ":") && r.At(i+2).Kind == idl.Word {
				i += 2 // behind an alias
			}
			if name := r.Text(i); !strings.HasPrefix(name, "__") {
				r.out.Ref(facts.RefCall, name, root, in, r.At(i).Start)
			}
			i++
		default:
			i++
		}
		if depth <= 0 {
			break
		}
	}
	if in >= 0 {
		r.out.End(in, r.At(i-1).End)
	}
	return i
}

// imports reads the comments that loaders take for imports:
// #import "./x.graphql" and # import A, B from "x.graphql".
func (r *reader) imports() {
	r.EachComment(500, func(text string, at uint32) {
		rest, ok := strings.CutPrefix(text, "import ")
		if !ok {
			return
		}
		im := facts.Import{}
		if names, file, ok := strings.Cut(rest, " from "); ok {
			for n := range strings.SplitSeq(names, ",") {
				if n = strings.TrimSpace(n); n != "" && !strings.ContainsAny(n, " \t") && len(im.Names) < 100 {
					im.Names = append(im.Names, facts.ImportedName{Name: n})
				}
			}
			rest = file
		}
		rest = strings.TrimRight(strings.TrimSpace(rest), "; ")
		if len(rest) > 2 && (rest[0] == '"' || rest[0] == '\'') && rest[len(rest)-1] == rest[0] {
			im.Module = rest[1 : len(rest)-1]
			r.b.Import(im, at)
		}
	})
}
