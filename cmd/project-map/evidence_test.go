package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	bindings "github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/proto"

	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/store"
)

// scip TEXT INDEX writes a SCIP index. Lines of the text are "file PATH", and
// below it "def|ref LINE:START-END SYMBOL" (from 0, in bytes), "doc SYMBOL TEXT",
// "implements SYMBOL SYMBOL" and "fault LINE MESSAGE".
func scipCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: scip text index")
	}
	index := &bindings.Index{Metadata: &bindings.Metadata{ToolInfo: &bindings.ToolInfo{Name: "scip-test", Version: "1"}, ProjectRoot: "file:///build/x"}}
	var doc *bindings.Document
	for _, line := range strings.Split(ts.ReadFile(args[0]), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		var l, from, to int32
		switch word {
		case "":
		case "file":
			doc = &bindings.Document{RelativePath: rest, PositionEncoding: bindings.PositionEncoding_UTF8CodeUnitOffsetFromLineStart}
			index.Documents = append(index.Documents, doc)
		case "def", "ref":
			place, symbol, _ := strings.Cut(rest, " ")
			if _, err := fmt.Sscanf(place, "%d:%d-%d", &l, &from, &to); err != nil {
				ts.Fatalf("%s: %v", line, err)
			}
			o := &bindings.Occurrence{TypedRange: onLine(l, from, to).AsTypedRange(), Symbol: symbol}
			if word == "def" {
				o.SymbolRoles = int32(bindings.SymbolRole_Definition)
			}
			doc.Occurrences = append(doc.Occurrences, o)
		case "doc", "implements":
			symbol, text, _ := strings.Cut(rest, "|")
			info := &bindings.SymbolInformation{Symbol: symbol}
			if word == "doc" {
				info.Documentation = []string{text}
			} else {
				info.Relationships = []*bindings.Relationship{{Symbol: text, IsImplementation: true}}
			}
			doc.Symbols = append(doc.Symbols, info)
		case "fault":
			if _, err := fmt.Sscanf(rest, "%d", &l); err != nil {
				ts.Fatalf("%s: %v", line, err)
			}
			_, message, _ := strings.Cut(rest, " ")
			doc.Occurrences = append(doc.Occurrences, &bindings.Occurrence{
				TypedRange: onLine(l, 0, 1).AsTypedRange(), Diagnostics: []*bindings.Diagnostic{{Severity: bindings.Severity_Error, Message: message, Source: "compiler"}},
			})
		default:
			ts.Fatalf("%s: no such line", line)
		}
	}
	data, err := proto.Marshal(index)
	ts.Check(err)
	writeBytes(ts, args[1], data)
}

func onLine(line, from, to int32) bindings.Range {
	return bindings.Range{Start: bindings.Position{Line: line, Character: from}, End: bindings.Position{Line: line, Character: to}}
}

// edges lists where the references of a file lead, and what tools found in it.
func edgesCmd(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 {
		ts.Fatalf("usage: edges path [want]...")
	}
	s, err := store.Open(ts.MkAbs(store.DirName))
	ts.Check(err)
	defer s.Close()
	refs, err := s.References()
	ts.Check(err)
	doc, ok := s.Catalog.DocByPath(args[0])
	if !ok {
		ts.Fatalf("%s is not in the store", args[0])
	}
	name := func(d, symbol int) string {
		list := s.Catalog.SymbolsOf(d)
		if symbol < len(list) {
			return s.Catalog.Path(d) + " " + list[symbol].Name
		}
		return s.Catalog.Path(d) + " extra " + refs.Extras(d)[symbol-len(list)].Name
	}
	got := []string{refs.Resolution(doc).String()}
	for _, x := range refs.Sites(doc) {
		got = append(got, fmt.Sprintf("%d -> %s %s", x.Line, name(int(x.Doc), int(x.Symbol)), x.Mark))
	}
	for i := range s.Catalog.SymbolsOf(doc) {
		d := store.Definition{Doc: doc, Symbol: i}
		for _, b := range refs.Bases(d) {
			got = append(got, fmt.Sprintf("%s > %s %s", name(doc, i), name(b.Doc, b.Symbol), b.Mark))
		}
		if n, ok := refs.Note(d); ok {
			got = append(got, fmt.Sprintf("%s says %s%s", name(doc, i), n.Signature, n.Doc))
		}
	}
	for _, f := range refs.Findings(doc) {
		got = append(got, fmt.Sprintf("%d-%d %s %s %s: %s", f.Line, f.EndLine, f.Level, f.Tool, f.Rule, f.Message))
	}
	for _, want := range args[1:] {
		if found := contains(got, want); found == neg {
			ts.Fatalf("%q is there: %v\n%s", want, found, strings.Join(got, "\n"))
		}
	}
	if len(args) == 1 {
		ts.Logf("%s", strings.Join(got, "\n"))
	}
}

// spoil NAME damages a file of the current generation.
func spoilCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: spoil name")
	}
	gen := strings.TrimSpace(ts.ReadFile(store.DirName + "/current"))
	name := ts.MkAbs(store.DirName + "/" + gen + "/" + args[0])
	data, err := os.ReadFile(name)
	ts.Check(err)
	data[len(data)/2] ^= 0x40
	ts.Check(os.WriteFile(name, data, 0o644))
}

func contains(list []string, want string) bool {
	for _, s := range list {
		if s == want {
			return true
		}
	}
	return false
}

// A pattern of the configuration cannot lead out of the work tree, through a link
// or otherwise.
func TestEvidencePatterns(t *testing.T) {
	for _, p := range []string{"../x.scip", "/etc/x.scip", "a/../../x.scip", "."} {
		if _, err := parseConfig("scip: [\"" + p + "\"]\n"); err == nil {
			t.Errorf("%s is taken", p)
		}
	}
	c, err := parseConfig("scip: [\"**/*.scip\", index.scip]\nsarif: [reports/*.sarif]\n")
	if err != nil || len(c.SCIP) != 2 || len(c.SARIF) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

func parseConfig(text string) (*config.Config, error) { return config.Parse([]byte(text)) }

func writeBytes(ts *testscript.TestScript, name string, data []byte) {
	ts.Check(os.WriteFile(ts.MkAbs(name), data, 0o644))
}
