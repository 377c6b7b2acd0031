package ranker

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts/words"
)

// Bounds of confidence. They were fitted on real issues, each repository left
// out in turn (benchmarks/confidence), and rounded.
const (
	// clearMargin is the margin from which nine in ten first files are right.
	clearMargin = 2.8
	// noMargin and weakScore bound an answer that is wrong two times in three: a
	// margin that tells nothing under a first file with little for it.
	noMargin, weakScore = .6, 7.25
	// onTopicMargin is the margin from which a first file counts although it
	// holds next to none of a question's words; not where these are very few.
	onTopicMargin, veryFewWords = 1, 4
	// fewWords is the number of words up to which a query is a question, all of
	// which should be found. A report has many words that are not the topic.
	fewWords = 20
	// offTopic is the part of a question's words, by weight, that the first
	// file must hold at the least, and onTopic the part that high confidence
	// needs. Of two or three words it must hold more than one.
	offTopic, onTopic = .1, .5
	moreThanOne       = 1.2
)

// Parts of the margin, in points of it for each point of lead, and for direct
// evidence. Fitted by logistic regression as above and rounded: that a third and
// a fifth file are far behind says as much as the second, for a close second is
// often the first one's test, header or twin.
const (
	secondPart, thirdPart, fifthPart = .25, .4, .15
	directPart, linkedPart           = .3, .7
)

// Shape is what confidence is judged by.
type Shape struct {
	// Score is that of the first file, in points.
	Score float64 `json:"score"`
	// Second, Third and Fifth are what the first file has over the second, third
	// and fifth, in points.
	Second float64 `json:"second"`
	Third  float64 `json:"third"`
	Fifth  float64 `json:"fifth"`
	// Direct is 1 where the first file has direct evidence: it is named, the
	// innermost frame lies in it, or it defines a name of the query that hardly
	// any other file defines. Linked is 1 where the query links to it.
	Direct float64 `json:"direct"`
	Linked float64 `json:"linked"`
	// Covered is the part of the query's words, by weight, that the first file
	// holds; 1 for reports.
	Covered float64 `json:"covered"`
	// Words counts the distinct words of the query that carry a topic.
	Words int `json:"words"`
}

// Margin is how far the first file stands out.
func (s *Shape) Margin() float64 {
	return secondPart*s.Second + thirdPart*s.Third + fifthPart*s.Fifth + directPart*s.Direct + linkedPart*s.Linked
}

// confidence judges the whole ranking, before anything is cut.
//
// High: the first file stands out clearly and holds the words of a question;
// where only the words of artifacts are known it needs direct evidence, too. Low:
// without direct evidence, the first file holds next to none of a question's
// words, or is weak and does not stand out. Everything else is medium.
func (x *run) confidence(s Shape) Level {
	least := offTopic
	if s.Words <= fewWords && s.Words > 1 {
		least = max(least, moreThanOne/float64(s.Words))
	}
	direct := s.Direct+s.Linked > 0
	margin := s.Margin()
	switch {
	case s.Score <= 0:
		return Low
	case !direct && (s.Covered < least && (margin < onTopicMargin || s.Words <= veryFewWords) || margin < noMargin && s.Score < weakScore):
		return Low
	case margin >= clearMargin && (direct || s.Covered >= onTopic && !x.cat.Meta().FromArtifacts):
		return High
	}
	return Medium
}

func (x *run) shape(s *scored, order []int32) Shape {
	first := int(order[0])
	out := Shape{Score: s.total[first], Covered: 1, Words: x.contentWords()}
	lead := func(k int) float64 {
		if k >= len(order) {
			return max(out.Score, 0)
		}
		return out.Score - s.total[order[k]]
	}
	out.Second, out.Third, out.Fifth = lead(1), lead(2), lead(4)
	for g := range x.signals {
		least := 0.0
		switch x.signals[g].name {
		case "linked file", "named path", "stack frame", "rare symbol":
			least = .8
		case "symbol in title", "qualified symbol", "definition", "routing hint":
			least = .5
		default:
			continue
		}
		if s.values[g][first] >= least {
			out.Direct = 1
			if x.signals[g].name == "linked file" {
				out.Linked = 1
			}
		}
	}
	if out.Words <= fewWords {
		out.Covered = x.coverage(first)
	}
	return out
}

// contentWords counts the distinct words of the query that carry a topic.
func (x *run) contentWords() int {
	n := 0
	for i := range x.terms {
		if x.terms[i].content && !strings.HasPrefix(x.terms[i].text, words.WholePrefix) {
			n++
		}
	}
	return n
}
