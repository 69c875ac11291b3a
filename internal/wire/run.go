package wire

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
)

// RunStatus is how a run stands.
type RunStatus struct {
	Running   bool       `json:"running"`            // a run is at work in this clone
	Killed    bool       `json:"killed,omitempty"`   // the last one was killed; the next goes on where it was
	Draining  bool       `json:"draining,omitempty"` // it begins nothing more
	ID        string     `json:"id,omitempty"`       // of the run; absent: there was none yet
	Agent     string     `json:"agent,omitempty"`    // whose program works
	Target    string     `json:"target,omitempty"`   // the branch that commits go to
	Review    string     `json:"review,omitempty"`   // before-merge, after or none
	Began     Moment     `json:"began,omitempty"`    // when the run began
	Now       Moment     `json:"now"`                // when this was found out
	Slots     []RunSlot  `json:"slots"`              // places for agents at work
	Queue     []RunView  `json:"queue"`              // attempts to be integrated, in their order
	Waiting   []RunView  `json:"waiting"`            // attempts that wait for approval
	Held      []RunView  `json:"held"`               // attempts whose tasks are on hold: a person is needed
	Done      []RunView  `json:"done"`               // attempts that completed their tasks, the newest first, at most 20
	Completed int        `json:"completed"`          // how many tasks runs have completed in this clone
	Why       string     `json:"why,omitempty"`      // why ready tasks do not begin
	Until     Moment     `json:"until,omitempty"`    // when that may have changed
	Pauses    []RunPause `json:"pauses"`             // what does not go on by itself
	Tokens    int64      `json:"tokens,omitempty"`   // model tokens that all attempts have used
	Dollars   float64    `json:"dollars,omitempty"`  // what they cost, as far as agents' programs tell
	Unpushed  string     `json:"unpushed,omitempty"` // a sentence about commits of the target that only this clone has
}

// RunSlot is a place for an agent at work.
type RunSlot struct {
	Slot    int      `json:"slot"`              // from 1
	Attempt *RunView `json:"attempt,omitempty"` // absent: the slot is free
}

// RunPause says that something does not go on by itself.
type RunPause struct {
	Agent string `json:"agent,omitempty"` // whose attempts do not begin; absent: integration pauses
	Why   string `json:"why"`             // a sentence
	Until Moment `json:"until,omitempty"` // absent: until it has changed
}

// RunView is an attempt at a task.
type RunView struct {
	ID      pawl.ID   `json:"id"`                // of the task
	Task    string    `json:"task"`              // names the task for good: its number and the moment of its creation
	Subject string    `json:"subject"`           // of the task
	Attempt int       `json:"attempt"`           // its number, from 1
	Of      int       `json:"of,omitempty"`      // how many attempts a task has
	Phase   string    `json:"phase"`             // how far it has come, as a program reads it
	Word    string    `json:"word"`              // the same in words
	Agent   string    `json:"agent"`             // whose program works
	Began   Moment    `json:"began,omitempty"`   // when it began
	Millis  int64     `json:"ms,omitempty"`      // how long the agent has worked
	Phased  int64     `json:"phaseMs,omitempty"` // how long it has been in this phase; absent: it is over
	Tokens  int64     `json:"tokens,omitempty"`  // model tokens that it used
	Dollars float64   `json:"dollars,omitempty"` // what it cost, as far as the program tells
	Doing   string    `json:"doing,omitempty"`   // the last thing that it told
	Near    string    `json:"near,omitempty"`    // a limit that is used to four fifths
	Todos   []RunTodo `json:"todos,omitempty"`   // the agent's own list, while it works and as far as its program tells
	Refused []string  `json:"refused,omitempty"` // what the agent asked for and run.permissions did not let it, the last ones
	Files   int       `json:"files,omitempty"`   // that it changed
	Added   int       `json:"added,omitempty"`   // lines
	Removed int       `json:"removed,omitempty"` // lines
	Reason  string    `json:"reason,omitempty"`  // why it failed, as a program reads it
	Why     string    `json:"why,omitempty"`     // the same as a sentence
	Check   string    `json:"check,omitempty"`   // the check that failed, or runs
	Tail    string    `json:"tail,omitempty"`    // the end of what failed printed
	Branch  string    `json:"branch,omitempty"`  // that it works on
	Ref     string    `json:"ref,omitempty"`     // the reference that keeps its work
	Tree    string    `json:"tree,omitempty"`    // the folder of its work tree
	Commit  string    `json:"commit,omitempty"`  // that was put on the target
	Until   Moment    `json:"until,omitempty"`   // when the next attempt may begin
}

// RunTodo is one of an agent's own list.
type RunTodo struct {
	Content string `json:"content"` // what it says, on one line
	Status  string `json:"status"`  // pending, in_progress or completed, or another word of the program
}

// RunStatusOf is the status as JSON has it.
func RunStatusOf(s *runs.Status) RunStatus {
	out := RunStatus{
		Running: s.Running, Killed: s.Killed, Draining: s.Draining, ID: s.ID, Agent: s.Agent, Target: s.Target, Review: s.Review,
		Began: Time(s.Began), Now: Time(s.Now), Slots: []RunSlot{}, Pauses: []RunPause{},
		Queue: runViews(s.Queue), Waiting: runViews(s.Waiting), Held: runViews(s.Held), Done: runViews(s.Done),
		Completed: s.Completed, Why: s.Why, Until: Time(s.Until), Tokens: s.Spent.Tokens, Dollars: s.Spent.Money, Unpushed: s.Unpushed,
	}
	for _, slot := range s.Slots {
		one := RunSlot{Slot: slot.Slot}
		if slot.Attempt != nil {
			v := RunViewOf(slot.Attempt)
			one.Attempt = &v
		}
		out.Slots = append(out.Slots, one)
	}
	for _, p := range s.Paused {
		out.Pauses = append(out.Pauses, RunPause{p.Agent, p.Why, Time(p.Until)})
	}
	return out
}

func runViews(all []runs.View) []RunView {
	out := make([]RunView, len(all))
	for i := range all {
		out[i] = RunViewOf(&all[i])
	}
	return out
}

// RunViewOf is an attempt as JSON has it.
func RunViewOf(v *runs.View) RunView {
	var todos []RunTodo
	for _, t := range v.Todos {
		todos = append(todos, RunTodo(t))
	}
	return RunView{
		Todos: todos, Refused: v.Refused,
		ID: v.ID, Task: string(v.Task), Subject: v.Subject, Attempt: v.N, Of: v.Of, Phase: string(v.Phase), Word: v.Word, Agent: v.Agent, Began: Time(v.Began),
		Millis: v.Took.Milliseconds(), Phased: v.For.Milliseconds(), Tokens: v.Usage.Tokens, Dollars: v.Usage.Money, Doing: v.Doing, Near: v.Near,
		Files: v.Files, Added: v.Added, Removed: v.Removed, Reason: string(v.Reason), Why: v.Why, Check: v.Check, Tail: v.Tail,
		Branch: v.Branch, Ref: v.Ref, Tree: v.Tree, Commit: v.Commit, Until: Time(v.Until),
	}
}
