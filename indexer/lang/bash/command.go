package bash

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// command reports a simple command.
func (w *walker) command(it *item) {
	words := it.words
	first := 0
	for first < len(words) && (words[first].start == words[first].end || isAssignment(w.src[words[first].start:words[first].end])) {
		first++
	}
	if first == len(words) {
		for _, x := range words {
			w.assign(it, x, 0, "")
		}
		w.inner(words)
		return
	}
	args := words[first+1:]
	switch name := w.text(words[first]); name {
	case "export", "readonly", "declare", "typeset", "local", "integer", "float":
		w.declaration(it, name, args)
	case "alias":
		for _, x := range args {
			if n, _, ok := strings.Cut(w.text(x), "="); ok && n != "" && n[0] != '-' && !strings.ContainsAny(n, "$`\n") {
				n = strings.Trim(n, `"'`)
				w.symbol(it, x, n, facts.KindMacro, 0, `""`)
			}
		}
	case "source", ".":
		if len(args) > 0 {
			if p := literal(w.text(args[0])); p != "" {
				if p == "shunit2" || strings.HasSuffix(p, "/shunit2") {
					w.asserts = true
				}
				w.b.Import(facts.Import{Module: p}, uint32(words[first].start))
			}
		}
	case "for", "select":
		if len(args) > 0 && w.b.InBody() {
			if n := w.text(args[0]); isPlain(n) && !w.globals[n] {
				w.b.Bind(n, uint32(args[0].start), "", "range ?")
			}
		}
	case "read", "mapfile", "readarray", "getopts":
		for _, x := range args {
			if n := w.text(x); w.b.InBody() && isPlain(n) && !w.globals[n] && !w.b.Bound(n) {
				w.b.Bind(n, uint32(x.start), "", `""`)
			}
		}
	case "trap", "compdef", "zle", "complete", "add-zsh-hook", "autoload":
		w.handlers(name, args)
		w.code = w.code || !w.b.InBody() && name == "trap"
	case "load":
		if w.b.Extension == ".bats" && len(args) > 0 {
			if p := literal(w.text(args[0])); p != "" && !strings.HasPrefix(p, "/") {
				w.b.Import(facts.Import{Module: "./" + strings.TrimPrefix(p, "./")}, uint32(words[first].start))
			}
			break
		}
		fallthrough
	default:
		w.call(words[first], name)
		// Commands that run another one.
		for k := 0; wraps(name) && k < len(args); k++ {
			n := w.text(args[k])
			if strings.HasPrefix(n, "-") || isAssignment([]byte(n)) {
				continue
			}
			w.call(args[k], n)
			name = n
		}
		if !w.b.InBody() && !setsUp(name) {
			w.code = true
		}
	}
	w.inner(words)
}

// setsUp tells whether a command at the level of the file only prepares what
// follows.
func setsUp(name string) bool {
	switch name {
	case "set", "shopt", "setopt", "unsetopt", "emulate", "unset", "umask", ":", "true", "bindkey", "zstyle", "zmodload", "return":
		return true
	}
	return strings.HasPrefix(name, "[")
}

func wraps(name string) bool {
	switch name {
	case "command", "builtin", "exec", "eval", "env", "sudo", "nohup", "nice", "noglob", "then", "run", "coproc":
		return true
	}
	return false
}

// inner reports what the words of a command hold.
func (w *walker) inner(words []word) {
	for _, x := range words {
		for _, r := range x.reads {
			if !w.b.Bound(r.name) && len(r.name) > 1 && !environment(r.name) {
				w.b.Reference(facts.RefRead, r.name, "", uint32(r.at))
			}
		}
		if len(x.subs) > 0 && w.depth <= 2*maxDepth {
			w.depth++
			code := w.code
			w.items(x.subs)
			w.code = code
			w.depth--
		}
	}
}

func (w *walker) call(x word, name string) {
	if strings.ContainsAny(name, "$`\"'*?[]{}~=<>!\\#^%") || name == "" {
		return
	}
	if !w.functions[name] {
		if isUsual(name) || strings.Contains(name, "/") || strings.Trim(name, "0123456789.:-+") == "" {
			return
		}
	}
	if strings.HasPrefix(name, "assert") || name == "shunit2" {
		w.asserts = true
	}
	if !w.b.InBody() {
		w.started = append(w.started, name)
	}
	w.b.Reference(facts.RefCall, name, "", uint32(x.start))
}

// handlers reports functions that a command takes by name.
func (w *walker) handlers(command string, args []word) {
	for k, x := range args {
		n := strings.Trim(w.text(x), `"'`)
		if strings.HasPrefix(n, "-") || n == "" {
			continue
		}
		at := x
		at.start += strings.Index(w.text(x), n)
		switch {
		case command == "autoload":
			if !isUsual(n) && isPlain(n) {
				w.b.Reference(facts.RefRead, n, "", uint32(at.start))
			}
			continue
		case !w.functions[n]:
		case command == "trap" && k > 0:
		default:
			w.b.Reference(facts.RefCall, n, "", uint32(at.start))
		}
	}
}

// declaration reports export, readonly, declare, local and the like.
func (w *walker) declaration(it *item, command string, args []word) {
	var flags facts.SymbolFlags
	constant, global, functions := command == "readonly", command == "export" || command == "readonly", false
	if command == "export" {
		flags |= facts.Exported
	}
	typ := ""
	switch command {
	case "integer", "float":
		typ = command
	}
	for _, x := range args {
		t := w.text(x)
		if strings.HasPrefix(t, "-") || strings.HasPrefix(t, "+") {
			for _, c := range t[1:] {
				switch {
				case t[0] == '+':
				case c == 'r':
					constant = true
				case c == 'x':
					flags |= facts.Exported
				case c == 'g':
					global = true
				case c == 'f' || c == 'F':
					functions = true
				case c == 'i':
					typ = "integer"
				case c == 'a':
					typ = "array"
				case c == 'A':
					typ = "map"
				case c == 'n':
					typ = "reference"
				}
			}
			continue
		}
		if functions {
			if i := w.b.FindSymbol(t); i >= 0 && flags&facts.Exported != 0 {
				w.b.At(i).Flags |= facts.Exported
			}
			continue
		}
		name, value, ok := assignment(t)
		if !ok {
			if name = t; !isPlain(name) {
				continue
			}
		}
		if i := w.b.FindSymbol(name); i >= 0 && w.globals[name] && !w.b.InBody() {
			s := w.b.At(i)
			s.Flags |= flags
			if constant {
				s.Kind = facts.KindConstant
			}
			continue
		}
		if w.b.InBody() && !global {
			w.b.Bind(name, uint32(x.start), typ, shape(value, typ))
			continue
		}
		if !ok && command == "export" && w.b.InBody() {
			continue
		}
		kind := facts.KindVariable
		if constant {
			kind = facts.KindConstant
		}
		w.define(it, x, name, typ, value, kind, flags)
	}
}

// assign reports name=value: a variable of the file, or a local of a function.
func (w *walker) assign(it *item, x word, flags facts.SymbolFlags, typ string) {
	name, value, ok := assignment(w.text(x))
	if !ok || !isPlain(name) {
		return
	}
	if strings.HasPrefix(value, "(") {
		typ = "array"
	}
	if w.b.InBody() {
		if !w.globals[name] && !w.b.Bound(name) {
			w.b.Bind(name, uint32(x.start), typ, shape(value, typ))
		}
		return
	}
	if !environment(name) {
		w.define(it, x, name, typ, value, facts.KindVariable, flags)
	}
}

func (w *walker) define(it *item, x word, name, typ, value string, kind facts.Kind, flags facts.SymbolFlags) {
	if w.globals[name] || w.depth > maxDepth {
		return
	}
	if !w.b.InBody() {
		w.globals[name] = true
	}
	if i := w.symbol(it, x, name, kind, flags, shape(value, typ)); i >= 0 {
		w.b.At(i).Type = typ
	}
}

func (w *walker) symbol(it *item, x word, name string, kind facts.Kind, flags facts.SymbolFlags, init string) int32 {
	start, end := it.start, x.end
	if len(it.words) > 0 && w.b.Line(uint32(it.start)) != w.b.Line(uint32(x.start)) {
		start = x.start
	}
	at := x.start + max(0, strings.Index(w.text(x), name))
	signature := string(w.src[start:end])
	if line, _, more := strings.Cut(signature, "\n"); more {
		signature = strings.TrimRight(line, "\\ \t\r") + " …"
	}
	return w.b.Symbol(facts.Symbol{
		Name: name, Kind: kind, Visibility: visibility(name), Flags: flags, Doc: w.above(start), Signature: signature, Init: init,
		Span: facts.Span{Start: uint32(start), End: uint32(end)}, NameSpan: facts.Span{Start: uint32(at), End: uint32(min(at+len(name), end))},
	})
}

// literal is the path of a source command: without quotes and, where it starts
// with the directory of the script, relative to it.
func literal(t string) string {
	t = strings.NewReplacer(`"`, "", `'`, "").Replace(t)
	for _, own := range []string{"$(dirname $0)/", "$(dirname ${BASH_SOURCE[0]})/", "$(dirname $BASH_SOURCE)/", "${0%/*}/", "${BASH_SOURCE%/*}/",
		"${BASH_SOURCE[0]%/*}/", "${0:h}/", "${0:A:h}/", "${0:a:h}/", "$(dirname -- $0)/", "$(dirname -- ${BASH_SOURCE[0]})/"} {
		if rest, ok := strings.CutPrefix(t, own); ok {
			t = "./" + rest
		}
	}
	if strings.ContainsAny(t, "$`*?<>(") {
		return ""
	}
	return t
}

func shape(value, typ string) string {
	v := strings.TrimSpace(value)
	switch {
	case typ == "map":
		return "{}"
	case typ == "array" || strings.HasPrefix(v, "("):
		return "[]"
	case v == "":
		return ""
	case strings.Trim(v, "0123456789") == "", strings.HasPrefix(v, "$(("):
		return "0"
	case v[0] == '$' && isPlain(v[1:]):
		return lang.Shape(v[1:])
	}
	return `""`
}

// environment lists variables that every process or shell has.
func environment(name string) bool {
	switch name {
	case "HOME", "PATH", "PWD", "OLDPWD", "USER", "SHELL", "IFS", "TERM", "LANG", "LC_ALL", "TMPDIR", "BASH_SOURCE", "FUNCNAME", "LINENO",
		"RANDOM", "SECONDS", "OPTARG", "OPTIND", "REPLY", "PIPESTATUS", "UID", "EUID", "HOSTNAME", "BASH_REMATCH", "BASH_VERSION", "PPID",
		"ZSH_VERSION", "MATCH", "match", "mbegin", "mend", "reply", "argv", "status", "COLUMNS", "LINES", "EDITOR", "LOGNAME", "DISPLAY":
		return true
	}
	return false
}

// usual lists builtins and the utilities that every system has, each between
// spaces.
const usual = " " +
	". : [ [[ ]] { } alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs " +
	"disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if " +
	"in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source " +
	"suspend test then time times trap true type typeset ulimit umask unalias unset until wait while print whence where " +
	"autoload bindkey emulate noglob setopt unsetopt zle zmodload zstyle zparseopts compdef vared zformat always repeat " +
	"foreach end integer float limit rehash sched awk basename bc bunzip2 bzip2 cat chgrp chmod chown chroot cksum clear cmp " +
	"comm cp cpio curl cut date dd df diff dirname du ed egrep env expand expr fgrep file find fold fmt gawk getent getopt " +
	"git grep gunzip gzip head hostname iconv id install join less ln locale logger ls make mkdir mkfifo mknod mktemp more " +
	"mount mv nice nl nohup nproc od paste patch pgrep pidof pkill pr ps readlink realpath rev rm rmdir rsync sed seq sh " +
	"sha1sum sha256sum sha512sum md5sum shuf sleep sort split ssh scp stat stty su sudo sync sysctl tac tail tar tee timeout " +
	"top touch tput tr tsort tty umount uname unexpand uniq unlink unzip users wc wget which who whoami xargs xz yes zcat zip " +
	"bash zsh ksh dash python python3 perl ruby node npm go docker apt-get apt yum dnf brew pip jq open vi vim nano man " +
	"column printenv base64 strings ip ping nc killall free mountpoint ldd ldconfig systemctl service chsh groupadd useradd " +
	"usermod cargo rustc gcc g++ cc clang cmake openssl gpg "

func isUsual(name string) bool {
	return !strings.Contains(name, " ") && strings.Contains(usual, " "+name+" ")
}
