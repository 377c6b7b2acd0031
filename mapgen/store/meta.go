package store

import (
	"encoding/json"

	"github.com/project-map/project-map/mapgen/artifact"
)

// Meta is what the catalog notes of the revision as a whole, besides its
// tables. It is stored as JSON: it is small and read once.
type Meta struct {
	// Enums are the distinct languages and reasons; "" is the first.
	Enums []string `json:"enums"`
	// Dirs is parallel to the directories of the catalog.
	Dirs []DirMeta `json:"dirs"`
	// Workflows are those of the root's index.
	Workflows []artifact.Workflow `json:"workflows,omitempty"`
	// Hints are the routing hints of all indexes, with their directory.
	Hints []DirHint `json:"hints,omitempty"`
	// Instructions are the AGENTS.md and similar files of the revision.
	Instructions []string `json:"instructions,omitempty"`
	// Test is the command that runs the tests, from the configuration.
	Test string `json:"test,omitempty"`
	// FromArtifacts is set when the catalog was compiled from committed
	// artifacts alone, without a store.
	FromArtifacts bool `json:"fromArtifacts,omitempty"`
}

// DirMeta is what a directory's index says.
type DirMeta struct {
	Summary string   `json:"summary,omitempty"`
	Tags    []string `json:"tags,omitempty"`
	HasMap  bool     `json:"hasMap,omitempty"`
	UsedBy  []string `json:"usedBy,omitempty"`
}

// DirHint is a routing hint and the number of the directory whose index holds
// it.
type DirHint struct {
	Dir  int           `json:"dir"`
	Hint artifact.Hint `json:"hint"`
}

func (m *Meta) decode(data []byte) error { return json.Unmarshal(data, m) }

func (m *Meta) enum(i uint32) string {
	if int(i) < len(m.Enums) {
		return m.Enums[i]
	}
	return ""
}
