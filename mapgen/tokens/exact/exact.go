// Package exact counts tokens as the tokenizers themselves do, by their tables,
// which are part of the program. Making one takes about a tenth of a second and
// some tens of megabytes, and it counts a few megabytes a second: fit for packs,
// which are built once, not for every query, which is what the estimate of
// package tokens is for.
package exact

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/project-map/project-map/mapgen/tokens"
)

// ErrUnknown says that there is no tokenizer of a name.
var ErrUnknown = errors.New("unknown tokenizer")

// Names are the names that New knows, the exact ones first.
func Names() []string {
	return []string{tokens.NameO200kBase, tokens.NameCL100kBase, tokens.NameEstimate, tokens.NameBytes}
}

// New gives a tokenizer by name, the estimates included. The tables of an exact
// one are loaded when it first counts.
func New(name string) (tokens.Tokenizer, error) {
	switch name {
	case tokens.NameO200kBase:
		return &bytePair{name: name, load: sync.OnceValue(codec.NewO200kBase)}, nil
	case tokens.NameCL100kBase:
		return &bytePair{name: name, load: sync.OnceValue(codec.NewCl100kBase)}, nil
	case tokens.NameEstimate:
		return tokens.Estimator{}, nil
	case tokens.NameBytes:
		return tokens.Bytes{}, nil
	}
	return nil, fmt.Errorf("%w %q; give one of %s", ErrUnknown, name, strings.Join(Names(), ", "))
}

// bytePair is a byte-pair tokenizer. The text of special tokens, such as
// <|endoftext|>, is counted as the plain text that it is.
type bytePair struct {
	name string
	load func() *codec.Codec
}

// Name implements tokens.Tokenizer.
func (b *bytePair) Name() string { return b.name }

const (
	// pieceBytes is how much text is tokenised at once: the splitting expression
	// works on an array of characters, four bytes each.
	pieceBytes = 1 << 20
	// blankRun is the longest run of blanks and line breaks in bytes that the
	// expression gets at once: it takes time quadratic in it.
	blankRun = 512
)

// Count implements tokens.Tokenizer. It is exact but for texts that do not occur
// by themselves: a run of more than 512 bytes of blanks and line breaks is cut,
// and so is a line of more than a megabyte, which can add a token each time.
func (b *bytePair) Count(text string) int {
	n := 0
	for len(text) > 0 {
		piece := text[:next(text)]
		text = text[len(piece):]
		c, err := b.load().Count(piece)
		if err != nil {
			// Only a limit of the expression's engine ends here. A token a byte is
			// the most there can be, so a budget holds all the same.
			c = len(piece)
		}
		n += c
	}
	return n
}

// next is how much of a text is tokenised at once.
func next(text string) int {
	run, breaks, blanks := 0, false, false
	for i, r := range text {
		switch {
		case i >= pieceBytes:
			return cut(text)
		case r == '\n' || r == '\r':
			breaks = true
		case r == ' ' || r == '\t' || (r < ' ' || r >= utf8.RuneSelf) && unicode.IsSpace(r):
			blanks = true
		default:
			run, breaks, blanks = i+utf8.RuneLen(r), false, false
			if r == utf8.RuneError {
				run = i + 1 // may be a single byte
			}
			continue
		}
		if breaks && blanks && i-run >= blankRun {
			return i
		}
	}
	return len(text)
}

// cut finds a place at or before pieceBytes where a token ends: between a line
// break and a letter. Without one it is the last border of characters.
func cut(text string) int {
	for i := pieceBytes; i > pieceBytes/2; i-- {
		if text[i-1] == '\n' && (text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z') {
			return i
		}
	}
	i := pieceBytes
	for i > pieceBytes-utf8.UTFMax && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}
