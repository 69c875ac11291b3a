package hook

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/courier"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/query"
)

// far is a server, as the line to it is.
type far struct {
	dialled, spawned int
	asked            atomic.Int64
	wait             chan struct{} // requests hang until it is closed; nil: none does
	err              error         // that requests end with
}

const board = "https://pawl.test/boards/shop"

// newDistant is a world whose board is at an address.
func newDistant(t *testing.T) *world {
	w := newWorld(t)
	w.far = &far{}
	w.vars = map[string]string{"PAWL_BOARD": board}
	return w
}

func (w *world) post(at address.Address) *courier.Post {
	if w.far == nil {
		return nil
	}
	if at.String() != board {
		w.t.Errorf("the hook speaks to %s", at)
	}
	patience := time.Minute // the machine is busy
	if w.far.wait != nil {
		patience = courier.Patience
	}
	instant := w.now // what hangs looks at the clock when the test has gone on
	now := func() time.Time { return instant }
	return courier.Open(courier.Options{
		Patience: patience, State: w.state(), Address: at, Now: now, Log: logOf(w.getenv, now).add,
		Dial: func(time.Duration) (query.Board, error) {
			w.far.dialled++
			local, err := w.open(project.Board{})
			return server{local, w.far}, err
		},
		Spawn: func() error { w.far.spawned++; return nil },
	})
}

// server is a board that hangs or fails if it is to.
type server struct {
	query.Board
	*far
}

func (s server) Name() string    { return "ada" }
func (s server) Away() time.Time { return time.Time{} }

func (s server) before(ctx context.Context) error {
	s.asked.Add(1)
	if s.wait != nil {
		<-s.wait // whatever ctx says: a hook waits no longer for it
	}
	return s.err
}

func (s server) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	if err := s.before(ctx); err != nil {
		return nil, err
	}
	return s.Board.Ask(ctx, who, q)
}

func (s server) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	if err := s.before(ctx); err != nil {
		return make([]query.Outcome, len(requests)), err
	}
	return s.Board.DoAll(ctx, want, requests...)
}

// courier runs the courier of the address, with a server that answers.
func (w *world) courier() {
	w.t.Helper()
	at, _ := address.Parse(board)
	p := w.post(at)
	defer p.Close()
	must.Do(w.t, p.Run(w.t.Context()))
}

// later lets time pass.
func (w *world) later(d time.Duration) { w.now = w.now.Add(d) }

var ada = pawl.Actor{Name: "ada", Session: "s1"}

// working is an agent that has claimed a task, with a lease of 15 minutes, and whose hooks know.
func working(t *testing.T) *world {
	w := newDistant(t)
	w.do(pawl.Actor{Name: "ann"}, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Cart"}, {Subject: "Search"}}})
	w.do(ada, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(15 * time.Minute)})
	if answer := w.claude("SessionStart", obj{"source": "startup"}); !strings.Contains(answer, "#1 Cart") {
		t.Fatalf("the start says %s", answer)
	}
	return w
}

func (w *world) edit(id string) string {
	return w.claude("PreToolUse", obj{"tool_name": "Edit", "tool_use_id": id, "tool_input": obj{}})
}

func (w *world) edited(id string) string {
	return w.claude("PostToolUse", obj{"tool_name": "Edit", "tool_use_id": id, "tool_input": obj{}, "tool_response": obj{}})
}

// If nothing is due a hook does not speak to the server.
func TestDistantNothingDue(t *testing.T) {
	w := working(t)
	dialled := w.far.dialled
	for _, id := range []string{"a", "b", "c"} {
		if answer := w.edit(id) + w.edited(id); answer != "" {
			t.Errorf("the answer is %s", answer)
		}
	}
	w.claude("UserPromptSubmit", obj{"prompt": "Go on."})
	if w.far.dialled != dialled {
		t.Errorf("the server was dialled %d times for nothing", w.far.dialled-dialled)
	}
	if w.log() != "" {
		t.Error(w.log())
	}
}

// Leases are renewed after a third, live or by the courier.
func TestDistantRenews(t *testing.T) {
	w := working(t)
	until := func() time.Time { return w.task(1).Claim.Until }
	was := until()
	w.later(6 * time.Minute)
	w.edited("a")
	if !until().After(was) {
		t.Fatalf("the lease still ends at %s", was)
	}
	was = until()
	w.far.err = pawl.Errorf(pawl.Unavailable, "no route")
	w.later(6 * time.Minute)
	w.edited("b")
	if w.far.spawned == 0 || !until().Equal(was) {
		t.Fatalf("the courier was started %d times, and the lease ends at %s", w.far.spawned, until())
	}
	w.far.err = nil
	w.courier()
	if !until().After(was) {
		t.Errorf("the courier did not renew the lease, which ends at %s", until())
	}
	if lines := strings.Count(w.log(), "\n"); lines != 1 || !strings.Contains(w.log(), "no route") {
		t.Errorf("the log has %d lines: %s", lines, w.log())
	}
}

// What the session claims by another way, as with pawl claim in a shell, is known at the
// next event.
func TestDistantClaimsInShell(t *testing.T) {
	w := working(t)
	w.do(ada, pawl.ClaimTask{ID: 2, Lease: pawl.Duration(15 * time.Minute)})
	at, _ := address.Parse(board)
	courier.Changed(w.state(), at)([]pawl.Request{{By: ada, Op: pawl.ClaimTask{ID: 2}}})
	w.edited("a")
	if c := w.post(at).Claims("s1"); len(c.Held) != 2 {
		t.Errorf("the hook knows of %d claims", len(c.Held))
	}
	asked := w.far.asked.Load()
	w.edited("b")
	if w.far.asked.Load() != asked {
		t.Error("it asks again without a reason")
	}
}

// So it is with a lease that is shorter than the pause between two questions.
func TestDistantShortLease(t *testing.T) {
	w := newDistant(t)
	w.do(pawl.Actor{Name: "ann"}, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Cart"}}})
	w.do(ada, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(5 * time.Second)})
	w.claude("SessionStart", obj{"source": "startup"})
	w.later(6 * time.Second)
	w.do(pawl.Actor{Name: "bob", Session: "s2"}, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	if answer := w.edit("a"); !strings.Contains(answer, "bob has claimed it") {
		t.Errorf("the answer is %s", answer)
	}
}

// The laptop slept, and somebody else has the task: the first call is not run.
func TestDistantWakesUp(t *testing.T) {
	w := working(t)
	w.later(time.Hour)
	bob := pawl.Actor{Name: "bob", Session: "s2"}
	w.do(bob, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	answer := w.edit("a")
	for _, want := range []string{`"permissionDecision":"deny"`, "Pawl: #1 Cart is no longer yours, because its lease ended at", "bob has claimed it. Stop working on it; next: pawl claim", "This call was not run."} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer lacks %q: %s", want, answer)
		}
	}
	w.now = w.now.Add(-sameEvent) // in the same answer of the model
	if answer := w.edit("b"); !strings.Contains(answer, "like the one before") {
		t.Errorf("a second call of the same answer is run: %s", answer)
	}
	w.later(2 * time.Second)
	if answer := w.edit("c") + w.edited("c"); answer != "" {
		t.Errorf("told again: %s", answer)
	}
	if calls := w.list("").Items; len(calls) != 0 {
		t.Errorf("calls that were not run are kept: %v", calls)
	}
}

// A call of Pawl's own is not refused: it fails itself, or finds another task.
func TestDistantWakesUpInOwnTool(t *testing.T) {
	w := working(t)
	w.later(time.Hour)
	w.do(pawl.Actor{Name: "bob", Session: "s2"}, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	answer := w.claude("PreToolUse", obj{"tool_name": "mcp__pawl__task_claim", "tool_use_id": "a", "tool_input": obj{}})
	if strings.Contains(answer, "deny") || !strings.Contains(answer, "bob has claimed it") {
		t.Errorf("the answer is %s", answer)
	}
}

// Nobody else has it: the agent claims it again. After an event that is not a call it is
// told, too.
func TestDistantLeaseEnded(t *testing.T) {
	w := working(t)
	w.later(time.Hour)
	answer := w.claude("UserPromptSubmit", obj{"prompt": "Go on."})
	if !strings.Contains(answer, "Nobody else has claimed it: claim it again") {
		t.Errorf("the answer is %s", answer)
	}
	if answer := w.edit("a"); answer != "" {
		t.Errorf("told again: %s", answer)
	}
}

// The server is away when the laptop wakes up: no call is refused for what nobody knows.
// The agent is told once that nobody could check, and what became of the claim as soon as
// that is known.
func TestDistantWakesUpAlone(t *testing.T) {
	w := working(t)
	w.later(time.Hour)
	w.do(pawl.Actor{Name: "bob", Session: "s2"}, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	w.far.err = pawl.Errorf(pawl.Unavailable, "no route")
	if answer := w.edit("a"); answer != "" {
		t.Errorf("the answer to a call is %s", answer)
	}
	answer := w.edited("a")
	if !strings.Contains(answer, "the lease of your claim on #1 ended at") || !strings.Contains(answer, "look first: pawl show 1") {
		t.Errorf("the answer after it is %s", answer)
	}
	spawned := w.far.spawned
	if spawned == 0 {
		t.Error("the courier was not started")
	}
	for _, id := range []string{"b", "c", "d"} {
		w.later(time.Minute)
		if answer := w.edit(id) + w.edited(id); answer != "" {
			t.Errorf("told again: %s", answer)
		}
	}
	if lines := strings.Count(w.log(), "\n"); lines != 1 {
		t.Errorf("the log has %d lines: %s", lines, w.log())
	}
	w.far.err = nil
	w.courier()
	if answer := w.edit("e"); !strings.Contains(answer, "bob has claimed it") || !strings.Contains(answer, "deny") {
		t.Errorf("the answer is %s", answer)
	}
	w.later(2 * time.Second)
	if answer := w.edit("f"); answer != "" {
		t.Errorf("told again: %s", answer)
	}
}

// A claim that the agent completed or gave back itself is not lost.
func TestDistantOwnEnd(t *testing.T) {
	for name, op := range map[string]pawl.Op{"done": pawl.Complete{IDs: []pawl.ID{1}}, "release": pawl.Release{IDs: []pawl.ID{1}}} {
		t.Run(name, func(t *testing.T) {
			w := working(t)
			w.do(ada, op)
			at, _ := address.Parse(board)
			courier.Changed(w.state(), at)([]pawl.Request{{By: ada, Op: op}})
			w.later(time.Hour)
			if answer := w.edit("a") + w.edited("a"); answer != "" {
				t.Errorf("the answer is %s", answer)
			}
		})
	}
}

// The server is slow: the answer has what was known last, and takes a moment.
func TestDistantHangs(t *testing.T) {
	w := working(t)
	w.far.wait = make(chan struct{})
	defer close(w.far.wait)
	answer := w.claude("SessionStart", obj{"source": "compact"})
	if !strings.Contains(answer, "#1 Cart") || !strings.Contains(answer, "does not answer in time. The tasks are as of") {
		t.Errorf("the answer is %s", answer)
	}
	asked := w.far.asked.Load()
	w.claude("Stop", obj{"last_assistant_message": "x"})
	if w.far.asked.Load() != asked {
		t.Error("a server that hung a moment ago was asked again")
	}
	if lines := strings.Count(w.log(), "\n"); lines != 1 {
		t.Errorf("the log has %d lines: %s", lines, w.log())
	}

	// This machine changes something: what was known last may be wrong.
	at, _ := address.Parse(board)
	courier.Changed(w.state(), at)([]pawl.Request{{By: ada, Op: pawl.Complete{IDs: []pawl.ID{1}}}})
	if answer := w.claude("SessionStart", obj{"source": "resume"}); strings.Contains(answer, "Cart") {
		t.Errorf("the answer has what may be over: %s", answer)
	}
}

// What cannot be seen is not forgotten: once the server answers, the agent is told what
// became of its claim.
func TestDistantRemembersClaims(t *testing.T) {
	w := working(t)
	w.later(20 * time.Minute)
	w.far.err = pawl.Errorf(pawl.Unavailable, "no route")
	if answer := w.claude("SessionStart", obj{"source": "compact"}); strings.Contains(answer, "claimed:\n- #1") {
		t.Errorf("a claim whose lease has ended is told: %s", answer)
	}
	if held := w.memory().Nudge.Claimed; len(held) != 1 {
		t.Errorf("remembered are %v", held)
	}
}

// A server that lies, refuses or is another program is as no board.
func TestDistantFailsOpen(t *testing.T) {
	for _, err := range []error{
		pawl.Errorf(pawl.Unavailable, "the certificate is not valid"), pawl.Errorf(pawl.Invalid, "the token is not known"), errors.New("garbage"), context.Canceled,
	} {
		w := newDistant(t)
		w.far.err = err
		for _, event := range []string{"SessionStart", "UserPromptSubmit", "SessionStart", "Stop", "SessionEnd"} {
			w.later(time.Minute) // it is tried again
			if answer := w.claude(event, obj{"source": "startup", "prompt": "Go on.", "last_assistant_message": "x"}); answer != "" {
				t.Errorf("%v: %s: the answer is %s", err, event, answer)
			}
		}
		if lines := strings.Count(w.log(), "\n"); lines != 1 {
			t.Errorf("%v: the log has %d lines: %s", err, lines, w.log())
		}
	}
}

// The session's end gives back what it has; one that is resumed before that was sent keeps it.
func TestDistantEnd(t *testing.T) {
	w := working(t)
	w.claude("SessionEnd", obj{"reason": "other"})
	if task := w.task(1); task.Status != pawl.Pending {
		t.Fatalf("the task is %s", task.Status)
	}

	w = working(t)
	w.far.err = pawl.Errorf(pawl.Unavailable, "no route")
	w.claude("SessionEnd", obj{"reason": "other"})
	w.far.err = nil
	w.courier()
	if task := w.task(1); task.Status != pawl.Pending {
		t.Fatalf("the courier left the task %s", task.Status)
	}

	w = working(t)
	w.far.err = pawl.Errorf(pawl.Unavailable, "no route")
	w.claude("SessionEnd", obj{"reason": "other"})
	w.claude("SessionStart", obj{"source": "resume"})
	w.far.err = nil
	w.courier()
	if task := w.task(1); task.Status != pawl.InProgress || task.Claim.Session != "s1" {
		t.Errorf("a session that goes on has lost its task: %s", task.Status)
	}
}

// After /clear the next conversation has the claims, under the same tokens.
func TestDistantClear(t *testing.T) {
	for _, away := range []bool{false, true} {
		w := working(t)
		if away {
			w.far.err = pawl.Errorf(pawl.Unavailable, "no route")
		}
		token := w.task(1).Claim.Token
		w.claude("SessionEnd", obj{"reason": "clear"})
		answer := w.claude("SessionStart", obj{"source": "clear", "session_id": "s2"})
		if !strings.Contains(answer, "#1 Cart") {
			t.Errorf("away %v: the answer is %s", away, answer)
		}
		w.far.err = nil
		if away {
			w.courier()
		}
		if c := w.task(1).Claim; c.Session != "s2" || c.Token != token {
			t.Errorf("away %v: the claim is %+v", away, c)
		}
	}
}

// Nothing of it is in the folder of a project that has a board, too.
func TestDistantFiles(t *testing.T) {
	w := working(t)
	w.far.err = pawl.Errorf(pawl.Unavailable, "no route")
	w.claude("SessionEnd", obj{"reason": "other"})
	count := 0
	err := filepath.WalkDir(filepath.Join(w.state(), "courier"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		count++
		if info, err := d.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v, %v", path, info.Mode(), err)
		}
		return nil
	})
	if err != nil || count < 3 {
		t.Errorf("%d files: %v", count, err)
	}
}
