package ranker

import (
	"math"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
)

// Parameters of BM25F. A word of the path, the name or a definition says three
// times as much as one of the body; names are short by nature, so their length
// is normalised less.
var (
	fieldWeight = [store.NumFields]float64{
		store.FieldDefs: 3, store.FieldDoc: 1, store.FieldStrings: 1, store.FieldImports: 1, store.FieldBody: 1,
		store.FieldPath: 3, store.FieldName: 3,
	}
	fieldB = [store.NumFields]float64{
		store.FieldDefs: .6, store.FieldDoc: .7, store.FieldStrings: .7, store.FieldImports: .5, store.FieldBody: .7,
		store.FieldPath: .3, store.FieldName: .3,
	}
)

const (
	// saturation is k1 of the whole: the weighted frequency that counts half.
	saturation = 2
	// fieldSaturation is k1 of a single field.
	fieldSaturation = 1.2
)

// corpus is what ranking needs of every document, by the document's number.
type corpus struct {
	cat *store.Catalog
	n   int

	paths []string
	roles []facts.Role
	dirs  []int32
	// families are numbers of language families; 0 is none.
	families []uint8
	names    []string // of families
	// noise marks files that nobody edits: vendored, generated, minified.
	noise []bool
	// share is the square root of a family's part of the product code,
	// relative to the largest: 1 for the main language.
	share []float64
	// norm is the factor for the length of a field of a document.
	norm [store.NumFields][]float32

	purposes []purpose
	packages []string // declared package of each document, lower case
	// lookedUp marks generated files, whose definitions are there for look-ups and
	// are not ranked by: their words stand for them.
	lookedUp []bool

	places   func() *places
	past     func() *past
	dirWords func() []map[string]bool
}

func newCorpus(c *store.Catalog) *corpus {
	n := c.NumDocs()
	k := &corpus{
		cat: c, n: n,
		paths: make([]string, n), roles: make([]facts.Role, n), dirs: make([]int32, n),
		families: make([]uint8, n), noise: make([]bool, n), purposes: make([]purpose, n), packages: make([]string, n), lookedUp: make([]bool, n),
	}
	k.past = sync.OnceValue(k.newPast)
	k.places = sync.OnceValue(func() *places { return newPlaces(k) })
	k.dirWords = sync.OnceValue(func() []map[string]bool { return wordsOfDirs(c.Dirs()) })

	lengths := make([][store.NumFields]uint32, n)
	var total [store.NumFields]float64
	numbers := map[string]uint8{"": 0}
	k.names = []string{""}
	sizes := make([]float64, n)
	known := false
	for i := range n {
		d := c.Doc(i)
		k.paths[i], k.roles[i], k.dirs[i] = d.Path, d.Role, int32(max(d.Dir, 0))
		k.purposes[i] = purposeOf(d.Language, d.Path)
		if k.lookedUp[i] = d.Aside(); !k.lookedUp[i] {
			k.packages[i] = strings.ToLower(d.Package)
		}
		k.noise[i] = d.Role&(facts.RoleVendored|facts.RoleGenerated) != 0 || d.Reason == facts.ReasonMinified
		fam := d.Family
		id, ok := numbers[fam]
		if !ok && len(k.names) < math.MaxUint8 {
			id = uint8(len(k.names))
			numbers[fam] = id
			k.names = append(k.names, fam)
		}
		k.families[i] = id
		// A single huge file says little about what the project is written in.
		sizes[i] = float64(min(d.Size, 100_000))
		known = known || d.Size > 0
		lengths[i] = d.Lengths
		for f, l := range d.Lengths {
			total[f] += float64(l)
		}
	}
	k.learnShares(sizes, known)
	for f := range k.norm {
		k.norm[f] = make([]float32, n)
		mean := max(total[f]/float64(max(n, 1)), 1e-9)
		for i := range n {
			k.norm[f][i] = float32(1 / (1 - fieldB[f] + fieldB[f]*float64(lengths[i][f])/mean))
		}
	}
	return k
}

// ranked drops the definitions that are not ranked by, in place.
func (k *corpus) ranked(symbols []store.Symbol) []store.Symbol {
	return slices.DeleteFunc(symbols, func(s store.Symbol) bool { return k.lookedUp[s.Doc] })
}

// notProduct are the roles of files that are not what the project is.
const notProduct = facts.RoleTest | facts.RoleDoc | facts.RoleExample | facts.RoleVendored |
	facts.RoleGenerated | facts.RoleLocale | facts.RoleConfig | facts.RoleBuild

// learnShares finds out what the project is written in. Bytes of product code
// are as good a measure as anything cleverer. Without sizes, as in a catalog
// made from artifacts, every file counts the same.
func (k *corpus) learnShares(sizes []float64, known bool) {
	bytes := make([]float64, len(k.names))
	for i, f := range k.families {
		switch {
		case f == 0 || k.roles[i]&notProduct != 0 || k.noise[i]:
		case known:
			bytes[f] += sizes[i]
		default:
			bytes[f]++
		}
	}
	top := 0.0
	for _, b := range bytes {
		top = max(top, b)
	}
	k.share = make([]float64, len(bytes))
	if top > 0 {
		for f, b := range bytes {
			k.share[f] = math.Sqrt(b / top)
		}
	}
}

// places finds documents and directories by the ends of their paths. Keys are
// in lower case.
type places struct {
	byBase map[string][]int32 // last component
	byStem map[string][]int32 // last component without extension
	dirs   map[string][]int32 // last component of a directory
	inDir  [][]int32          // documents directly in a directory
	// asides are files that are no code, by the first part of their name without
	// marks: "mockery" for .mockery.yml, "npm" for .npmrc.
	asides map[string][]int32
}

func newPlaces(k *corpus) *places {
	p := &places{byBase: make(map[string][]int32, k.n), byStem: make(map[string][]int32, k.n), dirs: map[string][]int32{}, asides: map[string][]int32{}}
	dirs := k.cat.Dirs()
	p.inDir = make([][]int32, len(dirs))
	for i, s := range k.paths {
		base := strings.ToLower(s[strings.LastIndexByte(s, '/')+1:])
		p.byBase[base] = append(p.byBase[base], int32(i))
		if stem := strings.TrimSuffix(base, path.Ext(base)); stem != base && stem != "" {
			p.byStem[stem] = append(p.byStem[stem], int32(i))
		}
		if k.families[i] == 0 && !k.noise[i] {
			name, _, _ := strings.Cut(strings.TrimLeft(base, "._"), ".")
			p.asides[name] = append(p.asides[name], int32(i))
			if tool := strings.TrimSuffix(name, "rc"); tool != name {
				p.asides[tool] = append(p.asides[tool], int32(i))
			}
		}
		if d := int(k.dirs[i]); d < len(p.inDir) {
			p.inDir[d] = append(p.inDir[d], int32(i))
		}
	}
	for i, d := range dirs {
		if d.Path != "" {
			base := strings.ToLower(d.Path[strings.LastIndexByte(d.Path, '/')+1:])
			p.dirs[base] = append(p.dirs[base], int32(i))
		}
	}
	return p
}
