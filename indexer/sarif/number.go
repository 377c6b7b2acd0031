package sarif

import (
	"io"
	"strconv"
)

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

// maxNumber is the longest number, in bytes.
const maxNumber = 1024

// scalar reads a number, true, false or null into buf.
func (l *lexer) scalar() error {
	l.buf = l.buf[:0]
	for {
		err := l.fill()
		if err != nil && err != io.EOF {
			return err
		}
		b := byte(0)
		if err == nil {
			b = l.window[l.pos]
			word := b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b == '-' || b == '+' || b == '.'
			if word && len(l.buf) < maxNumber {
				l.pos++
				l.buf = append(l.buf, b)
				continue
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
