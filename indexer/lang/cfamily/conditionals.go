package cfamily

import (
	"bytes"
	"strings"
)

// cleaned is a text in which what the grammars cannot read is blanked, with all
// offsets kept.
type cleaned struct {
	*lexed
	// live are the tokens that are left, without directives.
	live []token
	// out is the cleaned text, directives between statements included; bare
	// lacks directives and comments too.
	out, bare []byte
	// noise are the macros blanked before declarations, in order.
	noise []token
	items []item
}

// maxNested bounds nested conditionals; deeper ones are taken as text.
const maxNested = 100

func (c *cleaned) blank(start, end uint32) {
	blankBytes(c.out[start:end])
	blankBytes(c.bare[start:end])
}

func blankBytes(b []byte) {
	for i, x := range b {
		if x != '\n' && x != '\r' {
			b[i] = ' '
		}
	}
}

// clean prepares a text: conditional compilation is resolved where a branch
// does not hold whole statements, macros that stand for specifiers, attributes
// or whole lines are blanked.
func clean(src []byte, cpp bool) *cleaned {
	c := &cleaned{lexed: lex(src), out: bytes.Clone(src), bare: bytes.Clone(src)}
	for _, m := range c.comments {
		blankBytes(c.bare[m.start:m.end])
	}
	c.conditionals()
	s := &structure{c: c, cpp: cpp}
	s.run()
	return c
}

// branch is one branch of a conditional: tokens [from, to).
type branch struct {
	from, to int
	never    bool // #if 0
	cplus    bool // #ifdef __cplusplus
}

// conditionals blanks the directives and drops the branches that cannot stand
// beside one another.
func (c *cleaned) conditionals() {
	type open struct {
		directives []int
		branches   []branch
	}
	tokens := c.tokens
	drop := make([]bool, len(tokens))
	var stack []*open
	deeper := 0
	finish := func(o *open, end int) {
		o.branches[len(o.branches)-1].to = end
		c.resolve(o.branches, o.directives[0], end, drop)
	}
	for i, t := range tokens {
		if t.kind != tDirective {
			continue
		}
		word, args := c.directive(t)
		switch word {
		case "if", "ifdef", "ifndef":
			if len(stack) >= maxNested {
				deeper++
				continue
			}
			cond := strings.TrimSpace(string(c.src[args:t.end]))
			b := branch{from: i + 1}
			b.never = word == "if" && (cond == "0" || strings.EqualFold(cond, "false"))
			b.cplus = strings.Contains(cond, "__cplusplus")
			stack = append(stack, &open{[]int{i}, []branch{b}})
		case "else", "elif", "elifdef", "elifndef":
			if len(stack) > 0 && deeper == 0 {
				o := stack[len(stack)-1]
				o.branches[len(o.branches)-1].to = i
				o.branches = append(o.branches, branch{from: i + 1})
				o.directives = append(o.directives, i)
			}
		case "endif":
			if deeper > 0 {
				deeper--
				continue
			}
			if len(stack) > 0 {
				finish(stack[len(stack)-1], i)
				stack = stack[:len(stack)-1]
			}
		}
	}
	for len(stack) > 0 {
		finish(stack[len(stack)-1], len(tokens))
		stack = stack[:len(stack)-1]
	}
	depth := 0
	prev := byte(';')
	for i, t := range tokens {
		if drop[i] {
			c.blank(t.start, t.end)
			continue
		}
		if t.kind == tDirective {
			blankBytes(c.bare[t.start:t.end])
			word, _ := c.directive(t)
			switch {
			case word == "include" || word == "import" || word == "define":
				if depth > 0 || prev != ';' && prev != '}' && prev != '{' {
					blankBytes(c.out[t.start:t.end])
				}
			default:
				blankBytes(c.out[t.start:t.end])
			}
			continue
		}
		switch t.kind {
		case '(', '[':
			depth++
		case ')', ']':
			depth = max(0, depth-1)
		case '{', '}':
			depth = 0
		}
		prev = t.kind
		c.live = append(c.live, t)
	}
}

// resolve decides which branches of one conditional stay. Inner conditionals are
// resolved already.
func (c *cleaned) resolve(branches []branch, at, end int, drop []bool) {
	remove := func(b branch) {
		for i := b.from; i < b.to; i++ {
			if c.tokens[i].kind != tDirective {
				drop[i] = true
			}
		}
	}
	for i, b := range branches {
		if b.never {
			remove(b)
			branches[i].to = b.from
		}
	}
	before := byte(';')
	for i := at - 1; i >= 0; i-- {
		if !drop[i] && c.tokens[i].kind != tDirective {
			before = c.tokens[i].kind
			break
		}
	}
	whole, balanced := before == ';' || before == '{' || before == '}' || before == ':', true
	for i := range branches {
		b := branches[i]
		last := byte(0)
		parens, braces, lowest := 0, 0, 0
		for k := b.from; k < b.to; k++ {
			t := c.tokens[k]
			if drop[k] || t.kind == tDirective {
				continue
			}
			last = t.kind
			switch t.kind {
			case '(', '[':
				parens++
			case ')', ']':
				parens--
			case '{':
				braces++
			case '}':
				braces--
			}
			lowest = min(lowest, parens, braces)
		}
		if parens != 0 || braces != 0 || lowest < 0 {
			balanced = false
			if b.cplus {
				remove(b)
			}
		}
		if last != 0 && last != ';' && last != '}' && last != '{' && last != ':' && !c.endsInMacros(b, drop) {
			whole = false
		}
	}
	if balanced && (whole || before == ',') {
		return
	}
	first := true
	for _, b := range branches {
		if b.never || b.from >= b.to {
			continue
		}
		if !first {
			remove(b)
		}
		first = false
	}
}

// endsInMacros tells whether all that stands behind the last whole statement of a
// branch are calls of macros on lines of their own, as in END_DECLS().
func (c *cleaned) endsInMacros(b branch, drop []bool) bool {
	var tail []token
	depth, statements := 0, false
	for k := b.from; k < b.to; k++ {
		t := c.tokens[k]
		if drop[k] || t.kind == tDirective {
			continue
		}
		tail = append(tail, t)
		switch t.kind {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth == 0 && (t.kind == ';' || t.kind == '}') {
			tail, statements = tail[:0], true
		}
	}
	depth = 0
	for i, t := range tail {
		switch {
		case t.kind == '(':
			depth++
		case t.kind == ')':
			depth--
		case depth > 0:
		case t.kind != tWord || !t.line || i+1 >= len(tail) || tail[i+1].kind != '(':
			return false
		}
	}
	return statements && depth == 0
}
