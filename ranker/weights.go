package ranker

// A signal measures one thing about every document.
type signal struct {
	name   string
	weight float64
	scale  scale
	// compute adds to out, which holds one zero for every document.
	compute func(x *run, out []float64)
	// detail says what matched in a document; may be nil.
	detail func(x *run, doc int) string
}

// scale tells how the values of a signal become comparable with others.
type scale uint8

const (
	// relative values are divided by the largest among product files, and what
	// exceeds that counts as 1. For sums of word scores, whose size depends on
	// the length of the query. Vendored and generated files do not set the
	// largest, or a bundle that holds every word would flatten the sources.
	relative scale = iota
	// bounded values are on a scale of their own, where 1 is full evidence; the
	// largest scales the others down only where it exceeds 1.
	bounded
	// absolute values are taken as they are.
	absolute
	// following values are computed when all others are added up, from the files
	// that lead by then; they are points, taken as they are.
	following
)

// Names of the signals whose reasons list the words that matched.
const (
	titleWordsName = "title words"
	allWordsName   = "words"
)

// signalTable lists all signals. The weights are hand-set, then moved towards
// those that a regression shrunk to them finds on real issues, and rounded; what
// moves is small, for the signals say much the same. Signals of one
// kind stand together. To add a signal, write a file signal_<name>.go and add
// one row.
//
// How to read a weight: it is the number of points a file gains at the most.
// Words give up to some 7 points together and decide among sources; a document
// starts 4 points behind them and a data file 2, so that it needs a query that
// asks for its kind or much better words.
func signalTable() []signal {
	return []signal{
		// Words. Those of the title count twice, in the whole and by themselves.
		{titleWordsName, 1.4, relative, titleWords, nil},
		{allWordsName, 4, relative, allWords, nil},
		{"path words", 1, relative, pathWords, nil},
		{"defined words", .35, relative, definedWords, nil},
		{"code words", .3, relative, codeWords, nil},
		{"defined phrase", .15, relative, definedPhrase, nil},
		{"message", .5, absolute, message, nil},

		// Mentions. A link to the file at a commit was looked up by a person;
		// a path in prose is sometimes only the place where the symptom shows.
		{"linked file", 2, bounded, linkedFile, mentionDetail},
		{"named path", 1, bounded, namedPath, mentionDetail},
		{"stack frame", 1.75, bounded, stackFrame, mentionDetail},
		{"path alone", 5, bounded, barePath, mentionDetail},
		{"module name", .5, bounded, moduleName, nil},

		// Symbols. Names in a trace are exact; names in a title may be those of
		// the caller.
		{"symbol in trace", .9, bounded, traceSymbols, symbolDetail},
		{"symbol in title", .35, bounded, titleSymbols, symbolDetail},
		{"qualified symbol", .5, bounded, qualifiedSymbols, symbolDetail},
		{"rare symbol", .5, bounded, rareSymbol, symbolDetail},
		{"definition", 3, bounded, bareDefinition, symbolDetail},
		{"similar name", 1, bounded, similarName, nil},

		// What the repository says about itself.
		{"routing hint", 1.5, bounded, routingHints, hintDetail},
		{"workflow", 1, bounded, workflows, nil},
		{"directory summary", .5, bounded, directorySummary, nil},

		// Neighbours.
		{"matching test", .4, bounded, testLinks, nil},

		// The past of the repository; nothing without a store of commits.
		{"similar commit", 1.4, relative, similarCommit, nil},
		{"recent similar commit", .35, relative, recentSimilarCommit, nil},
		{"commit words", .6, relative, commitWords, nil},
		{"changed together", .9, relative, changedTogether, nil},
		{"recent change", .5, absolute, recentChange, nil},

		// What belongs to the files that lead by everything else. Together below
		// 1 (see draw).
		{"used by leader", .2, following, usedByLeader, nil},
		{"changes with leader", .2, following, changesWithLeader, nil},

		// Priors: what kind of file it is. The prior of tests is by far the
		// most useful number here, since tests hold all the words of what they
		// test.
		{"test", -4, absolute, testPrior, nil},
		{"documentation", -2, absolute, docPrior, nil},
		{"example", -1.5, absolute, examplePrior, nil},
		{"vendored", -4, absolute, vendoredPrior, nil},
		{"generated", -2.5, absolute, generatedPrior, nil},
		{"translation", -1, absolute, localePrior, nil},
		{"declaration file", -1, absolute, declarationPrior, nil},
		{"package file", -.4, absolute, packagePrior, nil},
		{"main language", 2.5, absolute, mainLanguage, languageDetail},
		{"named language", 1.5, absolute, namedLanguage, languageDetail},
		{"asked for", 2, absolute, askedFor, askedDetail},
	}
}
