package cfamily

import (
	"fmt"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"

	"github.com/rogpeppe/go-internal/txtar"
)

// BenchmarkResolve resolves the programs of the archives, many times over in
// packages of their own, from scratch each time.
func BenchmarkResolve(b *testing.B) {
	var files []txtar.File
	for copies := range 40 {
		for _, name := range sortedNames(archives(b)) {
			for _, f := range archives(b)[name].Files {
				files = append(files, txtar.File{Name: fmt.Sprintf("copy%d/%s/%s", copies, name, f.Name), Data: f.Data})
			}
		}
	}
	p, full := program(files), details(files)
	var lines uint32
	var order []*facts.File
	for i := range p.Files {
		lines += p.Files[i].File.Lines
		order = append(order, full[p.Files[i].Path])
	}
	b.ResetTimer()
	for range b.N {
		r := New(p)
		for doc, f := range order {
			r.Resolve(doc, f, &edges.Uses{}, nil)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)*10_000/float64(lines), "ms/10k-lines")
}
