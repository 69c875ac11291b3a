package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/todo"
)

// A disk that is full counts nothing, and must not keep an agent going for ever:
// Goose says neither that it is continued already, nor does it end on its own.
func TestNotCountedNotSaid(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		mustrun.NotHere(t, "the system has no disk that is always full")
	}
	w := newWorld(t)
	w.call("TodoWrite", obj{"todos": []obj{{"content": "Write tests", "status": "pending"}}}, obj{})
	if answer := w.send(`{"event": "Stop", "session_id": "s1"}`, "--agent", "goose"); !strings.Contains(answer, "Write tests") {
		t.Fatalf("with a disk the answer is %q", answer)
	}
	path := notebookPath(w.state(), todo.Key{Session: "s1"})
	must.Do(t, os.Remove(path))
	must.Do(t, os.Symlink(full, path))
	w.now = w.now.Add(time.Minute)
	if answer := w.send(`{"event": "Stop", "session_id": "s1"}`, "--agent", "goose"); answer != "" {
		t.Errorf("what is counted nowhere is answered with %s", answer)
	}
	if w.log() == "" {
		t.Error("nothing is in the log")
	}
}

// A memory that could not be read again is made smaller, or is not written at
// all: it would be as if there were none, and what is counted would begin again.
func TestLargeMemory(t *testing.T) {
	state, key := t.TempDir(), todo.Key{Session: "s1"}
	book, _, err := openNotebook(t.Context(), state, key)
	must.Do(t, err)
	defer func() { book.close() }()
	m := memory{Maker: "TaskCreate", Waits: map[string][]string{}}
	for i := range maxWaits {
		for k := range maxWaits {
			m.Waits[fmt.Sprint("native-", i)] = append(m.Waits[fmt.Sprint("native-", i)], fmt.Sprint("native-", k))
		}
	}
	must.Do(t, book.write(m))
	if err := book.write(memory{Maker: strings.Repeat("x", maxLine)}); err == nil {
		t.Error("what cannot be read again was written")
	}
	book.close()
	var got memory
	if book, got, err = openNotebook(t.Context(), state, key); err != nil || got.Maker != "TaskCreate" {
		t.Errorf("the memory has the maker %q, %v", got.Maker, err)
	}
}

// A clock that was set back makes no event the same as one long ago.
func TestClockSetBack(t *testing.T) {
	var m memory
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for _, step := range []struct {
		at       time.Time
		numbered bool
		want     bool
	}{
		{now, false, false},
		{now.Add(sameEvent / 2), false, true},
		{now.Add(-time.Hour), false, false},
		{now.Add(-time.Hour - sameEvent/2), false, true}, // another process's clock
		{now.Add(-2 * time.Hour), true, false},
	} {
		if got := m.repeats(1, step.numbered, step.at); got != step.want {
			t.Errorf("at %s it repeats: %v, want %v", step.at, got, step.want)
		}
	}
	if len(m.Seen) != 1 {
		t.Errorf("%d are remembered", len(m.Seen))
	}
}

// A stop with the same words comes again at once where the agent was continued:
// it is another one. Hooks that were started together for one stop are one, and
// so is an event that was answered by nothing.
func TestEqualStops(t *testing.T) {
	began := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	after := func(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }
	for _, step := range []struct {
		name     string
		numbered bool
		answered int // when the first one was continued; zero: it was not
		next     int // when the second one's hook was started
		want     bool
	}{
		{"started together", false, 20, 5, true},
		{"started together, answered late", false, 900, 300, true},
		{"one after the other", false, 20, 25, true},
		{"the next stop", false, 20, 20 + 50, false},
		{"a later one", false, 20, 700, false},
		{"nobody was continued", false, 0, 700, true},
		{"nobody was continued, later", false, 0, 1000, false},
		{"it has a number", true, 20, 700, true},
	} {
		var m memory
		if m.repeats(1, step.numbered, began) {
			t.Fatal("the first one repeats")
		}
		if step.answered > 0 {
			m.continued(after(step.answered))
		}
		if got := m.repeats(1, step.numbered, after(step.next)); got != step.want {
			t.Errorf("%s: it repeats: %v, want %v", step.name, got, step.want)
		}
	}
}

// Old memories go, those of subagents first, and not that of the session that
// begins again, however long it was away.
func TestForget(t *testing.T) {
	state, now := t.TempDir(), time.Now()
	own := todo.Key{Session: "own"}
	for _, key := range []todo.Key{own, {Session: "other"}, {Session: "own", Agent: "a1"}, {Session: "other", Agent: "a2"}} {
		book, _, err := openNotebook(t.Context(), state, key)
		must.Do(t, err)
		book.close()
	}
	for _, step := range []struct {
		after time.Duration
		want  []string
	}{
		{0, []string{"other+a2.jsonl", "other.jsonl", "own+a1.jsonl", "own.jsonl"}},
		{forgetHelper + time.Hour, []string{"other.jsonl", "own.jsonl"}},
		{forgetAfter + time.Hour, []string{"own.jsonl"}},
	} {
		must.Do(t, forget(state, now.Add(step.after), own))
		var left []string
		entries, _ := os.ReadDir(memories(state))
		for _, entry := range entries {
			left = append(left, entry.Name())
		}
		if !slices.Equal(left, step.want) {
			t.Errorf("after %s there are %q, want %q", step.after, left, step.want)
		}
	}
}

// They are looked for once a day, because there may be many.
func TestForgetOnceADay(t *testing.T) {
	w := newWorld(t)
	w.now = time.Now()
	w.claude("SessionStart", obj{"source": "startup"})
	old := filepath.Join(memories(w.state()), "old.jsonl")
	must.Do(t, os.WriteFile(old, nil, 0o600))
	must.Do(t, os.Chtimes(old, time.Time{}, w.now.Add(-2*forgetAfter)))
	w.claude("SessionStart", obj{"source": "resume"})
	if _, err := os.Stat(old); err != nil {
		t.Errorf("it was looked for again at once: %v", err)
	}
	w.now = w.now.Add(sweepEvery)
	w.claude("SessionStart", obj{"source": "resume"})
	if _, err := os.Stat(old); err == nil {
		t.Error("it is there after a day")
	}
}

// A helper that is called as the main agent is does not wait for the memory that
// its own hook has in hand.
func TestHelperNamedMain(t *testing.T) {
	w := newWorld(t)
	w.claude("SubagentStop", obj{"agent_id": "main", "agent_type": "general"})
	if log := w.log(); log != "" {
		t.Error(log)
	}
}

// However much of an event an error quotes, a line of the log is short.
func TestLogLine(t *testing.T) {
	w := newWorld(t)
	w.send(`{"duration_ms": `+strings.Repeat("1", 1<<20)+`}`, "--agent", "claude")
	if log := w.log(); log == "" || len(log) > maxLogLine+100 {
		t.Errorf("the log has %d bytes", len(log))
	}
}
