package dockerfile

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// copied reads COPY and ADD: where from and what.
func (r *reader) copied(in *instruction, rest string) {
	from := ""
	for strings.HasPrefix(rest, "--") {
		flag, after := cutWord(rest)
		if v, ok := strings.CutPrefix(flag, "--from="); ok {
			from = v
		}
		rest = after
	}
	at := in.source(max(0, strings.Index(in.text, "--from="))) + len("--from=")
	if from != "" {
		r.use(from, min(at, in.end))
		return // what is copied is no file of the build's context
	}
	words := splitWords(rest)
	if strings.HasPrefix(rest, "[") {
		words = strings.FieldsFunc(strings.Trim(rest, "[] "), func(c rune) bool { return c == ',' })
	}
	for i := 0; i+1 < len(words) && i < 100; i++ {
		w := strings.Trim(strings.TrimSpace(words[i]), `"'`)
		if strings.HasPrefix(w, "<<") {
			continue
		}
		k := strings.Index(in.text, w)
		r.file(w, in.source(max(0, k)))
	}
}

// file adds a file of the build's context.
func (r *reader) file(w string, at int) {
	if w == "" || strings.ContainsAny(w, "*?[]$<>\\\"'") || strings.Contains(w, "://") || strings.HasPrefix(w, "git@") {
		return
	}
	w = strings.TrimLeft(strings.TrimPrefix(w, "./"), "/")
	if w = strings.TrimSuffix(w, "/"); w == "" || w == "." {
		return
	}
	if !strings.HasPrefix(w, "../") {
		w = "./" + w
	}
	r.importing(facts.Import{Module: w}, at)
}

// mount reads the argument of RUN --mount=.
func (r *reader) mount(in *instruction, options string) {
	from, source, kind := "", "", "bind"
	for o := range strings.SplitSeq(options, ",") {
		key, value, _ := strings.Cut(o, "=")
		switch key {
		case "from":
			from = value
		case "source", "src":
			source = value
		case "type":
			kind = value
		}
	}
	at := in.source(max(0, strings.Index(in.text, options)))
	if from != "" {
		r.use(from, at)
	} else if kind == "bind" {
		r.file(source, at)
	}
}

func cutWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	k := strings.IndexAny(s, " \t")
	if k < 0 {
		return s, ""
	}
	return s[:k], strings.TrimSpace(s[k:])
}

// splitWords splits at blanks outside of quotes.
func splitWords(s string) []string {
	var out []string
	start, quote := -1, byte(0)
	for i := 0; i < len(s) && len(out) < 500; i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
			continue
		case c == ' ' || c == '\t':
			if start >= 0 {
				out = append(out, s[start:i])
				start = -1
			}
			continue
		case c == '"' || c == '\'':
			if strings.IndexByte(s[i+1:min(len(s), i+2000)], c) >= 0 {
				quote = c
			}
		}
		if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		out = append(out, s[start:])
	}
	return out
}
