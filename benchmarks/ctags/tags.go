package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// tag is a definition that ctags finds.
type tag struct {
	file, name, kind string
	line             int
}

// runCtags runs universal-ctags over files.
func runCtags(dir string, l *language, paths []string) ([]tag, error) {
	args := []string{"-f", "-", "--languages=" + l.ctags, "--language-force=" + l.ctags, "--fields=+nKz", "--excmd=number", "--sort=no"}
	cmd := exec.Command("ctags", append(append(args, l.flags...), "-L", "-")...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\n") + "\n")
	// Warnings about names it could not write go the way of the names.
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ctags: %w: %s", err, stderr.Bytes())
	}
	return parseTags(out)
}

// invented are the names that ctags makes up for what has none.
var invented = regexp.MustCompile(`^(__anon[0-9a-f]{8,}|[Aa]nonymous[A-Za-z]*[0-9a-f]{10,}|anon(Func|Class|Object|Interface|Enum)_\d+)`)

// parseTags reads the output of ctags, without names that it invented.
func parseTags(out []byte) ([]tag, error) {
	var tags []tag
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if len(f) < 4 || strings.HasPrefix(f[0], "!_TAG") || invented.MatchString(f[0]) {
			continue
		}
		t := tag{name: strings.ToValidUTF8(unescape(f[0]), "?"), file: f[1], kind: strings.TrimPrefix(f[3], "kind:")}
		for _, x := range f[4:] {
			if n, ok := strings.CutPrefix(x, "line:"); ok {
				t.line, _ = strconv.Atoi(n)
			}
		}
		tags = append(tags, t)
	}
	return tags, lines.Err()
}

// unescape undoes what ctags does to names with characters that a tags file
// gives a meaning.
func unescape(name string) string {
	if !strings.Contains(name, `\`) {
		return name
	}
	return strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\x20`, " ", `\x21`, "!").Replace(name)
}

// bareName brings a name to the form in which the two are compared: without
// what holds it, generic arguments, sigils and spaces between the letters of
// an operator.
func bareName(name string) string {
	if rest, ok := strings.CutPrefix(name, "operator"); ok {
		return "operator" + strings.ReplaceAll(rest, " ", "")
	}
	name = strings.Trim(name, "$`\"'")
	if i := strings.LastIndexAny(name, `.:\`); i >= 0 && i+1 < len(name) && isWord(name[i+1]) {
		name = name[i+1:]
	}
	if i := strings.IndexByte(name, '<'); i > 0 && isWord(name[i-1]) {
		name = name[:i]
	}
	return strings.TrimSpace(name)
}

func isWord(c byte) bool {
	return c == '_' || c == '~' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}
