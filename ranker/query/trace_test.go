package query

import (
	"slices"
	"strings"
	"testing"
)

// TestTraces feeds one realistic trace per format and checks the frames of all
// blocks, innermost first, the names taken from functions, and the message.
func TestTraces(t *testing.T) {
	for _, c := range []struct {
		name, text string
		blocks     []string // frames joined by a space
		names      []string // a subset
		inline     string   // contained in the inline segment
	}{
		{"python", `Traceback (most recent call last):
  File "/home/u/.venv/lib/python3.9/site-packages/tool/cli.py", line 12, in main
    run(args)
  File "/home/u/tool/core/run.py", line 30, in run
    raise RowError("no rows")
tool.errors.RowError: no rows`,
			[]string{"home/u/tool/core/run.py:30 home/u/.venv/lib/python3.9/site-packages/tool/cli.py:12"}, nil, "tool.errors.RowError: no rows"},
		{"python chained", `Traceback (most recent call last):
  File "a/x.py", line 1, in f
KeyError: 'k'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "<stdin>", line 1, in <module>
  File "a/y.py", line 2, in g
ValueError: v`, []string{"a/x.py:1", "a/y.py:2"}, nil, "ValueError: v"},
		{"python recursion keeps the innermost order", `Traceback (most recent call last):
  File "a/x.py", line 1, in f
  File "a/y.py", line 2, in g
  File "a/x.py", line 1, in f
RecursionError: depth`, []string{"a/x.py:1 a/y.py:2"}, nil, "RecursionError: depth"},
		{"pytest", `    def test_rows():
>       frob()

tests/test_rows.py:12:
_ _ _ _
src/tool/rows.py:34: in frob
    check()
E   ValueError: no rows

src/tool/rows.py:40: ValueError`, []string{"src/tool/rows.py:40 src/tool/rows.py:34 tests/test_rows.py:12"}, nil, "ValueError: no rows"},
		{"ipython", `~/tool/core.py in frob(self, x)
     10     def frob(self, x):
---> 11         return x.rows
AttributeError: no rows`, []string{"tool/core.py"}, nil, "AttributeError: no rows"},
		{"java", `Exception in thread "main" org.acme.RowException: no rows
	at org.acme.table.Outer$Inner.read(Outer.java:12)
	at app//org.acme.Main.main(Main.java:5)
	at java.base/java.lang.Thread.run(Native Method)
Caused by: java.lang.NullPointerException: Cannot invoke
	at org.acme.io.Reader.lambda$next$0(Reader.java:77)
	... 3 more`, []string{"org/acme/table/Outer.java:12 org/acme/Main.java:5", "org/acme/io/Reader.java:77"},
			[]string{"org.acme.table.Outer.Inner.read", "org.acme.io.Reader.next"}, "java.lang.NullPointerException: Cannot invoke"},
		{"kotlin and scala", "java.lang.IllegalStateException: bad\n\tat org.acme.AppKt.run(App.kt:9)\n\tat org.acme.Repo$.find(Repo.scala:8)",
			[]string{"org/acme/App.kt:9 org/acme/Repo.scala:8"}, []string{"org.acme.AppKt.run", "org.acme.Repo.find"}, "IllegalStateException: bad"},
		{"node", `TypeError: Cannot read properties of null (reading 'rows')
    at Parser.next (/srv/app/src/parser.js:12:7)
    at async Object.<anonymous> (file:///srv/app/src/main.mjs:3:1)
    at new Table (/srv/app/src/my dir/table.ts:4:2)
    at /srv/app/src/anon.js:9:9
    at node:internal/main/run_main:1:1`, []string{"srv/app/src/parser.js:12 srv/app/src/main.mjs:3 srv/app/src/my dir/table.ts:4 srv/app/src/anon.js:9"},
			[]string{"Parser.next"}, "TypeError: Cannot read"},
		{"webpack and browser", `Uncaught Error: bad
    at frob (webpack:///./src/frob.ts?a1b2:12:7)
    at page (webpack-internal:///(ssr)/./src/page.tsx:3:1)
    at w (http://localhost:3000/static/js/app.js:1:1869)`, []string{"src/frob.ts:12 src/page.tsx:3 static/js/app.js:1"}, nil, "Uncaught Error: bad"},
		{"firefox", "frob@http://localhost:3000/src/frob.js:12:7\nrun@http://localhost:3000/src/run.js:1:1",
			[]string{"src/frob.js:12 src/run.js:1"}, nil, ""},
		{"go", `panic: runtime error: index out of range

goroutine 1 [running]:
github.com/o/r/lex.(*Lexer).next(0xc000012345, {0x1, 0x2})
	/home/u/r/lex/lexer.go:123 +0x1d
main.main()
	/home/u/r/main.go:9 +0x2
goroutine 7 [select]:
github.com/o/r/work.Run.func1()
	/home/u/r/work/run.go:5 +0x1
created by github.com/o/r/work.Run in goroutine 1
	/home/u/r/work/run.go:3 +0x9`, []string{"home/u/r/lex/lexer.go:123 home/u/r/main.go:9", "home/u/r/work/run.go:5 home/u/r/work/run.go:3"},
			[]string{"lex.Lexer.next", "main.main", "work.Run"}, "panic: runtime error: index out of range"},
		{"rust", `thread 'main' panicked at src/table.rs:13:43:
no rows
stack backtrace:
   0: rust_begin_unwind
             at /rustc/a55dd71d5fb0ec5a6a3a9e8c27b2127ba491ce52/library/std/src/panicking.rs:584:5
   1: tool::table::Table::read::h0123456789abcdef
             at ./src/table.rs:13:43
note: run with ` + "`RUST_BACKTRACE=full`", []string{"src/table.rs:13",
			"rustc/a55dd71d5fb0ec5a6a3a9e8c27b2127ba491ce52/library/std/src/panicking.rs:584 src/table.rs:13"},
			[]string{"tool.table.Table.read"}, "no rows"},
		{"old rust panic", "thread 'main' panicked at 'no rows', src/table.rs:13:43", []string{"src/table.rs:13"}, nil, "no rows"},
		{"rustc", "error[E0277]: the trait bound is not satisfied\n  --> src/main.rs:316:19\n   |\n316 |     frob_it(x);\n   |     ^^^^^^^", []string{"src/main.rs:316"}, nil, "error[E0277]"},
		{"ruby", "lib/table.rb:12:in `read': no rows (ArgumentError)\n\tfrom lib/main.rb:3:in 'Main#run'\n\tfrom bin/x.rb:1:in `<main>'",
			[]string{"lib/table.rb:12 lib/main.rb:3 bin/x.rb:1"}, []string{"Main.run"}, "no rows (ArgumentError)"},
		{"ruby reversed", "Traceback (most recent call last):\n\t2: from bin/x.rb:1:in `<main>'\n\t1: from lib/main.rb:3:in `run'\nlib/table.rb:12:in `read': no rows (ArgumentError)",
			[]string{"lib/table.rb:12 lib/main.rb:3 bin/x.rb:1"}, nil, "no rows (ArgumentError)"},
		{"php", `PHP Fatal error:  Uncaught RowException: no rows in /srv/app/src/Table.php:12
Stack trace:
#0 /srv/app/src/Main.php(30): Acme\Table->read('x', Array)
#1 [internal function]: Acme\Main::run()
#2 {main}`, []string{"srv/app/src/Table.php:12", "srv/app/src/Main.php:30"}, []string{"Acme.Table.read", "Acme.Main.run"}, "Uncaught RowException: no rows"},
		{"php escaped in a log", `[2024-12-13] ERROR: bad {"exception":"[object] (E(code: 0): bad)\n[stacktrace]\n#0 /srv/b.php(8): Acme\\Db->c()\n#1 /srv/c.php(9): d()"}`,
			[]string{"srv/b.php:8 srv/c.php:9"}, []string{"Acme.Db.c"}, ""},
		{"gdb", "#0  0x0000555 in row_read (t=0x0, n=3) at src/table.c:12\n#1  main (argc=1) at src/main.c:40",
			[]string{"src/table.c:12 src/main.c:40"}, nil, ""},
		{"lldb", "* frame #0: 0x0000555 tool`row_read(t=0x0) at table.c:12:3\n  frame #1: 0x0000777 tool`main at main.c:40:1",
			[]string{"table.c:12 main.c:40"}, nil, ""},
		{"asan", "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n    #0 0x4f in ns::Table::read(int) /src/t/table.cpp:12:3\n    #1 0x5f in main /src/t/main.cpp:3:1",
			[]string{"src/t/table.cpp:12 src/t/main.cpp:3"}, []string{"ns.Table.read"}, "AddressSanitizer: heap-buffer-overflow"},
		{"gcc", "In file included from src/a.cpp:3,\ninclude/t/a.h:12:3: error: no matching function for call to 'ns::frob(int)'\n   12 |   frob_it(1);\n      |   ^~~~\nsrc/a.cpp:9:1: note: candidate: 'int'",
			[]string{"src/a.cpp:3 include/t/a.h:12 src/a.cpp:9"}, []string{"ns.frob"}, "no matching function for call"},
		{"msvc and tsc", "src/a.ts(12,3): error TS2345: Argument of type 'Row'\nsrc/b.ts:9:1 - error TS2322: Type 'Col'",
			[]string{"src/a.ts:12 src/b.ts:9"}, nil, "TS2345"},
		{"c#", "Unhandled exception. System.InvalidOperationException: no rows\n   at Acme.Table.Read(String name, Int32 n) in C:\\code\\Acme\\Table.cs:line 12\n   at System.Linq.Enumerable.First[T](IEnumerable`1 s)",
			[]string{"code/Acme/Table.cs:12"}, []string{"Acme.Table.Read"}, "InvalidOperationException: no rows"},
		{"swift", "Fatal error: Index out of range: file Acme/Table.swift, line 12", []string{"Acme/Table.swift:12"}, nil, "Index out of range"},
		{"elixir", "** (RuntimeError) no rows\n    (app 1.0.0) lib/app/table.ex:12: App.Table.read/1\n    (elixir 1.14) lib/enum.ex:9: Enum.map/2",
			[]string{"lib/app/table.ex:12 lib/enum.ex:9"}, []string{"App.Table.read"}, "(RuntimeError) no rows"},
		{"lua", "lua: src/table.lua:12: no rows\nstack traceback:\n\tsrc/table.lua:12: in function 'read'\n\t[C]: in ?", []string{"src/table.lua:12"}, nil, ""},
		{"dart", "#0      Table.read (package:acme/src/table.dart:12:3)\n#1      main (package:acme/main.dart:3:1)", []string{"lib/src/table.dart:12 lib/main.dart:3"}, []string{"Table.read"}, ""},
		{"prose location is no frame", "the loop at src/table.go:12 never ends", nil, nil, ""},
		{"issue number is no frame", "#0 and #12 are related", nil, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, wrap := range []string{"Some title of it\n\n%\n", "Some title of it\n\n```\n%\n```\nmore"} {
				q := Parse(strings.Replace(wrap, "%", c.text, 1))
				var got []string
				for _, b := range q.Frames() {
					var fs []string
					for _, f := range b {
						fs = append(fs, strings.TrimPrefix(showPath(f), "trace "))
					}
					got = append(got, strings.Join(fs, " "))
				}
				if !slices.Equal(got, c.blocks) {
					t.Errorf("blocks of %.24q\n got %q\nwant %q", wrap, got, c.blocks)
				}
				names := showNames(q)
				for _, n := range c.names {
					if !slices.Contains(names, n) {
						t.Errorf("no name %s in %q", n, names)
					}
				}
				if !strings.Contains(q.Segments[Inline], c.inline) {
					t.Errorf("inline is %q, want %q in it", q.Segments[Inline], c.inline)
				}
			}
		})
	}
}
