package lang

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
)

func testTable() *Table {
	return NewTable(
		&Language{Name: "python", Aliases: []string{"py"}, Extensions: []string{".py"}, Interpreters: []string{"python"}},
		&Language{Name: "cpp", Aliases: []string{"c++"}, Extensions: []string{".cc"}, Family: "c"},
		&Language{Name: "c", Extensions: []string{".c", ".h"}},
		&Language{Name: "php", Extensions: []string{".php"}},
		&Language{Name: "markdown", Extensions: []string{".md"}, Prose: true, Outline: true},
		&Language{Name: "dockerfile", Filenames: []string{"Dockerfile"}, Patterns: []string{"Dockerfile.*"}, Outline: true},
		&Language{Name: "makefile", Filenames: []string{"Makefile"}, Outline: true},
	)
}

func TestByContent(t *testing.T) {
	table := testTable()
	for _, c := range []struct{ ext, text, want string }{
		{"", "#!/usr/bin/env -S python3.12 -u\nx = 1\n", "python"},
		{"", "#!/usr/bin/perl\nuse strict;\n", ""},
		{"", "nothing to see\n", ""},
		{"", "# -*- coding: utf-8; mode: python -*-\nx = 1\n", "python"},
		{"", "# -*- Mode:C++; tab-width: 4 -*-\n", "cpp"},
		{"", "// -*- C++ -*-\n", "cpp"},
		{"", "# -*- coding: utf-8 -*-\n", ""},
		{"", strings.Repeat("line\n", 40) + "# vim: set ts=4 sw=4 ft=python et:\n", "python"},
		{"", "# vim:ft=python\n", "python"},
		{"", "/* vim: set filetype=cpp : */\n", "cpp"},
		{"", strings.Repeat("line\n", 20) + "# vim: ft=python\n" + strings.Repeat("line\n", 20), ""},
		{"", "the option vim=ft=python is no modeline\n", ""},
		{".m", "#import <Foundation/Foundation.h>\n@interface A : NSObject\n@end\n", "objective-c"},
		{".m", "function y = f(x)\n% doubles\ny = 2*x;\nend\n", "matlab"},
		{".m", "(* ::Package:: *)\nBeginPackage[\"A`\"]\n", "mathematica"},
		{".m", ":- module hello.\n:- interface.\n", "mercury"},
		{".pl", "use strict;\nmy $x = 1;\n", "perl"},
		{".pl", "#!/usr/bin/env perl\nprint 1;\n", "perl"},
		{".pl", ":- use_module(library(lists)).\nlikes(X, Y) :- friend(X, Y).\n", "prolog"},
		{".pl", "likes(mary, wine).\nlikes(john, wine).\n", "prolog"},
		{".inc", "<?php\nfunction a() {}\n", "php"},
		{".inc", "#define A 1\nstatic int x;\n", "c"},
		{".inc", "MACHINE = \"arm\"\n", ""},
		{".v", "module top(input a);\nendmodule\n", "verilog"},
		{".v", "Theorem plus_comm : forall n, n = n.\nProof.\n", "coq"},
		{".cls", "\\NeedsTeXFormat{LaTeX2e}\n", "latex"},
		{".d", "main.o: main.c util.h\n", "makefile"},
		{".d", "import std.stdio;\nvoid main() {}\n", "d"},
		{".hs", "module Main where\n", "haskell"},
		{".unheard", "words\n", ""},
	} {
		row, name := table.ByContent([]byte(c.text), c.ext)
		if name != c.want {
			t.Errorf("%s %.40q is %q, want %q", c.ext, c.text, name, c.want)
		}
		if (row != nil) != (table.ByName(name) != nil) {
			t.Errorf("%s %.40q: row %v for %q", c.ext, c.text, row, name)
		}
	}
}

func TestByPath(t *testing.T) {
	table := testTable()
	for p, want := range map[string]string{
		"a/b.PY": "python", "x.test.py": "python", ".py": "", "Dockerfile": "dockerfile", "ci/Dockerfile.dev": "dockerfile",
		"Dockerfile.md": "markdown", "dockerfile": "", "config.h.in": "c", "Makefile.in": "makefile", "settings.py.example": "python",
		"a.c.dist": "c", "in": "", ".in": "", "x.in": "", "README": "",
	} {
		got := ""
		if l := table.ByPath(p); l != nil {
			got = l.Name
		}
		if got != want {
			t.Errorf("%s is %q, want %q", p, got, want)
		}
	}
}

// Every language has a nature; only code has a family.
func TestDescribe(t *testing.T) {
	table := testTable()
	for name, want := range map[string]facts.File{
		"":            {},
		"cpp":         {Language: "cpp", Family: "c", Nature: facts.Code},
		"python":      {Language: "python", Family: "python", Nature: facts.Code},
		"markdown":    {Language: "markdown", Nature: facts.Prose},
		"dockerfile":  {Language: "dockerfile", Nature: facts.Data},
		"haskell":     {Language: "haskell", Family: "haskell", Nature: facts.Code},
		"objective-c": {Language: "objective-c", Family: "c", Nature: facts.Code},
		"latex":       {Language: "latex", Nature: facts.Prose},
	} {
		var f facts.File
		table.Describe(&f, name)
		if f.Language != want.Language || f.Family != want.Family || f.Nature != want.Nature {
			t.Errorf("%q is %q, %q, %s", name, f.Language, f.Family, f.Nature)
		}
	}
}

// Whatever the text, finding its language is quick and safe.
func FuzzByContent(f *testing.F) {
	f.Add("#! /usr/bin/env python", ".pl")
	f.Add("# -*- mode: x -*-\n# vim: ft=", ".m")
	table := testTable()
	f.Fuzz(func(t *testing.T, text, ext string) {
		row, name := table.ByContent([]byte(text), ext)
		if row != nil && row.Name != name {
			t.Errorf("%q for the row %q", name, row.Name)
		}
	})
}
