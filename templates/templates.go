// Package templates holds the texts that the program writes as they are or
// fills in, so that wording can be reviewed and changed without reading code.
package templates

import "embed"

// Names of the texts of a context bundle and a context pack.
const (
	// ContextInstructions is a text/template that defines one template an
	// instruction line.
	ContextInstructions = "context.instructions.tmpl"
	// ContextSchema is the JSON Schema of a bundle printed as JSON.
	ContextSchema = "context.schema.json"
	// PackSchema is the JSON Schema of a context pack.
	PackSchema = "pack.schema.json"
	// OracleSchema is the JSON Schema of an answer of the oracle.
	OracleSchema = "oracle.schema.json"
)

// Names of the texts that init writes.
const (
	// Agents is the guidance in AGENTS.md.
	Agents = "agents.md"
	// HookStage is a part of a shell script, for hooks of git and of husky.
	HookStage = "hooks/stage.sh"
	// HookLefthook is top-level sections of a configuration of lefthook.
	HookLefthook = "hooks/lefthook.yml"
	// HookPreCommit is an item of the list of repositories of pre-commit.
	HookPreCommit = "hooks/pre-commit-config.yaml"
	// CIGitHub is a workflow for GitHub; @VERSION in it stands for the release.
	CIGitHub = "ci/github.yml"
	// PiExtension is an extension of the Pi coding agent.
	PiExtension = "pi/project-map.ts"
)

//go:embed *.tmpl *.json agents.md ci/*.yml hooks/*.sh hooks/*.yml hooks/*.yaml pi/*.ts
var files embed.FS

// Text returns an embedded text by its name, which is one of the constants of
// this package; any other name gives the empty string.
func Text(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(data)
}
