package hook

import (
	"bytes"
	"encoding/json"
	"testing"
)

// fuzzDecode gives a dialect whatever there may be: it reads it or refuses it,
// and what it makes of it can be answered and written down.
func fuzzDecode(f *testing.F, agent string) {
	d := dialects[agent]
	seeds := 0
	for _, file := range lineFiles(f) {
		for _, l := range readLines(f, file) {
			if l.Agent == agent && len(l.Stdin) < 4<<10 {
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
		if out := d.Encode(e, Answer{}); out != nil {
			t.Errorf("an empty answer is %q", out)
		}
		for _, s := range samples {
			out := d.Encode(e, s.answer)
			if out != nil && (!json.Valid(out) || bytes.ContainsAny(out, "\n\x1b")) {
				t.Errorf("%s: %q is not one line of JSON", s.name, out)
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
