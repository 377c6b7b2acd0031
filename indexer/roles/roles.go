// Package roles tells what a file is for: test, documentation, example,
// vendored, generated, configuration, build or translation.
//
// It is the one place that reads meaning into paths. The conventions of all
// ecosystems stand here as sets of directory and file names; what is special to
// one language comes from its row, what only the content shows from the file's
// traits, and the repository's own attributes overrule both.
package roles

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// Hints are the linguist attributes that the repository gives a path; nil
// where it says nothing.
type Hints struct {
	Vendored, Generated, Documentation *bool
}

// Of tells the roles of the file at a path, which is slash separated and
// relative to the root. l and f may be nil.
func Of(p string, l *lang.Language, f *facts.File, attrs Hints) facts.Role {
	n := newName(p)
	if n.family == notCode && l != nil && l.Nature() == facts.Code {
		n.family = otherCode
	}
	role := n.fromDirectories() | n.fromBase()
	if role&facts.RoleDoc != 0 && role&facts.RoleBuild == 0 {
		role &^= facts.RoleConfig // shown in documentation, configures nothing
	}
	if l != nil && l.Roles != nil {
		role |= l.Roles(p)
	}
	if f != nil {
		if f.Traits&facts.GeneratedHeader != 0 {
			role |= facts.RoleGenerated
		}
		if f.Traits&facts.TestCode != 0 {
			role |= facts.RoleTest
		}
	}
	if role&facts.RoleVendored != 0 {
		role &^= facts.RoleExample // of the other project, if anything
	}
	override := func(hint *bool, r facts.Role) {
		switch {
		case hint == nil:
		case *hint:
			role |= r
		default:
			role &^= r
		}
	}
	override(attrs.Vendored, facts.RoleVendored)
	override(attrs.Generated, facts.RoleGenerated)
	override(attrs.Documentation, facts.RoleDoc)
	return role
}

// name is a path taken apart.
type name struct {
	path, lower string // lower is the path in lower case
	base, low   string // last component, as written and in lower case
	stem, ext   string // of low; ext has its dot
	family      family
}

// family groups extensions whose conventions for names are the same.
type family uint8

const (
	notCode family = iota
	prose
	otherCode
	golang
	python
	script // JavaScript, TypeScript and what embeds them
	jvm
	dotnet
	ruby
	php
	rust
	clang // C, C++, Objective-C
	swift
	perl
)

var families = func() map[string]family {
	m := map[string]family{}
	for f, exts := range map[family]string{
		prose:  "md mdx markdown rst adoc asciidoc txt org textile pod rdoc",
		golang: "go", python: "py pyx pxd pyi ipynb", script: "js jsx mjs cjs ts tsx mts cts vue svelte astro coffee",
		jvm: "java kt kts scala groovy clj", dotnet: "cs fs vb", ruby: "rb rake gemspec", php: "php phtml inc phpt",
		rust: "rs", clang: "c h cc cpp cxx hh hpp hxx inl ipp cppm m mm cu", swift: "swift", perl: "pl pm t",
		otherCode: "dart lua ex exs erl hrl hs ml mli jl r zig nim v sv vhd sh bash zsh fish ps1 sql proto thrift graphql css scss sass less html elm cr d pas f90 sol bats",
	} {
		for e := range strings.FieldsSeq(exts) {
			m["."+e] = f
		}
	}
	return m
}()

func newName(p string) *name {
	n := &name{path: p, lower: strings.ToLower(p)}
	n.base = p[strings.LastIndexByte(p, '/')+1:]
	n.low = n.lower[strings.LastIndexByte(n.lower, '/')+1:]
	n.ext = path.Ext(n.low)
	n.stem = strings.TrimSuffix(n.low, n.ext)
	n.family = families[n.ext]
	return n
}

func (n *name) isCode() bool { return n.family > prose }

func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// Names of directories, in lower case.
var (
	testDirs = words(`test tests testing __tests__ __test__ testdata test-data test_data testcases test-cases testsuite testsuites
		fixtures fixture __fixtures__ __snapshots__ __mocks__ mocks e2e cypress playwright testutil testutils testutilities testhelpers
		testfixtures androidtest unittests unittest integrationtests integrationtest functionaltests acceptancetests regressiontests
		specs spec tst testlib test262 conformance selftest selftests`)
	docDirs        = words(`doc docs documentation rfcs rfc adr adrs man manual manuals guides whats_new release_notes`)
	rootDocDirs    = words(`website site www changes news changelog changelogs .changeset changelog.d changelog_unreleased newsfragments`)
	exampleDirs    = words(`example examples _examples sample samples`)
	looseExamples  = words(`demo demos tutorial tutorials cookbook quickstart quickstarts benchmark benchmarks bench benches asv_bench playground playgrounds fuzz fuzzing fuzzers storybook stories`)
	rootExamples   = words(`gallery snippets perf sandbox`)
	vendorDirs     = words(`vendor vendors vendored _vendor third_party third-party thirdparty 3rdparty 3rd_party 3rd-party node_modules bower_components jspm_packages godeps cextern .yarn site-packages pods carthage .venv venv`)
	looseVendors   = words(`external externals extern`)
	rootVendors    = words(`deps dependencies contrib-vendor`)
	generatedDirs  = words(`generated __generated__ autogen auto-generated auto_generated generated-sources generated-src single_include singleheader single_header amalgamation`)
	outputDirs     = words(`dist build out lib-cov coverage .next .nuxt _build`)
	localeDirs     = words(`locale locales i18n l10n lang langs language languages translations translation messages intl po lproj`)
	configDirs     = words(`config configs conf .config .vscode .idea .github .devcontainer settings`)
	productRoots   = words(`src lib libs pkg internal cmd app apps source sources`)
	localeFileExts = words(`.po .pot .mo .json .json5 .yml .yaml .xml .properties .strings .stringsdict .arb .xlf .xliff .resx .ftl .toml .ini .lang .txt`)
)

// fromDirectories reads the components above the file.
func (n *name) fromDirectories() facts.Role {
	var role facts.Role
	product := false // below a directory of product sources
	prev := ""       // component before
	dirs := n.lower[:len(n.lower)-len(n.low)]
	orig := n.path[:len(n.path)-len(n.base)]
	if len(orig) != len(dirs) {
		orig = dirs // lower-casing changed the length; case is lost
	}
	main := strings.Contains("/"+dirs, "/src/main/")
	for i, at := 0, 0; at < len(dirs); i++ {
		end := at + strings.IndexByte(dirs[at:], '/')
		dir, written := dirs[at:end], orig[at:end]
		rest := dirs[end+1:] // components between dir and the file
		at = end + 1
		// Under src/main of a build module, names of packages say nothing.
		if !main {
			if n.isTestDir(dir, written, prev, i) {
				role |= facts.RoleTest
			}
			switch {
			case docDirs[dir] && !(product && n.isCode()), rootDocDirs[dir] && (i == 0 || n.family == prose):
				role |= facts.RoleDoc
			case exampleDirs[dir] && (n.family != jvm || prev != "com" && prev != "org"),
				looseExamples[dir] && !product && prev != "com", rootExamples[dir] && i == 0:
				role |= facts.RoleExample
			}
		}
		if n.isVendorDir(dir, rest, prev, i, product) {
			role |= facts.RoleVendored
		}
		if n.isGeneratedDir(dir, rest, prev, i) {
			role |= facts.RoleGenerated
		}
		if (localeDirs[dir] || strings.HasSuffix(dir, ".lproj")) && n.isTranslation() {
			role |= facts.RoleLocale
		}
		if configDirs[dir] && !n.isCode() && n.family != prose {
			role |= facts.RoleConfig
		}
		switch {
		case dir == ".circleci", dir == ".buildkite", dir == ".teamcity",
			prev == ".github" && (dir == "workflows" || dir == "actions"),
			prev == ".gitlab" && dir == "ci":
			if n.family != prose {
				role |= facts.RoleBuild
			}
		case dir == "values" || strings.HasPrefix(dir, "values-"):
			if n.low == "strings.xml" {
				role |= facts.RoleLocale
			}
		}
		product = product || productRoots[dir]
		prev = dir
	}
	return role
}

func (n *name) isTestDir(dir, written, prev string, depth int) bool {
	if testDirs[dir] {
		// A specification is prose or a schema; only these languages keep
		// tests in directories of that name.
		if dir == "spec" || dir == "specs" || dir == "conformance" {
			switch n.family {
			case ruby, script, php:
				return true
			case otherCode:
				return n.ext == ".lua" || n.ext == ".cr" || n.ext == ".hs" || n.ext == ".bats"
			}
			return false
		}
		return true
	}
	switch {
	case strings.HasPrefix(dir, "test-"), strings.HasPrefix(dir, "test_"), strings.HasPrefix(dir, "tests-"), strings.HasPrefix(dir, "tests_"),
		strings.HasSuffix(dir, "-tests"), strings.HasSuffix(dir, "_tests"), strings.HasSuffix(dir, "-test"), strings.HasSuffix(dir, "_test"),
		strings.HasSuffix(dir, "-testsuite"), strings.HasSuffix(dir, "-e2e"), strings.HasSuffix(dir, "-test-utils"):
		return true
	case strings.HasSuffix(written, "Tests"), strings.HasSuffix(written, ".Test"), strings.HasSuffix(written, "_Test"):
		return true
	case prev == "src" && strings.HasSuffix(written, "Test"): // src/commonTest, src/androidTest
		return true
	case n.family == golang && len(dir) > 5 && strings.HasSuffix(dir, "test"):
		// A package of helpers for tests of another: httptest, storetest.
		return dir != "latest" && dir != "greatest" && dir != "contest" && dir != "attest" && dir != "request"
	}
	return dir == "t" && depth == 0 && n.family == perl
}

func (n *name) isVendorDir(dir, rest, prev string, depth int, product bool) bool {
	switch {
	case vendorDirs[dir]:
		if dir != "vendor" && dir != "vendors" {
			return true
		}
		// A vendor is also what business software buys from: in the package
		// trees of these languages the name stands for that.
		return !(product && (n.family == jvm || n.family == dotnet || n.family == swift) ||
			product && prev != "src" && prev != "lib" && n.family == python && !strings.Contains(rest, "/"))
	case looseVendors[dir]:
		// Directly in external/ lie a project's own files; other people's
		// code lies in a directory of its own.
		return strings.Contains(rest, "/") && n.family != jvm && n.family != dotnet
	case rootVendors[dir]:
		return depth == 0 && strings.Contains(rest, "/")
	}
	return false
}

func (n *name) isGeneratedDir(dir, rest, prev string, depth int) bool {
	switch {
	case generatedDirs[dir]:
		return n.family != prose
	case outputDirs[dir]:
		switch n.family {
		case script:
		case otherCode:
			if n.ext != ".css" && n.ext != ".html" {
				return false
			}
		default:
			return n.ext == ".map"
		}
		// build/ at the root usually holds the scripts that build, and is
		// also a name for a part of a program.
		switch dir {
		case "build":
			return depth > 0 && prev != "src" && prev != "lib" && n.ext != ".ts" && n.ext != ".tsx" || depth == 0 && strings.HasPrefix(rest, "static/")
		case "out":
			return prev != "src"
		}
		return true
	case dir == "target" && depth <= 1:
		for _, s := range []string{"classes/", "debug/", "release/", "generated-", "doc/"} {
			if strings.HasPrefix(rest, s) {
				return true
			}
		}
	}
	return false
}

// isTranslation tells whether a file in a directory for languages holds
// messages, not the code that looks them up.
func (n *name) isTranslation() bool {
	if localeFileExts[n.ext] {
		return true
	}
	return n.isCode() && isLanguageTag(n.stem) || n.family == php && n.low != "index.php"
}

// isLanguageTag tells whether s (lower case) looks like de, pt-br, zh_hant,
// es-419.
func isLanguageTag(s string) bool {
	first, rest, more := strings.Cut(strings.ReplaceAll(s, "_", "-"), "-")
	if len(first) != 2 || !lowerLetters(first) || first == "go" || first == "js" || first == "ts" || first == "db" || first == "id" {
		return s == "id"
	}
	return !more || len(rest) >= 2 && len(rest) <= 9
}

func lowerLetters(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}
