package ranker

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/ranker/query"
)

// segmentWeight tells how much a word counts by where it stands. Code blocks
// and traces name much that only leads to the failure.
var segmentWeight = [query.NumSegments]float64{
	query.Title: 2, query.Prose: 1, query.Inline: 1.2, query.Code: .5, query.Trace: .3,
}

const (
	// damping is how strongly words that are common in issues are weakened:
	// 1/(1+damping*share of issues with the word).
	damping = 8
	// wholeWeight is the weight of a compound, which counts besides its parts.
	wholeWeight = .5
	// maxTerms bounds the distinct words of a query that are looked up.
	maxTerms = 1500
)

// issueWords is a line "word share" for each common word of issue reports:
// normalised as the package words does, with the share of issues that hold it
// in title, prose or inline code, averaged over many projects.
//
//go:embed issuewords.txt
var issueWords string

var issueShares = sync.OnceValue(func() map[string]float64 {
	m := map[string]float64{}
	for line := range strings.Lines(issueWords) {
		w, share, _ := strings.Cut(strings.TrimSpace(line), " ")
		if v, err := strconv.ParseFloat(share, 64); err == nil && w != "" {
			m[w] = v
		}
	}
	return m
})

// functionWords carry grammar, not topic. They never make a file match by
// themselves. Normalised like every word.
var functionWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`a an the this that these those and or but nor so if then else than as at by for from in into of off on
		onto out over to up with without within about above after again against all also although always am any anybody are aren around be
		because been before being below between both but can cannot could couldn did didn do does doesn doing don done down during each
		either else even ever every few find fix get gets give given go goes going got had has hasn have haven having he hello help her here
		hers hi him his how however i is isn it its itself just know let like ll make makes many may maybe me might more most much must my
		need needs never no not nothing now often one only other our ours own please put quite rather re really said same say says see
		seem seems shall she should shouldn show since some something still such sure take tell than thank thanks their them themselves
		there therefore they thing things think though through thus too try trying two under until upon us use used useful uses using ve very
		via want wants was wasn way we well were weren what whatever when where whether which while who whom whose why will won
		work working works would wouldn yes yet you your yours change changed code file files issue problem bug
		implement implemented add question explain understand look looking`) {
		for _, n := range words.Of(w) {
			m[n] = true
		}
	}
	return m
})

// term is a distinct word of the query.
type term struct {
	text string
	// also is another form that means the same: the whole of a compound for a
	// word that is written as one, and the other way round (openssl, OpenSSL);
	// "" for none.
	also string
	// content is unset for words that carry no topic.
	content bool
	damp    float64
	// weight is the weight of the word in the whole query; title and code are
	// those of one segment, before the segment's own weight.
	weight, title, code float64
}

// termsOf lists the words of the query by first appearance.
func termsOf(q *query.Query) []term {
	at := map[string]int{}
	var counts [][query.NumSegments]float64
	var out []term
	for s := range query.NumSegments {
		add := func(w, also string) {
			i, ok := at[w]
			if !ok {
				if len(out) == maxTerms {
					return
				}
				i = len(out)
				at[w] = i
				out = append(out, term{text: w, also: also})
				counts = append(counts, [query.NumSegments]float64{})
			}
			counts[i][s]++
		}
		words.Scan(q.Segments[s], func(_ int, run string) bool {
			parts, whole := words.Split(run)
			joined := words.WholePrefix + strings.ToLower(run)
			if whole != "" || len(parts) > 1 {
				joined = ""
			}
			for _, p := range parts {
				add(p, joined)
			}
			if whole != "" {
				add(whole, words.Stem(strings.ToLower(strings.ReplaceAll(run, "_", ""))))
			}
			return true
		})
	}
	shares, function := issueShares(), functionWords()
	for i := range out {
		t := &out[i]
		t.damp = wholeWeight
		t.content = true
		if !strings.HasPrefix(t.text, words.WholePrefix) {
			t.damp = 1 / (1 + damping*shares[t.text])
			t.content = !function[t.text]
		}
		for s, n := range counts[i] {
			if n == 0 {
				continue
			}
			v := t.damp * (1 + math.Log(n))
			t.weight += segmentWeight[s] * v
			switch query.Segment(s) {
			case query.Title:
				t.title = v
			case query.Code:
				t.code = v
			}
		}
	}
	return out
}
