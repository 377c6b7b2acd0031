// Package scala reads Scala 2 and 3.
//
// The grammar at hand loses a seventh of the text of a large code base of
// Scala 3, for what it does not know of significant indentation takes the
// definitions around along, and its scanner ends the process on hostile texts. So
// everything comes from a reader of the brackets, keywords and the indentation of
// lines, which hold a text together in every version of the language.
package scala

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
)

// Language is the row of Scala.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "scala",
		Family:       "java",
		Aliases:      []string{"sbt", "mill", "ammonite"},
		Version:      2,
		Extensions:   []string{".scala", ".sc", ".sbt", ".mill"},
		Interpreters: []string{"scala", "scala-cli", "amm"},
		Extract:      extract,
		Roles:        roles,
	}
}

var testName = lazyregexp.New(`^(?:.*(?:Test|Tests|Spec|Specs|Suite|TestSuite|[a-z0-9]IT|Props|Specification)|Test[A-Z0-9_].*)\.(?:scala|sc)$|\.test\.(?:scala|sc)$`)

func roles(p string) facts.Role {
	var r facts.Role
	dir, base := path.Split(p)
	if strings.HasSuffix(base, ".sbt") || strings.HasSuffix(base, ".mill") || base == "build.sc" || base == "project.scala" {
		return facts.RoleBuild
	}
	if testName.MatchString(base) {
		r |= facts.RoleTest
	}
	if base == "package.scala" {
		r |= facts.RolePackageInit
	}
	parts := strings.Split(dir, "/")
	for i, set := range parts {
		switch {
		case set == "project" && i == len(parts)-2 && i == 0:
			// The build of sbt is a project of its own.
			r |= facts.RoleBuild
		case i == 0 || parts[i-1] != "src":
		case set == "test" || set == "it" || strings.HasPrefix(set, "test-") || strings.HasPrefix(set, "it-") || strings.HasSuffix(set, "Test"):
			r |= facts.RoleTest
		}
	}
	return r
}

func extract(b *lang.Builder) {
	x := lex(b.Source)
	w := &walker{b: b, x: x, toks: x.toks}
	for _, s := range x.damage {
		b.Damage(s)
	}
	w.file()
}
