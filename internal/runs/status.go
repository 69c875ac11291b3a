package runs

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// Live is a runner's view of its work, written about once a second. It is for people:
// nothing is decided by it.
type Live struct {
	Why      string           `json:"why,omitempty"` // ready tasks do not begin, and why
	Until    time.Time        `json:"until,omitzero"`
	Draining bool             `json:"draining,omitempty"`
	Unpushed string           `json:"unpushed,omitempty"` // a sentence about commits that only this clone has
	Attempts map[string]Doing `json:"attempts,omitempty"` // by Key
}

// Doing is the progress of a running attempt.
type Doing struct {
	Doing string    `json:"doing,omitempty"` // the last line that tells something
	Used  Usage     `json:"usage,omitzero"`
	Sign  time.Time `json:"sign,omitzero"`   // the last sign of work
	Near  string    `json:"near,omitempty"`  // a limit that is used to four fifths
	Todos []Todo    `json:"todos,omitempty"` // the agent's own list
	Check string    `json:"check,omitempty"` // that runs now
	Lines []string  `json:"lines,omitempty"` // of the check, the last ones
}

// A Todo is one of an agent's own list.
type Todo struct {
	Content string `json:"content"`
	Status  string `json:"status"` // pending, in_progress, completed
}

// Status is how a run stands.
type Status struct {
	Running   bool // a runner is at work
	Killed    bool // the last one ended without order: the next goes on where it was
	Draining  bool
	ID        string
	Agent     string
	Target    string // without refs/heads/
	Review    string
	Began     time.Time
	Now       time.Time
	Slots     []Slot
	Queue     []View // to be integrated, in this order
	Waiting   []View // for approval
	Held      []View // on hold: a person is needed
	Done      []View // completed, the newest first, at most MaxDone
	Working   int    // attempts in slots
	Completed int    // tasks of runs in this clone
	Why       string // ready tasks do not begin, and why
	Until     time.Time
	Paused    []Pause
	Spent     Usage
	Unpushed  string
}

// MaxDone is how many completed attempts a status shows.
const MaxDone = 20

// A Slot is a place for an agent at work.
type Slot struct {
	Slot    int
	Attempt *View // nil: it is free
}

// A View is an attempt as people are shown it.
type View struct {
	ID      pawl.ID
	Task    Identity // which names it for good
	Subject string
	N       int
	Of      int
	Phase   Phase
	Word    string // the phase in words
	Agent   string
	Began   time.Time
	Took    time.Duration // of the agent
	For     time.Duration // since it came into its phase; zero: it is over
	Usage   Usage
	Doing   string
	Near    string
	Todos   []Todo   // the agent's own list, while it works
	Refused []string // what it asked for and did not get, the last ones
	Files   int
	Added   int
	Removed int
	Reason  Reason
	Why     string
	Tail    string
	Check   string
	Branch  string
	Ref     string
	Tree    string // while it is there
	Commit  string
	Until   time.Time
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
		if v.Of = attempts; attempts > 0 {
			v.Of += s.Tasks[a.Task].Since // which a person asked to count again from
		}
		if d, ok := live.Attempts[a.Key.String()]; ok && alive && !a.Phase.Over() {
			v.Doing, v.Near = d.Doing, d.Near
			if d.Check != "" {
				v.Check = d.Check
			}
			if a.Phase == Running {
				v.Usage, v.Todos = d.Used, d.Todos
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
		case a.Phase.Queued():
			st.Queue = append(st.Queue, v)
		case a.Phase == Held || a.Phase == Handed:
			st.Held = append(st.Held, v)
		case a.Phase == Completed:
			st.Done = append(st.Done, v)
			st.Completed++
		case a.Phase.Works():
			bySlot[a.Slot] = &v
			slots = max(slots, a.Slot)
			st.Working++
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
		ID: a.ID, Task: a.Task, Subject: a.Subject, N: a.N, Phase: a.Phase, Word: a.Phase.Word(), Agent: a.Agent, Began: a.Began, Usage: a.Usage,
		Files: len(a.Files), Added: a.Added, Removed: a.Removed, Reason: a.Reason, Why: a.Why, Tail: a.Tail, Check: a.Check, Refused: a.Refused,
		Branch: Branch(a.Branch), Ref: a.Ref(), Commit: a.Commit, Until: a.Until,
	}
	if !a.Cleaned {
		v.Tree = a.Tree
	}
	if !a.Changed.IsZero() && !a.Phase.Over() {
		v.For = now.Sub(a.Changed)
	}
	v.Took = a.took(now)
	return v
}

// took is how long the agent has worked.
func (a *Attempt) took(now time.Time) time.Duration {
	switch {
	case a.Started.IsZero():
		return 0
	case a.Ended.IsZero():
		return now.Sub(a.Started)
	}
	return a.Ended.Sub(a.Started)
}

// Branch is a reference as people call it.
func Branch(ref string) string {
	return strings.TrimPrefix(ref, "refs/heads/")
}
