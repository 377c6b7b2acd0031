package ranker

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/ranker/query"
)

const (
	// messageWords is the number of distinct words from which a sentence can be
	// told from a chance meeting of words, and longestMessage, in bytes, that up
	// to which it can be a message.
	messageWords, longestMessage = 4, 300
	// maxMessages bounds the sentences of a query that are looked at.
	maxMessages = 200
	// heldPart is the part of a sentence, by rarity of its words, that the
	// literals of a file must hold at the least.
	heldPart = .4
	// tellingMessage is the sum of rarities from which a sentence is as telling
	// as any.
	tellingMessage = 20
	// leastRarity is what a word counts that stands everywhere.
	leastRarity = .3
)

// message marks files whose string literals hold most words of one sentence or
// line of the query: the file that prints what the reporter quotes, mostly
// without saying so. The value is the third power of the part of the sentence
// that is held, by rarity, less for sentences of few or common words. Weight
// .5: many sentences meet the texts of options and help by their topic alone.
func message(x *run, out []float64) {
	at := make(map[string]int, len(x.terms))
	for i := range x.terms {
		at[x.terms[i].text] = i
	}
	held := make([]float64, x.n)
	var docs []int32
	mark := make([]int, len(x.terms)) // the sentence that a term was last seen in
	n := 0
	for s := range query.NumSegments {
		sentences(x.q.Segments[s], func(text string) bool {
			n++
			distinct, all := 0, 0.0
			docs = docs[:0]
			words.Scan(text, func(_ int, run string) bool {
				parts, _ := words.Split(run)
				for _, w := range parts {
					i, ok := at[w]
					if !ok || mark[i] == n {
						continue
					}
					mark[i] = n
					distinct++
					v := x.terms[i].damp * max(x.lex.idf[i], leastRarity)
					all += v
					for _, d := range x.lex.inStrings[i] {
						if held[d] == 0 {
							docs = append(docs, d)
						}
						held[d] += v
					}
				}
				return true
			})
			for _, d := range docs {
				if part := held[d] / all; distinct >= messageWords && part > heldPart {
					out[d] = max(out[d], part*part*part*min(1, all/tellingMessage))
				}
				held[d] = 0
			}
			return n < maxMessages
		})
		if n >= maxMessages {
			return
		}
	}
}

// sentences calls yield for the sentences and lines of a text that may be
// messages, until it returns false.
func sentences(text string, yield func(string) bool) {
	for line := range strings.Lines(text) {
		for line != "" {
			end := len(line)
			for i := 0; i+1 < len(line); i++ {
				if strings.IndexByte(".!?;", line[i]) >= 0 && (line[i+1] == ' ' || line[i+1] == '\t' || line[i+1] == '\n' || line[i+1] == '\r') {
					end = i + 1
					break
				}
			}
			sentence := strings.TrimSpace(line[:end])
			line = line[end:]
			if len(sentence) >= 3*messageWords && len(sentence) <= longestMessage && !yield(sentence) {
				return
			}
		}
	}
}
