package templates

import (
	"encoding/json"
	"testing"
	"text/template"
)

func TestTextsAreWellFormed(t *testing.T) {
	if !json.Valid([]byte(Text(ContextSchema))) {
		t.Error("the schema is not JSON")
	}
	x, err := template.New("").Parse(Text(ContextInstructions))
	if err != nil {
		t.Fatal(err)
	}
	if x.Lookup("read") == nil {
		t.Error("no instruction to read")
	}
	if got := Text("missing"); got != "" {
		t.Errorf("a text that is not there: %q", got)
	}
}
