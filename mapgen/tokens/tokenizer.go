package tokens

// Tokenizer counts the tokens of a text by the rules of a named tokenizer.
// Count depends on the text alone and is safe for concurrent use.
type Tokenizer interface {
	// Name is what packs and flags call it.
	Name() string
	Count(text string) int
}

// The names of the tokenizers. Those of exact counts are made by package exact,
// which carries their tables.
const (
	NameEstimate   = "estimate"
	NameBytes      = "bytes/4"
	NameO200kBase  = "o200k_base"
	NameCL100kBase = "cl100k_base"
)

// Estimator is Estimate as a Tokenizer.
type Estimator struct{}

// Name implements Tokenizer.
func (Estimator) Name() string { return NameEstimate }

// Count implements Tokenizer.
func (Estimator) Count(text string) int { return Estimate(text) }

// Bytes counts a token for every four bytes begun. It is the last resort, for
// readers of whose tokenizer nothing is known: within a third of the truth for
// prose and code in the Latin script, far off for most else.
type Bytes struct{}

// Name implements Tokenizer.
func (Bytes) Name() string { return NameBytes }

// Count implements Tokenizer.
func (Bytes) Count(text string) int { return len(text)/4 + min(len(text)%4, 1) }
