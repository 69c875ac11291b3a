package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// Version is the number under "pawl" in every envelope. It changes when a
// program that reads one could break; a new key is not such a change.
const Version = 1

// Envelope is how every JSON answer begins:
//
//	{"pawl":1,"kind":"task", …}
type Envelope struct {
	Pawl int    `json:"pawl"` // the version of the contract
	Kind string `json:"kind"` // the kind of envelope, which decides the other keys
	// AsOf is when this was so, if the board's server does not answer now and an earlier
	// answer stands in for it.
	AsOf Moment `json:"asOf,omitempty"`
}

// NewEnvelope begins an answer of the given kind.
func NewEnvelope(kind string) Envelope { return Envelope{Pawl: Version, Kind: kind} }

// WriteJSON writes v in one line. Text in it is safe for a terminal: characters that
// could act there are spelled as \uXXXX.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return pawl.Errorf(pawl.Internal, "the answer cannot be written as JSON: %w", err)
	}
	_, err := w.Write(text.JSON(b.Bytes()))
	return err
}

// A Moment is a time as the files have it, in UTC with milliseconds:
// 2026-11-21T10:00:00.000Z. Empty: not known.
type Moment string

// A Level is a priority in an envelope: high, medium or low.
type Level string

// A Failure is the kind of an error: its exit code in words, such as not_found.
type Failure string

// Task is a task: the keys of its file in their order, and then what follows
// from the board.
type Task struct {
	ID          pawl.ID                    `json:"id"`                    // its number, never given to another task of the board
	Subject     string                     `json:"subject"`               // one line, at most 500 characters
	Description string                     `json:"description"`           // text, at most 64 KiB; empty: none
	Status      pawl.Status                `json:"status,omitempty"`      // its status; absent if the file is damaged
	BlockedBy   []pawl.ID                  `json:"blockedBy"`             // the tasks that it waits for, none of them completed
	Blocks      []pawl.ID                  `json:"blocks"`                // the tasks that wait for it now
	Owner       string                     `json:"owner"`                 // who works on it; of a pending task, its assignee; empty: nobody
	ActiveForm  string                     `json:"activeForm,omitempty"`  // what is being done, in the present tense: "Writing tests"
	Priority    Level                      `json:"priority"`              // its own priority
	Parent      pawl.ID                    `json:"parent,omitempty"`      // the task that it is a part of
	Was         []pawl.ID                  `json:"was,omitempty"`         // the numbers that it had before merges with other branches gave it another
	Labels      []string                   `json:"labels,omitempty"`      // at most 50, of at most 100 characters each
	Notes       []Note                     `json:"notes,omitempty"`       // remarks, oldest first, at most 1,000
	Hold        *Hold                      `json:"hold,omitempty"`        // present while it is on hold
	Checks      []Check                    `json:"checks,omitempty"`      // commands that show that it is done, at most 20
	Accept      []Criterion                `json:"accept,omitempty"`      // criteria in words, at most 50
	Evidence    []Evidence                 `json:"evidence,omitempty"`    // the last run of each check, the project's too; the oldest first
	Metadata    map[string]json.RawMessage `json:"metadata,omitempty"`    // for programs; ref is its name in another tracker
	CreatedAt   Moment                     `json:"createdAt,omitempty"`   // when it was created, if known
	UpdatedAt   Moment                     `json:"updatedAt,omitempty"`   // when a field last changed
	StartedAt   Moment                     `json:"startedAt,omitempty"`   // when its present owner started it; of a completed task, its last owner
	CompletedAt Moment                     `json:"completedAt,omitempty"` // when it was completed
	Extra       map[string]json.RawMessage `json:"extra,omitempty"`       // keys of its file that Pawl does not know

	Unblocked    []pawl.ID    `json:"unblocked,omitempty"`    // tasks that waited for it and no longer do
	Ready        bool         `json:"ready"`                  // the caller could claim it now
	Urgency      Level        `json:"urgency"`                // the highest priority among it and the open tasks that wait for it
	Height       int          `json:"height"`                 // length of the longest chain of open tasks that wait for it
	Children     []pawl.ID    `json:"children,omitempty"`     // the tasks that are parts of it
	ChildrenDone *int         `json:"childrenDone,omitempty"` // number of completed children; absent if it has none
	Claim        *Claim       `json:"claim,omitempty"`        // its owner's claim
	Expired      int          `json:"expired,omitempty"`      // number of leases in a row that expired; after three the task is put on hold
	Checked      pawl.Checked `json:"checked,omitempty"`      // how far its own checks and criteria show that it is done, as its file claims, on the files that were checked: this clone may know better; absent: it is not checked
	Merging      []Other      `json:"merging,omitempty"`      // tasks of another branch with its number, until pawl merge gives them others; they count nowhere else
	Conflicted   bool         `json:"conflicted,omitempty"`   // git's conflict lines are in its file: it is this side of them, and cannot change before pawl merge
	Damage       string       `json:"damage,omitempty"`       // why its file cannot be read as a task; its other keys mean nothing then
}

// Other is a task of another branch, as its text says.
type Other struct {
	ID          pawl.ID     `json:"id"`                    // the number that both branches gave away
	Subject     string      `json:"subject"`               // one line
	Description string      `json:"description"`           // text; empty: none
	Status      pawl.Status `json:"status"`                // its status there
	Owner       string      `json:"owner"`                 // who works on it there; empty: nobody
	BlockedBy   []pawl.ID   `json:"blockedBy"`             // the tasks that it waits for, in the numbers of that branch
	Notes       []Note      `json:"notes,omitempty"`       // remarks, oldest first
	CreatedAt   Moment      `json:"createdAt,omitempty"`   // when it was created, if known
	UpdatedAt   Moment      `json:"updatedAt,omitempty"`   // when a field last changed
	CompletedAt Moment      `json:"completedAt,omitempty"` // when it was completed
}

// newOther is a task of another branch in an envelope.
func newOther(t *pawl.Task) Other {
	return Other{
		ID: t.ID, Subject: t.Subject, Description: t.Description, Status: t.Status, Owner: t.Owner,
		BlockedBy: list(t.BlockedBy), Notes: notes(t.Notes),
		CreatedAt: Time(t.CreatedAt), UpdatedAt: Time(t.UpdatedAt), CompletedAt: Time(t.CompletedAt),
	}
}

// Note is a remark on a task.
type Note struct {
	At   Moment `json:"at,omitempty"` // when, if known
	By   string `json:"by"`           // the name of its author
	Text string `json:"text"`         // at most 16 KiB
}

// Hold is why a task is on hold.
type Hold struct {
	Reason string `json:"reason"`       // at most 500 characters
	By     string `json:"by"`           // the name of who put it on hold
	At     Moment `json:"at,omitempty"` // since when, if known
}

// Check is a command that shows whether a task is done: it passes when it ends with the
// exit code that is expected.
type Check struct {
	Name     string    `json:"name"`               // of the check, within its task
	Run      []string  `json:"run"`                // program and arguments, which no shell reads
	Dir      string    `json:"dir,omitempty"`      // the folder in which it runs, from the top of the project; absent: the top
	Timeout  string    `json:"timeout,omitempty"`  // how long it may take, such as 1m30s; absent: ten minutes
	Env      []string  `json:"env,omitempty"`      // names of the variables that it gets besides the basic ones
	Expect   int       `json:"expect,omitempty"`   // the exit code that passes
	Optional bool      `json:"optional,omitempty"` // the task can be completed without it
	Last     *Evidence `json:"last,omitempty"`     // what its last run showed; absent: it has not run as it is now
}

// Criterion says in words what must be so when a task is done.
type Criterion struct {
	Text string `json:"text"`         // one line, at most 500 characters
	By   string `json:"by,omitempty"` // the name of who ticked it
	At   Moment `json:"at,omitempty"` // when it was ticked; absent: it is not
}

// Evidence is what the last run of a check showed.
type Evidence struct {
	Check  string `json:"check"`            // what the check was called
	Sum    string `json:"sum"`              // hash of all that decided what ran
	At     Moment `json:"at,omitempty"`     // when it was recorded, if known
	By     string `json:"by,omitempty"`     // the name of who let it run
	Commit string `json:"commit,omitempty"` // git's commit on which the files were based
	Tree   string `json:"tree,omitempty"`   // git's id of the files that were checked, without the board's; none: the project is in no version control
	Dirty  bool   `json:"dirty,omitempty"`  // the files were not those of the commit
	Passed bool   `json:"passed"`           // it ended with the exit code that was expected
	Exit   *int   `json:"exit,omitempty"`   // its exit code; absent: it did not end by itself
	Millis int64  `json:"ms"`               // how long it took, in milliseconds
	Output string `json:"output,omitempty"` // hash of what it printed: sha256:…
}

func checks(t *pawl.Task) []Check {
	var out []Check
	for i := range t.Checks {
		c := &t.Checks[i]
		j := Check{Name: c.Name, Run: list(c.Run), Dir: c.Dir, Env: c.Env, Expect: c.Expect, Optional: c.Optional}
		if c.Timeout != 0 {
			j.Timeout = c.Timeout.String()
		}
		if e := t.LastEvidence(c.Sum()); e != nil {
			j.Last = new(newEvidence(e))
		}
		out = append(out, j)
	}
	return out
}

func criteria(all []pawl.Criterion) []Criterion {
	var out []Criterion
	for _, c := range all {
		out = append(out, Criterion{c.Text, c.By, Time(c.At)})
	}
	return out
}

func evidence(all []pawl.Evidence) []Evidence {
	var out []Evidence
	for i := range all {
		out = append(out, newEvidence(&all[i]))
	}
	return out
}

func newEvidence(e *pawl.Evidence) Evidence {
	j := Evidence{
		Check: e.Check, Sum: e.Sum, At: Time(e.At), By: e.By, Commit: e.Commit, Tree: e.Tree, Dirty: e.Dirty,
		Passed: e.Passed, Millis: e.Millis, Output: e.Output,
	}
	if e.Exit != pawl.NoExit {
		j.Exit = new(e.Exit)
	}
	return j
}

// checked is how far it is shown that a task is done, be it brief or whole.
func checked(t *pawl.Task) pawl.Checked {
	if t.Checked != pawl.NotChecked {
		return t.Checked
	}
	return t.Standing()
}

// Claim is an owner's claim on a task.
type Claim struct {
	Session string        `json:"session"`         // the owner's session; the same name in another session is another owner
	Agent   string        `json:"agent"`           // the subagent of the session; empty: the main agent, or a person
	Token   pawl.Revision `json:"token"`           // the claim token: larger than that of any earlier claim of the task
	Until   Moment        `json:"until,omitempty"` // when the lease expires; absent: the claim has no lease

	// On a board that is shared through a git remote:
	Clone     string `json:"clone,omitempty"`     // the other clone that has the claim, such as mac-mini-3f2a9c1d; absent: this one
	Confirmed Moment `json:"confirmed,omitempty"` // of a claim of this clone: when the last renewal that the remote has was written; absent: the remote does not have the claim
}

// NewClaim returns nil for a task without a claim.
func NewClaim(c pawl.Claim) *Claim {
	if !c.Live() {
		return nil
	}
	return &Claim{c.Session, c.Agent, c.Token, Time(c.Until), c.Clone, Time(c.Confirmed)}
}

// Time spells a time; the zero time is empty.
func Time(t time.Time) Moment {
	if t.IsZero() {
		return ""
	}
	return Moment(t.UTC().Format("2006-01-02T15:04:05.000Z07:00"))
}

// TasksOf returns tasks as an envelope shows them to the one called name. waiting
// are the open ones among those that wait for these: [query.Tasks.Waiting],
// [query.Details.Waiting].
func TasksOf(name string, tasks []pawl.Task, waiting []pawl.ID) []Task {
	open := make(map[pawl.ID]bool, len(waiting))
	for _, id := range waiting {
		open[id] = true
	}
	out := make([]Task, len(tasks))
	for i := range tasks {
		out[i] = newTask(&tasks[i], name, open)
	}
	return out
}

func newTask(t *pawl.Task, name string, open map[pawl.ID]bool) Task {
	j := Task{
		ID: t.ID, Subject: t.Subject, Description: t.Description, Status: t.Status,
		BlockedBy: list(t.BlockedBy), Blocks: []pawl.ID{}, Owner: t.Owner, ActiveForm: t.ActiveForm,
		Priority: Level(t.Priority.String()), Parent: t.Parent, Labels: t.Labels, Metadata: t.Metadata,
		CreatedAt: Time(t.CreatedAt), UpdatedAt: Time(t.UpdatedAt), StartedAt: Time(t.StartedAt), CompletedAt: Time(t.CompletedAt),
		Extra: t.Extra, Ready: t.Ready(name), Urgency: Level(t.Urgency.String()), Height: t.Height,
		Children: t.Children, Was: t.Was, Notes: notes(t.Notes),
		Checks: checks(t), Accept: criteria(t.Accept), Evidence: evidence(t.Evidence), Checked: checked(t),
		Claim: NewClaim(t.Claim), Expired: t.Expired, Conflicted: t.Conflicted, Damage: t.Damage,
	}
	if len(t.Children) > 0 {
		j.ChildrenDone = new(len(t.Children) - t.OpenChildren)
	}
	for i := range t.Merging {
		j.Merging = append(j.Merging, newOther(&t.Merging[i]))
	}
	if t.Hold != nil {
		j.Hold = &Hold{t.Hold.Reason, t.Hold.By, Time(t.Hold.At)}
	}
	for _, id := range t.Blocks {
		if t.Open() && open[id] {
			j.Blocks = append(j.Blocks, id)
		} else {
			j.Unblocked = append(j.Unblocked, id)
		}
	}
	return j
}

func notes(all []pawl.Note) []Note {
	var out []Note
	for _, n := range all {
		out = append(out, Note{Time(n.At), n.By, n.Text})
	}
	return out
}

// list never is null.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
