package codex_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pawl-dev/pawl/internal/agent/agenttest"
	"github.com/pawl-dev/pawl/internal/agent/codex"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// TestCodexSchemas holds the lines of Codex, also those that were made, and all
// answers to them against the schemas in the program itself. Those of answers
// are closed: Codex refuses an answer with a key too many.
func TestCodexSchemas(t *testing.T) {
	book := codexSchemas(t)
	inputs, outputs := 0, 0
	for _, file := range agenttest.Files(t, ".") {
		for i, l := range agenttest.Lines(t, file) {
			e, err := l.Decode(codex.Agent.Hooks)
			if err != nil || strings.HasSuffix(l.Event, "OfTomorrow") {
				continue // a line that is wrong on purpose
			}
			in := book[kebab(l.Event)+".command.input"]
			if in == nil {
				t.Fatalf("%s:%d: there is no schema for %s", file, i+1, l.Event)
			}
			if err := validate(in, l.Stdin); err != nil {
				t.Errorf("%s:%d: %s: not what Codex writes: %v", file, i+1, l.Event, err)
			}
			inputs++
			for _, s := range agenttest.Samples {
				text := codex.Agent.Hooks.Encode(e, s.Answer)
				if text == nil {
					continue
				}
				out := book[kebab(l.Event)+".command.output"]
				if out == nil {
					t.Fatalf("%s:%d: %s takes no answer, and gets %s", file, i+1, l.Event, text)
				}
				if err := validate(out, text); err != nil {
					t.Errorf("%s:%d: %s, %s: %s: %v", file, i+1, l.Event, s.Name, text, err)
				}
				outputs++
			}
		}
	}
	if inputs < 60 || outputs < 200 {
		t.Errorf("%d payloads and %d answers were held against the schemas, want more", inputs, outputs)
	}
}

func codexSchemas(t *testing.T) map[string]*jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "schemas.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schemas map[string]*jsonschema.Schema
	must.Do(t, json.Unmarshal(text, &schemas))
	book := map[string]*jsonschema.Resolved{}
	for name, s := range schemas {
		if book[name], err = s.Resolve(nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if len(book) == 0 {
		t.Fatal("there are no schemas")
	}
	return book
}

func validate(schema *jsonschema.Resolved, text []byte) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return schema.Validate(value)
}

// kebab writes PostToolUse as post-tool-use.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) {
			if i > 0 {
				b.WriteByte('-')
			}
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
