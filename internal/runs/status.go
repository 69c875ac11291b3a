package runs

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// Live is what a runner sees while it works, and writes down about once a second. It is
// for people: nothing is decided by it.
type Live struct {
	At       time.Time        `json:"at"` // when it was written: a runner writes each few seconds
	PID      int              `json:"pid"`
	Why      string           `json:"why,omitempty"` // ready tasks do not begin, and why
	Until    time.Time        `json:"until,omitzero"`
	Draining bool             `json:"draining,omitempty"`
	Ready    int              `json:"ready,omitempty"`
	Unpushed string           `json:"unpushed,omitempty"` // a sentence about commits that only this clone has
	Attempts map[string]Doing `json:"attempts,omitempty"` // by Key
}

// Doing is what a running attempt does.
type Doing struct {
	Doing string    `json:"doing,omitempty"` // the last line that tells something
	Used  Usage     `json:"usage,omitzero"`
	Sign  time.Time `json:"sign,omitzero"`   // the last sign of work
	Near  string    `json:"near,omitempty"`  // a limit of which four fifths are used
	Check string    `json:"check,omitempty"` // that runs now
	Lines []string  `json:"lines,omitempty"` // of the check, the last ones
}

// Status is how a run stands.
type Status struct {
	Running  bool      `json:"running"`          // a runner is at work
	Killed   bool      `json:"killed,omitempty"` // the last one ended without order: the next goes on where it was
	Draining bool      `json:"draining,omitempty"`
	ID       string    `json:"id,omitempty"`
	Agent    string    `json:"agent,omitempty"`
	Target   string    `json:"target,omitempty"` // without refs/heads/
	Review   string    `json:"review,omitempty"`
	Began    time.Time `json:"began,omitzero"`
	Now      time.Time `json:"now"`
	Slots    []Slot    `json:"slots"`
	Queue    []View    `json:"queue"`   // to be integrated, in this order
	Waiting  []View    `json:"waiting"` // for approval
	Held     []View    `json:"held"`    // on hold: a person is needed
	Done     []View    `json:"done"`    // completed, the newest first, at most MaxDone
	Counts   Counts    `json:"counts"`
	Why      string    `json:"why,omitempty"` // ready tasks do not begin, and why
	Until    time.Time `json:"until,omitzero"`
	Paused   []Pause   `json:"paused,omitempty"`
	Spent    Usage     `json:"usage,omitzero"`
	Unpushed string    `json:"unpushed,omitempty"`
}

// MaxDone is how many completed attempts a status shows.
const MaxDone = 20

// Counts are numbers of tasks of the run.
type Counts struct {
	Completed int `json:"completed"`
	Running   int `json:"running"`
	Queued    int `json:"queued"`
	Waiting   int `json:"waiting"`
	Held      int `json:"held"`
}

// A Slot is a place for an agent at work.
type Slot struct {
	Slot    int   `json:"slot"`
	Attempt *View `json:"attempt,omitempty"` // nil: it is free
}

// A View is an attempt as people are shown it.
type View struct {
	ID      pawl.ID   `json:"id"`
	Subject string    `json:"subject"`
	N       int       `json:"attempt"`
	Of      int       `json:"of,omitempty"`
	Phase   Phase     `json:"phase"`
	Word    string    `json:"word"` // the phase in words
	Agent   string    `json:"agent"`
	Began   time.Time `json:"began,omitzero"`
	Took    Duration  `json:"took,omitzero"` // the agent's time
	Usage   Usage     `json:"usage,omitzero"`
	Doing   string    `json:"doing,omitempty"`
	Near    string    `json:"near,omitempty"`
	Files   int       `json:"files,omitempty"`
	Added   int       `json:"added,omitempty"`
	Removed int       `json:"removed,omitempty"`
	Reason  Reason    `json:"reason,omitempty"`
	Why     string    `json:"why,omitempty"`
	Tail    string    `json:"tail,omitempty"`
	Check   string    `json:"check,omitempty"`
	Branch  string    `json:"branch,omitempty"`
	Ref     string    `json:"ref,omitempty"`
	Tree    string    `json:"tree,omitempty"`
	Commit  string    `json:"commit,omitempty"`
	Until   time.Time `json:"until,omitzero"`
}

// Duration is a time span as JSON has it: whole milliseconds.
type Duration time.Duration

// MarshalJSON writes milliseconds.
func (d Duration) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d", time.Duration(d).Milliseconds()), nil
}

// words are the phases as people read them.
var words = map[Phase]string{
	Claiming: "claiming", Claimed: "claimed", Preparing: "preparing", Prepared: "prepared", Starting: "starting", Running: "working",
	Stopped: "saving", Saved: "saving", Checking: "checking", Checked: "waiting to be integrated", Waiting: "waiting for approval",
	Approved: "approved", Integrating: "integrating", Rebased: "checking the merged files", Verified: "checked on the target",
	Merging: "merging", Merged: "merged", Completed: "completed", Failed: "failed", Released: "failed, another attempt follows",
	Held: "on hold", Handed: "left on its branch", Dropped: "not begun", Taken: "taken over",
}

// StatusOf is the status that a journal and the last Live tell. Alive says whether the
// runner that holds the lock lives.
func StatusOf(s *State, live Live, alive bool, now time.Time) Status {
	st := Status{Running: alive, Killed: s.Running && !alive, Now: now, Slots: []Slot{}, Queue: []View{}, Waiting: []View{}, Held: []View{}, Done: []View{}}
	slots, attempts := 0, 0
	if s.Run != nil {
		slots, attempts = s.Run.Slots, s.Run.Limits.Attempts
		st.ID, st.Agent, st.Target, st.Review, st.Began = s.Run.ID, s.Run.Agent, Branch(s.Run.Target), s.Run.Review, s.Run.Began
	}
	if alive {
		st.Why, st.Until, st.Draining, st.Unpushed = live.Why, live.Until, live.Draining, live.Unpushed
	}
	view := func(a *Attempt) View {
		v := a.View(now)
		v.Of = attempts
		if d, ok := live.Attempts[a.Key.String()]; ok && alive && !a.Phase.Over() {
			v.Doing, v.Near = d.Doing, d.Near
			if d.Check != "" {
				v.Check = d.Check
			}
			if a.Phase == Running {
				v.Usage = d.Used
			}
		}
		st.Spent = st.Spent.Add(v.Usage)
		return v
	}
	bySlot := map[int]*View{}
	var all []Attempt
	for _, w := range s.Tasks {
		for i := range w.Attempts {
			if i < len(w.Attempts)-1 { // an earlier one: only what it used counts
				st.Spent = st.Spent.Add(w.Attempts[i].Usage)
				continue
			}
			all = append(all, w.Attempts[i])
		}
	}
	sortAttempts(all)
	for i := range all {
		a := &all[i]
		v := view(a)
		switch {
		case a.Phase == Waiting:
			st.Waiting = append(st.Waiting, v)
			st.Counts.Waiting++
		case a.Phase.Queued():
			st.Queue = append(st.Queue, v)
			st.Counts.Queued++
		case a.Phase == Held || a.Phase == Handed:
			st.Held = append(st.Held, v)
			st.Counts.Held++
		case a.Phase == Completed:
			st.Done = append(st.Done, v)
			st.Counts.Completed++
		case a.Phase.Works():
			bySlot[a.Slot] = &v
			slots = max(slots, a.Slot)
			st.Counts.Running++
		}
	}
	slices.SortStableFunc(st.Done, func(a, b View) int { return -cmp.Compare(a.Began.UnixMilli(), b.Began.UnixMilli()) })
	if len(st.Done) > MaxDone {
		st.Done = st.Done[:MaxDone]
	}
	for n := 1; n <= slots && (alive || bySlot[n] != nil); n++ {
		st.Slots = append(st.Slots, Slot{n, bySlot[n]})
	}
	for _, p := range s.Paused {
		if p.Until.IsZero() || now.Before(p.Until) {
			st.Paused = append(st.Paused, p)
		}
	}
	slices.SortFunc(st.Paused, func(a, b Pause) int { return cmp.Compare(a.Agent, b.Agent) })
	return st
}

// View is the attempt as people are shown it.
func (a *Attempt) View(now time.Time) View {
	v := View{
		ID: a.ID, Subject: a.Subject, N: a.N, Phase: a.Phase, Word: words[a.Phase], Agent: a.Agent, Began: a.Began, Usage: a.Usage,
		Files: len(a.Files), Added: a.Added, Removed: a.Removed, Reason: a.Reason, Why: a.Why, Tail: a.Tail, Check: a.Check,
		Branch: Branch(a.Branch), Ref: a.Ref(), Tree: a.Tree, Commit: a.Commit, Until: a.Until,
	}
	if !a.Started.IsZero() {
		end := a.Ended
		if end.IsZero() {
			end = now
		}
		v.Took = Duration(end.Sub(a.Started))
	}
	return v
}

// Branch is a reference as people call it.
func Branch(ref string) string {
	const heads = "refs/heads/"
	if len(ref) > len(heads) && ref[:len(heads)] == heads {
		return ref[len(heads):]
	}
	return ref
}

// Word is the phase as people read it.
func (p Phase) Word() string { return words[p] }
