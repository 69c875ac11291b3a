package attribution

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Whatever a client sends, what is made of it can name something.
func FuzzMeta(f *testing.F) {
	files, err := filepath.Glob("../agent/*/testdata/calls/*.jsonl")
	if err != nil || len(files) == 0 {
		f.Fatal("there are no stories", err)
	}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(f)
		for line := range bytes.Lines(text) {
			var l struct {
				Call struct {
					Meta json.RawMessage `json:"_meta"`
				}
			}
			if json.Unmarshal(line, &l) == nil && l.Call.Meta != nil {
				f.Add([]byte(l.Call.Meta))
			}
		}
	}
	f.Add([]byte(`{"x-codex-turn-metadata":"{\"session_id\":\"s\",\"thread_id\":\"t\"}"}`))
	f.Add([]byte(`{"pawl/session":"s","pawl/agent":1}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := decodeMeta(raw)
		for _, id := range []string{m.explicit.Session, m.explicit.Agent, m.said.Session, m.said.Agent, m.toolUse, m.client} {
			if id != "" && !valid(id) {
				t.Errorf("%q was taken for a name", id)
			}
		}
		if m.said.Agent != "" && m.said.Agent == m.said.Session {
			t.Error("the main agent is no subagent")
		}
	})
}

// Older builds of Codex, and those that pass the header on, say less.
func TestCodexMeta(t *testing.T) {
	for raw, want := range map[string][2]string{
		`{"sessionId":"s","threadId":"s"}`:                                            {"s", ""},
		`{"sessionId":"s","threadId":"t"}`:                                            {"s", "t"},
		`{"sessionId":"s"}`:                                                           {"s", ""},
		`{"x-codex-turn-metadata":{"session_id":"s","thread_id":"t"}}`:                {"s", "t"},
		`{"x-codex-turn-metadata":"{\"session_id\":\"s\",\"thread_id\":\"s\"}"}`:      {"s", ""},
		`{"sessionId":"s","threadId":"t","x-codex-turn-metadata":{"session_id":"x"}}`: {"s", "t"},
		`{"threadId":"t"}`:                                                            {"", ""},
		`{"sessionId":7,"threadId":["t"]}`:                                            {"", ""},
		`{"sessionId":" s"}`:                                                          {"", ""},
		`[]`:                                                                          {"", ""},
		``:                                                                            {"", ""},
		`{"sessionId":"s","x":"` + string(bytes.Repeat([]byte("x"), MaxMeta)) + `"}`: {"", ""},
	} {
		if m := decodeMeta(json.RawMessage(raw)); m.said.Session != want[0] || m.said.Agent != want[1] {
			t.Errorf("%.80s: got %+v", raw, m.said)
		}
	}
}

// The name of a ticket's file leads back to it, or to none.
func FuzzSlip(f *testing.F) {
	f.Add(slip{short("p"), digest("todo_write", nil), short("u"), time.UnixMilli(1), random(), true}.String())
	f.Add(slip{"", digest("todo_read", nil), "", time.UnixMilli(-5), "", false}.String())
	f.Add(".new-123")
	f.Fuzz(func(t *testing.T, name string) {
		if s, ok := parseSlip(name); ok && s.String() != name {
			t.Errorf("%q became %q", name, s)
		}
	})
}

func FuzzNote(f *testing.F) {
	f.Add([]byte(`{"session":"s","agent":"a"}`))
	f.Add([]byte(`{"session":"s","at":"2026-11-21T12:00:00Z","ended":true}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if n, ok := decodeNote(text); ok && (!valid(n.Session) || n.Agent != "" && !valid(n.Agent)) {
			t.Errorf("%q was taken for a ticket", text)
		}
		if r, ok := decodeReport(text); ok && !valid(r.Session) {
			t.Errorf("%q was taken for a report", text)
		}
	})
}

// Arguments that two programs spelled have one digest, and others another.
func FuzzDigest(f *testing.F) {
	f.Add([]byte(`{"a":1,"b":[1.0,"é",null,{"c":1e400}]}`), []byte(`{}`))
	f.Add([]byte(`9007199254740993`), []byte(`9007199254740992`))
	f.Add([]byte(`{"a":-0.0}`), []byte(`{"a":0}`))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		canon := canonical(one)
		if again := canonical(canon); !bytes.Equal(again, canon) {
			t.Errorf("%q becomes %q and then %q", one, canon, again)
		}
		var indented bytes.Buffer
		if json.Indent(&indented, one, "", "\t") == nil && json.Valid(one) && digest("x", indented.Bytes()) != digest("x", one) {
			t.Errorf("spaces change the digest of %q", one)
		}
		if same := bytes.Equal(canon, canonical(two)); same != (digest("x", one) == digest("x", two)) {
			t.Errorf("%q and %q: same is %v", one, two, same)
		}
	})
}

func TestDigest(t *testing.T) {
	same := [][]string{
		{``, `null`, `{}`, ` { } `},
		{`{"a":1,"b":2}`, `{"b":2.0,"a":1e0}`, "{\"b\": 2,\n\"a\": 1}"},
		{`{"a":"é</"}`, `{"a":"\u00e9\u003c\/"}`},
		{`{"a":9007199254740993}`},
		{`{"a":9007199254740992}`},
		{`{"a":1.5}`, `{"a":15e-1}`},
		{`{"a":"1"}`},
		{`{"a":[1,2]}`},
		{`{"a":[2,1]}`},
		{`{"a":1} x`},
	}
	seen := map[string]int{}
	for i, group := range same {
		for _, args := range group {
			sum := digest("mcp__pawl__todo_write", json.RawMessage(args))
			if sum != digest("todo_write", json.RawMessage(group[0])) {
				t.Errorf("%s differs from %s", args, group[0])
			}
			if other, found := seen[sum]; found && other != i {
				t.Errorf("%s is %s", args, same[other][0])
			}
			seen[sum] = i
		}
	}
	if digest("todo_read", nil) == digest("todo_write", nil) {
		t.Error("the tool does not count")
	}
}
