package bundle

import (
	"cmp"
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/ranker"
)

const (
	// besideFiles is how many of the likely files have their neighbours named,
	// and neighboursShown how many of each kind.
	besideFiles     = 2
	neighboursShown = 3
	// maxUsed bounds the definitions that are looked at of what a file uses.
	maxUsed = 300
)

// beside is what is nearest to a likely file along references, without tests and
// without what is listed as likely.
type beside struct {
	Path         string
	Uses, UsedBy []string
}

// neighbours names what the first likely files use and what uses them. A
// definition counts by how few files use it: what one file alone uses belongs to
// it, what all use says nothing.
func (s *selection) neighbours(c *store.Catalog, refs *store.References) []beside {
	if s.confidence == ranker.Low || refs == nil || refs.NumDocs() != c.NumDocs() {
		return nil
	}
	listed := map[int]bool{}
	for i := range s.files {
		listed[s.files[i].doc] = true
	}
	show := func(weight map[int]float64) []string {
		docs := make([]int, 0, len(weight))
		for doc := range weight {
			if d := c.Doc(doc); !listed[doc] && d.Nature == facts.Code && !d.Role.Has(facts.RoleTest) && !d.Role.Has(facts.RoleExample) {
				docs = append(docs, doc)
			}
		}
		slices.SortFunc(docs, func(a, b int) int { return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b)) })
		var out []string
		for _, doc := range docs[:min(len(docs), neighboursShown)] {
			if weight[doc] < weight[docs[0]]/5 {
				break
			}
			out = append(out, name(c.Path(doc)))
		}
		return out
	}
	var out []beside
	for i := range s.files {
		f := &s.files[i]
		if len(out) == besideFiles || f.about.Nature != facts.Code || f.about.Role.Has(facts.RoleTest) || f.state == Deleted {
			continue
		}
		uses, users := map[int]float64{}, map[int]float64{}
		seen := map[store.Definition]bool{}
		for _, x := range refs.Sites(f.doc) {
			d := store.Definition{Doc: int(x.Doc), Symbol: int(x.Symbol)}
			if d.Doc == f.doc || x.Mark < edges.Likely || seen[d] {
				continue
			}
			if len(seen) == maxUsed {
				break
			}
			seen[d] = true
			uses[d.Doc] += 1 / float64(max(1, len(refs.Users(d))))
		}
		for _, by := range refs.UsersIn(f.doc) {
			for _, doc := range by {
				if doc != f.doc {
					users[doc] += 1 / float64(len(by))
				}
			}
		}
		if b := (beside{Path: name(f.path), Uses: show(uses), UsedBy: show(users)}); len(b.Uses)+len(b.UsedBy) > 0 {
			out = append(out, b)
		}
	}
	return out
}
