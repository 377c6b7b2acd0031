package bash

import "bytes"

// Bounds of the scan. Substitutions nested deeper than maxDepth are skipped as
// plain text; an arithmetic command is looked for within maxArithmetic bytes.
const (
	maxDepth      = 60
	maxArithmetic = 2000
)

// word is a word of a command with the commands of its substitutions.
type word struct {
	start, end int
	subs       []*item
	reads      []read
}

// read is a use of a variable.
type read struct {
	name string
	at   int
}

// item is a simple command or a function with what its body holds.
type item struct {
	start, end int
	words      []word
	// Of a function:
	function bool
	names    []word
	headEnd  int
	test     bool // @test of bats
	body     []*item
	// anonymous functions and whole files have no names.
}

// heredoc is one whose body starts at the next line.
type heredoc struct {
	delimiter    string
	tabs, quoted bool
}

// opener is an open brace, parenthesis or case.
type opener struct {
	kind    byte // { ( c
	pattern bool // of a case: a pattern comes next
	list    *[]*item
	fn      *item // whose body ends with it
}

// scanner reads a shell program. It knows no grammar of compound commands: only
// braces, parentheses and case decide where a function ends.
type scanner struct {
	src      []byte
	zsh      bool
	resync   bool // a header of a function in the first column closes what is open
	comments []span
	unclosed bool
	arithEnd int // nothing before it is an arithmetic command
	depth    int
}

type span struct{ start, end int }

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// program reads commands from a position up to the parenthesis that closes it
// (closer ')') or the end, and returns the position behind.
func (s *scanner) program(pos, end int, closer byte) (items []*item, next int) {
	var (
		list    = &items
		stack   []opener
		cmd     *item
		pending []heredoc
		fn      *item // a function whose body has not begun
		command = true
	)
	flush := func(at int) {
		if cmd != nil {
			cmd.end = at
			if fn != nil {
				fn.body = append(fn.body, cmd)
			} else {
				*list = append(*list, cmd)
			}
			cmd = nil
		}
		command = true
	}
	// A function whose body is one command ends with it.
	endShort := func(at int) {
		if fn != nil && len(fn.body) > 0 {
			fn.end = at
			fn = nil
		}
	}
	push := func(kind byte) {
		o := opener{kind: kind, list: list}
		if fn != nil && kind != 'c' {
			o.fn = fn
			fn = nil
			list = &o.fn.body
		}
		stack = append(stack, o)
	}
	pop := func(at int) {
		o := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		list = o.list
		if o.fn != nil {
			o.fn.end = at
		}
	}
	top := func() byte {
		if len(stack) == 0 {
			return 0
		}
		return stack[len(stack)-1].kind
	}
	begin := func(f *item) {
		*list = append(*list, f)
		fn = f
		command = true
	}
	lineStart := func(i int) bool { return i == 0 || s.src[i-1] == '\n' }
	i := pos
	for i < end {
		c := s.src[i]
		if s.resync && lineStart(i) && (closer != 0 || len(stack) > 0) && isHeader(s.src[i:end]) {
			flush(i)
			if closer != 0 && i > pos {
				return items, i - 1
			}
			for len(stack) > 0 {
				pop(lastText(s.src, i))
			}
			pending = nil
		}
		if len(stack) > 0 && stack[len(stack)-1].pattern {
			if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
				i++
				continue
			}
			if c == '#' && (i == 0 || s.src[i-1] != '$') {
				i = s.comment(i, end)
				continue
			}
			if bytes.HasPrefix(s.src[i:end], []byte("esac")) && (i+4 >= end || !isNameByte(s.src[i+4])) {
				pop(i + 4)
				i += 4
				command = false
				continue
			}
			stack[len(stack)-1].pattern = false
			i = s.pattern(i, end)
			command = true
			continue
		}
		switch c {
		case ' ', '\t', '\r':
			i++
			continue
		case '\\':
			if i+1 < end && (s.src[i+1] == '\n' || s.src[i+1] == '\r') {
				i += 2
				continue
			}
		case '\n':
			flush(i)
			endShort(i)
			i++
			for k, h := range pending {
				if k > 0 && i < end {
					i++
				}
				i = s.heredoc(h, i, end, list)
			}
			pending = nil
			continue
		case '#':
			i = s.comment(i, end)
			continue
		case ';', '&', '|':
			if c == '&' && i+1 < end && s.src[i+1] == '>' {
				i++
				continue
			}
			flush(i)
			if c == ';' {
				endShort(i)
			}
			if top() == 'c' && c == ';' && i+1 < end && bytes.IndexByte([]byte(";&|"), s.src[i+1]) >= 0 {
				i += 2
				if i < end && s.src[i] == '&' {
					i++
				}
				stack[len(stack)-1].pattern = true
				continue
			}
			i++
			continue
		case '<', '>':
			if i+1 < end && s.src[i+1] == '(' {
				break // process substitution, a word
			}
			if c == '<' && i+2 < end && s.src[i+1] == '<' && s.src[i+2] != '<' && s.src[i+2] != '=' {
				var h heredoc
				if h, i = s.delimiter(i+2, end); h.delimiter != "" || h.quoted {
					pending = append(pending, h)
				}
				continue
			}
			for i < end && bytes.IndexByte([]byte("<>&|"), s.src[i]) >= 0 {
				i++
			}
			if i < end && s.src[i] == '(' {
				continue
			}
			// The target is no argument.
			for i < end && (s.src[i] == ' ' || s.src[i] == '\t') {
				i++
			}
			if i < end && bytes.IndexByte([]byte("\n;#\r"), s.src[i]) < 0 {
				var w word
				at := i
				w, i = s.word(i, end)
				if i == at {
					i++
				}
				if cmd == nil {
					cmd = &item{start: at}
				}
				attach(cmd, w)
			}
			continue
		case '(':
			k := skipBlank(s.src, i+1, end)
			if cmd != nil && len(cmd.words) > 0 && k < end && s.src[k] == ')' && fn == nil && definable(s.src, cmd.words) {
				f := &item{start: cmd.start, function: true, names: cmd.words, headEnd: k + 1, end: k + 1}
				cmd = nil
				i = k + 1
				begin(f)
				continue
			}
			if fn != nil && k < end && s.src[k] == ')' && len(fn.body) == 0 { // function name ()
				fn.headEnd, fn.end = k+1, k+1
				i = k + 1
				continue
			}
			if cmd == nil && s.zsh && k < end && s.src[k] == ')' { // anonymous function
				begin(&item{start: i, function: true, headEnd: k + 1, end: k + 1})
				i = k + 1
				continue
			}
			if (command && cmd == nil || cmd != nil && len(cmd.words) == 1 && s.is(cmd.words[0], "for")) && i+1 < end && s.src[i+1] == '(' {
				if stop := s.arithmetic(i, end); stop > 0 {
					a := &item{start: i}
					w := word{start: i, end: stop}
					s.text(i+2, stop-2, &w, false)
					attach(a, w)
					if fn != nil {
						fn.body = append(fn.body, a)
						fn.end = stop
						fn = nil
					} else if cmd == nil {
						cmd = a
					} else {
						attach(cmd, w)
					}
					i = stop
					command = false
					continue
				}
			}
			if !command && s.zsh {
				// A glob or a list of words behind for.
				if stop := balanced(s.src, i, min(end, i+maxArithmetic)); stop > 0 && cmd != nil {
					w := word{start: i, end: stop}
					s.text(i+1, stop-1, &w, false)
					attach(cmd, w)
					i = stop
					continue
				}
			}
			flush(i)
			push('(')
			i++
			continue
		case ')':
			flush(i)
			endShort(i)
			i++
			if top() == '(' {
				pop(i)
				command = false
			} else if closer == ')' {
				if len(stack) > 0 {
					s.unclosed = true
				}
				return items, i
			}
			continue
		}
		at := i
		var w word
		if command && bytes.HasPrefix(s.src[i:end], []byte("[[")) && i+2 < end && (s.src[i+2] == ' ' || s.src[i+2] == '\t' || s.src[i+2] == '\n') {
			stop := s.test(i+2, end)
			w = word{start: i, end: stop}
			s.text(i+2, stop, &w, false)
			if cmd == nil {
				cmd = &item{start: i}
			}
			attach(cmd, w)
			i, command = stop, false
			continue
		}
		w, i = s.word(i, end)
		if i == at {
			i++
			continue
		}
		text := string(s.src[w.start:w.end])
		if text == "{" && (command || s.zsh || onlyBlank(s.src, i, end)) {
			flush(at)
			push('{')
			continue
		}
		if text == "}" && top() == '{' && (command || s.zsh) {
			flush(at)
			pop(i)
			command = false
			continue
		}
		if command && cmd == nil {
			switch text {
			case "function":
				if f, stop := s.function(at, i, end); f != nil {
					i = stop
					begin(f)
					continue
				}
			case "@test":
				if f, stop := s.batsTest(at, i, end); f != nil {
					i = stop
					begin(f)
					continue
				}
			case "case":
				if stop := s.caseHead(i, end, &w); stop > 0 {
					k := &item{start: at}
					attach(k, w)
					k.end = stop
					*list = append(*list, k)
					if fn != nil && len(fn.body) == 0 {
						fn = nil
					}
					push('c')
					stack[len(stack)-1].pattern = true
					i = stop
					continue
				}
			case "esac":
				if top() == 'c' {
					pop(i)
					command = false
					continue
				}
			case "if", "then", "else", "elif", "while", "until", "do", "!", "time", "fi", "done", "always", "noglob", "nocorrect", "-":
				continue
			}
		}
		if cmd == nil {
			cmd = &item{start: at}
			if !command { // an argument behind a brace
				attach(cmd, w)
				continue
			}
		}
		cmd.words = append(cmd.words, w)
		cmd.end = i
		command = command && isAssignment(s.src[w.start:w.end])
		if fn != nil && len(fn.body) == 0 && fn.headEnd <= at {
			// The body is this one command.
			fn.body = append(fn.body, cmd)
			fn.end = i
			i = s.rest(cmd, i, end)
			fn.end, cmd, fn, command = i, nil, nil, true
		}
	}
	flush(end)
	if len(stack) > 0 || closer != 0 {
		s.unclosed = true
	}
	for len(stack) > 0 {
		pop(lastText(s.src, end))
	}
	return items, end
}

// rest reads the other words of a command up to the end of the line.
func (s *scanner) rest(cmd *item, i, end int) int {
	for i < end && bytes.IndexByte([]byte("\n;"), s.src[i]) < 0 {
		if bytes.IndexByte([]byte(" \t\r&|<>()"), s.src[i]) >= 0 {
			i++
			continue
		}
		at := i
		var w word
		if w, i = s.word(i, end); i == at {
			i++
			continue
		}
		cmd.words = append(cmd.words, w)
		cmd.end = i
	}
	return i
}

// attach gives a command the substitutions of a word that is none of its
// arguments.
func attach(cmd *item, w word) {
	if len(w.subs) > 0 || len(w.reads) > 0 {
		w.end = w.start
		cmd.words = append(cmd.words, w)
	}
}

func (s *scanner) comment(i, end int) int {
	start := i
	for i < end && s.src[i] != '\n' {
		i++
	}
	stop := i
	if stop > start && s.src[stop-1] == '\r' {
		stop--
	}
	s.comments = append(s.comments, span{start, stop})
	return i
}

// pattern skips the pattern of a case up to the parenthesis that ends it.
func (s *scanner) pattern(i, end int) int {
	lead := s.src[i] == '('
	if lead {
		i++
	}
	depth := 0
	for i < end {
		switch s.src[i] {
		case '\\':
			i++
		case '\'', '"':
			i = s.skipString(i, end)
			continue
		case '(':
			depth++
		case ')':
			if depth == 0 {
				i++
				// zsh has (a|b)) and (a|b)*) beside the optional parenthesis.
				if lead && i < end && bytes.IndexByte([]byte(" \t\r\n"), s.src[i]) < 0 {
					lead = false
					continue
				}
				return i
			}
			depth--
		case '\n':
			if depth == 0 && i > 0 && s.src[i-1] != '\\' && s.src[i-1] != '|' {
				return i
			}
		}
		i++
	}
	return end
}
