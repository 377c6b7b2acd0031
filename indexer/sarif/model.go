package sarif

import (
	"fmt"
	"strings"
)

// Tool is the program that made a run.
type Tool struct{ Name, Version string }

// Run is what a run says of itself.
type Run struct {
	Tool Tool
	// Revision is the version control id of the sources that were looked at, ""
	// where the run does not say.
	Revision string
	// External tells that results are kept in other files, which are not read.
	External bool
}

// Level is how grave a result is.
type Level uint8

const (
	LevelWarning Level = iota // also where nothing is said
	LevelNone
	LevelNote
	LevelError

	levelCount
)

var levelNames = [...]string{"warning", "none", "note", "error", "unknown"}

func (l Level) String() string { return levelNames[min(l, levelCount)] }

// parseLevel reads a level; ok is false where it is none that the format knows.
func parseLevel(s string) (Level, bool) {
	for i, name := range levelNames[:levelCount] {
		if s == name {
			return Level(i), true
		}
	}
	return LevelWarning, false
}

// Rule is what a result is an instance of.
type Rule struct {
	// ID is stable; where a rule has parts it is the one of the result, such as
	// "CA1000/1".
	ID string
	// Name, Short (one sentence or so) and HelpURI are often "".
	Name, Short, HelpURI string
}

// Fingerprint is a hash by which a tool knows its result again.
type Fingerprint struct {
	Name, Value string
	// Partial: it takes other properties, such as the path, to tell two results
	// apart.
	Partial bool
}

// Location is a place in a file of the repository.
type Location struct {
	// Path is slash separated and relative to the root of the repository, clean
	// and inside it. The file need not exist.
	Path   string
	Region Region
	// Message is what the tool says of the place, mostly "".
	Message string
}

// Result is one finding.
type Result struct {
	// Run is the index of its run.
	Run  int
	Tool Tool
	Rule Rule
	// Level is the result's own, else that of its rule, else LevelWarning.
	Level Level
	// Message is plain text with its arguments filled in. It is not cleaned of
	// control characters.
	Message  string
	Location Location
	// Related are further places, those of the result itself first.
	Related []Location
	// Suppressed: somebody decided, in the source or elsewhere, that it be so.
	Suppressed bool
	// Fingerprints are sorted.
	Fingerprints []Fingerprint
	// Columns is what columns and offsets of characters count.
	Columns ColumnUnit
}

// Key is equal for results that are the same finding: those of one report given
// twice, or of one tool in two reports about the same sources. A complete
// fingerprint stands for the place, a partial one only for the message.
func (r *Result) Key() string {
	var b strings.Builder
	part := func(s string) { fmt.Fprintf(&b, "%d:%s;", len(s), s) }
	part(r.Tool.Name)
	part(r.Rule.ID)
	part(r.Location.Path)
	complete := false
	for _, f := range r.Fingerprints {
		complete = complete || !f.Partial
	}
	for _, f := range r.Fingerprints {
		if f.Partial != complete {
			part(f.Name)
			part(f.Value)
		}
	}
	if !complete {
		fmt.Fprint(&b, r.Location.Region)
		if len(r.Fingerprints) == 0 {
			part(r.Message)
		}
	}
	return b.String()
}

// Reason tells why a result was refused.
type Reason uint8

const (
	// NoLocation: the result is about no file.
	NoLocation Reason = iota
	// OutsideRepository: an absolute path below none of the roots, or one that
	// leads out.
	OutsideRepository
	// UnknownBase: relative to a place that the run does not give.
	UnknownBase
	// NotAFile: a uri of another scheme than file.
	NotAFile
	// BadURI: empty, too long, or with characters that no path has.
	BadURI
	// NoFinding: the rule holds, does not apply, or the result is of an older
	// version.
	NoFinding

	reasonCount
)

var reasonNames = [...]string{"no location", "outside the repository", "unknown base uri", "not a file", "bad uri", "no finding", "unknown"}

func (r Reason) String() string { return reasonNames[min(r, reasonCount)] }

// Refusal counts the results refused for one reason, with a few of their uris or
// rules.
type Refusal struct {
	Reason  Reason
	Count   int
	Samples []string
}
