package query

import "strings"

// frame is one line of a stack trace or one compiler diagnostic.
type frame struct {
	file string // as printed; empty for native and internal frames
	line int
	fn   string // the function as printed
	msg  string // an error message on the same line
	text string // source code or other text on the same line

	last    bool // the format prints the innermost frame last
	restart bool // first frame of a block
}

// frameContext says what surrounds a line; in running prose only unmistakable
// forms are frames.
type frameContext struct {
	next    string // the following line
	inTrace bool   // the previous line was part of a trace
	inCode  bool   // in a fence or indented
}

// parseFrame recognises a line of a stack trace of Python, Java and its
// relatives, JavaScript, Go, Rust, Ruby, PHP, C and C++, C#, Swift, Elixir and
// others, or a diagnostic of a compiler or linter.
func parseFrame(line string, c frameContext) (frame, bool) {
	t := strings.TrimSpace(line)
	for len(t) > 1 && (t[0] == '|' || t[0] == '>' && t[1] == ' ') {
		t = strings.TrimSpace(t[1:])
	}
	if len(t) < 4 {
		return frame{}, false
	}
	if f, ok := prefixedFrame(t, c); ok {
		return f, true
	}
	if f, ok := headFrame(t, c); ok {
		return f, true
	}
	if t[0] == '[' || strings.HasPrefix(t, "E ") { // tool prefix: [build] x.cpp:1:2: error
		if i := strings.IndexAny(t, "] "); i > 0 && i < 24 && i+1 < len(t) {
			if f, ok := headFrame(strings.TrimSpace(t[i+1:]), c); ok {
				return f, true
			}
		}
	}
	if f, ok := goFunction(t, c); ok {
		return f, true
	}
	return tailFrame(t, c)
}

// prefixedFrame parses the formats that start with a fixed word or mark.
func prefixedFrame(t string, c frameContext) (frame, bool) {
	switch {
	case strings.HasPrefix(t, `File "`), strings.HasPrefix(t, "File '"):
		end := strings.IndexByte(t[6:], t[5])
		if end < 0 {
			return frame{}, false
		}
		rest := t[6+end+1:]
		line, n := lineSuffix(rest)
		if line == 0 {
			return frame{}, false
		}
		_, fn, _ := strings.Cut(rest[n:], "in ")
		return frame{file: t[6 : 6+end], line: line, fn: fn, last: true}, true
	case strings.HasPrefix(t, "File ") && strings.Contains(t, ", in "): // IPython: File ~/x.py:12, in f(a)
		loc, fn, _ := strings.Cut(t[5:], ", in ")
		file, line := splitLine(loc)
		return frame{file: file, line: line, fn: fn, last: true}, line > 0
	case strings.HasPrefix(t, "at "):
		return atFrame(t[3:], c)
	case strings.HasPrefix(t, "--> "), strings.HasPrefix(t, "::: "): // rustc
		file, line := splitLine(strings.TrimSpace(t[4:]))
		return frame{file: file, line: line}, line > 0 && plausibleFile(file)
	case strings.HasPrefix(t, "frame #"): // lldb
		return hashFrame(t[6:], c)
	case strings.HasPrefix(t, "* frame #"):
		return hashFrame(t[8:], c)
	case t[0] == '#' && isDigit(t[1]):
		return hashFrame(t, c)
	case strings.HasPrefix(t, "In file included from "):
		if file, line, _, ok := headLocation(t[22:]); ok {
			return frame{file: file, line: line}, true
		}
	case strings.HasPrefix(t, "created by "): // Go
		fn, _, _ := strings.Cut(t[11:], " in goroutine")
		return frame{fn: fn[strings.LastIndexByte(fn, '/')+1:]}, true
	case isDigit(t[0]):
		return numberedFrame(t, c)
	case strings.HasPrefix(t, "from ") && strings.Contains(t, ":in "):
		return headFrame(t[5:], c)
	case strings.HasPrefix(t, "(") && strings.Contains(t, ") "): // (app 1.0.0) lib/x.ex:12: M.f/1
		_, rest, _ := strings.Cut(t, ") ")
		if file, line, tail, ok := headLocation(rest); ok && strings.HasPrefix(tail, ":") {
			return frame{file: file, line: line, fn: strings.TrimSpace(tail[1:])}, true
		}
	case strings.HasPrefix(t, "@ ") && c.inTrace: // Julia
		f := strings.Fields(t[2:])
		if len(f) > 0 {
			file, line := splitLine(f[min(1, len(f)-1)])
			return frame{file: file, line: line}, line > 0
		}
	}
	return frame{}, false
}

// atFrame parses what follows "at ": frames of Java, JavaScript, C#, Rust, PHP
// (Symfony) and their relatives.
func atFrame(t string, c frameContext) (frame, bool) {
	// C# and Symfony: Class.Method(args) in file:line 12.
	if i := strings.LastIndex(t, ") in "); i > 0 {
		if file, line := splitLine(t[i+5:]); line > 0 {
			return frame{file: file, line: line, fn: beforeArgs(t[:i+1])}, true
		}
	}
	if strings.HasSuffix(t, ")") || strings.HasSuffix(t, "),") || strings.Contains(t, ") ~[") {
		if i := strings.Index(t, ") ~["); i > 0 { // logback: (File.java:12) ~[lib.jar:1.0]
			t = t[:i+1]
		}
		t = strings.TrimSuffix(t, ",")
		open := strings.LastIndexByte(t, '(')
		if j := strings.Index(t, " ("); j > 0 && strings.Contains(t[j:], "://") { // webpack:///(ssr)/./x.ts
			open = j + 1
		}
		if open <= 0 {
			return frame{}, false
		}
		fn, loc := strings.TrimSpace(t[:open]), t[open+1:len(t)-1]
		file, line := splitLine(loc)
		if fn == "" {
			return frame{file: serve(file), line: line}, line > 0
		}
		if open > 0 && t[open-1] != ' ' { // Java: no space before the parenthesis
			return javaFrame(fn, loc, file, line)
		}
		fn = strings.TrimPrefix(strings.TrimPrefix(fn, "async "), "new ")
		if i := strings.Index(fn, " [as "); i > 0 {
			fn = fn[:i]
		}
		switch {
		case strings.HasPrefix(loc, "node:"), loc == "native", loc == "<anonymous>", strings.HasPrefix(loc, "internal/"):
			return frame{fn: fn}, true
		}
		return frame{file: serve(file), line: line, fn: fn}, line > 0
	}
	loc := strings.TrimPrefix(t, "async ")
	file, line := splitLine(loc)
	if line == 0 || strings.HasPrefix(file, "node:") || strings.IndexByte(file, ' ') >= 0 {
		return frame{}, line > 0 && strings.HasPrefix(file, "node:")
	}
	return frame{file: serve(file), line: line}, c.inTrace || plausibleFile(file)
}

func serve(file string) string {
	if strings.Contains(file, "://") {
		return servedPath(file)
	}
	return file
}

// javaFrame builds the path of a class from its package and the file that the
// frame names: a.b.Outer$Inner.m(Outer.java:12) is a/b/Outer.java.
func javaFrame(fn, loc, file string, line int) (frame, bool) {
	if strings.ContainsAny(fn, " \t") {
		return frame{}, false
	}
	if i := strings.LastIndexByte(fn, '/'); i >= 0 { // app//, java.base@17/
		fn = fn[i+1:]
	}
	dot := strings.IndexByte(fn, '.')
	if dot <= 0 {
		return frame{}, false
	}
	if line == 0 {
		_, ext, ok := cutExt(loc)
		if ok && classOfExt(strings.ToLower(ext)) == extKnown && !strings.ContainsAny(loc, ` /,`) {
			file = loc
		} else {
			return frame{fn: fn}, true // native method, unknown source, C# without symbols
		}
	}
	if strings.ContainsAny(file, `/\ `) {
		return frame{file: serve(file), line: line, fn: fn}, true
	}
	class := fn[:strings.LastIndexByte(fn, '.')]
	if i := strings.LastIndexByte(class, '.'); i >= 0 {
		file = strings.ReplaceAll(class[:i], ".", "/") + "/" + file
	}
	return frame{file: file, line: line, fn: fn}, true
}

// hashFrame parses frames that start with "#N": gdb, lldb, sanitizers, PHP,
// Dart.
func hashFrame(t string, c frameContext) (frame, bool) {
	i := 1
	for i < len(t) && isDigit(t[i]) {
		i++
	}
	f := frame{restart: t[1:i] == "0"}
	t = strings.TrimLeft(t[i:], ": ")
	if t == "" || !c.inTrace && !c.inCode && !f.restart && !strings.ContainsAny(t, ":(") {
		return frame{}, false // an issue number
	}
	if strings.HasPrefix(t, "[internal function]: ") {
		f.fn = beforeArgs(t[21:])
		return f, true
	}
	if t == "{main}" {
		return f, true
	}
	// PHP: file(12): Class->method().
	if i := strings.Index(t, "): "); i > 0 {
		if open := strings.LastIndexByte(t[:i], '('); open > 0 && allDigits(t[open+1:i]) {
			f.file, f.line = t[:open], atoi(t[open+1:i])
			f.fn = beforeArgs(t[i+3:])
			return f, true
		}
	}
	if strings.HasPrefix(t, "0x") {
		_, t, _ = strings.Cut(t, " ")
		t = strings.TrimPrefix(t, "in ")
		if i := strings.IndexByte(t, '`'); i > 0 { // lldb: module`function
			t = t[i+1:]
		}
		f.fn = beforeArgs(t)
		if i := strings.LastIndex(t, " at "); i > 0 {
			f.file, f.line = splitLine(t[i+4:])
		} else if i := strings.LastIndexByte(t, ' '); i > 0 {
			if file, line := splitLine(t[i+1:]); line > 0 && plausibleFile(file) {
				f.file, f.line = file, line
			}
		}
		return f, true
	}
	if i := strings.LastIndex(t, ") at "); i > 0 {
		f.fn = beforeArgs(t[:i+1])
		f.file, f.line = splitLine(t[i+5:])
		return f, f.line > 0
	}
	if open := strings.LastIndexByte(t, '('); open > 0 && strings.HasSuffix(t, ")") { // Dart
		if file, line := splitLine(t[open+1 : len(t)-1]); line > 0 && plausibleFile(file) {
			if pkg, ok := strings.CutPrefix(file, "package:"); ok {
				_, file, _ = strings.Cut(pkg, "/")
				file = "lib/" + file
			}
			f.file, f.line, f.fn = file, line, strings.TrimSpace(t[:open])
			return f, true
		}
	}
	return frame{}, false
}

// numberedFrame parses "3: crate::f" (Rust), "1: from x.rb:3:in `m'" (Ruby in
// reverse order), and "0  App  0x0001 f + 12 (x.swift:12)" (Swift).
func numberedFrame(t string, c frameContext) (frame, bool) {
	i := 0
	for i < len(t) && i < 6 && isDigit(t[i]) {
		i++
	}
	n, rest := t[:i], t[i:]
	if body, ok := strings.CutPrefix(rest, ": "); ok {
		if loc, ok := strings.CutPrefix(strings.TrimSpace(body), "from "); ok {
			f, ok := headFrame(loc, c)
			f.last = true
			return f, ok
		}
		next := strings.TrimSpace(c.next)
		if strings.HasPrefix(body, "0x") {
			if _, b, ok := strings.Cut(body, " - "); ok {
				body = b
			}
		} else if !strings.HasPrefix(next, "at ") && !c.inTrace {
			return frame{}, false
		}
		if identAt(body, 0) != 0 && !strings.HasPrefix(body, "<") {
			return frame{}, false
		}
		return frame{fn: body, restart: n == "0"}, true
	}
	f := strings.Fields(rest)
	if len(f) < 3 || !strings.HasPrefix(rest, " ") || !strings.HasPrefix(f[1], "0x") {
		return frame{}, false
	}
	out := frame{fn: f[2], restart: n == "0"}
	file, line := splitLine(strings.Trim(f[len(f)-1], "()"))
	if line > 0 && plausibleFile(file) {
		out.file, out.line = file, line
	}
	return out, true
}

// headFrame parses formats that start with file:line or file(line).
func headFrame(t string, c frameContext) (frame, bool) {
	if fn, loc, ok := strings.Cut(t, "@"); ok && !strings.ContainsAny(strings.TrimSpace(fn), " \t") && len(fn) < 200 { // Firefox, Chrome console
		loc = strings.TrimSpace(loc)
		file, line := splitLine(loc)
		if line > 0 && strings.IndexByte(loc, ' ') < 0 && (strings.Contains(loc, "://") || plausibleFile(file)) {
			return frame{file: serve(file), line: line, fn: strings.TrimSpace(fn)}, true
		}
	}
	file, line, rest, ok := headLocation(t)
	if !ok { // old IPython: /path/x.py in f(a, b)
		if file, fn, found := strings.Cut(t, " in "); found && strings.HasSuffix(file, ".py") && strings.IndexByte(file, ' ') < 0 && strings.Contains(fn, "(") {
			return frame{file: file, fn: beforeArgs(fn), last: true}, true
		}
		return frame{}, false
	}
	f := frame{file: file, line: line}
	python := strings.HasSuffix(file, ".py") || strings.HasSuffix(file, ".pyx")
	tail := strings.TrimLeft(rest, ": -")
	switch {
	case strings.HasPrefix(rest, ":in `"), strings.HasPrefix(rest, ":in '"): // Ruby
		fn, after, _ := strings.Cut(rest[5:], "'")
		f.fn = fn
		f.msg = strings.TrimLeft(after, ": ")
		return f, true
	case strings.HasPrefix(tail, "in function "): // Lua
		f.fn = strings.Trim(tail[12:], "'<>")
		return f, true
	case python && strings.HasPrefix(tail, "in "): // pytest
		f.fn, f.last = tail[3:], true
		return f, true
	case tail == "" && rest == ":": // pytest's failing line of a test
		f.last = python
		return f, true
	case isSeverity(tail):
		if strings.HasPrefix(tail, "note") || isLower(tail[0]) && !strings.HasPrefix(tail, "error") && !strings.HasPrefix(tail, "fatal") && !strings.HasPrefix(tail, "warning") && !strings.HasPrefix(tail, "undefined") {
			f.text = tail // explains an error printed before
		} else {
			f.msg = tail
		}
		return f, true
	case python && isErrorLine(tail): // pytest, warnings
		f.msg, f.last = tail, true
		return f, true
	case strings.HasPrefix(strings.TrimSpace(rest), "+0x"), rest == "" && strings.HasSuffix(file, ".go") && c.inTrace: // Go
		return f, true
	case c.inCode || c.inTrace:
		if strings.HasPrefix(tail, "in ") {
			f.fn = tail[3:]
		} else {
			f.text = tail
		}
		return f, true
	}
	return frame{}, false
}

// goFunction parses the function line that precedes a file line in a dump of
// goroutines: pkg/path.(*T).Method(0x1, 0x2).
func goFunction(t string, c frameContext) (frame, bool) {
	if !strings.HasSuffix(t, ")") || !strings.Contains(c.next, ".go:") {
		return frame{}, false
	}
	if _, _, _, ok := headLocation(strings.TrimLeft(strings.TrimSpace(c.next), "| ")); !ok {
		return frame{}, false
	}
	for i := 1; i < len(t); i++ {
		if t[i] == '(' && t[i-1] != '.' {
			fn := t[:i]
			if strings.IndexByte(fn, ' ') >= 0 {
				return frame{}, false
			}
			return frame{fn: fn[strings.LastIndexByte(fn, '/')+1:]}, true
		}
	}
	return frame{}, false
}

// tailFrame parses formats that end with a location: PHP ("msg in f.php:12"),
// Perl ("msg at f.pl line 12."), Swift ("msg: file f.swift, line 12"), Rust
// ("panicked at src/x.rs:1:2:"), Haskell ("f, called at src/X.hs:1:2 in p:M").
func tailFrame(t string, c frameContext) (frame, bool) {
	if i := strings.Index(t, "panicked at "); i >= 0 {
		loc := t[i+12:]
		msg := ""
		if j := strings.LastIndex(loc, "', "); j > 0 && (loc[0] == '\'' || loc[0] == '`') {
			msg, loc = loc[1:j], loc[j+3:]
		}
		if file, line, _, ok := headLocation(loc); ok {
			return frame{file: file, line: line, msg: msg, restart: true}, true
		}
		return frame{}, false
	}
	if i := strings.Index(t, ", called at "); i > 0 {
		if file, line, _, ok := headLocation(t[i+12:]); ok {
			return frame{file: file, line: line, fn: t[:i]}, true
		}
	}
	if !c.inCode && !c.inTrace && !isErrorLine(t) {
		return frame{}, false
	}
	for _, mark := range [...]string{" in ", " at ", ": file ", " file ", " @ "} {
		i := strings.LastIndex(t, mark)
		if i <= 0 {
			continue
		}
		file, line, rest, ok := headLocation(t[i+len(mark):])
		if ok && (strings.Trim(rest, ".:; )") == "" || strings.HasPrefix(rest, ")")) {
			f := frame{file: file, line: line}
			if isErrorLine(t[:i]) {
				f.msg = t[:i]
			} else if mark == " @ " {
				f.fn = beforeArgs(strings.TrimLeft(t[:i], "[]0123456789 "))
			} else {
				f.text = t[:i]
			}
			return f, true
		}
	}
	return frame{}, false
}
