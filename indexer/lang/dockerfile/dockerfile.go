// Package dockerfile outlines Dockerfiles: stages as targets with their base
// images, build arguments and environment, what a container runs and exposes,
// and the files that are copied in. Instructions are lines, here-documents and
// a few directives, which a scanner reads as the builder itself does.
package dockerfile

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols = 2000
	maxRefs    = 4000
	maxImports = 1000
	maxInit    = 120
	// maxFailed bounds how often the end of a here-document is looked for in
	// vain, each time through the rest of the text.
	maxFailed = 20
	// maxText is how much of an instruction is kept, in bytes.
	maxText = 16 << 10
)

var comments = lang.CommentStyle{Line: []string{"#"}}

// Language is the row of Dockerfiles.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "dockerfile",
		Version:    1,
		Extensions: []string{".dockerfile", ".containerfile"},
		Filenames:  []string{"Dockerfile", "dockerfile", "DOCKERFILE", "Containerfile", "containerfile"},
		Patterns:   []string{"Dockerfile.*", "Dockerfile-*", "Dockerfile_*", "Containerfile.*"},
		Extract:    extract,
		Roles:      func(string) facts.Role { return facts.RoleBuild },
		Outline:    true,
	}
}

type reader struct {
	b      *lang.Builder
	src    []byte
	escape byte

	left, refs, imports, failed int

	stages  []stage
	known   map[string]bool   // ARG and ENV of the file so far
	defined map[string]bool   // the same, by stage
	globals map[string]string // defaults of ARG before the first FROM
	doc     string
}

type stage struct {
	name   string
	symbol int32
}

// instruction is one instruction with the lines it goes on over.
type instruction struct {
	start, end int
	next       int
	pieces     []piece
	text       string
}

// piece tells where a part of the joined text stands in the source.
type piece struct{ text, source int }

func (in *instruction) source(at int) int {
	for i := len(in.pieces) - 1; i >= 0; i-- {
		if p := in.pieces[i]; p.text <= at {
			return min(p.source+at-p.text, in.end)
		}
	}
	return in.start
}

func extract(b *lang.Builder) {
	r := &reader{
		b: b, src: b.Source, escape: '\\', left: maxSymbols, refs: maxRefs, imports: maxImports,
		known: map[string]bool{}, defined: map[string]bool{}, globals: map[string]string{},
	}
	at := r.directives()
	text, _ := comments.Header(b.Source[at:])
	b.SetSummary(text)
	for at < len(r.src) {
		end, next := r.lineEnd(at)
		line := bytes.TrimSpace(r.src[at:end])
		switch {
		case len(line) == 0:
		case line[0] == '#':
			r.b.MarkDoc(facts.Span{Start: uint32(at), End: uint32(end)})
		default:
			in := r.join(at)
			next = r.heredocs(&in)
			r.doc = comments.Above(r.src, at)
			r.instruction(&in, strings.TrimSpace(in.text))
			r.extend(&in)
		}
		at = next
	}
}

// directives reads the comments at the top that direct the parser.
func (r *reader) directives() (at int) {
	for at < len(r.src) {
		end, next := r.lineEnd(at)
		line := bytes.TrimSpace(r.src[at:end])
		if !bytes.HasPrefix(line, []byte("#")) {
			return at
		}
		key, value, found := bytes.Cut(line[1:], []byte("="))
		name := strings.ToLower(string(bytes.TrimSpace(key)))
		switch {
		case !found || name != "syntax" && name != "escape" && name != "check":
			return at
		case name == "escape" && string(bytes.TrimSpace(value)) == "`":
			r.escape = '`'
		}
		at = next
	}
	return at
}

func (r *reader) lineEnd(at int) (end, next int) {
	k := bytes.IndexByte(r.src[at:], '\n')
	if k < 0 {
		return len(r.src), len(r.src)
	}
	end = at + k
	if end > at && r.src[end-1] == '\r' {
		end--
	}
	return end, at + k + 1
}

// join reads an instruction over its continued lines. Comments and blank lines
// between them are left out.
func (r *reader) join(at int) instruction {
	in := instruction{start: at}
	var b strings.Builder
	first := true
	for at < len(r.src) {
		end, next := r.lineEnd(at)
		line := r.src[at:end]
		trimmed := bytes.TrimSpace(line)
		if !first && (len(trimmed) == 0 || trimmed[0] == '#') {
			if len(trimmed) > 0 {
				r.b.MarkDoc(facts.Span{Start: uint32(at), End: uint32(end)})
			}
			at, in.next = next, next
			continue
		}
		// An instruction where a continued one should go on shows that its
		// last escape was one too many.
		if !first && isStart(line) {
			break
		}
		first = false
		text := bytes.TrimRight(line, " \t")
		more := len(text) > 0 && text[len(text)-1] == r.escape
		if more {
			text = text[:len(text)-1]
		}
		if b.Len() < maxText {
			in.pieces = append(in.pieces, piece{b.Len(), at})
			b.Write(bytes.ToValidUTF8(text[:min(len(text), maxText)], nil))
		}
		in.end, in.next = end, next
		at = next
		if !more {
			break
		}
	}
	in.text = b.String()
	return in
}

// isStart tells a line that starts a stage in the first column, which no
// command does.
func isStart(line []byte) bool {
	return len(line) > 5 && (bytes.HasPrefix(line, []byte("FROM ")) || bytes.HasPrefix(line, []byte("ENTRYPOINT [")))
}

var heredoc = lazyregexp.New(`(^|[\s\d>])<<(-?)(["']?)([A-Za-z_][A-Za-z0-9_.-]*)(["']?)`)

// heredocs passes the here-documents of an instruction and gives the offset of
// what follows them.
func (r *reader) heredocs(in *instruction) int {
	switch word, rest := cutWord(in.text); strings.ToUpper(word) {
	case "RUN", "COPY", "ADD":
	case "ONBUILD":
		switch word, _ := cutWord(rest); strings.ToUpper(word) {
		case "RUN", "COPY", "ADD":
		default:
			return in.next
		}
	default:
		return in.next
	}
	for _, m := range heredoc.FindAllStringSubmatch(in.text, 20) {
		if r.failed >= maxFailed {
			break
		}
		found := false
		for at := in.next; at < len(r.src); {
			end, next := r.lineEnd(at)
			line := string(r.src[at:min(end, at+500)])
			if m[2] == "-" {
				line = strings.TrimLeft(line, "\t")
			}
			if line == m[4] {
				in.end, in.next, found = end, next, true
				break
			}
			at = next
		}
		if !found {
			r.failed++
		}
	}
	return in.next
}

// extend makes an instruction part of its stage.
func (r *reader) extend(in *instruction) {
	if n := len(r.stages); n > 0 && r.stages[n-1].symbol >= 0 {
		s := r.b.At(r.stages[n-1].symbol)
		s.Span.End = max(s.Span.End, uint32(in.end))
		s.EndLine = r.b.Line(max(s.Span.Start, s.Span.End-1))
	}
}

func (r *reader) instruction(in *instruction, text string) {
	word, rest := cutWord(text)
	word = strings.ToUpper(word)
	if word == "FROM" {
		r.from(in, text, rest)
		return
	}
	current := int32(-1)
	if n := len(r.stages); n > 0 {
		current = r.stages[n-1].symbol
	}
	r.b.Within(current, func() { r.inStage(in, word, text, rest) })
}

func (r *reader) inStage(in *instruction, word, text, rest string) {
	switch word {
	case "ONBUILD":
		inner, after := cutWord(rest)
		if inner = strings.ToUpper(inner); inner != "ONBUILD" && inner != "FROM" {
			r.inStage(in, inner, rest, after)
		}
		return
	case "ARG":
		r.args(in, rest)
	case "ENV":
		r.env(in, rest)
	case "LABEL":
		r.label(rest)
	case "EXPOSE", "VOLUME", "ENTRYPOINT", "CMD", "HEALTHCHECK":
		k := strings.Index(strings.ToUpper(in.text), word)
		at := in.source(k)
		if k >= 0 && at+len(word) <= in.end {
			r.add(facts.Symbol{Name: word, Kind: facts.KindKey, Signature: text, Doc: r.doc}, in, at, len(word))
		}
	case "COPY", "ADD":
		r.copied(in, rest)
	case "RUN":
		for flag := range strings.FieldsSeq(rest) {
			mount, ok := strings.CutPrefix(flag, "--mount=")
			if !ok {
				if strings.HasPrefix(flag, "--") {
					continue
				}
				break
			}
			r.mount(in, mount)
		}
	}
	r.variables(in)
}

// from reads FROM [--platform=…] image [AS name].
func (r *reader) from(in *instruction, text, rest string) {
	words := strings.Fields(rest)
	for len(words) > 0 && strings.HasPrefix(words[0], "--") {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	image, name := words[0], ""
	if len(words) >= 3 && strings.EqualFold(words[1], "as") {
		name = words[2]
	}
	full := r.expand(image)
	s := facts.Symbol{Name: name, Kind: facts.KindTarget, Signature: text, Doc: r.doc, Bases: []string{full}}
	imageAt := max(0, strings.Index(in.text, image))
	k, length := strings.LastIndex(in.text, name), len(name)
	if name == "" {
		// A stage without a name is known by its image.
		s.Name = imageName(strings.Trim(full, `"'`))
		k, length = imageAt, len(image)
	}
	base := r.stage(full)
	i := r.add(s, in, in.source(k), length)
	switch {
	case base >= 0:
		r.b.Within(i, func() { r.reference(facts.RefInherit, r.stages[base].name, in.source(imageAt)) })
	case r.variants(full, in.source(imageAt), i):
	case full != "scratch":
		r.importing(facts.Import{Module: full, Alias: name}, in.source(imageAt))
	}
	if len(r.stages) < maxSymbols {
		r.stages = append(r.stages, stage{name, i})
	}
	r.b.Within(i, func() { r.variables(in) })
}

// variants adds the stages that a name such as build-${TARGETOS} can choose, and
// tells whether there are any.
func (r *reader) variants(image string, at int, symbol int32) (found bool) {
	k, end := strings.IndexByte(image, '$'), strings.LastIndexByte(image, '}')
	if k < 1 || strings.ContainsAny(image[:k], ":/") {
		return false
	}
	prefix, suffix := image[:k], ""
	if end > k {
		suffix = image[end+1:]
	}
	for i := max(0, len(r.stages)-200); i < len(r.stages); i++ {
		if n := r.stages[i].name; len(n) > len(prefix)+len(suffix) && strings.HasPrefix(n, prefix) && strings.HasSuffix(n, suffix) {
			r.b.Within(symbol, func() { r.reference(facts.RefInherit, n, at) })
			found = true
		}
	}
	return found
}

var simple = lazyregexp.New(`\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?`)

// expand puts the defaults of global arguments into the name of an image; one
// that needs another variable stays as written.
func (r *reader) expand(image string) string {
	if strings.Contains(image, ":-") || strings.Contains(image, ":+") {
		return image
	}
	whole := true
	out := simple.ReplaceAllStringFunc(image, func(v string) string {
		value := r.globals[strings.Trim(v, "${}")]
		whole = whole && value != ""
		return value
	})
	if !whole || len(out) > facts.MaxName || strings.ContainsAny(out, "$ ") {
		return image
	}
	return out
}

// imageName is an image without tag, digest and registry path.
func imageName(image string) string {
	name, _, _ := strings.Cut(image, "@")
	if k := strings.LastIndexByte(name, '/'); k >= 0 && k+1 < len(name) && !strings.Contains(name[k:], "}") {
		name = name[k+1:]
	}
	if k := strings.IndexByte(name, ':'); k > 0 && !strings.Contains(name[:k], "$") {
		name = name[:k]
	}
	return name
}

// stage is the index of an earlier stage by name or number, or -1.
func (r *reader) stage(name string) int {
	if n, err := strconv.Atoi(name); err == nil && n >= 0 && n < len(r.stages) {
		return n
	}
	for i := len(r.stages) - 1; i >= 0 && i > len(r.stages)-200; i-- {
		if r.stages[i].name != "" && strings.EqualFold(r.stages[i].name, name) {
			return i
		}
	}
	return -1
}

// use adds the stage or image that files are copied from.
func (r *reader) use(name string, at int) {
	if name == "" || name == "scratch" {
		return
	}
	if i := r.stage(name); i >= 0 {
		if r.stages[i].name != "" {
			r.reference(facts.RefRead, r.stages[i].name, at)
		}
		return
	}
	if !strings.ContainsAny(name, ":/") && !strings.Contains(name, "$") {
		// A named context of the build, or a stage that was lost.
		r.reference(facts.RefRead, name, at)
		return
	}
	r.importing(facts.Import{Module: name}, at)
}

// platform are arguments that every build has.
var platform = map[string]bool{
	"TARGETPLATFORM": true, "TARGETOS": true, "TARGETARCH": true, "TARGETVARIANT": true,
	"BUILDPLATFORM": true, "BUILDOS": true, "BUILDARCH": true, "BUILDVARIANT": true,
}

func (r *reader) args(in *instruction, rest string) {
	for _, w := range splitWords(rest) {
		name, value, set := strings.Cut(w, "=")
		if !set && r.known[name] || !set && platform[name] {
			continue // takes over a global one; variables has the reference
		}
		r.variable(in, name, value, "ARG "+w)
	}
}

func (r *reader) env(in *instruction, rest string) {
	words := splitWords(rest)
	if len(words) > 0 && !strings.Contains(words[0], "=") {
		_, value := cutWord(rest)
		r.variable(in, words[0], value, "ENV "+rest)
		return
	}
	for _, w := range words {
		if name, value, ok := strings.Cut(w, "="); ok {
			r.variable(in, name, value, "ENV "+w)
		}
	}
}

var variableName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

func (r *reader) variable(in *instruction, name, value, signature string) {
	key := strconv.Itoa(len(r.stages)) + " " + name
	if !variableName.MatchString(name) || r.defined[key] {
		return
	}
	word, _ := cutWord(strings.TrimSpace(in.text))
	from := strings.Index(in.text, word) + len(word)
	k := indexWord(in.text, name, from)
	if k < 0 {
		return
	}
	r.known[name], r.defined[key] = true, true
	if len(value) >= 2 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
		value = value[1 : len(value)-1]
	}
	s := facts.Symbol{Name: name, Kind: facts.KindVariable, Signature: signature, Doc: r.doc}
	if len(r.stages) == 0 {
		r.globals[name] = r.expand(value)
	}
	if len(value) <= maxInit {
		s.Init = value
	}
	r.add(s, in, in.source(k), len(name))
}

// indexWord finds a name that stands behind a blank.
func indexWord(text, name string, from int) int {
	for from < len(text) {
		k := strings.Index(text[from:], name)
		if k < 0 {
			return -1
		}
		k += from
		if k > 0 && (text[k-1] == ' ' || text[k-1] == '\t') && (k+len(name) == len(text) || strings.IndexByte("= \t", text[k+len(name)]) >= 0) {
			return k
		}
		from = k + len(name)
	}
	return -1
}

// label takes the description that the annotations of OCI images have a key for.
func (r *reader) label(rest string) {
	for _, w := range splitWords(rest) {
		key, value, _ := strings.Cut(w, "=")
		switch strings.Trim(key, `"`) {
		case "org.opencontainers.image.description", "org.label-schema.description", "description":
			if value = strings.Trim(value, `"'`); !strings.Contains(value, "$") {
				r.b.SetSummary(value)
			}
		}
	}
}

var dollar = lazyregexp.New(`\$\{?([A-Za-z_][A-Za-z0-9_]*)`)

// variables adds the uses of build arguments and environment variables of the
// file in an instruction.
func (r *reader) variables(in *instruction) {
	if strings.IndexByte(in.text, '$') < 0 && !strings.Contains(in.text, "ARG") && !strings.Contains(in.text, "arg") {
		return
	}
	for _, m := range dollar.FindAllStringSubmatchIndex(in.text, 200) {
		if name := in.text[m[2]:m[3]]; r.known[name] && (m[0] == 0 || in.text[m[0]-1] != r.escape) {
			r.reference(facts.RefRead, name, in.source(m[2]))
		}
	}
	if word, rest := cutWord(strings.TrimSpace(in.text)); strings.EqualFold(word, "ARG") {
		for _, name := range splitWords(rest) {
			if r.known[name] && !r.defined[strconv.Itoa(len(r.stages))+" "+name] {
				r.reference(facts.RefRead, name, in.source(max(0, indexWord(in.text, name, 0))))
			}
		}
	}
}

func (r *reader) reference(kind facts.RefKind, name string, at int) {
	if r.refs > 0 {
		r.refs--
		r.b.Reference(kind, name, "", uint32(at))
	}
}

func (r *reader) importing(i facts.Import, at int) {
	if r.imports > 0 {
		r.imports--
		r.b.Import(i, uint32(at))
	}
}

func (r *reader) add(s facts.Symbol, in *instruction, at, length int) int32 {
	if r.left == 0 || at+length > in.end {
		return -1
	}
	r.left--
	s.Span = facts.Span{Start: uint32(in.start), End: uint32(in.end)}
	s.NameSpan = facts.Span{Start: uint32(at), End: uint32(at + length)}
	return r.b.Symbol(s)
}
