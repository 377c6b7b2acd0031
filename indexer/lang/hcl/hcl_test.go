package hcl

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"a/unit.tftest.hcl": facts.RoleTest, ".terraform.lock.hcl": facts.RoleGenerated, "docker-bake.hcl": facts.RoleBuild,
		"x/image.pkr.hcl": facts.RoleBuild, "main.tf": 0, "vpc_test.tf": facts.RoleTest,
	} {
		if got := rolesOf(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"blocks":         strings.Repeat("resource \"a\" \"b\" {\n}\n", 50_000),
		"one line":       strings.Repeat("a = b.c, ", 100_000),
		"open blocks":    strings.Repeat("resource \"a\" \"b\" {\n", 50_000),
		"inner blocks":   strings.Repeat("a {\n", 200_000),
		"closed blocks":  strings.Repeat("a {\n", 100_000) + strings.Repeat("}\n", 100_000),
		"jobs":           "job \"a\" {\n" + strings.Repeat("group \"a\" {", 50_000),
		"nesting":        "a = " + strings.Repeat("[", 1_000_000),
		"closing":        strings.Repeat("[", 300_000) + strings.Repeat(")", 300_000),
		"open lists":     strings.Repeat("a = [\n", 100_000),
		"heredocs":       strings.Repeat("a = <<A\n", 100_000),
		"other heredocs": strings.Repeat("a = <<A\n\tA A\n", 50_000),
		"templates":      strings.Repeat("\"${", 200_000),
		"open strings":   strings.Repeat("a = \"\n", 100_000),
		"open comments":  strings.Repeat("/* ", 200_000),
		"labels":         "a " + strings.Repeat("\"b\" ", 200_000),
		"names":          strings.Repeat("a.", 300_000),
		"builds":         "build {\n" + strings.Repeat("a { scripts = [\"x\"] }\n", 30_000) + "}",
		"block comments": strings.Repeat("x */\n", 100_000) + "a = 1\n",
	} {
		b := lang.NewBuilder([]byte(src), ".hcl")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols || len(f.Refs) > maxRefs || len(f.Imports) > maxImports {
			t.Errorf("%s: %d symbols, %d references, %d imports", name, len(f.Symbols), len(f.Refs), len(f.Imports))
		}
	}
}
