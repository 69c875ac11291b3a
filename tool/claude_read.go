package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// claudeList lists the tasks of the board, a page at a time.
func (k *kit) claudeList(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	return k.listTasks(ctx, by, a, &listing{by: by.Actor, names: k.names, limit: pageLength, size: mostPage, line: claudeLine, tell: claudePage})
}

// claudeLine is a task's line:
//
//	#3 [pending] Write tests (ada) [blocked by #1, #2]
func claudeLine(t *pawl.Task, shared *share.Status) string {
	status := string(t.Status)
	if t.Damage != "" {
		status = "damaged"
	}
	text := fmt.Sprintf("%v [%s] %s", t.ID, status, line(clip(t.Subject, mostSubject)))
	if t.Owner != "" {
		short := pawl.Task{Owner: clip(t.Owner, mostRemark), Claim: t.Claim}
		text += " (" + show.Owner(&short, shared) + ")"
	}
	if here := show.HereOnly(t.ID, shared); here != "" {
		text += " [" + here + "]"
	}
	for _, remark := range claudeRemarks(t) {
		text += " [" + remark + "]"
	}
	return text
}

// claudeRemarks say what keeps a task from being done.
func claudeRemarks(t *pawl.Task) (remarks []string) {
	if t.Damage != "" {
		return []string{line(clip(t.Damage, mostRemark))}
	}
	if other := show.OtherBranch(t); other != "" {
		remarks = append(remarks, line(other))
	}
	if len(t.BlockedBy) > 0 {
		remarks = append(remarks, "blocked by "+show.IDs(t.BlockedBy))
	}
	if t.OpenChildren > 0 {
		remarks = append(remarks, "waits for "+show.Children(t))
	}
	if t.Hold != nil {
		remarks = append(remarks, "on hold: "+line(clip(t.Hold.Reason, mostRemark)))
	}
	if shown := show.CheckedWords(t); shown != "" && (t.Unshown() || t.Open()) {
		remarks = append(remarks, shown)
	}
	return remarks
}

// claudeListed is what programs get of a page.
type claudeListed struct {
	Tasks  []claudeRow `json:"tasks"`
	Cursor string      `json:"cursor,omitempty"` // of the next page
}

type claudeRow struct {
	ID        string      `json:"id"`
	Subject   string      `json:"subject"`
	Status    pawl.Status `json:"status"`
	Owner     string      `json:"owner,omitempty"`
	BlockedBy []string    `json:"blockedBy"` // those that are open
}

func claudePage(l *listing, p *pawl.Page, shown []string, t *totals) Result {
	data := claudeListed{Tasks: []claudeRow{}}
	for i := range shown {
		t := &p.Tasks[i]
		data.Tasks = append(data.Tasks, claudeRow{
			decimal(t.ID), clip(t.Subject, mostSubject), t.Status, clip(t.Owner, mostRemark), decimals(t.BlockedBy[:min(10, len(t.BlockedBy))]),
		})
	}
	if len(shown) == 0 {
		text := "No tasks found"
		if t != nil && t.all() > 0 {
			text += ". There are others: " + t.String()
		}
		return said(text, data)
	}
	var next string
	data.Cursor, next = l.rest(p, len(shown))
	return said(strings.Join(shown, "\n")+"\n"+next, data)
}

// claudeGet reads a task, also what Claude Code keeps to itself: owner, active
// form and metadata.
func (k *kit) claudeGet(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	mentions := a.mentions("taskId")
	switch len(mentions) {
	case 0:
		a.fault("taskId", "is missing: say which task")
	case 1:
	default:
		a.fault("taskId", "names %d tasks, and one is read at a time", len(mentions))
	}
	offset, _ := a.number("offset", 0)
	if err := a.err(); err != nil {
		return k.claudeNone(a, err)
	}
	board, note, err := k.Board(ctx, by, false)
	if err != nil {
		return Result{}, nil, err
	}
	got, err := a.whole(ctx, board, by, mentions, past{})
	if err != nil {
		return k.claudeNone(a, err)
	}
	t := got.Tasks[0].Detail.Task
	part, _ := k.part(t.ID, claudeDetail(&t), nil, int(offset), mostText)
	return said(part, claudeGot{claudeWhole(&t)}), noted(note), nil
}

// claudeNone is the result of an error: programs look for a task, and get none.
func (k *kit) claudeNone(a *arguments, err error) (Result, []string, error) {
	r := k.failed(err, a.form)
	if f, ok := r.Data.(failure); ok {
		r.Data = struct {
			claudeGot
			failure
		}{claudeGot{}, f}
	}
	return r, nil, nil
}

// claudeGot is what programs get of a task.
type claudeGot struct {
	Task *claudeTask `json:"task"` // null: there is none
}

type claudeTask struct {
	ID          string                     `json:"id"`
	Subject     string                     `json:"subject"`
	Description string                     `json:"description"`
	Status      pawl.Status                `json:"status"`
	Blocks      []string                   `json:"blocks"`
	BlockedBy   []string                   `json:"blockedBy"`
	Owner       string                     `json:"owner,omitempty"`
	ActiveForm  string                     `json:"activeForm,omitempty"`
	Metadata    map[string]json.RawMessage `json:"metadata,omitempty"`
	Cut         bool                       `json:"cut,omitempty"` // something is too long to be here whole
}

// mostEdges is how many tasks on one side of a task are named.
const mostEdges = 200

func claudeWhole(t *pawl.Task) *claudeTask {
	c := &claudeTask{
		ID: decimal(t.ID), Subject: clip(t.Subject, pawl.MaxSubject*4), Description: clip(t.Description, mostText/2), Status: t.Status,
		Blocks: decimals(t.Blocks[:min(mostEdges, len(t.Blocks))]), BlockedBy: decimals(t.BlockedBy[:min(mostEdges, len(t.BlockedBy))]),
		Owner: t.Owner, ActiveForm: t.ActiveForm, Metadata: t.Metadata,
	}
	if text, err := json.Marshal(t.Metadata); err != nil || len(text) > mostText/4 {
		c.Metadata, c.Cut = nil, true
	}
	c.Cut = c.Cut || len(c.Description) < len(t.Description) || max(len(t.Blocks), len(t.BlockedBy)) > mostEdges
	return c
}

// claudeDetail is a task with all that an agent needs to do it, a field a line;
// empty ones are left out.
func claudeDetail(t *pawl.Task) string {
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	fmt.Fprintf(&b, "Task %v: %s\n", t.ID, show.Subject(t))
	field("Damaged", line(t.Damage))
	field("Status", string(t.Status))
	for _, other := range show.Others(t) {
		field("Also", line(other))
	}
	field("Owner", line(t.Owner))
	field("Active form", line(t.ActiveForm))
	field("Description", paragraph(t.Description))
	for _, shown := range show.Checks(t, show.Clock{}) {
		field("Check", box(shown.Is)+" "+line(shown.Line()))
	}
	for _, shown := range show.Criteria(t, show.Clock{}) {
		field("Criterion", box(shown.Is)+" "+line(shown.Line()))
	}
	field("Blocked by", ids(t.BlockedBy))
	field("Blocks", ids(t.Blocks))
	if t.Priority != pawl.Medium {
		field("Priority", t.Priority.String())
	}
	field("Labels", line(strings.Join(t.Labels, ", ")))
	if t.Parent != 0 {
		field("Parent", t.Parent.String())
	}
	field("Children", ids(t.Children))
	if t.Hold != nil {
		field("On hold", line(t.Hold.Reason))
	}
	for _, note := range t.Notes {
		field("Note by "+line(note.By), paragraph(note.Text))
	}
	b.WriteString(metadata(t))
	return b.String()
}

// paragraph is a text of several lines behind the name of a field: no line of it
// can be taken for a field.
func paragraph(s string) string {
	return strings.ReplaceAll(strings.TrimRight(text.Lines(s), "\n"), "\n", "\n  ")
}

func ids(all []pawl.ID) string {
	var texts []string
	for _, id := range all[:min(mostEdges, len(all))] {
		texts = append(texts, id.String())
	}
	if over := len(all) - mostEdges; over > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", over))
	}
	return strings.Join(texts, ", ")
}
