package all

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-enry/go-enry/v2"

	"github.com/project-map/project-map/indexer/lang"
)

// named is what Linguist calls a language that goes by another name here.
var named = map[string]string{
	"shell": "bash", "c++": "cpp", "c#": "csharp", "protocol buffer": "protobuf", "html+erb": "erb", "html+eex": "eex",
	"java server pages": "jsp", "jupyter notebook": "jupyter", "restructuredtext": "rst", "objective-c": "c", "vim script": "bash",
}

// tell is the row that a name of Linguist stands for, or nil.
func tell(table *lang.Table, name string) *lang.Language {
	name = strings.ToLower(name)
	if l := table.ByName(name); l != nil {
		return l
	}
	return table.ByName(named[name])
}

// Where Linguist knows an extension, a file name or an interpreter as one of a
// language that has a row, the table must give it to such a row: its rows agree
// with what everybody else calls the file.
func TestTableAgreesWithLinguist(t *testing.T) {
	table := Table()
	// Rows that read several of Linguist's languages, and names that we know
	// better by what is in the files.
	excused := map[string]string{
		".h": "C, C++ and Objective-C share it; the content decides", ".inc": "shared",
		".mdx": "read with Markdown", ".jsonc": "read with JSON", ".json5": "read with JSON",
		".tag": "tag files of server pages", ".properties": "read with INI", ".cts": "TypeScript", ".mts": "TypeScript",
	}
	checked := 0
	agree := func(what string, l *lang.Language, theirs []string) {
		var rows []string
		for _, n := range theirs {
			if r := tell(table, n); r != nil {
				rows = append(rows, r.Name)
			}
		}
		if len(rows) == 0 {
			return // nothing that has a row here
		}
		checked++
		if !slices.Contains(rows, l.Name) && excused[what] == "" && !slices.ContainsFunc(rows, func(n string) bool {
			r := table.ByName(n)
			return r.Family != "" && r.Family == l.Family || r.Nature() == l.Nature() && l.Outline
		}) {
			t.Errorf("%s is of %s here; Linguist says %v", what, l.Name, theirs)
		}
	}
	for _, l := range table.All() {
		for _, e := range l.Extensions {
			if strings.Count(e, ".") == 1 {
				agree(e, table.ByPath("x"+e), enry.GetLanguagesByExtension("x"+e, nil, nil))
			}
		}
		for _, n := range l.Filenames {
			agree(n, table.ByPath(n), enry.GetLanguagesByFilename(n, nil, nil))
		}
		for _, i := range l.Interpreters {
			got, _ := table.ByContent([]byte("#!/usr/bin/env "+i+"\n"), "")
			agree("#! "+i, got, enry.GetLanguagesByShebang("x", []byte("#!/usr/bin/env "+i+"\n"), nil))
		}
	}
	if checked < 150 {
		t.Errorf("only %d names could be compared", checked)
	}
}

// Texts of shared extensions are told apart as Linguist does, by its rules for
// content and for modelines.
func TestContentAgreesWithLinguist(t *testing.T) {
	table := Table()
	for _, c := range []struct{ name, text string }{
		{"a.m", "#import <Foundation/Foundation.h>\n@interface A : NSObject\n@end\n"},
		{"a.m", "function y = f(x)\n% doubles\ny = 2*x;\nend\n"},
		{"a.m", ":- module hello.\n:- interface.\n"},
		{"a.pl", "use strict;\nuse warnings;\nmy $x = 1;\n"},
		{"a.pl", ":- module(a, [b/1]).\nfoo(X) :- bar(X).\n"},
		{"a.ts", "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\">\n</TS>\n"},
		{"a.v", "Require Import List.\nTheorem a : True.\nProof.\nQed.\n"},
		{"a.v", "module top(input a, output b);\nendmodule\n"},
		{"x", "# -*- mode: ruby -*-\nputs 1\n"},
		{"x", "x = 1\n# vim: set ft=python :\n"},
		{"x", "/* -*- C++ -*- */\n"},
	} {
		theirs := enry.GetLanguages(c.name, []byte(c.text))
		row, name := table.ByPath(c.name), ""
		ext := ""
		if i := strings.IndexByte(c.name, '.'); i >= 0 {
			ext = c.name[i:]
		}
		switch {
		case row == nil:
			_, name = table.ByContent([]byte(c.text), ext)
		case row.Reader != nil:
			name = row.Reader([]byte(c.text), ext)
		}
		known := map[string]string{"coq": "rocq prover", "cpp": "c++"}
		if !slices.ContainsFunc(theirs, func(n string) bool {
			n = strings.ToLower(n)
			return n == name || n == known[name] || n == strings.ReplaceAll(name, "-", " ")
		}) {
			t.Errorf("%s %.30q is %q here; Linguist says %v", c.name, c.text, name, theirs)
		}
	}
}
