package query

import (
	"strconv"
	"strings"
)

// atoi parses a line number; 0 when it is none or does not fit.
func atoi(s string) int {
	if len(s) > 7 {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// splitLine splits "file:12", "file:12:3", "file:line 12" and "file(12)" at the
// end of s; line is 0 and file is s when there is no line.
func splitLine(s string) (file string, line int) {
	s = strings.TrimRight(s, ".,; ")
	if i := strings.LastIndex(s, ":line "); i > 0 {
		return s[:i], atoi(s[i+6:])
	}
	if i := strings.LastIndexByte(s, '('); i > 0 && strings.HasSuffix(s, ")") {
		if n := atoi(s[i+1 : len(s)-1]); n > 0 {
			return s[:i], n
		}
	}
	file = s
	for range 2 {
		i := strings.LastIndexByte(file, ':')
		if i <= 0 || !allDigits(file[i+1:]) {
			break
		}
		line = atoi(file[i+1:])
		file = file[:i]
	}
	if line == 0 {
		return s, 0
	}
	return file, line
}

// headLocation parses file:12, file:12:3, file(12,3), "file, line 12" at the
// start of t. The file must have an extension and, unless it has a slash, a
// known one.
func headLocation(t string) (file string, line int, rest string, ok bool) {
	t = strings.TrimPrefix(t, `"`)
	j := tokenEnd(t, 0)
	if j < 3 || j > maxPath || j >= len(t) {
		return "", 0, "", false
	}
	file = t[:j]
	if !plausibleFile(file) {
		return "", 0, "", false
	}
	line, n := lineSuffix(t[j:])
	if line == 0 {
		return "", 0, "", false
	}
	return file, line, t[j+n:], true
}

// plausibleFile reports whether s can be the file of a frame.
func plausibleFile(s string) bool {
	base := s[strings.LastIndexAny(s, `/\`)+1:]
	stem, ext, ok := cutExt(base)
	if !ok || strings.ContainsAny(s, " \t\n") && len(base) == len(s) {
		return false
	}
	if classOfExt(strings.ToLower(ext)) != extUnknown {
		return stem != "" && hasLetter(s[:len(s)-len(ext)])
	}
	return len(base) < len(s)
}

// beforeArgs returns the function of a call, without arguments and without the
// return type that sanitizers print.
func beforeArgs(s string) string {
	s = strings.TrimSpace(s)
	for i := 1; i < len(s); i++ {
		if s[i] == '(' && s[i-1] != '.' && !strings.HasPrefix(s[i:], "(anonymous") {
			s = s[:i]
			break
		}
	}
	if i := strings.LastIndex(s, " /"); i > 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

// isSeverity reports whether s starts with the severity of a diagnostic.
func isSeverity(s string) bool {
	for _, w := range [...]string{"error", "Error", "ERROR", "fatal", "Fatal", "warning", "Warning", "note", "candidate", "undefined reference", "required from", "in 'constexpr'"} {
		if strings.HasPrefix(s, w) {
			r := s[len(w):]
			return r == "" || !isWordByte(r[0])
		}
	}
	return false
}

// isErrorLine reports whether a line states an error: an exception class or a
// word such as error, panic, fatal before the first colon.
func isErrorLine(t string) bool {
	t = trimErrorPrefix(t)
	if strings.HasPrefix(t, "** (") { // Elixir
		return true
	}
	if t == "" || !isWordByte(t[0]) && t[0] != '\\' {
		return false
	}
	i := 0
	for i < len(t) && i < 160 && (isWordByte(t[i]) || t[i] == '.' || t[i] == ':' && i+1 < len(t) && (t[i+1] == ':' || t[i-1] == ':') || t[i] == '\\' || t[i] == '$') {
		i++
	}
	word := strings.TrimRight(t[:i], ".:")
	rest := t[len(word):]
	if word == "" {
		return false
	}
	switch word {
	case "error", "Error", "ERROR", "fatal", "FATAL", "panic", "Panic", "Exception":
		if strings.HasPrefix(rest, "[") {
			if j := strings.IndexByte(rest, ']'); j > 0 {
				rest = rest[j+1:]
			}
		}
		return strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, " TS") || strings.HasPrefix(rest, " CS") || strings.HasPrefix(rest, " C")
	}
	if rest != "" && rest[0] != ':' && rest[0] != '(' && !strings.HasPrefix(rest, " (") && !strings.HasPrefix(rest, " [") {
		return false
	}
	if rest != "" && rest[0] == '(' {
		return false // a call
	}
	class := word[strings.LastIndexAny(word, `.:\$`)+1:]
	for _, suf := range [...]string{"Error", "Exception", "Warning", "Failure", "Fault", "Interrupt", "Panic"} {
		if strings.HasSuffix(class, suf) && (len(class) > len(suf) || rest != "") && isUpper(class[0]) {
			return true
		}
	}
	return false
}

// trimErrorPrefix removes what tools print in front of an error: pytest's "E",
// "Uncaught", "Caused by:", "Exception in thread "x"", a sanitizer's banner.
func trimErrorPrefix(t string) string {
	t = strings.TrimSpace(t)
	if r, ok := strings.CutPrefix(t, "E  "); ok {
		t = strings.TrimSpace(r)
	}
	if strings.HasPrefix(t, "==") {
		if i := strings.Index(t, "ERROR: "); i > 0 && i < 24 {
			return t[i:]
		}
	}
	if t != "" && (isDigit(t[0]) || t[0] == '[') { // a log line of level error
		head := t[:min(len(t), 80)]
		for _, level := range [...]string{" ERROR ", " ERROR: ", "[ERROR] ", " FATAL ", "[error] "} {
			if i := strings.Index(head, level); i > 0 {
				return "Error: " + t[i+len(level):]
			}
		}
	}
	if r, ok := strings.CutPrefix(t, `Exception in thread "`); ok {
		if _, after, found := strings.Cut(r, `" `); found {
			t = after
		}
	}
	for range 4 {
		n := len(t)
		for _, p := range [...]string{"Uncaught ", "Unhandled exception. ", "Unhandled exception: ", "Unhandled Rejection: ", "Caused by: ", "Suppressed: ", "PHP ", "(in promise) ", "[error] ", "Error: Uncaught "} {
			t = strings.TrimPrefix(t, p)
		}
		if len(t) == n {
			break
		}
	}
	for _, p := range [...]string{"Fatal error:", "fatal error:", "Parse error:", "Segmentation fault", "Internal error:", "Internal compiler error:", "internal compiler error:", "runtime error:", "Traceback error:", "Assertion failed:", "assertion failed:", "Compile error:", "Syntax error"} {
		if strings.HasPrefix(t, p) {
			return "Error:" + t[len(p):]
		}
	}
	return t
}

// newBlock reports whether a line starts another stack trace, and headerLast
// whether its frames come innermost last.
func newBlock(t string) (header, headerLast bool) {
	switch {
	case strings.HasPrefix(t, "Traceback (most recent call last)"):
		return true, true
	case strings.HasPrefix(t, "Caused by:"), strings.HasPrefix(t, "Caused by ("), strings.HasPrefix(t, "Suppressed:"),
		strings.HasPrefix(t, "During handling of the above"), strings.HasPrefix(t, "The above exception was"),
		strings.HasPrefix(t, `Exception in thread "`), strings.HasPrefix(t, "[cause]:"),
		strings.HasPrefix(t, "goroutine ") && strings.HasSuffix(t, "]:"),
		t == "stack backtrace:", t == "stack traceback:", t == "[stacktrace]", t == "Stack trace:", t == "Stacktrace:", t == "Stack Trace:":
		return true, false
	}
	return false, false
}
