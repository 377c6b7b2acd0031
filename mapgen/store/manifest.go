package store

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Versions of the store. The format version changes when an older program
// cannot read it; a store of another format is rebuilt by index and reported by
// everything else.
const manifestFormat = 1

// Manifest says what a generation of the store was made from and what it wrote.
// It holds no time and nothing of the machine.
type Manifest struct {
	Format int `json:"format"`
	// Tool is the version of the program.
	Tool string `json:"tool"`
	// Input is the digest of everything the run depended on: entries,
	// configuration, recipes and version. Equal input means equal output.
	Input    string   `json:"input"`
	Revision Revision `json:"revision"`
	// Placement is where the artifacts are: "beside", "none", or "out".
	Placement string `json:"placement"`
	// Artifacts are the pages as this run left them, by path.
	Artifacts []PageState `json:"artifacts"`
	// Dirs is the digest of each directory's entries, own output left out.
	Dirs []DirState `json:"dirs"`
	// Catalog is the digest of the catalog, Symbols that of the distinct symbol
	// names, which the symbol index is named by.
	Catalog string `json:"catalog"`
	Symbols string `json:"symbols"`
	// Log and References are the digests of what is beside the catalog, "" for
	// nothing.
	Log        string `json:"log,omitempty"`
	References string `json:"references,omitempty"`
	// Evidence is the digest of what other programs found, "" for nothing, and
	// Sources are the files that it was read from.
	Evidence string   `json:"evidence,omitempty"`
	Sources  []Source `json:"sources,omitempty"`
	Summary  Summary  `json:"summary"`
}

// Source is an index or a report of another program.
type Source struct {
	Kind     string `json:"kind"` // scip or sarif
	Name     string `json:"name"`
	Digest   string `json:"digest"`
	Revision string `json:"revision,omitempty"`
}

// Revision names the state that was indexed.
type Revision struct {
	Kind   string `json:"kind"` // commit, staged, worktree
	Name   string `json:"name,omitempty"`
	Commit string `json:"commit,omitempty"`
	Tree   string `json:"tree,omitempty"`
}

// PageState is the digest of an artifact.
type PageState struct {
	Path   string `json:"path"`
	Digest string `json:"digest"`
}

// DirState is the digest of a directory's entries and of all below it.
type DirState struct {
	Path   string `json:"path"`
	Digest string `json:"digest"`
}

// Summary counts what a run found.
type Summary struct {
	Files       int             `json:"files"`
	Parsed      int             `json:"parsed"`
	WordsOnly   int             `json:"wordsOnly"`
	Listed      int             `json:"listed"`
	Symbols     int             `json:"symbols"`
	Bytes       int64           `json:"bytes"`
	Directories int             `json:"directories"`
	Languages   []LanguageCount `json:"languages"`
	Skipped     []ReasonCount   `json:"skipped"`
	Damaged     int             `json:"damaged"` // files with parts that could not be parsed
	// Commits of the past that the catalog holds, merges left out. HistoryCut is
	// set when a shallow or partial clone ends them early.
	Commits    int    `json:"commits"`
	HistoryCut bool   `json:"historyCut,omitempty"`
	Notes      []Note `json:"notes,omitempty"`
	// References counts what uses of names lead to.
	References ReferenceCount `json:"references"`
}

// ReferenceCount counts edges from uses of names to definitions.
type ReferenceCount struct {
	// Sites are the edges, Files the files that they start in.
	Sites int `json:"sites"`
	Files int `json:"files"`
	// Precise and ByName are those of the Sites with that mark.
	Precise int `json:"precise"`
	ByName  int `json:"byName"`
}

// LanguageCount is how many files of a language were parsed.
type LanguageCount struct {
	Language string `json:"language"`
	Files    int    `json:"files"`
}

// ReasonCount is how many files were read less deep than parsed, and why.
type ReasonCount struct {
	Depth  string `json:"depth"`
	Reason string `json:"reason"`
	Files  int    `json:"files"`
}

// Note is a remark on one path.
type Note struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

func decodeManifest(data []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("read manifest: %w: %w", err, ErrCorrupt)
	}
	if m.Format != manifestFormat {
		return nil, fmt.Errorf("read manifest: format %d, this program reads %d: %w", m.Format, manifestFormat, ErrVersion)
	}
	// The digest becomes part of a path.
	if _, err := hex.DecodeString(m.Symbols); err != nil {
		return nil, fmt.Errorf("read manifest: no digest of symbols: %w", ErrCorrupt)
	}
	return &m, nil
}
