package runs

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// An Identity names a task for good: its number and the moment of its creation. A merge
// may give the task another number, and its number to another task.
type Identity string // 12-1764327600123

// IdentityOf returns the identity of a task, which has its first number in it.
func IdentityOf(t *pawl.Task) Identity {
	first := t.ID
	if len(t.Was) > 0 {
		first = t.Was[0]
	}
	return Identity(fmt.Sprintf("%d-%d", first, t.CreatedAt.UnixMilli()))
}

// Number returns the first number of the task.
func (id Identity) Number() pawl.ID {
	first, _, _ := strings.Cut(string(id), "-")
	n, err := pawl.ParseID(first)
	if err != nil {
		return 0
	}
	return n
}

// A Phase is how far an attempt has come.
type Phase string

// The phases, in the order in which an attempt that succeeds goes through them.
const (
	Claiming    Phase = "claiming"    // the claim was sent
	Claimed     Phase = "claimed"     //
	Preparing   Phase = "preparing"   // the work tree is being made
	Prepared    Phase = "prepared"    //
	Starting    Phase = "starting"    // the agent's program is being started
	Running     Phase = "running"     // the agent works
	Stopped     Phase = "stopped"     // the agent's program has ended
	Saved       Phase = "saved"       // all that it left is in a commit that the attempt's ref names
	Checking    Phase = "checking"    // the task's checks run in the work tree
	Checked     Phase = "checked"     // they have passed
	Waiting     Phase = "waiting"     // for a person's approval; the task is on hold
	Approved    Phase = "approved"    // and has to be claimed again
	Integrating Phase = "integrating" // its commits are being put on the target
	Rebased     Phase = "rebased"     // and are; the checks run on that
	Verified    Phase = "verified"    // the checks have passed on the merged files
	Merging     Phase = "merging"     // the target is being moved
	Merged      Phase = "merged"      // the target has the commits
	Completed   Phase = "completed"   // and so is the task

	Failed   Phase = "failed"   // by its Reason; what follows is not done yet
	Released Phase = "released" // the task is free for another attempt
	Held     Phase = "held"     // the task is on hold: a person is needed
	Handed   Phase = "handed"   // its branch is left to a person, and the task is on hold
	Dropped  Phase = "dropped"  // it did not begin, because the task could not be claimed
	Taken    Phase = "taken"    // a person goes on with it
)

// phases are where an attempt is in each phase, and the phase as people read it.
var phases = map[Phase]struct {
	in   place
	word string
}{
	Claiming: {slot, "claiming"}, Claimed: {slot, "claimed"}, Preparing: {slot, "preparing"}, Prepared: {slot, "prepared"},
	Starting: {slot, "starting"}, Running: {slot, "working"}, Stopped: {slot, "saving"}, Saved: {slot, "saving"}, Checking: {slot, "checking"},
	Checked: {queue, "waiting to be integrated"}, Waiting: {nowhere, "waiting for approval"}, Approved: {queue, "approved"},
	Integrating: {queue, "integrating"}, Rebased: {queue, "checking the merged files"}, Verified: {queue, "checked on the target"},
	Merging: {queue, "merging"}, Merged: {queue, "merged"}, Completed: {over, "completed"},
	Failed: {nowhere, "failed"}, Released: {over, "failed, another attempt follows"}, Held: {over, "on hold"},
	Handed: {over, "left on its branch"}, Dropped: {over, "not begun"}, Taken: {over, "taken over"},
}

type place uint8

const (
	nowhere place = iota
	slot
	queue
	over
)

// Over reports whether an attempt has ended: the run does nothing more to it.
func (p Phase) Over() bool { return phases[p].in == over }

// Works reports whether the attempt occupies a slot: its agent works, or is about to.
func (p Phase) Works() bool { return phases[p].in == slot }

// Queued reports whether the attempt is integrated, or waits for its turn.
func (p Phase) Queued() bool { return phases[p].in == queue }

// Word is the phase as people read it.
func (p Phase) Word() string { return phases[p].word }

// A Reason is why an attempt failed, was held or ended early.
type Reason string

// The reasons.
const (
	AgentExit   Reason = "agent-exit"   // the program ended with an error
	CutOff      Reason = "cut-off"      // nobody saw it end: the machine was restarted; counts as no attempt
	AgentStart  Reason = "agent-start"  // it could not be started
	SetupFailed Reason = "setup-failed" // run.setup failed
	Stalled     Reason = "stalled"      // no output, no op, no change of a file for a time
	NoProgress  Reason = "no-progress"  // output, but no commit, no change of a file, no op for a longer time
	Timeout     Reason = "timeout"      //
	Budget      Reason = "budget"       // model tokens or money
	Output      Reason = "output"       // it printed too much
	NoCommits   Reason = "no-commits"   // it ended without any work
	HalfDone    Reason = "half-done"    // it left a merge, rebase or the like under way
	CheckFailed Reason = "check-failed" //
	Conflict    Reason = "conflict"     // its commits do not fit on the target
	LostLease   Reason = "lost-lease"   // somebody else has the task
	WrongFolder Reason = "wrong-folder" // the work tree is gone, or the folder is not a work tree now
	RateLimit   Reason = "rate-limit"   // the agent's service refuses for now; counts as no attempt
	StoppedBy   Reason = "stopped"      // a person ended it; counts as no attempt
	SentBack    Reason = "sent-back"    // by a person who was asked for approval
	AgentHold   Reason = "agent-hold"   // the agent put its task on hold
	Untrusted   Reason = "untrusted"    // a check that nobody has trusted
	Changed     Reason = "changed"      // the task changed so that it cannot be completed
	Moved       Reason = "moved"        // the target moved again and again
	Shared      Reason = "shared"       // git's configuration, hooks or attributes changed
	Faulty      Reason = "fault"        // git, the disk or Pawl itself failed
)

// Counts reports whether an attempt that failed for this reason counts towards
// run.attempts.
func (r Reason) Counts() bool {
	switch r {
	case RateLimit, StoppedBy, SentBack, LostLease, CutOff, Faulty:
		return false
	}
	return true
}

// Asks reports whether a person is asked at once: more attempts would not help, or
// would exceed a limit.
func (r Reason) Asks() bool {
	switch r {
	case Timeout, Budget, Output, Untrusted, Changed, Shared:
		return true
	}
	return false
}

// Usage is the consumption of agents.
type Usage struct {
	Tokens int64   `json:"tokens,omitempty"` // read and written by the model, cached ones included
	Money  float64 `json:"money,omitempty"`  // dollars, as the agent's program says
}

// Add adds up.
func (u Usage) Add(o Usage) Usage { return Usage{u.Tokens + o.Tokens, u.Money + o.Money} }

// A Key names an attempt: the N-th at a task, from 1.
type Key struct {
	Task Identity `json:"task"`
	N    int      `json:"attempt"`
}

// Ref is the reference that keeps all that an attempt left.
func (k Key) Ref() string { return fmt.Sprintf("refs/pawl/run/%s/%d", k.Task, k.N) }

func (k Key) String() string { return fmt.Sprintf("%s/%d", k.Task, k.N) }

// An Attempt is an attempt as the journal records it.
type Attempt struct {
	Key
	ID      pawl.ID       `json:"id"` // of the task, when it began
	Subject string        `json:"subject,omitempty"`
	Phase   Phase         `json:"phase"`
	Agent   string        `json:"agent,omitempty"`
	Session string        `json:"session,omitempty"` // of the claim
	Token   pawl.Revision `json:"token,omitempty"`
	Slot    int           `json:"slot,omitempty"`  // from 1
	Globs   []string      `json:"globs,omitempty"` // that the task said it changes
	Again   bool          `json:"again,omitempty"` // in the work tree of the attempt before, with its work
	Tree    string        `json:"tree,omitempty"`  // the folder of the work tree
	Branch  string        `json:"branch,omitempty"`
	Base    string        `json:"base,omitempty"`   // the commit that its branch began at
	Target  string        `json:"target,omitempty"` // refs/heads/…
	Tip     string        `json:"tip,omitempty"`    // of its work, in Ref()
	Files   []string      `json:"files,omitempty"`  // that it changed, the first hundred
	Added   int           `json:"added,omitempty"`  // lines
	Removed int           `json:"removed,omitempty"`
	Onto    string        `json:"onto,omitempty"`     // the target's tip that Commit is on
	Commit  string        `json:"commit,omitempty"`   // what is put on the target
	Passed  []string      `json:"passed,omitempty"`   // commands of the checks that passed last
	FilesID string        `json:"filesId,omitempty"`  // the id of the merged files, for which the evidence is
	OK      bool          `json:"approved,omitempty"` // a person has approved it
	Board   bool          `json:"board,omitempty"`    // its commits changed the board
	Said    string        `json:"said,omitempty"`     // the agent's own session, to resume
	Answer  string        `json:"answer,omitempty"`   // the end of what the agent said last
	Exit    string        `json:"exit,omitempty"`     // how the program ended
	Refused []string      `json:"refused,omitempty"`  // what the agent asked for and did not get, the last ones
	Usage   Usage         `json:"usage,omitzero"`
	Reason  Reason        `json:"reason,omitempty"`
	Why     string        `json:"why,omitempty"`  // a sentence
	Tail    string        `json:"tail,omitempty"` // of what failed, at most 4 KiB
	Check   string        `json:"check,omitempty"`
	Paths   []string      `json:"paths,omitempty"`    // in conflict
	Merged  bool          `json:"onTarget,omitempty"` // the failure was on the merged files
	Until   time.Time     `json:"until,omitzero"`     // of a rate limit, or a pause before the next attempt
	Began   time.Time     `json:"began,omitzero"`
	Started time.Time     `json:"started,omitzero"`  // the agent
	Ended   time.Time     `json:"ended,omitzero"`    // the agent
	Changed time.Time     `json:"changed,omitzero"`  // when it came into its phase
	Cleaned bool          `json:"cleaned,omitempty"` // its work tree is gone
}

// BranchOf is the name of an attempt's branch.
func BranchOf(id pawl.ID, subject string, n int) string {
	name := fmt.Sprintf("refs/heads/pawl/%d", id)
	if slug := text.Slug(subject, false); slug != "" {
		name += "-" + slug
	}
	if n > 1 {
		name += fmt.Sprintf("-%d", n)
	}
	return name
}
