package query

import (
	"strings"
	"unicode"
)

// section is the kind of text a template heading announces.
type section uint8

const (
	sectionNone        section = iota // not a template heading
	sectionBody                       // heading is boilerplate, its text is the reporter's
	sectionEnvironment                // versions, platforms, settings of the reporter
	sectionConsent                    // check lists, codes of conduct, offers to help
)

// heading parses a line that stands as a heading: "## X", "**X**", "X:" or
// "__X__". rest is what follows a bold or colon-ended label on the same line.
// strong is set for the forms that are headings beyond doubt.
func heading(t string) (label, rest string, strong, ok bool) {
	t = strings.TrimSpace(t)
	if n := len(t) - len(strings.TrimLeft(t, "#")); n > 0 && n <= 6 && len(t) > n && (t[n] == ' ' || t[n] == '*') {
		return strings.Trim(t[n:], " #*_"), "", true, true
	}
	u := strings.TrimLeft(t, "-*+ ")
	if stars := len(t) - len(strings.TrimLeft(t, "*")); stars >= 2 {
		u = t[stars:]
		if end := strings.Index(u, "**"); end > 0 {
			label = strings.TrimSpace(u[:end])
			rest = strings.TrimLeft(u[end:], "*: ")
			return strings.TrimRight(label, ": "), rest, rest == "", true
		}
	}
	if i := strings.IndexByte(u, ':'); i > 0 && i < 60 && (i+1 == len(u) || u[i+1] == ' ') {
		return strings.Trim(u[:i], " *_`"), strings.TrimSpace(u[i+1:]), false, true
	}
	return "", "", false, false
}

// labelWords normalises a label to lower-case words without decoration and
// without a trailing parenthesis.
func labelWords(label string) []string {
	if i := strings.LastIndexByte(label, '('); i > 0 {
		label = label[:i]
	}
	label = label[:min(len(label), 160)]
	return strings.FieldsFunc(strings.ToLower(label), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '_'
	})
}

// isTemplateTitle reports whether a line is a heading of a template and no
// title of a task.
func isTemplateTitle(label string) bool {
	return isGenericLabel(strings.Join(labelWords(label), " "))
}

// isGenericLabel lists labels that name no subject, whole.
func isGenericLabel(s string) bool {
	switch s {
	case "", "title", "issue", "issue title", "issue description", "issue summary", "bug", "bug report", "bug description",
		"bug summary", "feature", "feature request", "feature description", "enhancement", "summary", "description", "overview",
		"problem", "problem description", "problem statement", "problem summary", "background", "context", "details", "motivation",
		"prerequisites", "checks", "checklist", "search before asking", "proposal", "proposed change", "proposed changes",
		"request", "question", "task", "goal", "name", "subject", "type", "labels", "code", "code sample", "code example", "logs",
		"log", "log output", "output", "error", "errors", "error message", "stack trace", "stacktrace", "traceback", "result",
		"results", "actual", "expected", "reproduction", "reproducer", "repro", "screenshots", "screenshot", "notes", "note",
		"impact", "impacts", "use case", "user story", "acceptance criteria", "requirements", "solution", "suggestion",
		"configuration", "config", "configuration file", "command", "command line", "command used", "information", "other",
		"other information", "input", "input code", "example", "examples", "steps", "current problem", "root cause", "workaround",
		"relevant log output", "anything else", "additional info", "additional information", "additional context", "references":
		return true
	}
	return false
}

// sectionOf classifies the label of a heading.
func sectionOf(label string) section {
	w := labelWords(label)
	if len(w) > 16 {
		return sectionNone
	}
	s := strings.Join(w, " ")
	for _, p := range [...]string{"search before", "code of conduct", "are you willing", "are you able", "would you like to",
		"willing to", "checklist", "prerequisites", "contributing", "contribution", "preflight", "validations", "before submitting",
		"before you", "labels", "submission", "i have searched", "self checks", "self service"} {
		if strings.HasPrefix(s, p) {
			return sectionConsent
		}
	}
	if isEnvironmentLabel(w, s) {
		return sectionEnvironment
	}
	if isGenericLabel(s) {
		return sectionBody
	}
	for _, p := range [...]string{"is your feature request", "describe the", "describe your", "describe alternatives", "describe what",
		"please describe", "what steps", "what did you", "what do you", "what you", "what is the current", "what is the expected",
		"what is expected", "what is happening", "what happened", "what happens", "what went wrong", "how to reproduce",
		"how can we reproduce", "how often", "can you reproduce", "anything else", "do you have any", "minimal complete",
		"minimal reproducible", "mcve", "code for reproduction"} {
		if strings.HasPrefix(s, p) {
			return sectionBody
		}
	}
	if len(w) > 5 {
		return sectionNone
	}
	for _, p := range [...]string{"steps to", "step to", "steps code to", "to reproduce", "expected", "actual", "current behavior",
		"current behaviour", "observed", "desired", "proposed solution", "possible solution", "possible fix", "suggested",
		"additional", "relevant", "reproduction", "reproducible", "minimal", "bug report", "feature request", "other info", "ideal solution"} {
		if strings.HasPrefix(s, p) {
			return sectionBody
		}
	}
	return sectionNone
}

// isEnvironmentLabel reports whether a label asks for versions or platforms.
func isEnvironmentLabel(w []string, s string) bool {
	for _, p := range [...]string{"what version", "which version", "what operating", "which operating", "which os", "what os",
		"what platform", "how did you install", "version info", "versions of", "output of", "system details", "show versions"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	if len(w) == 0 || len(w) > 6 {
		return false
	}
	if last := w[len(w)-1]; len(w) <= 3 && (last == "version" || last == "versions" || last == "environment") {
		return true
	}
	for _, x := range w {
		switch x {
		case "version", "versions", "environment", "env", "your", "my", "system", "info", "information", "os", "operating",
			"platform", "software", "hardware", "desktop", "smartphone", "browser", "browsers", "installed", "dependencies",
			"and", "the", "of", "device", "setup", "runtime", "database", "driver", "architecture", "installation", "details",
			"python", "node", "additional", "variables":
		default:
			return false
		}
	}
	return s != "the" && s != "and" && s != "additional details" && s != "details" && s != "database" && s != "driver" &&
		s != "python" && s != "node" && s != "browser" && s != "dependencies" && s != "runtime"
}

// isBoilerplate reports whether a line of prose is part of a form and not of
// the task.
func isBoilerplate(t string) bool {
	s := strings.ToLower(strings.Trim(t, "*_-+ .>|`"))
	if len(s) > 200 {
		return false
	}
	if s == "" || strings.Trim(s, "-=_*|: ") == "" {
		return true
	}
	switch s {
	case "no response", "n/a", "na", "none", "yes", "no", "example", "bug", "feature", "see above":
		return true
	}
	for _, p := range [...]string{"a clear and concise description", "if applicable, add", "add any other context", "steps to reproduce the behavior:",
		"thanks for taking the time", "thank you for taking the time", "please fill", "please search", "please complete the following",
		"no existing issues", "originally posted by", "(please complete"} {
		if strings.HasPrefix(s, p) {
			return len(s) < len(p)+90
		}
	}
	return false
}

// checkbox removes the mark of a task-list item. consent is set for an item
// with which the reporter only declares something.
func checkbox(t string) (rest string, consent, ok bool) {
	u := strings.TrimLeft(t, "-*+ ")
	if len(u) < 4 || u[0] != '[' || u[2] != ']' || u[1] != ' ' && u[1]|0x20 != 'x' {
		return t, false, false
	}
	rest = strings.TrimSpace(u[3:])
	s := strings.ToLower(strings.TrimLeft(rest, "*_"))
	for _, p := range [...]string{"i ", "i'", "i’", "yes", "no,", "we ", "this is", "this issue", "my issue", "check", "search", "read ",
		"agree", "by submitting", "would you like", "are you", "have you", "did you", "make sure", "follow"} {
		if strings.HasPrefix(s, p) {
			return rest, true, true
		}
	}
	for _, p := range [...]string{"code of conduct", "willing to", "submit a pr", "latest version", "duplicate", "existing issues"} {
		if strings.Contains(s, p) {
			return rest, true, true
		}
	}
	return rest, false, true
}

// isVersionLine reports whether a line only states versions: "python: 3.9",
// "pkg==1.2", "| OS | macOS 10.15.7 |", "tool, version 2.0". In a section that
// asks for them any short line is one.
func isVersionLine(t string, environment bool) bool {
	if len(t) > 120 || strings.HasSuffix(t, "?") {
		return false
	}
	words, versions, labelled := 0, 0, strings.ContainsAny(t, ":=|")
	for i := 0; i < len(t); {
		if !isWordByte(t[i]) {
			i++
			continue
		}
		j := i
		for j < len(t) && (isWordByte(t[j]) || t[j] == '.' || t[j] == '-' || t[j] == '+') {
			j++
		}
		switch tok := strings.Trim(t[i:j], ".-+"); {
		case isVersion(tok):
			versions++
		case strings.EqualFold(tok, "version"), strings.EqualFold(tok, "versions"), strings.EqualFold(tok, "__version__"), strings.EqualFold(tok, "v"):
			labelled = true
		case strings.HasSuffix(tok, ".__version__"):
			labelled = true
			words++
		default:
			words++
		}
		i = j
	}
	if environment {
		return words+versions <= 10 && !strings.ContainsAny(t, "{}")
	}
	if versions == 0 || strings.Contains(t, "](") || strings.Contains(t, "()") {
		return false
	}
	return words <= 2 || words <= 4 && labelled
}

// isVersion reports whether a token holds a dotted number: 1.2, v0.3.1,
// macOS-10.15.7, py3-2.0.
func isVersion(s string) bool {
	for i := 1; i+1 < len(s); i++ {
		if s[i] == '.' && isDigit(s[i-1]) && isDigit(s[i+1]) {
			return true
		}
	}
	return false
}
