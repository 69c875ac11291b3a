package claude

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/pawl-dev/pawl/internal/agent/agenttest"
	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// What was recorded of Claude Code, Codex and Qwen Code is read quickly, and as
// package json reads it.
func TestScanOfRecorded(t *testing.T) {
	lines, quick := 0, 0
	var files []string
	for _, dir := range []string{".", "../codex", "../qwen"} {
		files = append(files, agenttest.Files(t, dir)...)
	}
	for _, file := range files {
		for _, l := range agenttest.Lines(t, file) {
			var scanned, want Payload
			took := jsonscan.All([]byte(l.Stdin), func(s *jsonscan.Scan) { s.Others = true; s.Struct(&scanned) })
			if err := json.Unmarshal([]byte(l.Stdin), &want); err != nil {
				if took {
					t.Errorf("%s: %.300s was scanned, and package json says %v", file, l.Stdin, err)
				}
				continue // made to be refused
			}
			lines++
			if !took {
				continue
			}
			quick++
			if !reflect.DeepEqual(scanned, want) {
				t.Errorf("%s: of %.300s a scan has\n     %.500v\nwant %.500v", file, l.Stdin, scanned, want)
			}
		}
	}
	if lines < 100 || quick < lines*9/10 {
		t.Errorf("of %d lines %d are scanned", lines, quick)
	}
}

// What only package json understands is read anyway.
func TestScanGivesUp(t *testing.T) {
	for text, want := range map[string]Payload{
		`{"SESSION_ID": "s", "Cwd": "/src"}`:                    {Session: "s", Dir: "/src"},
		`{"session_id": null, "prompt": "\ud83d\ude00 \u00e9"}`: {Prompt: "😀 é"},
		`{"session_id": "a", "session_\u0069d": "b"}`:           {Session: "b"},
	} {
		var got Payload
		if err := jsonscan.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("of %s there is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{`{"session_id": 1}`, `{"session_id": "a"`, `[]`, ``} {
		if err := jsonscan.Unmarshal([]byte(text), new(Payload)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
