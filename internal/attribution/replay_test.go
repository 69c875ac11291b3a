package attribution_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/attribution/attributiontest"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

var update = flag.Bool("update", false, "write what is seen into the stories")

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// Each client's own payloads, from its hooks and to its server, in the order in
// which they came. See internal/agent/README.md.
func TestReplay(t *testing.T) {
	files, err := filepath.Glob("../agent/*/testdata/calls/*.jsonl")
	if err != nil || len(files) < 12 {
		t.Fatalf("only %d stories: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.ToSlash(file), func(t *testing.T) { replay(t, file) })
	}
}

func replay(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	must.Do(t, err)
	steps, err := attributiontest.Read(text)
	must.Do(t, err)
	var client attributiontest.Client
	var server *attribution.Resolver
	var name string
	notes := attribution.Notes{Dir: t.TempDir(), Now: func() time.Time { return noon }}
	lines := bytes.SplitAfter(text, []byte("\n"))
	calls := 0
	for i, s := range steps {
		switch {
		case s.Hook != "":
			note, err := client.Note(s)
			must.Do(t, err)
			must.Do(t, note.Leave(notes, process))
		case s.Call != nil:
			calls++
			got := resolve(t, server, name, s.Call)
			if s.Want == nil || got != *s.Want {
				if !*update {
					t.Errorf("call %d: got %+v, want %+v", calls, got, s.Want)
				}
				lines[i] = wanting(lines[i], got)
			}
		default:
			name = s.Client
			server = &attribution.Resolver{
				Notes: notes, Process: caller.Process{ID: process}, Getenv: func(key string) string { return s.Server[key] },
			}
		}
	}
	if calls == 0 {
		t.Error("nobody calls")
	}
	if *update {
		must.Do(t, os.WriteFile(file, bytes.Join(lines, nil), 0o644))
	}
}

func resolve(t *testing.T, server *attribution.Resolver, client string, call json.RawMessage) attributiontest.Want {
	t.Helper()
	var params struct {
		Name      string
		Arguments json.RawMessage
		Meta      json.RawMessage `json:"_meta"`
	}
	must.Do(t, json.Unmarshal(call, &params))
	known, err := server.Resolve(t.Context(), attribution.Call{Tool: params.Name, Args: params.Arguments, Meta: params.Meta, Client: client})
	must.Do(t, err)
	return attributiontest.Want{Name: known.Name, Session: known.Session, Agent: known.Agent, By: known.By}
}

// wanting puts what was seen at the end of a line.
func wanting(line []byte, got attributiontest.Want) []byte {
	line = bytes.TrimSpace(line)
	if i := bytes.LastIndex(line, []byte(`, "want": `)); i > 0 {
		line = line[:i]
	} else {
		line = bytes.TrimSuffix(line, []byte("}"))
	}
	text, _ := json.Marshal(got)
	return append(append(append(line, `, "want": `...), text...), '}', '\n')
}
