// Package xml outlines XML documents by the kind that their root element tells.
//
// Build files (Maven, MSBuild, Ant, NuGet) give artifacts, dependencies,
// properties, targets and the files they import; schemas, style sheets and
// interface definitions (XSD, XSLT, WSDL) their named parts; Android, Spring,
// MyBatis, Qt and Interface Builder files what code refers to by name; resources
// their keys. Any other document gives the elements that carry an id or a name.
// The reader is an own scanner, which expands no entities, loads nothing, and
// goes on behind markup that is not well formed, where a parser has to stop.
package xml

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols    = 2000
	maxReferences = 2000
	maxImports    = 1000
	// maxElements bounds what is remembered of one document.
	maxElements = 50_000
	maxInit     = 120
)

// Language is the row of XML.
func Language() *lang.Language {
	return &lang.Language{
		Name:    "xml",
		Version: 2,
		Extensions: []string{
			".xml", ".xsd", ".xsl", ".xslt", ".wsdl", ".wadl", ".rng", ".svg", ".pom",
			".csproj", ".fsproj", ".vbproj", ".vcxproj", ".vcxproj.filters", ".sqlproj", ".shproj", ".proj", ".projitems", ".msbuildproj", ".wixproj",
			".props", ".targets", ".nuspec", ".slnx", ".ruleset", ".resx", ".resw", ".config", ".xaml", ".axaml",
			".plist", ".storyboard", ".xib", ".xcscheme", ".xcworkspacedata", ".entitlements", ".strings.xml",
			".ui", ".qrc", ".xml.dist", ".xlf", ".xliff", ".dita", ".ditamap", ".docbook", ".rss", ".atom", ".gpx", ".kml", ".bpmn", ".jrxml", ".wxs", ".wxl", ".tld", ".jspx", ".fxml", ".glade", ".ditaval", ".iml", ".xmi", ".ecore", ".launch", ".nuspec.in", ".vsixmanifest", ".pubxml", ".runsettings", ".owl", ".rdf",
		},
		Filenames: []string{".classpath", ".project", ".cproject", "Package.appxmanifest", "packages.config", "NuGet.Config"},
		Extract:   extract,
		Outline:   true,
	}
}

func extract(b *lang.Builder) {
	d := &document{b: b, seen: map[string]bool{}}
	d.nodes = scan(b)
	d.describe()
}

// document is one document and what has been reported of it.
type document struct {
	b       *lang.Builder
	nodes   []node
	seen    map[string]bool
	symbols int
	refs    int
	imports int
}

// describe finds the kind of document and reports what it holds.
func (d *document) describe() {
	root := d.root()
	if root < 0 {
		return
	}
	d.report(root, &d.nodes[root])
	d.b.SetSummary(d.header(&d.nodes[root]))
}

func (d *document) report(root int, r *node) {
	switch r.local() {
	case "project":
		switch {
		case r.attr("default") != "" || d.child(root, "target") >= 0 && d.child(root, "artifactId") < 0:
			d.ant(root)
		case d.child(root, "artifactId") >= 0 || d.child(root, "modelVersion") >= 0 || strings.Contains(r.attr("xmlns"), "maven.apache.org/POM"):
			d.maven(root)
		default:
			d.generic(root)
		}
	case "Project":
		if r.attr("Sdk") != "" || strings.Contains(r.attr("xmlns"), "msbuild") || d.has(root, "PropertyGroup", "ItemGroup", "Import", "Target", "Choose", "ImportGroup", "UsingTask") {
			d.msbuild(root)
		} else {
			d.generic(root)
		}
	case "package":
		if m := d.child(root, "metadata"); m >= 0 {
			d.nuspec(m)
		} else {
			d.generic(root)
		}
	case "packages":
		d.packages(root)
	case "root":
		if d.has(root, "resheader", "data") {
			d.resx(root)
		} else {
			d.generic(root)
		}
	case "configuration":
		d.configuration(root)
	case "beans", "blueprint":
		d.spring(root)
	case "manifest":
		if r.attr("package") != "" || d.has(root, "application", "uses-permission", "uses-sdk", "uses-feature") {
			d.androidManifest(root)
		} else {
			d.generic(root)
		}
	case "resources":
		d.androidResources(root)
	case "schema":
		if strings.Contains(r.attr("xmlns:"+r.prefix()), "XMLSchema") || strings.Contains(r.attr("xmlns"), "XMLSchema") {
			d.schema(root)
		} else {
			d.generic(root)
		}
	case "definitions", "description":
		if d.has(root, "portType", "binding", "message", "types", "service", "interface") {
			d.wsdl(root)
		} else {
			d.generic(root)
		}
	case "stylesheet", "transform":
		d.xslt(root)
	case "mapper", "sqlMap":
		d.mapper(root)
	case "web-app", "web-fragment":
		d.webApp(root)
	case "plist":
		d.plist(root)
	case "document", "archive":
		if strings.Contains(r.attr("type"), "com.apple.InterfaceBuilder") {
			d.interfaceBuilder(root)
		} else {
			d.generic(root)
		}
	case "ui":
		d.qtForm(root)
	case "RCC":
		d.qtResources(root)
	case "svg":
		d.svg(root)
	case "databaseChangeLog":
		d.liquibase(root)
	default:
		if d.android(root) {
			d.androidLayout(root)
		} else if d.sections(root) {
			d.book(root)
		} else {
			d.generic(root)
		}
	}
}

// header is what the comment above the root says.
func (d *document) header(r *node) string {
	text := d.commentText(r)
	if len(text) < 8 || strings.HasPrefix(text, "http") {
		return ""
	}
	return text
}

// commentText is the comment above an element, "" for a notice or for markup
// that is commented out.
func (d *document) commentText(n *node) string {
	if n.comment.Len() == 0 {
		return ""
	}
	raw := strings.ToValidUTF8(string(d.b.Source[n.comment.Start:min(n.comment.End, n.comment.Start+1500)]), "")
	text := strings.TrimSpace(strings.Trim(strings.TrimSpace(lang.CleanComment(raw)), "-=#*~ "))
	if lang.LooksLikeLicense(text) || strings.HasPrefix(text, "<") || strings.Contains(text, "</") || strings.Contains(text, "/>") || len(text) < 3 {
		return ""
	}
	return text
}

// doc is the comment right above an element.
func (d *document) doc(n *node) string {
	if n.comment.Len() == 0 || d.b.Line(uint32(n.start)) > d.b.Line(n.comment.End-1)+1 {
		return ""
	}
	return d.commentText(n)
}

// definition is what an element defines.
type definition struct {
	kind facts.Kind
	name string
	at   facts.Span // of the name; the start tag where empty
	in   int32      // symbol that it belongs to, -1
	sign string     // signature; the start tag where empty
	init string
	typ  string
	doc  string // in place of the comment above
	once bool   // of several of the name in the same place the first counts
}

func (d *document) define(i int, def definition) int32 {
	n := &d.nodes[i]
	name := strings.TrimSpace(def.name)
	if d.symbols >= maxSymbols || name == "" || strings.ContainsAny(name, "\n\r") {
		return -1
	}
	if def.once {
		key := def.kind.String() + " " + name
		if def.in >= 0 {
			key += " " + d.b.At(def.in).Name
		}
		if d.seen[key] {
			return -1
		}
		d.seen[key] = true
	}
	if def.at.Len() == 0 {
		def.at = facts.Span{Start: uint32(n.start), End: uint32(n.nameEnd)}
	}
	if def.sign == "" {
		def.sign = n.tag()
	}
	if def.doc == "" {
		def.doc = d.doc(n)
	}
	d.symbols++
	s := int32(-1)
	d.b.Within(def.in, func() {
		s = d.b.Symbol(facts.Symbol{
			Name: name, Kind: def.kind, Signature: def.sign, Doc: def.doc, Type: def.typ, Init: short(def.init),
			Span: facts.Span{Start: uint32(n.start), End: uint32(n.end)}, NameSpan: def.at,
		})
	})
	return s
}

// named defines an element by one of its attributes.
func (d *document) named(i int, attr string, def definition) int32 {
	a := d.nodes[i].attribute(attr)
	if a == nil {
		return -1
	}
	def.name, def.at = a.value, a.span
	return d.define(i, def)
}

// texted defines an element by the text that it holds.
func (d *document) texted(i int, def definition) int32 {
	def.name, def.at = d.nodes[i].text, d.nodes[i].textSpan
	return d.define(i, def)
}

func short(s string) string {
	s = lang.Collapse(s)
	if len(s) <= maxInit {
		return s
	}
	return strings.ToValidUTF8(s[:maxInit], "")
}

// load adds a file. Backslashes of Windows become slashes; what only the build
// can expand is left out.
func (d *document) load(i int, file string) {
	file = strings.ReplaceAll(strings.TrimSpace(file), `\`, "/")
	if here := "$(MSBuildThisFileDirectory)"; len(file) > len(here) && strings.EqualFold(file[:len(here)], here) {
		file = strings.TrimPrefix(file[len(here):], "/") // the variable ends in a slash
	}
	if file == "" || strings.ContainsAny(file, "*$%?{}\n") || strings.Contains(file, "://") || d.imports >= maxImports || len(file) > facts.MaxName || d.seen["import "+file] {
		return
	}
	d.seen["import "+file] = true
	d.imports++
	d.b.Import(facts.Import{Module: file}, uint32(d.nodes[i].start))
}

// refer adds a reference to what an attribute names, in the definition in.
func (d *document) refer(kind facts.RefKind, a *attribute, in int32) {
	if a == nil {
		return
	}
	d.referAt(kind, a.value, a.span, in)
}

// referAt adds a reference; of a qualified name the last part is the name.
func (d *document) referAt(kind facts.RefKind, name string, at facts.Span, in int32) {
	if d.refs >= maxReferences || name == "" || strings.ContainsAny(name, " {}$*\n\t") {
		return
	}
	of := ""
	if k := strings.LastIndexAny(name, ".:/$"); k >= 0 {
		of, name = name[:k], name[k+1:]
	}
	if name == "" {
		return
	}
	d.refs++
	d.b.Within(in, func() { d.b.Reference(kind, name, of, max(at.Start, at.End-min(at.End, uint32(len(name))))) })
}
