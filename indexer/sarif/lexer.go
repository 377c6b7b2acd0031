package sarif

import (
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// lexer reads JSON by its grammar from a stream. It keeps nothing but what is
// asked for: values are skipped and strings are cut as they pass.
type lexer struct {
	in io.ReaderAt
	// window is what was read of the file last, used up to pos; behind it the file
	// goes on at offset.
	window []byte
	pos    int
	offset int64

	limit int64
	depth int
	buf   []byte
	// open holds the brackets of a value that is being skipped.
	open []byte
	// nested counts the brackets around the value that is being read.
	nested int
}

func newLexer(r io.ReaderAt, offset int64, limits *Limits) *lexer {
	return &lexer{in: r, window: make([]byte, 0, 64<<10), offset: offset, limit: limits.Size, depth: limits.Depth}
}

// at is the number of bytes in front of the next one.
func (l *lexer) at() int64 { return l.offset - int64(len(l.window)-l.pos) }

func (l *lexer) bad(format string, args ...any) error {
	return fmt.Errorf("%w: %s at byte %d", ErrFormat, fmt.Sprintf(format, args...), l.at())
}

// fill reads on when the window is used up; the error is io.EOF at the end. One
// byte of the old window stays for back.
func (l *lexer) fill() error {
	if l.pos < len(l.window) {
		return nil
	}
	keep := copy(l.window[:1], l.window[max(0, len(l.window)-1):])
	space := l.window[keep:cap(l.window)]
	n, err := l.in.ReadAt(space[:min(int64(len(space)), max(0, l.limit-l.offset)+1)], l.offset)
	l.window, l.pos = l.window[:keep+n], keep
	l.offset += int64(n)
	switch {
	case l.offset > l.limit:
		return fmt.Errorf("%w: it is larger than %d bytes", ErrLimit, l.limit)
	case n > 0:
		return nil
	case err == nil:
		return io.ErrNoProgress
	}
	return err
}

func (l *lexer) byte() (byte, error) {
	if l.pos == len(l.window) {
		if err := l.fill(); err != nil {
			if err == io.EOF {
				err = fmt.Errorf("%w: it ends in the middle, make it again", ErrFormat)
			}
			return 0, err
		}
	}
	b := l.window[l.pos]
	l.pos++
	return b, nil
}

// back gives the last byte back, once.
func (l *lexer) back() { l.pos-- }

// next is the first byte that is no space, taken.
func (l *lexer) next() (byte, error) {
	for {
		b, err := l.byte()
		if err != nil || b != ' ' && b != '\n' && b != '\r' && b != '\t' {
			return b, err
		}
	}
}

// peek is the first byte that is no space, left where it is.
func (l *lexer) peek() (byte, error) {
	b, err := l.next()
	if err == nil {
		l.back()
	}
	return b, err
}

// end checks that nothing but space follows.
func (l *lexer) end() error {
	for {
		if err := l.fill(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		b := l.window[l.pos]
		l.pos++
		if b != ' ' && b != '\n' && b != '\r' && b != '\t' {
			return l.bad("unexpected %q behind the report", b)
		}
	}
}

// null takes a null and tells whether there was one. Writers give it for what
// they do not know, so it is the same as nothing everywhere.
func (l *lexer) null() (bool, error) {
	b, err := l.peek()
	if err != nil || b != 'n' {
		return false, err
	}
	return true, l.skip()
}

// object calls member for each member; member has to read the value.
func (l *lexer) object(member func(key string) error) error {
	if is, err := l.null(); is || err != nil {
		return err
	}
	b, err := l.next()
	if err != nil {
		return err
	}
	if b != '{' {
		return l.bad("%q where an object should begin", b)
	}
	return l.inside('}', func() error {
		key, err := l.key()
		if err != nil {
			return err
		}
		return member(key)
	})
}

// array calls element for each element, which has to read it.
func (l *lexer) array(element func() error) error {
	if is, err := l.null(); is || err != nil {
		return err
	}
	b, err := l.next()
	if err != nil {
		return err
	}
	if b != '[' {
		return l.bad("%q where an array should begin", b)
	}
	return l.inside(']', element)
}

func (l *lexer) inside(closing byte, element func() error) error {
	if l.nested++; l.nested > l.depth {
		return fmt.Errorf("%w: nested deeper than %d at byte %d", ErrLimit, l.depth, l.at())
	}
	defer func() { l.nested-- }()
	b, err := l.peek()
	if err != nil {
		return err
	}
	if b == closing {
		_, err = l.next()
		return err
	}
	for {
		if err := element(); err != nil {
			return err
		}
		b, err := l.next()
		switch {
		case err != nil:
			return err
		case b == closing:
			return nil
		case b != ',':
			return l.bad("unexpected %q", b)
		}
	}
}

// maxKey is longer than any name of the format; a longer one is cut and so known
// to nobody.
const maxKey = 256

func (l *lexer) key() (string, error) {
	err := l.name(maxKey)
	return string(l.buf), err
}

// name reads a name and the colon behind it.
func (l *lexer) name(most int) error {
	b, err := l.next()
	if err != nil {
		return err
	}
	if b != '"' {
		return l.bad("%q where a name should begin", b)
	}
	if err := l.text(most); err != nil {
		return err
	}
	if b, err = l.next(); err == nil && b != ':' {
		err = l.bad("%q where a colon should be", b)
	}
	return err
}

// str reads a string or null, of which it keeps about most bytes.
func (l *lexer) str(most int) (string, error) {
	if is, err := l.null(); is || err != nil {
		return "", err
	}
	b, err := l.next()
	if err != nil {
		return "", err
	}
	if b != '"' {
		return "", l.bad("%q where a string should begin", b)
	}
	err = l.text(most)
	return string(l.buf), err
}

// text reads a string behind its quote into buf. What is longer than most ends
// with an ellipsis behind at least most bytes; most < 0 keeps nothing.
func (l *lexer) text(most int) error {
	l.buf = l.buf[:0]
	cut, high := most < 0, rune(-1)
	for {
		if high < 0 {
			plain := l.plain()
			l.pos += len(plain)
			if room := max(0, most-len(l.buf)); !cut {
				l.buf = append(l.buf, plain[:min(len(plain), room)]...)
				cut = len(plain) > room
			}
		}
		b, err := l.byte()
		if err != nil {
			return err
		}
		r, raw := rune(b), b >= utf8.RuneSelf
		switch {
		case b == '"':
			if high >= 0 {
				l.put(utf8.RuneError)
			}
			if !utf8.Valid(l.buf) {
				l.buf = []byte(string([]rune(string(l.buf))))
			}
			if cut && most >= 0 {
				l.buf = append(l.buf, "…"...)
			}
			return nil
		case b < 0x20:
			return l.bad("a control character in a string")
		case b == '\\':
			if r, err = l.escape(); err != nil {
				return err
			}
		}
		if cut {
			continue
		}
		if high >= 0 {
			// Half a pair is followed by its other half, or broken.
			pair := utf16.DecodeRune(high, r)
			high = -1
			if pair != utf8.RuneError {
				l.put(pair)
				continue
			}
			l.put(utf8.RuneError)
		}
		// A character is never cut in two.
		if len(l.buf) >= most && (!raw || utf8.RuneStart(b)) || len(l.buf) >= most+utf8.UTFMax {
			cut = true
			continue
		}
		switch {
		case raw:
			l.buf = append(l.buf, b)
		case r >= 0xd800 && r < 0xdc00:
			high = r
		default:
			l.put(r)
		}
	}
}

// plain are the next bytes in the window that stand for themselves in a string.
func (l *lexer) plain() []byte {
	n := l.pos
	for n < len(l.window) {
		if b := l.window[n]; b == '"' || b == '\\' || b < 0x20 || b >= utf8.RuneSelf {
			break
		}
		n++
	}
	return l.window[l.pos:n]
}

func (l *lexer) put(r rune) { l.buf = utf8.AppendRune(l.buf, r) }

func (l *lexer) escape() (rune, error) {
	b, err := l.byte()
	if err != nil {
		return 0, err
	}
	switch b {
	case '"', '\\', '/':
		return rune(b), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r := rune(0)
		for range 4 {
			if b, err = l.byte(); err != nil {
				return 0, err
			}
			d, ok := unhex(b)
			if !ok {
				return 0, l.bad("a broken escape in a string")
			}
			r = r<<4 | rune(d)
		}
		return r, nil
	}
	return 0, l.bad("an unknown escape \\%c in a string", b)
}

func unhex(b byte) (byte, bool) {
	switch {
	case b >= '0' && b <= '9':
		return b - '0', true
	case b|0x20 >= 'a' && b|0x20 <= 'f':
		return b | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// skip passes over a value, whatever it is.
func (l *lexer) skip() error {
	l.open = l.open[:0]
	for {
		b, err := l.next()
		if err != nil {
			return err
		}
		switch b {
		case '{', '[':
			if len(l.open)+l.nested >= l.depth {
				return fmt.Errorf("%w: nested deeper than %d at byte %d", ErrLimit, l.depth, l.at())
			}
			l.open = append(l.open, b)
			c, err := l.peek()
			if err != nil {
				return err
			}
			if c != b+2 { // in ASCII, what closes a bracket stands two behind it
				if b == '{' {
					if err := l.skipKey(); err != nil {
						return err
					}
				}
				continue
			}
		case '"':
			err = l.text(-1)
		default:
			l.back()
			err = l.scalar()
		}
		if err != nil {
			return err
		}
		if more, err := l.close(); !more || err != nil {
			return err
		}
	}
}

func (l *lexer) skipKey() error { return l.name(-1) }

// close goes on behind a value that was skipped: it takes the brackets that close
// and the comma in front of the next value.
func (l *lexer) close() (more bool, err error) {
	for len(l.open) > 0 {
		top := l.open[len(l.open)-1]
		b, err := l.next()
		switch {
		case err != nil:
			return false, err
		case b == top+2:
			l.open = l.open[:len(l.open)-1]
		case b != ',':
			return false, l.bad("unexpected %q", b)
		case top == '{':
			return true, l.skipKey()
		default:
			return true, nil
		}
	}
	return false, nil
}
