package artifact

import "bytes"

// State is what a page's bytes alone tell about it.
type State int

// States of a page. Only a canonical page may be overwritten without losing
// anybody's work; a newer one must not be overwritten by this program.
const (
	// Foreign: no header of ours.
	Foreign State = iota
	// Canonical: exactly what the encoder writes for what the parser reads.
	Canonical
	// Edited: changed by hand or damaged.
	Edited
	// Conflicted: git left its conflict markers.
	Conflicted
	// Newer: of a later format or feature version.
	Newer
	// Older: of an earlier format or feature version.
	Older
)

// String returns the state in a word.
func (s State) String() string {
	switch s {
	case Canonical:
		return "canonical"
	case Edited:
		return "edited"
	case Conflicted:
		return "conflicted"
	case Newer:
		return "newer"
	case Older:
		return "older"
	}
	return "foreign"
}

// Inspect classifies a page. Line ends of a checkout with core.autocrlf do not
// count as a change.
func Inspect(data []byte) State {
	if hasConflict(unixLines(data)) {
		return conflictState(data)
	}
	kind, format, feature, err := Header(data)
	switch {
	case err != nil:
		return Foreign
	case newer(format, feature):
		return Newer
	case format < FormatVersion || feature < FeatureVersion:
		return Older
	}
	data = unixLines(data)
	var again string
	if kind == kindIndex {
		x, err := ParseIndex(data)
		if err != nil {
			return Edited
		}
		again = encodeIndex(x.Normalized())
	} else {
		m, err := ParseMap(data)
		if err != nil {
			return Edited
		}
		again = encodeMap(m.Normalized())
	}
	if again != string(data) {
		return Edited
	}
	return Canonical
}

// conflictState tells our pages with conflict markers from other files. The
// header itself may stand inside the conflict, with a newer one on either side.
func conflictState(data []byte) State {
	state := Foreign
	for line := range bytes.Lines(data) {
		if !bytes.HasPrefix(line, []byte(headerPrefix)) {
			continue
		}
		_, format, feature, err := Header(line)
		if err == nil && newer(format, feature) {
			return Newer
		}
		state = Conflicted
	}
	return state
}

func newer(format, feature int) bool {
	return format > FormatVersion || format == FormatVersion && feature > FeatureVersion
}

// hasConflict looks for lines that git writes between the sides of a conflict.
// No line of a page can start like that.
func hasConflict(data []byte) bool {
	for _, mark := range []string{"<<<<<<< ", ">>>>>>> "} {
		if bytes.HasPrefix(data, []byte(mark)) || bytes.Contains(data, []byte("\n"+mark)) {
			return true
		}
	}
	return false
}
