package bundle

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/tokens"
)

// estimate counts tokens. Of every two texts together it makes at most the sum
// of both, which assembly relies on.
func estimate(s string) int { return tokens.Estimate(s) }

// name shows a path or a name of the repository. Most stand as they are; one
// that a Markdown reader would act on, or that could be taken for more than a
// name, stands in a code span.
func name(s string) string {
	if isPlainName(s) {
		return s
	}
	return plaintext.Code(s)
}

func isPlainName(s string) bool {
	if s == "" || plaintext.Line(s, 0) != s || plaintext.Markdown(s+":1") != s+":1" {
		return false
	}
	if strings.Contains(s, " (") || strings.Contains(s, "—") || strings.Contains(s, ", ") || strings.HasPrefix(s, "_") && strings.HasSuffix(s, "_") {
		return false
	}
	// a:12 would read as line 12 of a.
	i := strings.LastIndexByte(s, ':')
	return i < 0 || i == len(s)-1 || strings.Trim(s[i+1:], "0123456789") != ""
}

// at is a place: a path with its line, if that is known.
func at(path string, line uint32) string {
	if line == 0 {
		return name(path)
	}
	return name(path) + ":" + strconv.FormatUint(uint64(line), 10)
}

// prose shows free text of the repository on one line of at most max runes.
func prose(s string, max int) string { return plaintext.Markdown(plaintext.Line(s, max)) }

// queryLine shows a line of the query. It is the reader's own text, so it stands
// as it is but for what cannot be seen and what opens a comment.
func queryLine(s string, max int) string {
	return strings.ReplaceAll(plaintext.Line(s, max), "<!--", `\<!--`)
}

// sourceLine shows a line of source with at most max runes; its indentation
// stays, and what cannot be seen is escaped visibly, so that nobody is misled
// about the order of what stands there.
func sourceLine(s string, max int) string {
	s = strings.TrimRight(s, " \t\r\n")
	if len(s) > max {
		n := 0
		for i := range s {
			if n == max-1 {
				s = s[:i] + plaintext.Ellipsis
				break
			}
			n++
		}
	}
	return plaintext.Terminal(strings.ReplaceAll(s, "\n", " "))
}

// fence is a run of backticks longer than any in s, at least three.
func fence(s string) string {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", max(3, longest+1))
}

// cutTokens cuts s so that it has at most limit tokens, Ellipsis included.
func cutTokens(s string, limit int) string {
	if estimate(s) <= limit {
		return s
	}
	low, high := 0, len(s)
	for low < high { // the longest beginning that fits
		mid := (low + high + 1) / 2
		if estimate(s[:floorRune(s, mid)]+plaintext.Ellipsis) <= limit {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return strings.TrimRight(s[:floorRune(s, low)], " ") + plaintext.Ellipsis
}

// floorRune is the last character border of s at or before i.
func floorRune(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

func percent(share float64) string {
	return strconv.Itoa(int(math.Round(100*finite(share)))) + "%"
}

// finite replaces what no number can show by 0 and keeps the rest in a range
// that converts safely.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return max(-1e6, min(1e6, x))
}

// rounded cuts a number to four decimals: the last bits differ between
// processors.
func rounded(x float64) float64 {
	r := math.Round(finite(x)*1e4) / 1e4
	if r == 0 {
		return 0 // not -0
	}
	return r
}
