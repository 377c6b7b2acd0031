package scala

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// selector is one name that an import or export clause brings in.
type selector struct{ name, alias string }

// importClause walks an import or export clause.
func (w *walker) importClause(i, end int, export bool) int {
	k := i + 1
	for {
		from := k
		path := k
		for k+2 < end && (w.tok(k).kind <= tQuoted) && w.is(k+1, ".") && w.tok(k+2).kind <= tSymbol && !w.is(k+2, "*") && !w.is(k+2, "_") && !w.is(k+2, "given") {
			k += 2
		}
		if k >= end || w.tok(k).kind > tQuoted {
			return max(k, i+1)
		}
		pathEnd := k + 1 // the module and the name
		var names []selector
		at := map[string]int{}
		switch {
		case w.is(k+1, ".") && w.is(k+2, "{"):
			stop := w.closeOf(k + 2)
			names = w.selectors(k+3, stop, at)
			k = stop + 1
		case w.is(k+1, ".") && (w.is(k+2, "*") || w.is(k+2, "_") || w.is(k+2, "given")):
			names = []selector{{name: "*"}}
			if w.is(k+2, "given") {
				names[0].name = "given"
			}
			k += 3
			if w.is(k-1, "given") && k < end && w.isWord(k) && !w.tok(k).nl {
				next := w.skipType(k, end)
				w.types(k, next, facts.RefType)
				k = next
			}
		default:
			s := selector{name: w.name(k)}
			at[s.name] = k
			if (w.is(k+1, "as") || w.isArrow(k+1)) && w.tok(k+2).kind <= tQuoted && !w.tok(k+1).nl {
				s.alias = w.name(k + 2)
				pathEnd = k + 1
				k += 2
			}
			names = []selector{s}
			if pathEnd-2 > path {
				pathEnd -= 2
			} else {
				pathEnd = path // a name alone: import cats
			}
			k++
		}
		module := strings.ReplaceAll(w.sign(from, pathEnd), "`", "")
		w.bring(module, names, at, w.tok(i).start, export)
		if !w.is(k, ",") || k+1 >= end {
			return k
		}
		k++
	}
}

// bring reports what a clause brings in.
func (w *walker) bring(module string, names []selector, at map[string]int, start uint32, export bool) {
	imp := facts.Import{Module: module}
	if export {
		imp.Flags |= facts.ImportReexport
	}
	for _, s := range names {
		if k, ok := at[s.name]; ok {
			w.b.Reference(facts.RefImport, s.name, module, w.tok(k).start)
		}
		if s.alias == "_" {
			continue // hidden
		}
		imp.Names = append(imp.Names, facts.ImportedName{Name: s.name, Alias: s.alias})
		if export && s.name != "given" {
			e := facts.Export{Name: s.name, Module: module}
			if s.alias != "" {
				e.Name, e.Local = s.alias, s.name
			}
			w.b.Export(e)
		}
	}
	if module == "" && len(names) == 1 {
		imp.Module, imp.Alias, imp.Names = names[0].name, names[0].alias, nil
	}
	if len(imp.Names) == 0 && module != "" {
		return
	}
	w.b.Import(imp, start)
}

// selectors reads {A, B => C, D as E, given, _}.
func (w *walker) selectors(i, end int, at map[string]int) []selector {
	var out []selector
	for k := i; k < end; k++ {
		s := selector{}
		switch {
		case w.is(k, "_") || w.is(k, "*"):
			s.name = "*"
		case w.is(k, "given"):
			s.name = "given"
		case w.isName(k):
			s.name = w.name(k)
			at[s.name] = k
		}
		if (w.isArrow(k+1) || w.is(k+1, "as")) && k+2 < end {
			s.alias = w.name(k + 2)
			k += 2
		}
		if s.name != "" {
			out = append(out, s)
		}
		for k < end && !w.is(k, ",") {
			k++
		}
	}
	return out
}
