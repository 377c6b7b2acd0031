package bundle

import (
	"encoding/json"
	"testing"

	"github.com/project-map/project-map/bundle/pack"
	"github.com/project-map/project-map/mapgen/tokens"
	"github.com/project-map/project-map/templates"
)

// TestPackSchema checks packs with everything in them against their schema.
func TestPackSchema(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal([]byte(templates.Text(templates.PackSchema)), &schema); err != nil {
		t.Fatal(err)
	}
	var entries []pack.ContextEntry
	for l := range pack.ContextLayer(pack.NumLayers) {
		for _, s := range []pack.SourceType{pack.ToolLog, pack.Conversation, pack.Artifact, pack.SteeringNote, pack.EventHistory, "receipt"} {
			for range 2 {
				entries = append(entries, pack.ContextEntry{Layer: l, SourceType: s, SourceID: "x", Content: "some words"})
			}
		}
	}
	for _, framing := range []pack.Framing{pack.Bare, pack.Markdown} {
		for _, budget := range []int{0, 60, 100, 10000} {
			p, _, err := pack.NewBuilder(tokens.Estimator{}, 1).Build(pack.BuildRequest{
				SessionID: "s", StageID: "t", Budget: budget, Entries: entries, Framing: framing,
			})
			if err != nil {
				t.Fatal(err)
			}
			data, err := p.JSON()
			if err != nil {
				t.Fatal(err)
			}
			var value any
			if err := json.Unmarshal(data, &value); err != nil {
				t.Fatal(err)
			}
			if err := validate(schema, schema, value, "$"); err != nil {
				t.Errorf("%v in\n%s", err, data)
			}
		}
	}
}
