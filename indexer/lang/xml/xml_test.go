package xml

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func read(src string) *facts.File {
	b := lang.NewBuilder([]byte(src), ".xml")
	extract(b)
	return b.Finish()
}

// Every kind of document by its root element, with the names that it gives.
func TestKindsOfDocuments(t *testing.T) {
	for src, want := range map[string]string{
		`<RCC><qresource><file alias="i">a/i.png</file></qresource></RCC>`:                                                                       "key i; import a/i.png",
		`<packages><package id="A" version="1"/></packages>`:                                                                                     "key A",
		`<package><metadata><id>P</id><dependencies><dependency id="D" version="1"/></dependencies></metadata></package>`:                        "key D",
		`<ui><class>F</class><widget class="QDialog" name="F"><widget class="QPushButton" name="ok"/></widget></ui>`:                             "field F; field ok",
		`<svg><g id="no"/><symbol id="yes"/></svg>`:                                                                                              "key yes",
		`<mapper namespace="a.B"><select id="find" resultType="a.C"/><sql id="cols"/></mapper>`:                                                  "method find; key cols",
		`<databaseChangeLog><changeSet id="1"><createTable tableName="t"/></changeSet><include file="b.xml"/></databaseChangeLog>`:               "key 1; struct t; import b.xml",
		`<book><title>T</title><chapter><title>C</title></chapter></book>`:                                                                       "heading T; heading C",
		`<document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB"><view id="x-1" storyboardIdentifier="V"/><outlet property="p"/></document>`: "key V; field p",
		`<web-app><servlet><servlet-name>s</servlet-name><servlet-class>a.S</servlet-class></servlet></web-app>`:                                 "key s",
		`<xsl:stylesheet><xsl:template name="t"/><xsl:template match="a/b"/><xsl:import href="x.xsl"/></xsl:stylesheet>`:                         "function t; function a/b; import x.xsl",
		`<definitions><portType name="P"><operation name="o"/></portType><message name="m"/></definitions>`:                                      "interface P; method o; struct m",
		`<configuration><appSettings><add key="k" value="v"/></appSettings></configuration>`:                                                     "key appSettings; key k",
		`<LinearLayout xmlns:android="http://schemas.android.com/apk/res/android"><a.b.V android:id="@+id/v"/></LinearLayout>`:                   "key v",
		`<root><resheader name="no"/><data name="k"><value>v</value></data></root>`:                                                              "key k",
		`<any><a id="x"><b name="y"/></a><c>v</c><c>w</c></any>`:                                                                                 "key x; key y; key c",
		`no markup`: "", ``: "", `<`: "", `</a>`: "", `<a`: "",
	} {
		f := read(src)
		var got []string
		for _, s := range f.Symbols {
			got = append(got, s.Kind.String()+" "+s.Name)
		}
		for _, i := range f.Imports {
			got = append(got, "import "+i.Module)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s:\n got %s\nwant %s", src, strings.Join(got, "; "), want)
		}
	}
}

func TestReferences(t *testing.T) {
	f := read(`<beans><bean id="a" class="x.y.A"/><bean id="b" class="x.B"><property name="p" ref="a"/></bean></beans>`)
	var got []string
	for _, r := range f.Refs {
		got = append(got, r.Kind.String()+" "+r.Qualifier+" "+r.Name)
	}
	if want := []string{"type x.y A", "type x B", "read  a"}; !slices.Equal(got, want) {
		t.Errorf("references %q, want %q", got, want)
	}
}

// Namespaces that a project imports into its files are imports given on, static
// ones with all names; lists, variables and removals are told apart.
func TestUsingsOfProjects(t *testing.T) {
	f := read(`<Project Sdk="x"><ItemGroup>
<Using Include="A.B"/><Using Include="A.B"/><Using Include=" C ; D.E;$(F);"/><Using Remove="G"/>
<Using Include="A.B.H" Static="True"/><Using Include="global::I.J"><Alias>K</Alias></Using><Using Include="A.B" Alias="L" Static="false"/>
</ItemGroup><Import Project="$(MsBuildThisFileDirectory)eng/x.props"/><Import Project="$(MSBuildThisFileDirectory)\y.props"/></Project>`)
	var got []string
	for _, m := range f.Imports {
		s := m.Alias + "=" + m.Module
		if len(m.Names) > 0 {
			s += " " + m.Names[0].Name
		}
		if m.Flags&facts.ImportReexport != 0 {
			s += " given on"
		}
		got = append(got, s)
	}
	want := []string{"=A.B given on", "=C given on", "=D.E given on", "=A.B.H * given on", "K=I.J given on", "L=A.B given on", "=eng/x.props", "=y.props"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestEntitiesAreNotExpanded(t *testing.T) {
	f := read(`<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;"><!ENTITY x SYSTEM "file:///etc/passwd">]><a><b id="&m;&x;">&m;</b></a>`)
	if len(f.Symbols) != 1 || f.Symbols[0].Name != "&m;&x;" {
		t.Errorf("%+v", f.Symbols)
	}
}

// Malformed and huge documents must cost no more than their length.
func TestCapsAndLinearity(t *testing.T) {
	start := time.Now()
	for _, root := range []string{"", "<a>", "<Project Sdk='x'>", "<project><artifactId>a</artifactId>", "<schema xmlns='XMLSchema'>", "<resources>", "<plist>", "<beans>", "<book><title>a</title>"} {
		for _, piece := range []string{
			"<", "<a>", "<a id='x'>", "<a b=\"", "<a b='", "</", "</a>", "<!--", "-->", "<![CDATA[", "<?", "<!", "<!DOCTYPE a [", "&a;", "<a/>", "<a name='x'/>", "\"",
			"<element name='x'>", "<dependency><artifactId>x</artifactId></dependency>", "<PropertyGroup><A>x</A>", "<key>a</key><dict>", "<x:y z=1 ", "<section><title>x</title>", "<!-- c --><a id='x'>",
		} {
			f := read(root + strings.Repeat(piece, 1<<17/len(piece)))
			if len(f.Symbols) > maxSymbols || len(f.Refs) > maxReferences || len(f.Imports) > maxImports {
				t.Errorf("%q: %d symbols, %d references", piece, len(f.Symbols), len(f.Refs))
			}
		}
	}
	if took := time.Since(start); took > langtest.TimeLimit(60*time.Second) {
		t.Errorf("hostile documents took %v", took)
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><!-- d --><a b='c'><d id="e">f &lt; <![CDATA[g]]></d></a>`))
	f.Add([]byte(`<Project Sdk="x"><ItemGroup><PackageReference Include="A" Version="1"/></ItemGroup><Target Name="t" DependsOnTargets="a;b"/></Project>`))
	f.Add([]byte(`<project><artifactId>a</artifactId><properties><x>1</x></properties><modules><module>m</module></modules></project>`))
	f.Add([]byte(`<plist><dict><key>a</key><dict><key>b</key><string>c</string></dict></dict></plist>`))
	f.Fuzz(func(t *testing.T, src []byte) {
		src = bytes.ToValidUTF8(src, nil)
		for _, s := range read(string(src)).Symbols {
			if int(s.Span.End) > len(src) || s.NameSpan.Start > s.NameSpan.End || int(s.NameSpan.End) > len(src) || s.EndLine < s.Line || len(s.Init) > maxInit {
				t.Fatalf("%q: %v in %v", s.Name, s.NameSpan, s.Span)
			}
		}
	})
}
