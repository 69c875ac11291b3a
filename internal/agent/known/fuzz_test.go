package known_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/agenttest"
	"github.com/pawl-dev/pawl/internal/agent/known"
)

// fuzzDecode gives a dialect whatever there may be: it reads it or refuses it,
// and what it makes of it can be answered and written down.
func fuzzDecode(f *testing.F, name string) {
	d := known.Find(name).Hooks
	seeds := 0
	for _, file := range agenttest.Files(f, folder(known.Find(name))) {
		for _, l := range agenttest.Lines(f, file) {
			if len(l.Stdin) < 4<<10 {
				f.Add(l.Event, []byte(l.Stdin))
				seeds++
			}
		}
	}
	if seeds == 0 {
		f.Fatal("nothing to begin with")
	}
	f.Add("", []byte(`{"cwd": 1}`))
	f.Add("", []byte(`null`))
	f.Fuzz(func(t *testing.T, name string, payload []byte) {
		e, err := d.Decode(name, payload, func(string) string { return "" })
		if err != nil {
			return
		}
		if !json.Valid(payload) {
			t.Errorf("read, and is not JSON: %q", payload)
		}
		for _, raw := range []json.RawMessage{e.Input, e.Output, e.Todos} {
			if raw != nil && !json.Valid(raw) {
				t.Errorf("a value of the event is not JSON: %q", raw)
			}
		}
		if out := d.Encode(e, agent.Answer{}); out != nil {
			t.Errorf("an empty answer is %q", out)
		}
		for _, s := range agenttest.Samples {
			out := d.Encode(e, s.Answer)
			if out != nil && (!json.Valid(out) || bytes.ContainsAny(out, "\n\x1b")) {
				t.Errorf("%s: %q is not one line of JSON", s.Name, out)
			}
		}
	})
}

func FuzzDecodeClaude(f *testing.F)   { fuzzDecode(f, "claude") }
func FuzzDecodeCodex(f *testing.F)    { fuzzDecode(f, "codex") }
func FuzzDecodeQwen(f *testing.F)     { fuzzDecode(f, "qwen") }
func FuzzDecodeVSCode(f *testing.F)   { fuzzDecode(f, "vscode") }
func FuzzDecodeGoose(f *testing.F)    { fuzzDecode(f, "goose") }
func FuzzDecodeCrush(f *testing.F)    { fuzzDecode(f, "crush") }
func FuzzDecodeGemini(f *testing.F)   { fuzzDecode(f, "gemini") }
func FuzzDecodeCopilot(f *testing.F)  { fuzzDecode(f, "copilot") }
func FuzzDecodeOpencode(f *testing.F) { fuzzDecode(f, "opencode") }
func FuzzDecodeCursor(f *testing.F)   { fuzzDecode(f, "cursor") }
func FuzzDecodeWindsurf(f *testing.F) { fuzzDecode(f, "windsurf") }
