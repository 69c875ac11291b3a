package hook

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/query"
)

// A session stays with the project that it began in, wherever its agent goes,
// also when its conversation is summarised there. Who resumes it elsewhere takes
// it there.
func TestProjectOfSession(t *testing.T) {
	w := newWorld(t)
	other := filepath.Join(w.dir, "vendor", "other")
	must.Do(t, os.MkdirAll(filepath.Join(other, project.Name), 0o755))
	at := func(want, event string, fields obj) {
		t.Helper()
		w.claude(event, fields)
		if m := w.memory(); m.Project != want {
			t.Errorf("after %s %v the project is %s, want %s", event, fields["source"], m.Project, want)
		}
	}
	at(w.dir, "SessionStart", obj{"source": "startup"})
	at(w.dir, "PreToolUse", obj{"tool_name": "Bash", "tool_use_id": "b1", "cwd": other})
	at(w.dir, "SessionStart", obj{"source": "compact", "cwd": other})
	at(other, "SessionStart", obj{"source": "resume", "cwd": other})
}

// A session's project is the folder that it works in, whatever board is used
// there: its todo list is looked for under that folder.
func TestProjectWithAnotherBoard(t *testing.T) {
	w := newWorld(t)
	w.vars = map[string]string{"PAWL_BOARD": filepath.Join(t.TempDir(), project.Name)}
	w.claude("SessionStart", obj{"source": "startup"})
	if m := w.memory(); m.Project != w.dir {
		t.Errorf("the project is %q, want %q", m.Project, w.dir)
	}
}

// Where the project cannot be found for once, it is not forgotten.
func TestProjectNotFound(t *testing.T) {
	w := newWorld(t)
	w.claude("SessionStart", obj{"source": "startup"})
	w.vars = map[string]string{"PAWL_BOARD": "postgres://nowhere/x"}
	w.claude("SessionStart", obj{"source": "resume"})
	if m := w.memory(); m.Project != w.dir {
		t.Errorf("the project is %q", m.Project)
	}
}

// A clock that was a year ahead for a moment stops no renewal.
func TestLeaseAfterClockSetBack(t *testing.T) {
	w := newWorld(t)
	me := pawl.Actor{Name: "claude", Session: "s1"}
	w.do(me, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}}})
	now := w.now
	w.now = now.AddDate(1, 0, 0)
	w.claude("SessionStart", obj{"source": "startup"})
	w.now = now
	w.do(me, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(15 * time.Minute)})
	w.now = now.Add(10 * time.Minute)
	w.call("Bash", obj{"command": "make"}, obj{})
	if until := w.task(1).Claim.Until; until.Sub(w.now) < 14*time.Minute {
		t.Errorf("at %s the lease ends at %s", w.now, until)
	}
}

// busy is a board that others write to all the time.
type busy struct{ open }

func (busy) Update(ctx context.Context, _ func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

// A lease that cannot be renewed for once takes no answer from the agent, and
// is tried again soon.
func TestBusyBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		me := pawl.Actor{Name: "claude", Session: "s1"}
		w.do(me, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}}})
		w.do(me, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(15 * time.Minute)})
		w.now = w.now.Add(10 * time.Minute)
		var out bytes.Buffer
		env := w.env(strings.NewReader(`{"session_id": "s1", "hook_event_name": "Stop", "cwd": "`+w.dir+`"}`), &out, "--agent", "claude")
		env.Open = func(project.Board) (query.Board, error) { return query.Local(pawl.NewBoard(busy{open{w.store}})), nil }
		Run(t.Context(), env)
		if !strings.Contains(out.String(), "Continue working on this task: #1 One") {
			t.Errorf("the answer is %q", out.String())
		}
		if m := w.memory(); !m.RenewAt.Equal(w.now.Add(renewSoon)) {
			t.Errorf("at %s it is tried again at %s", w.now, m.RenewAt)
		}
		synctest.Wait()
	})
}

// However many tasks a session holds, all of them are renewed, and given back.
func TestManyLeases(t *testing.T) {
	w := newWorld(t)
	me := pawl.Actor{Name: "claude", Session: "s1"}
	const many = pawl.MaxGlance + 5
	for id := range pawl.ID(many) {
		w.do(me, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Task"}}})
		w.do(me, pawl.ClaimTask{ID: id + 1, Lease: pawl.Duration(15 * time.Minute)})
	}
	w.now = w.now.Add(10 * time.Minute)
	w.call("Bash", obj{"command": "make"}, obj{})
	for id := range pawl.ID(many) {
		if until := w.task(id + 1).Claim.Until; until.Sub(w.now) < 14*time.Minute {
			t.Fatalf("at %s the lease of %s ends at %s", w.now, id+1, until)
		}
	}
	w.claude("SessionEnd", obj{"reason": "other"})
	for id := range pawl.ID(many) {
		if task := w.task(id + 1); task.Status != pawl.Pending {
			t.Fatalf("after the session %s is %s", task.ID, task.Status)
		}
	}
}
