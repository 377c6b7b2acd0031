package ranker

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/store"
)

// hintEvidence is what the repository's own pages say about the query's topic.
type hintEvidence struct {
	hints, workflows []weighted
	dirs             []weighted // doc is the number of a directory
	dirWords         []float64  // by directory: match of summary and tags
}

const (
	// agreement is the part of a topic's words that the query must hold.
	agreement = .5
	// throughDirectory weakens a hint that names a directory, for its files.
	throughDirectory = .3
)

// matchHints compares the topics of routing hints and workflows with the query.
func (x *run) matchHints() *hintEvidence {
	e := &hintEvidence{}
	// A report of many words holds half of any topic by chance; its title tells
	// what it is about.
	report := len(x.q.Raw) > longQuery
	all, weight := map[string]float64{}, map[string]float64{}
	for i := range x.terms {
		t := &x.terms[i]
		if !t.content || strings.HasPrefix(t.text, words.WholePrefix) {
			continue
		}
		all[t.text] = t.weight
		if !report || t.title > 0 {
			weight[t.text] = t.damp
		}
	}
	if len(all) == 0 {
		return e
	}
	meta := x.cat.Meta()
	for i := range meta.Hints {
		h := &meta.Hints[i].Hint
		if v := x.topicMatch(h.Topic, weight, agreement); v > 0 {
			e.hints = x.follow(e.hints, e, h.Targets, v, h.Topic)
		}
	}
	for i := range meta.Workflows {
		w := &meta.Workflows[i]
		// A workflow is asked for by what it is called or by what it does.
		v := max(x.topicMatch(w.Name, weight, agreement), x.topicMatch(w.Description, weight, agreement), .8*x.topicMatch(w.Command, weight, agreement))
		if v > 0 {
			e.workflows = x.follow(e.workflows, e, w.Targets, v, w.Name)
		}
	}
	e.dirWords = x.matchDirs(all)
	return e
}

// topicMatch is the part of a topic's words that the query holds, by how
// telling they are; 0 under the least part, or if only words of every report
// agree.
func (x *run) topicMatch(topic string, weight map[string]float64, least float64) float64 {
	have, all, best := 0.0, 0.0, 0.0
	function, shares := functionWords(), issueShares()
	seen := map[string]bool{}
	for _, w := range words.Of(topic) {
		if function[w] || seen[w] || strings.HasPrefix(w, words.WholePrefix) {
			continue
		}
		seen[w] = true
		damp := 1 / (1 + damping*shares[w])
		all += damp
		if v, ok := weight[w]; ok {
			have += damp
			best = max(best, v)
		}
	}
	if all == 0 || have < least*all || best < .5 {
		return 0
	}
	return have / all
}

// follow gives the evidence of a topic to its targets.
func (x *run) follow(out []weighted, e *hintEvidence, targets []artifact.Target, v float64, text string) []weighted {
	for _, t := range targets {
		p := strings.Trim(t.Path, "/")
		if doc, ok := x.cat.DocByPath(p); ok {
			out = append(out, weighted{doc, v, text})
			x.touch(doc)
			continue
		}
		if dir, ok := x.dirOfTarget(p); ok {
			e.dirs = append(e.dirs, weighted{dir, v, text})
			if in := x.places().inDir[dir]; len(in) <= maxAmbiguous {
				for _, doc := range in {
					if !x.noise[doc] {
						out = append(out, weighted{int(doc), throughDirectory * v, text})
						x.touch(int(doc))
					}
				}
			}
		}
	}
	return out
}

// dirOfTarget finds the directory that a target names, itself or by a page.
func (x *run) dirOfTarget(p string) (int, bool) {
	for _, page := range []string{artifact.IndexName, artifact.MapName} {
		if rest, ok := strings.CutSuffix(p, page); ok {
			p = strings.TrimSuffix(rest, "/")
			break
		}
	}
	if p == "." {
		p = ""
	}
	return x.cat.DirByPath(p)
}

// wordsOfDirs splits what the index of each directory says.
func wordsOfDirs(dirs []store.Dir) []map[string]bool {
	function := functionWords()
	out := make([]map[string]bool, len(dirs))
	for i := range dirs {
		if dirs[i].Summary == "" && len(dirs[i].Tags) == 0 {
			continue
		}
		m := map[string]bool{}
		for _, w := range words.Of(dirs[i].Summary + " " + strings.Join(dirs[i].Tags, " ")) {
			if !function[w] && !strings.HasPrefix(w, words.WholePrefix) {
				m[w] = true
			}
		}
		out[i] = m
	}
	return out
}

// matchDirs is, for every directory, the part of the query's words, by weight
// and rarity among directories, that its summary and tags hold.
func (x *run) matchDirs(weight map[string]float64) []float64 {
	texts := x.dirWords()
	list := make([]string, 0, len(weight))
	for w := range weight {
		list = append(list, w)
	}
	slices.Sort(list) // sums must not depend on the order of a map
	df := make([]int, len(list))
	for _, m := range texts {
		for k, w := range list {
			if m[w] {
				df[k]++
			}
		}
	}
	all := 0.0
	value := make([]float64, len(list))
	for k, w := range list {
		value[k] = weight[w] * idf(len(texts), df[k])
		all += value[k]
	}
	out := make([]float64, len(texts))
	if all == 0 {
		return out
	}
	for i, m := range texts {
		for k, w := range list {
			if m[w] {
				out[i] += value[k] / all
			}
		}
	}
	return out
}

func hintDetail(x *run, doc int) string {
	for _, e := range x.hints.hints {
		if e.doc == doc {
			return e.text
		}
	}
	return ""
}
