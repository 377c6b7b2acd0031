package ranker

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/ranker/query"
)

// intent tells which kinds of files a query asks for, each from 0 to 1. Most
// queries ask for sources and have none.
type intent struct {
	any bool

	// families are ecosystems that the query names.
	families map[string]float64

	tests, docs, config, build, examples, vendored, locales, types, schemas, pages float64
}

// askedKind is a kind of file that a query can ask for: those with a role, or
// with a purpose that their language tells.
type askedKind struct {
	role     facts.Role
	purpose  purpose
	strength float64
	name     string
}

func (k *askedKind) includes(x *corpus, doc int) bool {
	return x.roles[doc]&k.role != 0 || x.purposes[doc]&k.purpose != 0
}

func (i *intent) kinds() [9]askedKind {
	return [...]askedKind{
		{facts.RoleTest, 0, i.tests, "tests"},
		{facts.RoleDoc, 0, i.docs, "documentation"},
		{facts.RoleConfig, 0, i.config, "configuration"},
		{facts.RoleBuild, 0, i.build, "build and CI"},
		{facts.RoleExample, 0, i.examples, "examples"},
		{facts.RoleLocale, 0, i.locales, "translations"},
		{facts.RoleDeclaration, 0, i.types, "type declarations"},
		{0, schemaFile, i.schemas, "schemas"},
		{0, pageFile, i.pages, "pages and templates"},
	}
}

// purpose is what the language of a file tells about what it is for.
type purpose uint8

const (
	// schemaFile: describes data or an interface (SQL, protocol definitions), or
	// is a migration.
	schemaFile purpose = 1 << iota
	// pageFile: what people see: pages, templates, style sheets.
	pageFile
)

// purposeOf tells the purpose of a file.
func purposeOf(language, path string) purpose {
	switch language {
	case "sql", "protobuf", "graphql", "thrift", "flatbuffers", "prisma":
		return schemaFile
	case "html", "erb", "eex", "ejs", "jsp", "razor", "css", "scss", "sass", "less", "stylus":
		return pageFile
	case "vue", "svelte", "astro":
		return pageFile
	}
	if strings.HasSuffix(path, ".blade.php") || strings.HasSuffix(path, ".phtml") {
		return pageFile
	}
	// Without lower-casing: every query looks at every path.
	for dir, rest, more := strings.Cut(path, "/"); more; dir, rest, more = strings.Cut(rest, "/") {
		if strings.EqualFold(dir, "migrations") || strings.EqualFold(dir, "migrate") {
			return schemaFile
		}
	}
	return 0
}

// cue is a sign that a query asks for a kind of file. A word of noun counts
// when a word of before stands in front of it or a word of after follows;
// alone tells how much it counts without.
type cue struct {
	set           func(*intent, float64)
	noun          string
	before, after string
	strength      float64
	// alone is the strength without its neighbours in a short query.
	alone float64
	// unless lists words that, one or two places before, mean something else.
	unless string
}

// Nouns that name one kind of file beyond doubt need no neighbours; others are
// as often part of what a program does.
var cues = []cue{
	{func(i *intent, v float64) { i.tests = max(i.tests, v) },
		"test tests testcase testcases spec specs unittest unittests fixture fixtures",
		"which what where add adds adding write writing update missing flaky unit integration e2e regression more existing snapshot failing",
		"for cover covers covering of that exercise exercises exercising helper helpers suite coverage", 1, .7, "run running execute"},
	{func(i *intent, v float64) { i.build = max(i.build, v) }, "tests benchmarks linter", "run running", "", .5, 0, ""},
	{func(i *intent, v float64) { i.tests = max(i.tests, v) }, "tested untested", "is are where how gets", "", 1, 1, ""},
	{func(i *intent, v float64) { i.docs = max(i.docs, v) },
		"readme changelog contributing license docs documentation tutorial faq",
		"the update in fix add to improve our", "for about on say says describe describes explain explains of typo mention mentions", 1, 1, ""},
	{func(i *intent, v float64) { i.docs = max(i.docs, v) }, "document", "", "how what that the why when where which our", .9, 0, ""},
	{func(i *intent, v float64) { i.docs = max(i.docs, v) }, "page pages chapter section paragraph", "docs documentation guide installation reference help manual",
		"says say explains explain describes describe mentions mention documenting", .9, 0, ""},
	{func(i *intent, v float64) { i.docs = max(i.docs, v) }, "instructions howto walkthrough handbook", "installation setup upgrade build migration the",
		"for say says tell tells to explain explains", 1, .7, ""},
	{func(i *intent, v float64) { i.docs = max(i.docs, v) }, "to", "how", "for", .6, 0, ""},
	{func(i *intent, v float64) { i.docs = max(i.docs, v) }, "explain explains", "should must guide that", "how what why when", .8, 0, ""},
	{func(i *intent, v float64) { i.docs = max(i.docs, v) }, "adr adrs rfc rfcs", "", "", .8, .8, ""},
	{func(i *intent, v float64) { i.docs = max(i.docs, v) }, "decision decisions", "architecture architectural design recorded", "record records", 1, 0, ""},
	{func(i *intent, v float64) { i.docs = max(i.docs, v) }, "text wording", "correct fix amend rewrite the", "says in", .5, 0, ""},
	{func(i *intent, v float64) { i.docs = max(i.docs, v) }, "documented undocumented", "is are where how gets been", "", 1, 1, ""},
	{func(i *intent, v float64) { i.docs = max(i.docs, v) }, "guide manual guideline guidelines", "contribution contributor contributing style user developer installation install migration upgrade release the", "for to on", .8, .4, ""},
	{func(i *intent, v float64) { i.build = max(i.build, v) },
		"makefile dockerfile justfile rakefile gemfile jenkinsfile cmakelists gradle goreleaser pyproject", "", "", 1, 1, ""},
	{func(i *intent, v float64) { i.build = max(i.build, v) },
		"workflow workflows pipeline pipelines job jobs", "ci release build lint test tests publish deploy deployment nightly github gitlab actions docs coverage docker", "", 1, .2, ""},
	{func(i *intent, v float64) { i.build = max(i.build, v) },
		"ci", "the in on our fix update", "job jobs runs run fails failing config configuration matrix cache step steps check checks", 1, .9, ""},
	{func(i *intent, v float64) { i.build = max(i.build, v) }, "actions", "github", "", 1, 0, ""},
	{func(i *intent, v float64) { i.build = max(i.build, v) }, "build", "the fix docker", "script scripts system target targets file files image", .8, .2, ""},
	{func(i *intent, v float64) { i.build = max(i.build, v) },
		"dependency dependencies", "bump upgrade update pin add new dev", "version versions", .8, .3, ""},
	{func(i *intent, v float64) { i.config = max(i.config, v) },
		"config configuration settings", "lint linter eslint prettier editor renovate dependabot mypy ruff pylint tsconfig jest babel webpack golangci codecov default sample deployment server",
		"file files", .8, .2, ""},
	{func(i *intent, v float64) { i.config = max(i.config, v) },
		"lint linter linters linting formatter eslint prettier ruff flake8 pylint mypy rubocop golangci clippy luacheck swiftlint stylelint editorconfig",
		"our the by", "rule rules config configuration settings complains complaint reports warns warning warnings allow allows exclude ignore reject rejects", .9, .6, ""},
	{func(i *intent, v float64) { i.config = max(i.config, v) }, "hook hooks", "commit git precommit", "", .8, 0, ""},
	{func(i *intent, v float64) { i.config = max(i.config, v) }, "compose", "docker", "file", .9, .3, ""},
	{func(i *intent, v float64) { i.config = max(i.config, v) }, "bot", "release dependency merge stale", "", .7, 0, ""},
	{func(i *intent, v float64) { i.build = max(i.build, v) }, "cmake meson bazel gradle maven cargo tox nox poetry webpack vite rollup", "the our",
		"option options target targets flag flags build script file version plugin", .8, .3, ""},
	{func(i *intent, v float64) { i.build = max(i.build, v) }, "target targets", "make makefile build", "", .9, 0, ""},
	{func(i *intent, v float64) { i.build = max(i.build, v) }, "integration", "continuous", "", 1, 0, ""},
	{func(i *intent, v float64) { i.build = max(i.build, v) }, "image images", "docker container base the", "built runs build builds", .8, .2, ""},
	{func(i *intent, v float64) { i.build = max(i.build, v) }, "nightly cron scheduled", "", "job run build deployment deployments removal", .8, .3, ""},
	{func(i *intent, v float64) { i.schemas = max(i.schemas, v) }, "migration migrations", "database db schema data a the new add", "that for script scripts", 1, .8, ""},
	{func(i *intent, v float64) { i.schemas = max(i.schemas, v) }, "table tables column columns index", "database sql db",
		"definition", .9, 0, ""},
	{func(i *intent, v float64) { i.schemas = max(i.schemas, v) }, "table tables", "the of", "column columns should index defined", .6, 0, ""},
	{func(i *intent, v float64) { i.schemas = max(i.schemas, v) }, "proto protos protobuf", "", "file files message messages definition definitions", 1, .8, ""},
	{func(i *intent, v float64) { i.schemas = max(i.schemas, v) }, "definition definitions", "protocol message service api", "", .9, 0, "type"},
	{func(i *intent, v float64) { i.schemas = max(i.schemas, v) }, "message", "the", "definition gets needs field fields", .6, 0, "error commit log"},
	{func(i *intent, v float64) { i.schemas = max(i.schemas, v) }, "schema schemas", "graphql database db sql", "file definition", 1, .4, "json"},
	{func(i *intent, v float64) { i.pages = max(i.pages, v) }, "page pages", "the web", "with shows prints has should that where displays", .6, .3, "docs man"},
	{func(i *intent, v float64) { i.pages = max(i.pages, v) }, "template templates view views partial partials layout", "the html email mail page", "for of file files should has", .7, .3, ""},
	{func(i *intent, v float64) { i.pages = max(i.pages, v) }, "mail email mails emails", "the notification confirmation", "that about template should shows has is", .7, .3, ""},
	{func(i *intent, v float64) { i.pages = max(i.pages, v) }, "css stylesheet stylesheets style styles styling html markup", "", "sheet of for", .8, .6, "code coding"},
	{func(i *intent, v float64) { i.config = max(i.config, v) },
		"eslintrc editorconfig gitignore gitattributes dependabot renovate golangci codecov tsconfig prettierrc npmrc dockerignore", "", "", 1, 1, ""},
	{func(i *intent, v float64) { i.examples = max(i.examples, v) },
		"example examples sample samples demo demos benchmark benchmarks", "add update the an which write", "for of showing using that", .8, .5, ""},
	{func(i *intent, v float64) { i.locales = max(i.locales, v) },
		"translation translations locale locales", "german french spanish italian chinese japanese korean russian portuguese polish dutch turkish arabic add update missing fix", "for of file files string strings", .8, .5, ""},
	{func(i *intent, v float64) { i.types = max(i.types, v) },
		"typings stubs stub dts", "type typescript", "for file files", .8, .5, ""},
	{func(i *intent, v float64) { i.types = max(i.types, v) }, "declarations definitions", "type typescript", "", .6, 0, ""},
	{func(i *intent, v float64) { i.vendored = max(i.vendored, v) }, "vendored vendor", "the update bump", "directory copy", .8, .5, ""},
}

const (
	// longQuery is the length in bytes over which a query is a report, whose
	// title alone tells what is asked for.
	longQuery = 300
	// inReports weakens cues in the title of a report: "tests fail with ..."
	// is mostly about what is tested.
	inReports = .5
)

// intentOf reads the intent of a query off its words.
func intentOf(q *query.Query) intent {
	var i intent
	text := q.Segments[query.Title]
	short := len(q.Raw) <= longQuery
	if short {
		text += "\n" + q.Segments[query.Prose] + "\n" + q.Segments[query.Inline]
	} else if len(text) > longQuery {
		text = text[:longQuery]
	}
	tokens := plainWords(text)
	if short {
		i.families = familiesOf(tokens, 1)
	} else {
		i.families = familiesOf(tokens, inReports)
	}
	has := func(list, w string) bool {
		for f := range strings.FieldsSeq(list) {
			if f == w {
				return true
			}
		}
		return false
	}
	for _, c := range cues {
		best := 0.0
		for k, w := range tokens {
			if !has(c.noun, w) {
				continue
			}
			if k > 0 && has(c.unless, tokens[k-1]) || k > 1 && has(c.unless, tokens[k-2]) {
				continue
			}
			v := c.alone
			if !short && v < 1 {
				v = 0
			}
			if k > 0 && has(c.before, tokens[k-1]) || k+1 < len(tokens) && has(c.after, tokens[k+1]) {
				v = max(v, c.strength)
			}
			best = max(best, v)
		}
		if !short {
			best *= inReports
		}
		if best > 0 {
			c.set(&i, best)
			i.any = true
		}
	}
	return i
}

// plainWords lists the words of a text in lower case, without names of files
// and symbols, which ask for nothing but themselves.
func plainWords(text string) []string {
	var out []string
	for f := range strings.FieldsSeq(strings.ToLower(text)) {
		f = strings.TrimFunc(f, func(r rune) bool { return r < 128 && !isAlnum(byte(r)) })
		if strings.ContainsAny(f, "._\\:#(") || f == "" {
			continue
		}
		out = append(out, strings.FieldsFunc(f, func(r rune) bool { return r < 128 && !isAlnum(byte(r)) })...)
	}
	return out
}

func isAlnum(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
