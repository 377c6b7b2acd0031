package ranker

import (
	"github.com/project-map/project-map/indexer/facts"
)

// Priors hold a file down for what it is. All of them have the value 1 where
// the role applies, 0 where the query asks for that very kind of file or names
// this file, and something between where it may be asking.

// testPrior marks tests. Weight -4, the largest of all: a test holds the words
// of a report better than the code it tests, and is hardly ever what the
// reporter wants changed.
func testPrior(x *run, out []float64) { x.prior(out, facts.RoleTest, x.intent.tests) }

// docPrior marks documents. Weight -2, on top of the main language that they
// lack.
func docPrior(x *run, out []float64) { x.prior(out, facts.RoleDoc, x.intent.docs) }

// examplePrior marks examples and benchmarks. Weight -1.5: they use everything
// and implement nothing.
func examplePrior(x *run, out []float64) { x.prior(out, facts.RoleExample, x.intent.examples) }

// vendoredPrior marks other people's code. Weight -4: it is often in the main
// language and holds every word, but a change to it would be lost.
func vendoredPrior(x *run, out []float64) { x.prior(out, facts.RoleVendored, x.intent.vendored) }

// generatedPrior marks what a program wrote and minified files. Weight -2.5,
// less than for vendored files: the generator's input may lie outside of the
// repository, and the generated file be all there is to read.
func generatedPrior(x *run, out []float64) {
	x.prior(out, facts.RoleGenerated, 0)
	for d := range out {
		if x.noise[d] && x.roles[d]&(facts.RoleVendored|facts.RoleGenerated) == 0 {
			out[d] = 1 - x.named[d]
		}
	}
}

// localePrior marks translations. Weight -1, since they lack the main language
// as well: a message quoted in a report stands in all of them.
func localePrior(x *run, out []float64) { x.prior(out, facts.RoleLocale, x.intent.locales) }

// declarationPrior marks files that declare what is implemented elsewhere
// (.d.ts, .pyi). Weight -1: they hold all names of their source and stand ahead
// of it otherwise.
func declarationPrior(x *run, out []float64) { x.prior(out, facts.RoleDeclaration, x.intent.types) }

// packagePrior marks files that stand for their directory. Weight -0.4: they
// mostly re-export, but in small packages they are all there is.
func packagePrior(x *run, out []float64) { x.prior(out, facts.RolePackageInit, 0) }

func (x *run) prior(out []float64, role facts.Role, asked float64) {
	for d, r := range x.roles {
		if r&role != 0 {
			out[d] = 1 - max(asked, x.named[d])
		}
	}
}

// mainLanguage tells how much of the product is written in the file's
// language: the square root of its bytes relative to those of the main
// language, so that the second language of a repository still ranks (a tenth of
// the bytes keeps a third of the value). Weight 2.5: data, documents and
// configuration hold the words of an issue too, and are rarely the answer. More
// would bury the second language and gain nothing among sources. A
// file of a kind that the query asks for, or names, has the full value.
func mainLanguage(x *run, out []float64) {
	for d, f := range x.families {
		out[d] = max(x.share[f], x.askedValue(d), x.named[d])
	}
}

func languageDetail(x *run, doc int) string { return x.names[x.families[doc]] }

// askedFor marks files of the kind that the query asks for: "which tests cover
// the queue", "update the README", "the release workflow". Weight 2, enough to
// put them ahead of the sources with the same words, not ahead of everything.
func askedFor(x *run, out []float64) {
	for d := range out {
		if !x.noise[d] {
			out[d] = x.askedValue(d)
		}
	}
}

func askedDetail(x *run, doc int) string {
	for _, k := range x.intent.kinds() {
		if k.includes(x.corpus, doc) && k.strength == x.askedValue(doc) {
			return k.name
		}
	}
	return ""
}

// askedValue is how strongly the query asks for the kind of file that a
// document is, 0 to 1.
func (x *run) askedValue(doc int) float64 {
	v := 0.0
	if x.intent.any {
		for _, k := range x.intent.kinds() {
			if k.strength > v && k.includes(x.corpus, doc) {
				v = k.strength
			}
		}
	}
	return v
}
