package view

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"github.com/pawl-dev/pawl"
)

// Version is the number under "pawl" in every envelope. It changes when a
// program that reads one could break; a new key is no such change.
const Version = 1

// Envelope is how every JSON answer begins:
//
//	{"pawl":1,"kind":"task", …}
type Envelope struct {
	Pawl int    `json:"pawl"`
	Kind string `json:"kind"`
}

// NewEnvelope begins an answer of the given kind.
func NewEnvelope(kind string) Envelope { return Envelope{Version, kind} }

// WriteJSON writes v in one line. Text in it is safe for a terminal: what could
// act there is spelled as \uXXXX.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return pawl.Errorf(pawl.Internal, "the answer cannot be written as JSON: %w", err)
	}
	_, err := w.Write(escapeJSON(b.Bytes()))
	return err
}

// Task is a task in an envelope: the keys of its file in their order, and then
// what follows from the board. Blocks lists only the tasks that wait for this
// one now, Unblocked those that no longer do.
type Task struct {
	ID          pawl.ID                    `json:"id"`
	Subject     string                     `json:"subject"`
	Description string                     `json:"description"`
	Status      pawl.Status                `json:"status"`
	BlockedBy   []pawl.ID                  `json:"blockedBy"`
	Blocks      []pawl.ID                  `json:"blocks"`
	Owner       string                     `json:"owner"`
	ActiveForm  string                     `json:"activeForm,omitempty"`
	Priority    string                     `json:"priority"`
	Parent      pawl.ID                    `json:"parent,omitempty"`
	Labels      []string                   `json:"labels,omitempty"`
	Notes       []Note                     `json:"notes,omitempty"`
	Hold        *Hold                      `json:"hold,omitempty"`
	Metadata    map[string]json.RawMessage `json:"metadata,omitempty"`
	CreatedAt   string                     `json:"createdAt,omitempty"`
	UpdatedAt   string                     `json:"updatedAt,omitempty"`
	StartedAt   string                     `json:"startedAt,omitempty"`
	CompletedAt string                     `json:"completedAt,omitempty"`
	Extra       map[string]json.RawMessage `json:"extra,omitempty"` // keys of the file that Pawl does not know

	Unblocked    []pawl.ID `json:"unblocked,omitempty"`
	Ready        bool      `json:"ready"` // for the caller
	Urgency      string    `json:"urgency"`
	Height       int       `json:"height"`
	Children     []pawl.ID `json:"children,omitempty"`
	ChildrenDone *int      `json:"childrenDone,omitempty"` // where there are children
	Claim        *Claim    `json:"claim,omitempty"`
	Expired      int       `json:"expired,omitempty"` // leases in a row that ran out
	Damage       string    `json:"damage,omitempty"`
}

// Note is a remark in an envelope.
type Note struct {
	At   string `json:"at"`
	By   string `json:"by"`
	Text string `json:"text"`
}

// Hold is a hold in an envelope.
type Hold struct {
	Reason string `json:"reason"`
	By     string `json:"by"`
	At     string `json:"at,omitempty"`
}

// Claim says in an envelope how an owner holds a task. Without Until the claim
// does not end by itself.
type Claim struct {
	Session string        `json:"session"`
	Agent   string        `json:"agent"`
	Token   pawl.Revision `json:"token"`
	Until   string        `json:"until,omitempty"`
}

// NewClaim returns nil where there is no claim.
func NewClaim(c pawl.Claim) *Claim {
	if !c.Live() {
		return nil
	}
	return &Claim{c.Session, c.Agent, c.Token, Time(c.Until)}
}

// Time is a moment as the files spell it: 2026-11-21T10:00:00.000Z. The zero
// time is empty.
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// NewTasks returns tasks as an envelope shows them to the one called name.
func NewTasks(r pawl.Reader, name string, tasks []pawl.Task) ([]Task, error) {
	open, err := openNodes(r, tasks)
	if err != nil {
		return nil, err
	}
	out := make([]Task, len(tasks))
	for i := range tasks {
		out[i] = newTask(&tasks[i], name, open)
	}
	return out, nil
}

// openNodes says of each task that waits for one of these whether it is open.
func openNodes(r pawl.Reader, tasks []pawl.Task) (map[pawl.ID]bool, error) {
	open := map[pawl.ID]bool{}
	var ids []pawl.ID
	for i := range tasks {
		for _, id := range tasks[i].Blocks {
			if _, seen := open[id]; !seen && tasks[i].Open() {
				open[id] = true
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return open, nil
	}
	nodes, err := r.Nodes(ids...)
	for _, n := range nodes {
		open[n.ID] = n.Open()
	}
	return open, err
}

func newTask(t *pawl.Task, name string, open map[pawl.ID]bool) Task {
	j := Task{
		ID: t.ID, Subject: t.Subject, Description: t.Description, Status: t.Status,
		BlockedBy: list(t.BlockedBy), Blocks: []pawl.ID{}, Owner: t.Owner, ActiveForm: t.ActiveForm,
		Priority: t.Priority.String(), Parent: t.Parent, Labels: t.Labels, Metadata: t.Metadata,
		CreatedAt: Time(t.CreatedAt), UpdatedAt: Time(t.UpdatedAt), StartedAt: Time(t.StartedAt), CompletedAt: Time(t.CompletedAt),
		Extra: t.Extra, Ready: t.Ready(name), Urgency: t.Urgency.String(), Height: t.Height,
		Children: t.Children,
		Claim:    NewClaim(t.Claim), Expired: t.Expired, Damage: t.Damage,
	}
	if len(t.Children) > 0 {
		j.ChildrenDone = new(len(t.Children) - t.OpenChildren)
	}
	for _, n := range t.Notes {
		j.Notes = append(j.Notes, Note{Time(n.At), n.By, n.Text})
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

// list never is null.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
