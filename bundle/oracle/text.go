package oracle

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/tokens"
)

// mention is a line of a file that holds a text.
type mention struct {
	doc  int
	line int
	text string
}

// Bounds of the search of texts: files that are read, and lines that are kept.
const (
	maxSearched = 200
	maxMentions = 20
)

// wordDocs lists the documents that hold all words of a text, by the words that
// were indexed; rare first words first. known is false where the text has no
// word that an index could hold.
func (o *Oracle) wordDocs(text string) (docs []int, known bool) {
	terms := words.Of(text)
	// A compound stands for its parts, and is rarer.
	if i := slices.IndexFunc(terms, func(t string) bool { return strings.HasPrefix(t, words.WholePrefix) }); i >= 0 {
		terms = terms[i : i+1]
	}
	if len(terms) == 0 {
		return nil, false
	}
	for i, t := range terms {
		var list []int
		o.c.Postings(t, func(p store.Posting) { list = append(list, p.Doc) })
		if i == 0 {
			docs = list
			continue
		}
		docs = slices.DeleteFunc(docs, func(d int) bool {
			_, ok := slices.BinarySearch(list, d)
			return !ok
		})
	}
	return docs, true
}

// search looks for a text in the sources of documents, as a whole word, where keep
// wants it; nil wants all. bounded is set where not all of them were read.
func (o *Oracle) search(text string, docs []int, keep func(mention) bool) (out []mention, bounded bool) {
	if o.o.Source == nil {
		return nil, len(docs) > 0
	}
	for i, doc := range docs {
		if i == maxSearched || len(out) >= maxMentions || o.read >= o.o.MaxInputTokens*inputFactor {
			return out, true
		}
		for n, line := range o.source(doc) {
			if !holdsWord(line, text) {
				continue
			}
			if m := (mention{doc, n + 1, strings.TrimSpace(line)}); keep == nil || keep(m) {
				if out = append(out, m); len(out) >= maxMentions {
					return out, true
				}
			}
		}
	}
	return out, false
}

// inputFactor is how much more is scanned for a text than is looked at for an
// answer: scanning is cheap, and shows none of it.
const inputFactor = 100

// source gives the lines of a file, nil where it cannot be read.
func (o *Oracle) source(doc int) []string {
	p := o.c.Path(doc)
	if l, ok := o.lines[p]; ok {
		return l
	}
	var lines []string
	if o.o.Source != nil {
		if data, err := o.o.Source.ReadSource(p); err == nil {
			lines = strings.Split(string(data), "\n")
			o.read += tokens.Estimate(string(data[:min(len(data), 1<<16)]))
		}
	}
	o.lines[p] = lines
	return lines
}

// holdsWord tells whether a line holds a text that is not a part of a longer
// identifier.
func holdsWord(line, text string) bool {
	for from := 0; ; {
		i := strings.Index(line[from:], text)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(text)
		if (start == 0 || !isWord(line[start-1])) && (end == len(line) || !isWord(line[end])) {
			return true
		}
		from = end
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
