// Package jsp is the row of Java server pages and tag files.
package jsp

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/html"
	"github.com/project-map/project-map/indexer/lang/template"
)

// Language is the row.
func Language() *lang.Language {
	page := html.Language().Extract
	return &lang.Language{
		Name:       "jsp",
		Family:     "java",
		Aliases:    []string{"java server pages"},
		Version:    1,
		Extensions: []string{".jsp", ".jspf", ".jspx", ".tag", ".tagf"},
		Extract: func(b *lang.Builder) {
			page(b)
			directives(b)
		},
		Parts:   parts,
		Readers: []string{"java"},
	}
}

// parts keeps declarations (<%! %>), which are members of the page's class,
// from the statements that run when the page is served.
func parts(source []byte, _ string) []lang.Part {
	members := lang.Part{Language: "java"}
	statements := lang.Part{Language: "java", Body: true}
	for _, p := range template.Tagged(source, "java") {
		if bytes.HasPrefix(source[p.Start:], []byte("<%!")) {
			members.Pieces = append(members.Pieces, p)
		} else {
			statements.Pieces = append(statements.Pieces, p)
		}
	}
	return []lang.Part{members, statements}
}

var (
	directive = lazyregexp.New(`<%@\s*(\w+)([^%]*)%>`)
	attribute = lazyregexp.New(`(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
	action    = lazyregexp.New(`<(?:jsp:include|jsp:forward|c:import)\s+(?:page|url)\s*=\s*["']([^"'\n<$]+)["']`)
	useBean   = lazyregexp.New(`<jsp:useBean\b[^>]*\bclass\s*=\s*["']([\w.]+)["']`)
)

// directives reports what a server page imports and includes.
func directives(b *lang.Builder) {
	for _, m := range directive.FindAllSubmatchIndex(b.Source, -1) {
		name, start := string(b.Source[m[2]:m[3]]), uint32(m[0])
		for _, a := range attribute.FindAllSubmatch(b.Source[m[4]:m[5]], -1) {
			key, value := string(a[1]), string(a[2])+string(a[3])
			switch {
			case name == "page" && key == "import":
				for class := range strings.SplitSeq(value, ",") {
					importClass(b, strings.TrimSpace(class), start)
				}
			case name == "taglib" && key == "tagdir":
				b.Import(facts.Import{Module: template.Relative(value)}, start)
			}
		}
	}
	for _, m := range action.FindAllSubmatchIndex(b.Source, -1) {
		b.Import(facts.Import{Module: template.Relative(string(b.Source[m[2]:m[3]]))}, uint32(m[2]))
	}
	for _, m := range useBean.FindAllSubmatchIndex(b.Source, -1) {
		class := string(b.Source[m[2]:m[3]])
		importClass(b, class, uint32(m[2]))
		name := class[strings.LastIndexByte(class, '.')+1:]
		b.Reference(facts.RefType, name, "", uint32(m[3]-len(name)))
	}
}

// importClass reports a class in the form of the row of Java.
func importClass(b *lang.Builder, class string, start uint32) {
	if outer, all := strings.CutSuffix(class, ".*"); all {
		b.Import(facts.Import{Module: outer, Names: []facts.ImportedName{{Name: "*"}}}, start)
		return
	}
	b.Import(facts.Import{Module: class}, start)
}
