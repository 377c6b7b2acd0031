package ranker

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts/words"
)

// Bounds of confidence. They were read off real issues: with them about a
// quarter of the answers are high, and close to nine in ten of those have a
// right file first; one in twenty is low, and half of those are wrong. A later
// calibration may move them.
const (
	// clearLead and supportedLead are leads of the first file over the second,
	// relative to the first's score: enough alone, and with direct evidence.
	clearLead, supportedLead = .25, .15
	// noLead is a lead that tells nothing where the score is weak too.
	noLead, weakScore = .02, 7
	// fewWords is the number of words up to which a query is a question, all of
	// which should be found. A report has many words that are not the topic.
	fewWords = 20
	// offTopic is the part of a question's words, by weight, that the first
	// file must hold at the least, and onTopic the part that high confidence
	// needs. Of two or three words it must hold more than one.
	offTopic, onTopic = .1, .5
	moreThanOne       = 1.2
)

// confidence judges the whole ranking, before anything is cut.
//
// High: the first file leads clearly, or leads and has direct evidence (it is
// linked or named, the innermost frame lies in it, or it defines a name of the
// query that hardly any other file defines). A clear lead is not enough where
// only the words of artifacts are known. Low: without direct evidence, the
// first file holds next to none of a question's words, or is weak and no better
// than the second. Everything else is medium.
func (x *run) confidence(s Shape) Level {
	least := offTopic
	if s.Words <= fewWords && s.Words > 1 {
		least = max(least, moreThanOne/float64(s.Words))
	}
	direct := s.Direct > 0
	switch {
	case s.Score <= 0:
		return Low
	case !direct && (s.Covered < least || s.Lead < noLead && s.Score < weakScore):
		return Low
	case direct && s.Lead >= supportedLead, s.Covered >= onTopic && s.Lead >= clearLead && !x.cat.Meta().FromArtifacts:
		return High
	}
	return Medium
}

// Shape is what confidence is judged by.
type Shape struct {
	// Score is that of the first file, in points.
	Score float64
	// Lead is what the first file has over the second, relative to its score.
	Lead float64
	// Direct is 1 where the first file has direct evidence.
	Direct float64
	// Covered is the part of the query's words, by weight, that the first file
	// holds; 1 for reports.
	Covered float64
	// Words counts the distinct words of the query that carry a topic.
	Words int
}

func (x *run) shape(s *scored, order []int32) Shape {
	first := int(order[0])
	out := Shape{Score: s.total[first], Lead: 1, Covered: 1, Words: x.contentWords()}
	if len(order) > 1 && out.Score > 0 {
		out.Lead = (out.Score - s.total[order[1]]) / out.Score
	}
	if x.directEvidence(s, first) {
		out.Direct = 1
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

// directEvidence tells whether a document is mentioned, or defines a name of
// the query that hardly any other does.
func (x *run) directEvidence(s *scored, doc int) bool {
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
		if s.values[g][doc] >= least {
			return true
		}
	}
	return false
}
