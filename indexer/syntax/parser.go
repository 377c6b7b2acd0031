package syntax

/*
#cgo !windows LDFLAGS: -lpthread
#include "parse.h"
*/
import "C"

import (
	"fmt"
	"math"
	"sync"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// Grammar is a compiled grammar with its node and field names.
type Grammar struct {
	ptr    unsafe.Pointer
	kinds  []string
	fields []string
	byName map[string]uint8
}

var installAllocator = sync.OnceFunc(func() { C.pm_install_allocator() })

// NewGrammar wraps a grammar of the binding. The first call puts tree-sitter's
// memory under the budget, so no parser of the binding itself may be older. It
// panics when the binding's type
// is no longer a single pointer, which a new version of it could bring; the
// tests of the languages would not pass then.
func NewGrammar(l *sitter.Language) *Grammar {
	if unsafe.Sizeof(*l) != unsafe.Sizeof(uintptr(0)) {
		panic("syntax: the tree-sitter binding changed its Language type")
	}
	installAllocator()
	g := &Grammar{ptr: *(*unsafe.Pointer)(unsafe.Pointer(l))}
	if v := C.pm_language_version(g.ptr); v < 9 || v > 20 {
		panic(fmt.Sprintf("syntax: implausible grammar version %d", v))
	}
	n := int(C.pm_symbol_count(g.ptr))
	g.kinds = make([]string, n)
	for i := range g.kinds {
		g.kinds[i] = C.GoString(C.pm_symbol_name(g.ptr, C.uint16_t(i)))
	}
	m := int(C.pm_field_count(g.ptr))
	if m > math.MaxUint8 {
		panic(fmt.Sprintf("syntax: %d fields do not fit a node", m))
	}
	g.fields = make([]string, m+1)
	g.byName = make(map[string]uint8, m)
	for i := 1; i <= m; i++ {
		g.fields[i] = C.GoString(C.pm_field_name(g.ptr, C.uint16_t(i)))
		g.byName[g.fields[i]] = uint8(i)
	}
	return g
}

func (g *Grammar) kindName(id uint16) string {
	if int(id) < len(g.kinds) {
		return g.kinds[id]
	}
	return "ERROR"
}

func (g *Grammar) fieldName(id uint8) string {
	if int(id) < len(g.fields) {
		return g.fields[id]
	}
	return ""
}

func (g *Grammar) fieldID(name string) (uint8, bool) {
	id, ok := g.byName[name]
	return id, ok
}

// KindSet is a set of node kinds, compiled for fast membership.
type KindSet []bool

// Kinds compiles a set of kind names; a name may belong to several symbols of
// the grammar (named and anonymous). Names the grammar lacks are ignored.
func (g *Grammar) Kinds(names ...string) KindSet {
	set := make(KindSet, len(g.kinds))
	for _, want := range names {
		for i, k := range g.kinds {
			if k == want {
				set[i] = true
			}
		}
	}
	return set
}

// Has tells whether the node's kind is in the set.
func (s KindSet) Has(n Node) bool {
	id := n.KindID()
	return int(id) < len(s) && s[id]
}

// chunk is how many bytes of text the lexer gets at a time.
const chunk = C.PM_CHUNK

// usage is what a parse took: bytes allocated, not counting what was freed, and
// chunks of text read.
type usage struct{ allocated, reads uint64 }

// budget is what parsing a text of n bytes may take.
//
// Measured over 16,000 files of 18 repositories, Go, Python, JavaScript,
// TypeScript and TSX alike: 5 kB for an empty text, then 30 to 45 bytes a byte
// in the median and at most 101 (a table of data), and 1.0 to 3.3 times the
// text read. Texts made to hurt take over 450 bytes a byte, or read themselves
// hundreds of times. With this budget none of them takes more than a few
// seconds or 300 MB for a megabyte.
func budget(n int) usage {
	return usage{allocated: 32<<20 + 200*uint64(n), reads: 1000 + 20*uint64(n)/chunk}
}

// Parse parses a text of at most 1<<31 bytes. The tree keeps source, which
// must not change afterwards. It returns ErrBudget when the text would take
// more memory than its size allows.
func Parse(g *Grammar, source []byte) (*Tree, error) {
	t, _, err := parseWithin(g, source, budget(len(source)))
	return t, err
}

// ParsePart parses source[start:end] alone. The offsets of the tree are those of
// the whole source, which it keeps.
func ParsePart(g *Grammar, source []byte, start, end uint32) (*Tree, error) {
	t, err := Parse(g, source[start:end:end])
	if err != nil {
		return nil, err
	}
	for i := range t.nodes {
		t.nodes[i].start += start
		t.nodes[i].end += start
	}
	t.Source = source
	return t, nil
}

func parseWithin(g *Grammar, source []byte, limit usage) (*Tree, usage, error) {
	if len(source) > math.MaxInt32 {
		return nil, usage{}, fmt.Errorf("parse %d bytes: %w", len(source), ErrBudget)
	}
	var p *C.char
	if len(source) > 0 {
		p = (*C.char)(unsafe.Pointer(unsafe.SliceData(source)))
	}
	r := C.pm_parse(g.ptr, p, C.uint32_t(len(source)), C.uint64_t(limit.allocated), C.uint64_t(limit.reads))
	used := usage{uint64(r.allocated), uint64(r.reads)}
	switch r.status {
	case 0:
	case 1:
		return nil, used, fmt.Errorf("parse %d bytes: %w", len(source), ErrBudget)
	case 3:
		return nil, used, fmt.Errorf("parse %d bytes: no thread for the parser", len(source))
	default:
		return nil, used, fmt.Errorf("parse %d bytes: the parser gave no tree", len(source))
	}
	defer C.pm_free(r.nodes)
	nodes := make([]node, int(r.count))
	copy(nodes, unsafe.Slice((*node)(unsafe.Pointer(r.nodes)), int(r.count)))
	return &Tree{Source: source, nodes: nodes, grammar: g}, used, nil
}
