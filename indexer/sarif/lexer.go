package sarif

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// lexer reads JSON by its grammar from a stream. It keeps nothing but what is
// asked for: values are skipped and strings are cut as they pass.
type lexer struct {
	in    *bufio.Reader
	at    int64 // bytes read
	limit int64
	depth int
	buf   []byte
	// open holds the brackets of a value that is being skipped.
	open []byte
	// nested counts the brackets around the value that is being read.
	nested int
}

func newLexer(r io.ReaderAt, offset int64, limits *Limits) *lexer {
	const most = 1 << 62 // the end of the file stops it earlier
	return &lexer{in: bufio.NewReaderSize(io.NewSectionReader(r, offset, most-offset), 64<<10),
		at: offset, limit: limits.Size, depth: limits.Depth}
}

func (l *lexer) bad(format string, args ...any) error {
	return fmt.Errorf("%w: %s at byte %d", ErrFormat, fmt.Sprintf(format, args...), l.at)
}

func (l *lexer) byte() (byte, error) {
	b, err := l.in.ReadByte()
	if err != nil {
		if err == io.EOF {
			return 0, fmt.Errorf("%w: it ends in the middle, make it again", ErrFormat)
		}
		return 0, err
	}
	if l.at++; l.at > l.limit {
		return 0, fmt.Errorf("%w: it is larger than %d bytes", ErrLimit, l.limit)
	}
	return b, nil
}

func (l *lexer) back() {
	if l.in.UnreadByte() == nil {
		l.at--
	}
}

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
		b, err := l.in.ReadByte()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		l.at++
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
		return fmt.Errorf("%w: nested deeper than %d at byte %d", ErrLimit, l.depth, l.at)
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
	b, err := l.next()
	if err != nil {
		return "", err
	}
	if b != '"' {
		return "", l.bad("%q where a name should begin", b)
	}
	if err := l.text(maxKey); err != nil {
		return "", err
	}
	if b, err = l.next(); err == nil && b != ':' {
		err = l.bad("%q where a colon should be", b)
	}
	return string(l.buf), err
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
		return b|0x20 - 'a' + 10, true
	}
	return 0, false
}

// noNumber stands for a number that is not given.
const noNumber = -1

// number reads a whole number or null. What is negative, no whole number or
// larger than any place in a file is noNumber: it is no reason to refuse all else.
func (l *lexer) number() (int, error) {
	if is, err := l.null(); is || err != nil {
		return noNumber, err
	}
	b, err := l.peek()
	if err != nil {
		return 0, err
	}
	if b != '-' && (b < '0' || b > '9') {
		return 0, l.bad("%q where a number should begin", b)
	}
	if err := l.scalar(); err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(string(l.buf), 64)
	if err != nil || f < 0 || f >= 1<<31-1 || f != float64(int(f)) {
		return noNumber, nil
	}
	return int(f), nil
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
				return fmt.Errorf("%w: nested deeper than %d at byte %d", ErrLimit, l.depth, l.at)
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

func (l *lexer) skipKey() error {
	_, err := l.key()
	return err
}

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

// maxNumber is the longest number, in bytes.
const maxNumber = 1024

// scalar reads a number, true, false or null into buf.
func (l *lexer) scalar() error {
	l.buf = l.buf[:0]
	for {
		b, err := l.in.ReadByte()
		if err != nil && err != io.EOF {
			return err
		}
		if err == nil {
			word := b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b == '-' || b == '+' || b == '.'
			if word && len(l.buf) < maxNumber {
				l.at++
				l.buf = append(l.buf, b)
				continue
			}
			if err := l.in.UnreadByte(); err != nil {
				return err
			}
		}
		switch s := string(l.buf); {
		case s == "true", s == "false", s == "null", isNumber(s):
			return nil
		case err == io.EOF:
			_, err = l.byte()
			return err
		case s == "":
			return l.bad("unexpected %q", b)
		default:
			return l.bad("unexpected %.20q", s)
		}
	}
}

// isNumber follows the grammar of JSON.
func isNumber(s string) bool {
	i := 0
	digits := func() bool {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return false
	}
	if i < len(s) && s[i] == '.' {
		if i++; !digits() {
			return false
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}

func (l *lexer) bool() (bool, error) {
	if is, err := l.null(); is || err != nil {
		return false, err
	}
	b, err := l.peek()
	if err == nil && b != 't' && b != 'f' {
		err = l.bad("%q where true or false should be", b)
	}
	if err == nil {
		err = l.scalar()
	}
	return err == nil && string(l.buf) == "true", err
}
