package sarif

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

func readAll(data string, limits Limits, roots ...string) (results []*Result, r *Reader, err error) {
	if r, err = NewReader("test.sarif", strings.NewReader(data), roots, limits); err != nil {
		return nil, nil, err
	}
	for one, err := range r.Results() {
		if err != nil {
			return results, r, err
		}
		results = append(results, one)
	}
	return results, r, nil
}

func must(t *testing.T, data string, roots ...string) ([]*Result, *Reader) {
	t.Helper()
	results, r, err := readAll(data, DefaultLimits, roots...)
	if err != nil {
		t.Fatal(err)
	}
	return results, r
}

// report wraps runs.
func report(runs ...string) string {
	return `{"version": "2.1.0", "$schema": "x", "runs": [` + strings.Join(runs, ",") + `]}`
}

// at is a location on a line.
func at(uri string, line int) string {
	return fmt.Sprintf(`{"physicalLocation": {"artifactLocation": {"uri": %q}, "region": {"startLine": %d}}}`, uri, line)
}

func lines(n ...int32) Region {
	return Region{Unit: Lines, StartLine: n[0], StartColumn: n[1], EndLine: n[2], EndColumn: n[3]}
}

// What the reports of real tools look like, each with its peculiarity.
func TestProducers(t *testing.T) {
	tests := []struct {
		name, in string
		roots    []string
		want     []Result
	}{
		{"staticcheck: no level, %SRCROOT% that is nowhere defined", `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Staticcheck","version":"2026.1",
			"rules":[{"id":"SA1000","shortDescription":{"text":"Bad regexp"},"help":{"text":"long"},"helpUri":"https://staticcheck.dev/docs/checks#SA1000","defaultConfiguration":{"enabled":true,"level":"error"}}]}},
			"invocations":[{"arguments":["-f","sarif"],"workingDirectory":{"uri":"file:///ci/shop"},"executionSuccessful":true}],
			"results":[{"ruleId":"SA1000","ruleIndex":0,"kind":"fail","message":{"text":"error parsing regexp: {0}"},
			"locations":[{"physicalLocation":{"artifactLocation":{"uri":"store/my%20store.go","uriBaseId":"%SRCROOT%","index":-1},"region":{"startLine":3,"startColumn":7,"endLine":3,"endColumn":9}}}]}]}]}`,
			nil, []Result{{Tool: Tool{"Staticcheck", "2026.1"}, Level: LevelError, Message: "error parsing regexp: {0}",
				Rule:     Rule{ID: "SA1000", Short: "Bad regexp", HelpURI: "https://staticcheck.dev/docs/checks#SA1000"},
				Location: Location{Path: "store/my store.go", Region: lines(3, 7, 3, 9)}}}},
		{"eslint: absolute file uris, artifacts before results", report(`{"tool":{"driver":{"name":"ESLint","rules":[{"id":"no-var","helpUri":"https://eslint.org/no-var","properties":{"category":"x"},"shortDescription":{"text":"require let"}}],"version":"9.1.0"}},
			"artifacts":[{"location":{"uri":"file:///home/me/shop/src/a.js"}}],
			"results":[{"level":"error","message":{"text":"Unexpected var."},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///home/me/shop/src/a.js","index":0},"region":{"startLine":2,"startColumn":1,"endLine":2,"endColumn":11,"snippet":{"text":"var x = 1;"}}}}],"ruleId":"no-var","ruleIndex":0,
			"suppressions":[{"kind":"inSource","justification":"old"}]}]}`),
			[]string{"/home/me/shop/"}, []Result{{Tool: Tool{"ESLint", "9.1.0"}, Level: LevelError, Message: "Unexpected var.", Suppressed: true,
				Rule:     Rule{ID: "no-var", Short: "require let", HelpURI: "https://eslint.org/no-var"},
				Location: Location{Path: "src/a.js", Region: lines(2, 1, 2, 11)}}}},
		{"golangci-lint: no rules, start only, a version without a number", report(`{"tool":{"driver":{"name":"golangci-lint"}},"results":[{"ruleId":"errcheck","level":"error","message":{"text":"not checked"},
			"locations":[{"physicalLocation":{"artifactLocation":{"uri":"cmd\\shop\\main.go","index":0},"region":{"startLine":14,"startColumn":8}}}]}]}`),
			nil, []Result{{Tool: Tool{Name: "golangci-lint"}, Level: LevelError, Message: "not checked", Rule: Rule{ID: "errcheck"},
				Location: Location{Path: "cmd/shop/main.go", Region: lines(14, 8, 14, 0)}}}},
		{"CodeQL: rules of an extension by index, links, hashes, a base defined behind the results", report(`{"columnKind":"utf16CodeUnits","tool":{"driver":{"name":"CodeQL","semanticVersion":"2.20.0","rules":[]},
			"extensions":[{"name":"codeql/base","rules":[]},{"name":"codeql/go-queries","semanticVersion":"1.2","rules":[{"id":"go/x"},{"id":"go/sql-injection","name":"go/sql-injection","shortDescription":{"text":"Query from user"},"defaultConfiguration":{"enabled":true,"level":"error"},"properties":{"security-severity":"8.8"}}]}]},
			"artifacts":[{"location":{"uri":"db/q.go","uriBaseId":"%SRCROOT%","index":0}},{"location":{"uri":"web/h.go","uriBaseId":"%SRCROOT%","index":1}}],
			"results":[{"ruleId":"go/sql-injection","ruleIndex":1,"rule":{"id":"go/sql-injection","index":1,"toolComponent":{"index":1}},"message":{"text":"This query depends on a [user-provided value](1), see [docs](https://x.y)."},
			"locations":[{"physicalLocation":{"artifactLocation":{"index":0},"region":{"startLine":20,"startColumn":5,"endColumn":12}}}],
			"partialFingerprints":{"primaryLocationStartColumnFingerprint":"3","primaryLocationLineHash":"ab:1"},
			"codeFlows":[{"threadFlows":[{"locations":[{"location":{}}]}]}],
			"relatedLocations":[{"id":1,"physicalLocation":{"artifactLocation":{"uri":"web/h.go","uriBaseId":"%SRCROOT%","index":1},"region":{"startLine":7}},"message":{"text":"user-provided value"}}]}],
			"versionControlProvenance":[{"repositoryUri":"https://x.y/z","revisionId":"c0ffee"}],"originalUriBaseIds":{"%SRCROOT%":{"uri":"file:///runner/shop/"}}}`),
			nil, []Result{{Tool: Tool{"CodeQL", "2.20.0"}, Level: LevelError, Message: "This query depends on a user-provided value, see [docs](https://x.y).", Columns: UTF16,
				Rule:         Rule{ID: "go/sql-injection", Name: "go/sql-injection", Short: "Query from user"},
				Location:     Location{Path: "db/q.go", Region: lines(20, 5, 20, 12)},
				Related:      []Location{{Path: "web/h.go", Region: lines(7, 1, 7, 0), Message: "user-provided value"}},
				Fingerprints: []Fingerprint{{"primaryLocationLineHash", "ab:1", true}, {"primaryLocationStartColumnFingerprint", "3", true}}}}},
		{"Semgrep: rules and version behind the results", `{"$schema":"x","runs":[{"invocations":[{"executionSuccessful":true,"toolExecutionNotifications":[]}],
			"results":[{"fingerprints":{"matchBasedId/v1":"f00_0"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"./app/views.py","uriBaseId":"%SRCROOT%"},"region":{"endColumn":10,"endLine":6,"snippet":{"text":"eval(x)"},"startColumn":3,"startLine":5}}}],"message":{"text":"Found eval"},"properties":{},"ruleId":"python.eval"}],
			"tool":{"driver":{"name":"Semgrep OSS","rules":[{"defaultConfiguration":{"level":"note"},"fullDescription":{"text":"Do not eval"},"help":{"text":"x"},"id":"python.eval","name":"python.eval"}],"semanticVersion":"1.90.0"}}}],"version":"2.1.0"}`,
			nil, []Result{{Tool: Tool{"Semgrep OSS", "1.90.0"}, Level: LevelNote, Message: "Found eval",
				Rule:         Rule{ID: "python.eval", Name: "python.eval", Short: "Do not eval"},
				Location:     Location{Path: "app/views.py", Region: lines(5, 3, 6, 10)},
				Fingerprints: []Fingerprint{{"matchBasedId/v1", "f00_0", false}}}}},
		{"Trivy: ROOTPATH, whole lines, a message for the place", report(`{"tool":{"driver":{"fullName":"Trivy","name":"Trivy","rules":[{"id":"AVD-1","name":"Misconfiguration","shortDescription":{"text":"open"},"defaultConfiguration":{"level":"warning"},"helpUri":"https://avd/1","help":{"text":"t","markdown":"m"}}],"version":"0.58.0"}},
			"results":[{"ruleId":"AVD-1","ruleIndex":0,"level":"error","message":{"text":"Artifact: main.tf"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"infra/main.tf","uriBaseId":"ROOTPATH"},"region":{"startLine":1,"startColumn":1,"endLine":4,"endColumn":1}},"message":{"text":"infra/main.tf"}}]}],
			"columnKind":"utf16CodeUnits","originalUriBaseIds":{"ROOTPATH":{"uri":"file:///"}}}`),
			[]string{"/home/me/shop"}, []Result{{Tool: Tool{"Trivy", "0.58.0"}, Level: LevelError, Message: "Artifact: main.tf", Columns: UTF16,
				Rule:     Rule{ID: "AVD-1", Name: "Misconfiguration", Short: "open", HelpURI: "https://avd/1"},
				Location: Location{Path: "infra/main.tf", Region: lines(1, 1, 4, 1), Message: "infra/main.tf"}}}},
		{"Roslyn: messages of the rule with arguments, a part of a rule, nulls", report(`{"tool":{"driver":{"name":"C#","dottedQuadFileVersion":"4.1.0.0","globalMessageStrings":{"g":{"text":"global {0}"}},
			"rules":[{"id":"CA1000","messageStrings":{"default":{"text":"{{{0}}} hides '{1}', {0} {2}"}}}]}},
			"results":[{"ruleId":"CA1000/1","level":null,"message":{"id":"default","arguments":["A","B"]},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.cs","uriBaseId":null},"region":{"charOffset":10,"charLength":4}}}]},
			{"message":{"id":"g","arguments":["X"]},"kind":"informational","rule":{"index":0},"fingerprints":null,"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.cs"},"region":{"byteOffset":3}}},{},{"physicalLocation":{"artifactLocation":{"uri":"b.cs"}}}]}]}`),
			nil, []Result{
				{Tool: Tool{"C#", "4.1.0.0"}, Message: "{A} hides 'B', A {2}", Rule: Rule{ID: "CA1000/1"}, Location: Location{Path: "a.cs", Region: Region{Unit: Characters, Start: 10, End: 14}}},
				{Tool: Tool{"C#", "4.1.0.0"}, Level: LevelNone, Message: "global X", Rule: Rule{ID: "CA1000"}, Location: Location{Path: "a.cs", Region: Region{Unit: Bytes, Start: 3, End: 3}}, Related: []Location{{Path: "b.cs"}}},
			}},
		{"an index that contradicts the name", report(`{"tool":{"driver":{"name":"T","rules":[{"id":"A","defaultConfiguration":{"level":"error"}},{"id":"B","name":"b","defaultConfiguration":{"level":"note"}}]}},
			"results":[{"ruleId":"B","ruleIndex":0,"message":{},"locations":[` + at("x", 1) + `]},{"ruleId":"C","ruleIndex":99,"message":{},"locations":[` + at("x", 2) + `]}]}`),
			nil, []Result{
				{Tool: Tool{Name: "T"}, Level: LevelNote, Message: "b", Rule: Rule{ID: "B", Name: "b"}, Location: Location{Path: "x", Region: lines(1, 1, 1, 0)}},
				{Tool: Tool{Name: "T"}, Message: "C", Rule: Rule{ID: "C"}, Location: Location{Path: "x", Region: lines(2, 1, 2, 0)}},
			}},
		{"a byte order mark, no results, rejected suppressions, a component by name", "\xef\xbb\xbf" + report(`{"tool":{"driver":{"name":"A"}},"results":null}`, `{"tool":{"driver":{"name":"B"}}}`, `{"tool":{"driver":{"name":"C"},"extensions":[{"name":"p","rules":[{"guid":"G","id":"r","name":"n"}]}]},"results":[]}`,
			`{"results":[{"message":{"markdown":"*m*"},"rule":{"guid":"g","toolComponent":{"name":"p"}},"suppressions":[{"status":"rejected"}],"locations":[`+at("x", 1)+`]}],"tool":{"driver":{"name":"D"},"extensions":[{"name":"p","rules":[{"guid":"G","id":"r","name":"n"}]}]}}`),
			nil, []Result{{Run: 3, Tool: Tool{Name: "D"}, Message: "*m*", Rule: Rule{ID: "r", Name: "n"}, Location: Location{Path: "x", Region: lines(1, 1, 1, 0)}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, r := must(t, test.in, test.roots...)
			if len(got) != len(test.want) || r.Refused() != nil {
				t.Fatalf("%d results, want %d; refused %v", len(got), len(test.want), r.Refused())
			}
			for i := range got {
				if !reflect.DeepEqual(*got[i], test.want[i]) {
					t.Errorf("got\n%+v, want\n%+v", *got[i], test.want[i])
				}
			}
		})
	}
}

func TestRuns(t *testing.T) {
	_, r := must(t, report(`{"tool":{"driver":{"name":"A","version":"1"}},"versionControlProvenance":[{"revisionId":"abc"},{"revisionId":"other"}]}`,
		`{"tool":{"driver":{"name":"B"}},"externalPropertyFileReferences":{"results":[{}]}}`))
	want := []Run{{Tool: Tool{"A", "1"}, Revision: "abc"}, {Tool: Tool{Name: "B"}, External: true}}
	if got := r.Runs(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestRefusals(t *testing.T) {
	one := func(rule, location string) string {
		return fmt.Sprintf(`{"ruleId":%q,"message":{"text":"m"},"locations":[%s]}`, rule, location)
	}
	results, r := must(t, report(`{"tool":{"driver":{"name":"T"}},"results":[`+strings.Join([]string{
		one("A", at("../x", 1)), one("B", at("https://x/y", 1)), one("C", ""), one("D", "{}"), one("E", at("/etc/passwd", 1)),
		`{"ruleId":"F","kind":"pass","message":{},"locations":[` + at("x", 1) + `]}`,
		`{"ruleId":"G","baselineState":"absent","message":{},"locations":[` + at("x", 1) + `]}`,
		one("H", `{"physicalLocation":{"artifactLocation":{"uri":"x","uriBaseId":"EXE"}}}`),
		one("I", at("a\nb", 1)),
		one("J", `{"physicalLocation":{"artifactLocation":{"index":7}}}`),
		one("K", at("../x", 1)+","+at("ok", 2)),
		`{"ruleId":"L","message":{},"relatedLocations":[` + at("x", 1) + `]}`,
		one("M", at(strings.Repeat("x/", maxURI), 1)),
	}, ",")+`]}`))
	if len(results) != 1 || results[0].Rule.ID != "K" || results[0].Location.Path != "ok" || results[0].Related != nil {
		t.Errorf("results %+v", results)
	}
	got := r.Refused()
	for i := range got {
		for j, s := range got[i].Samples {
			got[i].Samples[j] = cut(s, 20)
		}
	}
	want := []Refusal{
		{NoLocation, 3, []string{"C", "D", "L"}},
		{OutsideRepository, 2, []string{"../x", "/etc/passwd"}},
		{UnknownBase, 1, []string{"x"}},
		{NotAFile, 1, []string{"https://x/y"}},
		{BadURI, 3, []string{"a\nb", "J", strings.Repeat("x/", 10) + "…"}},
		{NoFinding, 2, []string{"F", "G"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%v, want\n%v", got, want)
	}
}

func TestKey(t *testing.T) {
	base := Result{Tool: Tool{"T", "1"}, Rule: Rule{ID: "r"}, Message: "m", Location: Location{Path: "p", Region: lines(1, 1, 1, 0)}}
	change := func(f func(r *Result)) *Result {
		r := base
		f(&r)
		return &r
	}
	whole, part := []Fingerprint{{"a", "1", false}, {"b", "2", true}}, []Fingerprint{{"b", "2", true}}
	tests := []struct {
		name string
		a, b *Result
		same bool
	}{
		{"version", &base, change(func(r *Result) { r.Tool.Version = "2" }), true},
		{"tool", &base, change(func(r *Result) { r.Tool.Name = "U" }), false},
		{"message", &base, change(func(r *Result) { r.Message = "n" }), false},
		{"place", &base, change(func(r *Result) { r.Location.Region.StartLine = 2 }), false},
		{"place, complete fingerprint", change(func(r *Result) { r.Fingerprints = whole }),
			change(func(r *Result) { r.Fingerprints = whole; r.Location.Region.StartLine = 2; r.Message = "n" }), true},
		{"place, partial fingerprint", change(func(r *Result) { r.Fingerprints = part }),
			change(func(r *Result) { r.Fingerprints = part; r.Location.Region.StartLine = 2 }), false},
		{"message, partial fingerprint", change(func(r *Result) { r.Fingerprints = part }),
			change(func(r *Result) { r.Fingerprints = part; r.Message = "n" }), true},
		{"borders of parts", change(func(r *Result) { r.Rule.ID = "rp"; r.Location.Path = "" }), change(func(r *Result) { r.Rule.ID = "r" }), false},
	}
	for _, test := range tests {
		if got := test.a.Key() == test.b.Key(); got != test.same {
			t.Errorf("%s: same %v", test.name, got)
		}
	}
}

func TestHostileReports(t *testing.T) {
	small := DefaultLimits
	small.Size, small.Depth, small.Runs, small.Results, small.Declared = 4000, 50, 2, 3, 2000
	good := report(`{"tool":{"driver":{"name":"T"}},"results":[` + `{"message":{},"locations":[` + at("x", 1) + `]}` + `]}`)
	tests := []struct {
		name, in string
		is       error
		says     string
	}{
		{"empty", "", ErrFormat, "empty"},
		{"space", " \n", ErrFormat, "ends in the middle"},
		{"text", "hello", ErrFormat, "let the tool write SARIF"},
		{"array", "[]", ErrFormat, "not with an object"},
		{"xml", "<?xml?>", ErrFormat, "XML"},
		{"gzip", "\x1f\x8b\x08", ErrFormat, "gzip"},
		{"utf-16", "\xff\xfe{\x00", ErrFormat, "UTF-16"},
		{"utf-16 without a mark", "{\x00\"\x00", ErrFormat, "UTF-16"},
		{"utf-16 big endian", "\xfe\xff\x00{", ErrFormat, "UTF-16"},
		{"a foreign object", `{"name":"x","dependencies":{}}`, ErrFormat, "without the version"},
		{"no runs", `{"version":"2.1.0"}`, ErrFormat, "without the version or the runs"},
		{"an old version", `{"version":"2.0.0","runs":[]}`, ErrFormat, "2.1.0"},
		{"runs of another type", `{"version":"2.1.0","runs":{}}`, ErrFormat, "array"},
		{"results of another type", report(`{"results":{}}`), ErrFormat, "array"},
		{"a result of another type", report(`{"results":[3]}`), ErrFormat, "object"},
		{"a message of another type", report(`{"results":[{"message":"m"}]}`), ErrFormat, "object"},
		{"a line of another type", report(`{"results":[{"locations":[{"physicalLocation":{"region":{"startLine":"3"}}}]}]}`), ErrFormat, "number"},
		{"truncated", good[:len(good)-8], ErrFormat, "ends in the middle"},
		{"more behind it", good + " {}", ErrFormat, "behind the report"},
		{"a trailing comma", report(`{"results":[{},]}`), ErrFormat, "unexpected"},
		{"deep in a value that is skipped", report(`{"properties":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `}`), ErrLimit, "nested"},
		{"large", good + strings.Repeat(" ", 5000) + "x", ErrLimit, "larger"},
		{"large string", report(`{"x":"` + strings.Repeat("y", 5000) + `"}`), ErrLimit, "larger"},
		{"many runs", report("{}", "{}", "{}"), ErrLimit, "runs"},
		{"many results", report(`{"results":[{},{},{},{}]}`), ErrLimit, "results"},
		{"many extensions", report(`{"tool":{"extensions":[` + strings.Repeat(`{},`, 1000) + `{}]}}`), ErrLimit, "extensions"},
		{"many rules", report(`{"tool":{"driver":{"rules":[` + strings.Repeat(`{"id":"x"},`, 20) + `{}]}}}`), ErrLimit, "declarations"},
	}
	for _, test := range tests {
		_, r, err := readAll(test.in, small)
		if !errors.Is(err, test.is) || !strings.Contains(fmt.Sprint(err), "test.sarif") || !strings.Contains(fmt.Sprint(err), test.says) {
			t.Errorf("%s: %v", test.name, err)
		}
		if r != nil {
			if _, again := r.Next(); again != err {
				t.Errorf("%s: then %v", test.name, again)
			}
		}
	}
	if _, err := NewReader("x", strings.NewReader(good), []string{"relative"}, small); err == nil {
		t.Error("a relative root is accepted")
	}
}

// Every beginning of a report is an error, and no result comes before it.
func TestTruncatedAnywhere(t *testing.T) {
	good := report(`{"tool":{"driver":{"name":"T","rules":[{"id":"\u00e4\ud83d\ude00","n":-1.5e3}]}},"results":[{"message":{"text":"m"},"locations":[` + at("x", 1) + `]}]}`)
	if results, _ := must(t, good); len(results) != 1 {
		t.Fatal("the whole report is not read")
	}
	for n := range len(good) {
		if _, r, err := readAll(good[:n], DefaultLimits); !errors.Is(err, ErrFormat) || r != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
}

// generated is a report that is made as it is read, by chunks.
type generated struct {
	head, unit, tail string
	units            int64
}

func (g generated) size() int64 {
	return int64(len(g.head)) + g.units*int64(len(g.unit)) + int64(len(g.tail))
}

func (g generated) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) {
		var from string
		switch at := off + int64(n) - int64(len(g.head)); {
		case at < 0:
			from = g.head[off+int64(n):]
		case at < g.units*int64(len(g.unit)):
			from = g.unit[at%int64(len(g.unit)):]
		case at-g.units*int64(len(g.unit)) < int64(len(g.tail)):
			from = g.tail[at-g.units*int64(len(g.unit)):]
		default:
			return n, io.EOF
		}
		n += copy(p[n:], from)
	}
	return n, nil
}

// Memory does not grow with results, nor with a string that is as large as the
// file.
func TestMemoryIsBounded(t *testing.T) {
	one := `{"ruleId":"r","message":{"text":"m"},"locations":[` + at("x", 1) + `],"codeFlows":[{"threadFlows":[` + strings.Repeat(`{"locations":[]},`, 60) + `{}]}]},`
	tests := []struct {
		name string
		in   generated
		want int
	}{
		{"results", generated{`{"version":"2.1.0","runs":[{"results":[`, one, `{}],"tool":{"driver":{"name":"T"}}}]}`, 8_000}, 8_000},
		{"a message", generated{`{"version":"2.1.0","runs":[{"results":[{"locations":[` + at("x", 1) + `],"message":{"text":"`, strings.Repeat("y", 1000), `"}}]}]}`, 10_000}, 1},
		{"a name", generated{`{"version":"2.1.0","runs":[{"results":[{"locations":[` + at("x", 1) + `],"`, strings.Repeat("y", 1000), `":1}]}]}`, 10_000}, 1},
		{"arguments", generated{`{"version":"2.1.0","runs":[{"results":[{"locations":[` + at("x", 1) + `],"message":{"text":"` + strings.Repeat("{0}", 1000) + `","arguments":[`, `"` + strings.Repeat("y", 1000) + `",`, `""]}}]}]}`, 10_000}, 1},
	}
	for _, test := range tests {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		r, err := NewReader("big", test.in, nil, DefaultLimits)
		if err != nil {
			t.Fatal(test.name, err)
		}
		got, most := 0, uint64(0)
		for one, err := range r.Results() {
			if err != nil {
				t.Fatal(test.name, err)
			}
			if len(one.Message) > DefaultLimits.Message+8 {
				t.Errorf("%s: a message of %d bytes", test.name, len(one.Message))
			}
			if got++; got%2000 == 0 || test.want == 1 {
				runtime.ReadMemStats(&after)
				most = max(most, after.HeapInuse-min(after.HeapInuse, before.HeapInuse))
			}
		}
		if got != test.want || most > 5<<20 {
			t.Errorf("%s: %d results of %d bytes took %d bytes of memory", test.name, got, test.in.size(), most)
		}
	}
}

func BenchmarkReader(b *testing.B) {
	one := `{"ruleId":"r","ruleIndex":0,"level":"error","message":{"text":"Unexpected var, use let or const instead."},"locations":[` + at("src/components/a.js", 17) + `],"codeFlows":[{"threadFlows":[` + strings.Repeat(`{"locations":[{"location":{"physicalLocation":{"artifactLocation":{"uri":"src/b.js"}}}}]},`, 5) + `{}]}]},`
	in := generated{`{"version":"2.1.0","runs":[{"results":[`, one, `{}],"tool":{"driver":{"name":"T","rules":[{"id":"r"}]}}}]}`, 20_000}
	b.SetBytes(in.size())
	b.ReportAllocs()
	for b.Loop() {
		r, err := NewReader("big", in, nil, DefaultLimits)
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range r.Results() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

type broken struct{ *bytes.Reader }

var errDisk = errors.New("disk on fire")

func (b broken) ReadAt(p []byte, off int64) (int, error) {
	n, err := b.Reader.ReadAt(p, off)
	if err == io.EOF && off+int64(n) > 60 {
		err = errDisk
	}
	return n, err
}

func TestErrorsOfTheFile(t *testing.T) {
	_, err := NewReader("x.sarif", broken{bytes.NewReader([]byte(report("{}") + strings.Repeat(" ", 100)))}, nil, DefaultLimits)
	if !errors.Is(err, errDisk) || errors.Is(err, ErrFormat) {
		t.Errorf("got %v", err)
	}
}
