package ranker

import (
	"reflect"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker/query"
)

// TestGeneratedDefinitionsDoNotRank compares answers with and without the outline
// of a generated file.
func TestGeneratedDefinitionsDoNotRank(t *testing.T) {
	symbols := append(symbolsOf(facts.KindStruct, "", "FrameHeader", "Codec"), methods("FrameHeader", "GetSize")...)
	build := func(outline bool) *store.Catalog {
		texts := []struct{ path, text string }{
			{"api/frame.pb.go", "FrameHeader Codec GetSize frame header size"},
			{"codec/codec.go", "Codec writes the frame header of a given size"},
			{"codec/reader.go", "frame size"},
		}
		var paths []string
		for _, x := range texts {
			paths = append(paths, x.path)
		}
		b := store.NewBuilder(paths)
		shard := b.NewShard()
		for i, x := range texts {
			f := &facts.File{Language: "go", Family: "go", Nature: facts.Code, Depth: facts.Parsed, Size: 1000, Lines: 50}
			role := facts.Role(0)
			switch {
			case i > 0:
				f.Package, f.Symbols = "codec", symbolsOf(facts.KindStruct, "", "Codec")
			default:
				f.Depth, f.Reason, role = facts.Words, facts.ReasonGenerated, facts.RoleGenerated
				if outline {
					f.Package, f.Symbols = "proto", symbols
				}
			}
			for _, w := range words.Of(x.text) {
				shard.AddTerm(i, w, [facts.NumFields]uint16{facts.FieldBody: 1})
				f.FieldLengths[facts.FieldBody]++
			}
			b.Set(i, &facts.Entry{Path: x.path, Role: role, File: f})
		}
		data, err := b.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		c, err := store.OpenCatalog(data)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	with, without := build(true), build(false)
	if len(with.SymbolsNamed("FrameHeader")) != 1 || len(without.SymbolsNamed("FrameHeader")) != 0 {
		t.Fatal("the catalogs do not differ in what they define")
	}
	names := fakeNames{"FrameHeadr": {{Name: "FrameHeader", Score: 1}}, "FrameHeader": {{Name: "Codec", Score: .5}}}
	for _, q := range []string{
		"FrameHeader", "FrameHeader.GetSize", "proto.Codec", "Codec", "FrameHeadr", "GetSize", "the size of a frame header is wrong",
		"Codec fails on FrameHeader\n\n```\napi.FrameHeader.GetSize()\n```", "get size of the frame header",
	} {
		a, b := New(with, Options{Names: names}).Rank(query.Parse(q)), New(without, Options{Names: names}).Rank(query.Parse(q))
		if len(a.Files) == 0 {
			t.Errorf("%q finds nothing", q)
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%q: with the outline %+v, without %+v", q, a, b)
		}
	}
}
