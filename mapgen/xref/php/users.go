package php

import (
	"strings"

	"github.com/project-map/project-map/mapgen/xref/edges"
)

const (
	// maxUsers bounds the classes that use one trait, maxUserDepth through how
	// many traits they are looked for, maxUserMembers how many definitions of one
	// name tell something.
	maxUsers       = 120
	maxUserDepth   = 4
	maxUserMembers = 5
)

// usersOf are the classes and traits that use a trait.
func (r *Resolver) usersOf(trait def, uses *edges.Uses) []def {
	return r.users.Get(trait, uses, func(uses *edges.Uses) []def {
		uses.Doc(int(trait.doc))
		base := strings.ToLower(r.symbol(trait).Name)
		uses.Key(baseKey + base)
		var out []def
		for _, d := range r.byBase[base] {
			if d == trait || len(out) == maxUsers {
				continue
			}
			uses.Doc(int(d.doc))
			for _, b := range r.symbol(d).Bases {
				if !strings.EqualFold(lastPart(b), base) || strings.HasPrefix(b, mixin) {
					continue
				}
				if list := r.classes(d.doc, b, uses); len(list) > 0 && list[0] == trait {
					out = append(out, d)
					break
				}
			}
		}
		return out
	})
}

// throughUsers are the members of a name that the users of a trait have. All are
// meant: the trait runs in each of them.
func (r *Resolver) throughUsers(trait def, n key, uses *edges.Uses) []found {
	return r.through.Get(memberName{trait, n}, uses, func(uses *edges.Uses) []found {
		var list []def
		level, seen := []def{trait}, map[def]bool{trait: true}
		for range maxUserDepth {
			var next []def
			for _, t := range level {
				for _, u := range r.usersOf(t, uses) {
					if seen[u] {
						continue
					}
					seen[u] = true
					members := r.members(u, n, uses)
					for _, m := range members {
						list = append(list, m.def)
					}
					if len(members) == 0 && r.isTrait(u) {
						next = append(next, u)
					}
				}
			}
			if len(next) == 0 || len(next) > maxUsers {
				break
			}
			level = next
		}
		list = distinct(list)
		if len(list) > maxUserMembers {
			return nil
		}
		var out []found
		for _, d := range list {
			out = append(out, found{def: d, weak: true, rule: ruleUser})
		}
		return out
	})
}
