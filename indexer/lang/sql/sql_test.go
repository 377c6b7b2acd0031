package sql

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/idl"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func read(src string) *facts.File {
	b := lang.NewBuilder([]byte(src), ".sql")
	extract(b)
	f := b.Finish()
	f.Depth = facts.Parsed
	return f
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"tables":         strings.Repeat("CREATE TABLE a (x int);\n", 40_000),
		"columns":        "CREATE TABLE a (" + strings.Repeat("x int, ", 150_000) + ");",
		"open tables":    strings.Repeat("CREATE TABLE a (\n", 60_000),
		"one statement":  "CREATE TABLE a (" + strings.Repeat("(", 500_000),
		"create":         strings.Repeat("create ", 150_000),
		"strings":        strings.Repeat("'", 1_000_001),
		"open strings":   strings.Repeat("'x\nCREATE ''\n", 80_000),
		"double quotes":  strings.Repeat("\"", 1_000_001),
		"open quotes":    strings.Repeat("\"x\n", 250_000),
		"backticks":      strings.Repeat("`x\n", 250_000),
		"dollars":        strings.Repeat("$a$ $b$ ", 125_000),
		"dollar tags":    dollarTags(100_000),
		"comments":       strings.Repeat("/* ", 300_000),
		"mysql comments": strings.Repeat("/*!5 ", 200_000),
		"tags":           strings.Repeat("{{ {% {# ", 100_000),
		"models":         strings.Repeat("{{ ref('a') }}\n", 60_000),
		"macros":         strings.Repeat("{% macro a() %}", 60_000),
		"begin":          "create procedure a as " + strings.Repeat("begin ", 150_000),
		"oracle quotes":  strings.Repeat("q'[ ", 100_000),
		"names":          strings.Repeat("-- name: a :one\n", 60_000),
		"from":           "create view v as select 1 from " + strings.Repeat("a, ", 300_000),
		"routines":       strings.Repeat("create function a(b int) as begin ", 30_000),
		"alter":          "alter table a " + strings.Repeat("add b int, ", 90_000),
		"dots":           "create table " + strings.Repeat("a.", 500_000),
		"brackets":       strings.Repeat("[", 1_000_000),
		"insert":         "INSERT INTO a VALUES " + strings.Repeat("(1, 'it''s', NULL),\n", 50_000) + "(1);\nCREATE TABLE z (a int);",
		"inserts":        strings.Repeat("INSERT INTO a VALUES (1, 'x');\n", 40_000),
	} {
		start := time.Now()
		f := read(src)
		if len(f.Symbols) > idl.MaxSymbols {
			t.Errorf("%s: %d symbols", name, len(f.Symbols))
		}
		if d := time.Since(start); d > langtest.TimeLimit(3*time.Second) {
			t.Errorf("%s: %v for %d bytes", name, d, len(src))
		}
	}
}

func dollarTags(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "$t%d$ ", i)
	}
	return b.String()
}

func TestRoles(t *testing.T) {
	if roles("a/B.PKS") != facts.RoleDeclaration || roles("a/b.pkb") != 0 || roles("a.sql") != 0 {
		t.Error("only specifications are declarations")
	}
}

func TestDumpsAreQuiet(t *testing.T) {
	f := read("CREATE TABLE a (x int);\n" + strings.Repeat("INSERT INTO a VALUES (1, 'x');\n", 1000))
	if len(f.Symbols) != 2 || len(f.Refs) != 1 {
		t.Errorf("%d symbols, %d references", len(f.Symbols), len(f.Refs))
	}
}

func TestDamagedLines(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "-- Doc.\nCREATE TABLE t%d (\n  a%d int,\n  b%d text DEFAULT 'x'\n);\nCREATE VIEW v%d AS SELECT '1' FROM t%d;\n\n", i, i, i, i, i)
	}
	langtest.DamageLines(t, b.String(), 7, 77, 1, read, map[string]func(string) string{
		"open string": func(l string) string {
			return strings.Replace(l, "'1'", "'1", 1)
		},
		"open comment": func(l string) string { return strings.TrimSuffix(l, "\n") + " /*\n" },
		"no semicolon": func(l string) string { return strings.Replace(l, ";", "", 1) },
		"conflict":     func(l string) string { return "<<<<<<< HEAD\n" + l },
	})
}

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }
