package lang

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
)

// ByContent finds the language of a text whose file name tells nothing, or
// names that several languages share: by its "#!" line, by the mode that an
// editor is told, by what the languages of its extension look like. The row is
// nil for a language that has none; the name is "" where nothing is known.
func (t *Table) ByContent(text []byte, extension string) (row *Language, name string) {
	if l := t.byInterpreter(text); l != nil {
		return l, l.Name
	}
	if l := t.ByName(modeline(text)); l != nil {
		return l, l.Name
	}
	name = likely(text, extension)
	if l := t.ByName(name); l != nil {
		return l, l.Name
	}
	return nil, cmp.Or(name, names[extension])
}

// byInterpreter finds the row that a "#!" line names, or nil.
func (t *Table) byInterpreter(text []byte) *Language {
	if !bytes.HasPrefix(text, []byte("#!")) {
		return nil
	}
	line, _, _ := bytes.Cut(text[:min(len(text), 200)], []byte("\n"))
	words := strings.Fields(strings.ReplaceAll(string(line[2:]), "/", " / "))
	for i := len(words) - 1; i >= 0; i-- {
		w := strings.TrimRight(words[i], "0123456789.")
		if l := t.interp[w]; l != nil {
			return l
		}
	}
	return nil
}

// modelineLines is how far from either end of a file editors look.
const modelineLines = 5

var (
	emacsMode = lazyregexp.New(`-\*-(?:.*[ ;])?\s*(?i:mode)\s*:\s*([^\s;]+?)\s*(?:;.*)?-\*-|-\*-\s*([^\s:;]+)\s*-\*-`)
	vimMode   = lazyregexp.New(`(?:^|\s)(?:vi|[vV]im?|ex)\d*:\s*(?:set?\s[^\n]*?)?(?:[^\n]*[\s:])?(?:ft|filetype|syntax)=(\w+)`)
)

// modeline is the language that a comment tells Emacs or Vim to use, or "".
func modeline(text []byte) string {
	head, tail := ends(text, modelineLines)
	for _, part := range [][]byte{head, tail} {
		if !bytes.Contains(part, []byte("-*-")) && !bytes.Contains(part, []byte("=")) {
			continue
		}
		for line := range bytes.Lines(part) {
			if len(line) > 1000 {
				continue
			}
			for _, mode := range []*lazyregexp.Regexp{emacsMode, vimMode} {
				if m := mode.FindSubmatch(line); m != nil {
					name := m[1]
					if len(name) == 0 && len(m) > 2 {
						name = m[2]
					}
					return strings.TrimSuffix(strings.ToLower(string(name)), "-mode")
				}
			}
		}
	}
	return ""
}

// ends are the first and the last n lines of a text; the last is empty where
// they would overlap.
func ends(text []byte, n int) (head, tail []byte) {
	at := 0
	for range n {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return text, nil
		}
		at += i + 1
	}
	head, text = text[:at], text[at:]
	end := len(bytes.TrimRight(text, "\n"))
	for range n {
		i := bytes.LastIndexByte(text[:end], '\n')
		if i < 0 {
			return head, text
		}
		end = i
	}
	return head, text[end+1:]
}

// sign says that a text with a line like this is of the language.
type sign struct {
	language string
	line     *lazyregexp.Regexp
}

// maxSigns is how much of a text is searched for signs, in bytes.
const maxSigns = 50_000

// signs are what the languages of a shared extension look like, most telling
// first; the last of a list without a pattern is taken where nothing matched.
var signs = map[string][]sign{
	".m": {
		{"objective-c", lazyregexp.New(`(?m)^\s*(?:@(?:interface|implementation|protocol|class|end|import|property)\b|#import\s+["<])`)},
		{"mercury", lazyregexp.New(`(?m)^:- module\b`)},
		{"mathematica", lazyregexp.New(`(?m)^\s*\(\*|\bBeginPackage\[`)},
		{"matlab", lazyregexp.New(`(?m)^\s*(?:function\b|classdef\b|%)`)},
		{"objective-c", lazyregexp.New(`(?m)^\s*(?:#include\b|//)`)},
		{"matlab", nil},
	},
	".mm": {{"objective-c++", nil}},
	".pl": {
		{"raku", lazyregexp.New(`(?m)^\s*(?:use\s+v6\b|(?:unit\s+)?module\b)`)},
		{"perl", lazyregexp.New(`(?m)^\s*(?:use\s+(?:strict|warnings|v?5|[A-Z])|package\s+\w|sub\s+\w+\s*[{(]|my\s*[$@%(]|our\s*[$@%])`)},
		{"prolog", lazyregexp.New(`(?m)^(?:\s*:-|[a-z]\w*(?:\(.*\))?\s*:-)|^[a-z]\w*\([^)]*\)\.\s*$`)},
		{"perl", nil},
	},
	".t": {
		{"perl", lazyregexp.New(`(?m)^\s*(?:use\s+(?:strict|warnings|v?5|[A-Z])|my\s*[$@%(])`)},
	},
	".inc": {
		{"php", lazyregexp.New(`^\s*<\?(?:php|=|\s)`)},
		{"cpp", lazyregexp.New(`(?m)^\s*(?:template\s*<|namespace\s+\w+\s*\{|class\s+\w+\s*[:{])`)},
		{"c", lazyregexp.New(`(?m)^\s*(?:#\s*(?:include|define|ifn?def|pragma)\b|(?:static|extern|typedef|struct)\s+\w)`)},
	},
	".v": {
		{"coq", lazyregexp.New(`(?m)^\s*(?:Require|Lemma|Theorem|Proof|Definition|Inductive|Fixpoint)\b`)},
		{"verilog", lazyregexp.New("(?m)^\\s*(?:module\\s+\\w+\\s*[#(;]|endmodule|`(?:define|include|timescale))")},
		{"v", lazyregexp.New(`(?m)^\s*(?:pub\s+)?(?:fn|struct|module)\s+\w`)},
	},
	".fs": {
		{"glsl", lazyregexp.New(`(?m)^\s*(?:#version\s+\d|precision\s|uniform\s|varying\s|void\s+main\()`)},
		{"forth", lazyregexp.New(`(?m)^(?:: \S|\\ )`)},
		{"fsharp", nil},
	},
	".cls": {
		{"latex", lazyregexp.New(`(?m)^\s*\\(?:ProvidesClass|NeedsTeXFormat)`)},
		{"visual-basic", lazyregexp.New(`(?m)^(?:VERSION 1\.0 CLASS|Attribute VB_)`)},
		{"apex", lazyregexp.New(`(?i)\bclass\s+\w+`)},
	},
	".d": {
		{"makefile", lazyregexp.New(`(?m)^[\w./\\-]+\.l?o\s*:`)},
		{"dtrace", lazyregexp.New(`(?m)^\s*#pragma\s+D\s|^\w+:::?\w`)},
		{"d", nil},
	},
	".pp": {
		{"pascal", lazyregexp.New(`(?im)^\s*(?:unit|program|uses)\s+\w+.*;`)},
		{"puppet", nil},
	},
	".r": {
		{"rebol", lazyregexp.New(`(?i)^\s*rebol\s*\[`)},
		{"r", nil},
	},
	".cl": {
		{"common-lisp", lazyregexp.New(`(?m)^\s*\((?:in-package|defun|defpackage)\b`)},
		{"opencl", nil},
	},
	".s":   {{"assembly", nil}},
	".asm": {{"assembly", nil}},
}

// likely is the language that a text of a shared extension looks like, or "".
func likely(text []byte, extension string) string {
	text = text[:min(len(text), maxSigns)]
	for _, s := range signs[extension] {
		if s.line == nil || s.line.Match(text) {
			return s.language
		}
	}
	return ""
}

// rowless is the nature of a language that has no row.
func rowless(name string) facts.Nature {
	switch name {
	case "latex":
		return facts.Prose
	case "gettext", "m4", "batch":
		return facts.Data
	}
	return facts.Code
}

// families are ecosystems of languages without a row.
var families = map[string]string{
	"objective-c": "c", "objective-c++": "c", "cuda": "c", "opencl": "c", "coffeescript": "javascript", "clojure": "java",
	"fsharp": "csharp", "visual-basic": "csharp", "erlang": "elixir", "hack": "php",
}

// names are languages without a row, by extension, so that a file says what it
// is even where it is read for its words only.
var names = map[string]string{
	".adb": "ada", ".ads": "ada", ".agda": "agda", ".applescript": "applescript", ".bat": "batch", ".cmd": "batch",
	".clj": "clojure", ".cljc": "clojure", ".cljs": "clojure", ".cob": "cobol", ".cbl": "cobol", ".coffee": "coffeescript",
	".cr": "crystal", ".cu": "cuda", ".cuh": "cuda", ".dart": "dart", ".el": "emacs-lisp", ".elm": "elm", ".erl": "erlang",
	".hrl": "erlang", ".f": "fortran", ".f90": "fortran", ".f95": "fortran", ".f03": "fortran", ".for": "fortran",
	".fsi": "fsharp", ".fsx": "fsharp", ".gd": "gdscript", ".gleam": "gleam", ".glsl": "glsl", ".frag": "glsl", ".vert": "glsl",
	".hack": "hack", ".haml": "haml", ".hlsl": "hlsl", ".hs": "haskell", ".lhs": "haskell", ".hx": "haxe", ".idr": "idris",
	".jl": "julia", ".lean": "lean", ".lisp": "common-lisp", ".lsp": "common-lisp", ".ml": "ocaml", ".mli": "ocaml", ".mojo": "mojo",
	".move": "move", ".nim": "nim", ".odin": "odin", ".pas": "pascal", ".dpr": "pascal", ".pm": "perl", ".pug": "pug",
	".ps1": "powershell", ".psm1": "powershell", ".psd1": "powershell", ".purs": "purescript", ".qml": "qml", ".raku": "raku",
	".re": "reason", ".res": "rescript", ".rkt": "racket", ".scm": "scheme", ".slim": "slim", ".sol": "solidity", ".st": "smalltalk",
	".sv": "systemverilog", ".svh": "systemverilog", ".tcl": "tcl", ".tex": "latex", ".vala": "vala", ".vb": "visual-basic",
	".vhd": "vhdl", ".vhdl": "vhdl", ".vim": "vim", ".wat": "webassembly", ".wgsl": "wgsl", ".zig": "zig", ".cue": "cue",
	".rego": "rego", ".jsonnet": "jsonnet", ".libsonnet": "jsonnet", ".dhall": "dhall", ".prisma": "prisma", ".bicep": "bicep",
	".awk": "awk", ".sed": "sed", ".m4": "m4", ".ac": "m4", ".po": "gettext", ".pot": "gettext",
}
