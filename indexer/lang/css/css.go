// Package css outlines style sheets: CSS, SCSS, Sass, Less and Stylus.
//
// Definitions are the classes, ids and custom elements that rules select, custom
// properties, variables, mixins, functions, placeholders, animations, layers and
// fonts; imports are what @import, @use, @forward and their kin name. A class
// that many rules select counts once in a file, at the rule that is its own.
// The reader is an own scanner of statements, since one serves five dialects and
// half-written sheets alike, which no grammar does.
package css

import (
	"github.com/project-map/project-map/indexer/lang"
)

// dialect tells in which language a sheet is written.
type dialect uint8

const (
	plain dialect = iota
	scss
	sass // indented
	less
	stylus
)

const (
	maxSymbols    = 2000
	maxReferences = 4000
	// maxCandidates bounds what is remembered of one sheet before the best rule
	// of every name is chosen.
	maxCandidates = 20_000
	// maxDepth is how deep rules are read; deeper ones are passed over.
	maxDepth = 40
)

// Language is the row of CSS.
func Language() *lang.Language {
	return row("css", plain, ".css", ".pcss", ".postcss", ".wxss", ".acss", ".tcss")
}

// SCSS is the row of Sass in the syntax with braces.
func SCSS() *lang.Language { return row("scss", scss, ".scss") }

// Sass is the row of Sass in the indented syntax.
func Sass() *lang.Language { return row("sass", sass, ".sass") }

// Less is the row of Less.
func Less() *lang.Language { return row("less", less, ".less") }

// Stylus is the row of Stylus.
func Stylus() *lang.Language { return row("stylus", stylus, ".styl", ".stylus") }

func row(name string, d dialect, extensions ...string) *lang.Language {
	return &lang.Language{
		Name:       name,
		Version:    1,
		Extensions: extensions,
		Extract:    func(b *lang.Builder) { extract(b, d) },
		Outline:    true,
	}
}

func extract(b *lang.Builder, d dialect) {
	s := &sheet{b: b, src: b.Source, dialect: d}
	if d == sass || d == stylus {
		s.readIndented()
	} else {
		s.readBraces()
	}
	s.closeAll(len(s.src))
	s.emit()
}
