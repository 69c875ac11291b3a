package imports

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/graph"
)

// BaseKey is the metadata key under which a task keeps what its source said
// when it was last imported, as far as a later import needs it to tell apart
// what changed here from what changed there.
const BaseKey = "imported"

// base is the metadata of BaseKey: sums of the values, which would be there
// twice else.
//
//	{"from": "taskmaster", "subject": "9f86d081", "status": "completed", "after": ["1b4f0e98"]}
type base struct {
	From        string      `json:"from"`
	Subject     string      `json:"subject,omitempty"`
	Description string      `json:"description,omitempty"`
	Status      pawl.Status `json:"status,omitempty"`
	Priority    string      `json:"priority,omitempty"`
	Owner       string      `json:"owner,omitempty"`
	Hold        string      `json:"hold,omitempty"`
	Parent      string      `json:"parent,omitempty"`
	Labels      []string    `json:"labels,omitempty"`
	After       []string    `json:"after,omitempty"`
	Asks        string      `json:"asks,omitempty"` // checks and criteria
	Once        bool        `json:"once,omitempty"` // a box was ticked before: an older copy may still have the tick
}

func sum(s string) string {
	if s == "" {
		return ""
	}
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:4])
}

func holdSum(h *pawl.Hold) string {
	if h == nil {
		return ""
	}
	return sum(h.Reason)
}

func baseOf(f *Format, t *Task) base {
	b := base{
		From: f.Name, Subject: sum(t.Subject), Description: sum(t.Description), Status: t.Status, Priority: t.Priority.String(),
		Owner: sum(t.Owner), Hold: holdSum(t.Hold), Parent: sum(t.Parent.Name),
	}
	for _, l := range t.Labels {
		b.Labels = append(b.Labels, sum(l))
	}
	for _, ref := range t.BlockedBy {
		b.After = append(b.After, sum(ref.Name))
	}
	if f.Lasting {
		slices.Sort(b.After)
	}
	if len(t.Checks)+len(t.Accept) > 0 {
		raw, _ := json.Marshal([]any{t.Checks, t.Accept}) // a reader's own values always encode
		b.Asks = sum(string(raw))
	}
	return b
}

// Merge turns a source's tasks into an import for a board with the tasks in
// board. A new task is imported as it is. Of a task that was imported before,
// only changes in the source since then are; changes on the board stay, and if
// both changed, that is reported. Nothing is removed.
func (r *Result) Merge(f *Format, board []pawl.Task) []pawl.ImportTask {
	r.align(f, board)
	r.Now = Seen{}
	m := &merging{Result: r, format: f, known: map[string]*pawl.Task{}, byID: map[pawl.ID]*pawl.Task{}, named: map[string]bool{}}
	for i := range board {
		m.byID[board[i].ID] = &board[i]
		if ref := board[i].Ref(); ref != "" {
			m.known[ref] = &board[i]
		}
	}
	m.out = make([]pawl.ImportTask, len(r.Tasks))
	for i := range r.Tasks {
		m.named[r.Tasks[i].Ref] = true
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		now := baseOf(f, t)
		m.out[i] = t.ImportTask
		for _, id := range t.Board {
			m.out[i].BlockedBy = append(m.out[i].BlockedBy, pawl.RefID(id))
		}
		for _, id := range t.Holds {
			m.out[i].Blocks = append(m.out[i].Blocks, pawl.RefID(id))
		}
		if known := m.known[t.Ref]; known != nil {
			m.out[i] = m.update(t, known, &now)
		}
		m.remember(&m.out[i], t, m.known[t.Ref], now)
	}
	m.reopen()
	m.untangle()
	return m.out
}

type merging struct {
	*Result
	named  map[string]bool // refs of the source
	format *Format
	known  map[string]*pawl.Task
	byID   map[pawl.ID]*pawl.Task
	out    []pawl.ImportTask
}

// update is what a task that the board knows is to be told.
func (m *merging) update(t *Task, known *pawl.Task, now *base) pawl.ImportTask {
	was, has := m.last(known)
	first := !has // it was imported before bases were kept
	out := pawl.ImportTask{NewTask: pawl.NewTask{Ref: t.Ref, Subject: known.Subject, Priority: known.Priority, Metadata: maps.Clone(t.Metadata)}}
	if m.format.Lasting && (known.Status != pawl.Pending) {
		status := now.Status
		if *now = was; status == known.Status {
			now.Status = status
		}
		return out
	}
	newer := !known.UpdatedAt.After(t.UpdatedAt) || t.UpdatedAt.IsZero()
	var kept []string
	// take decides about one value: sums of what the source said, says, and
	// of what the board has.
	take := func(field, was, now, here string) bool {
		switch {
		case now == here:
			return false
		case first && newer:
			return true
		case first || was == now:
			return false
		case here == was:
			return true
		}
		kept = append(kept, field)
		return false
	}
	if take("subject", was.Subject, now.Subject, sum(known.Subject)) {
		out.Subject = t.Subject
	}
	if take("description", was.Description, now.Description, sum(known.Description)) {
		out.Description = t.Description
	}
	if take("priority", was.Priority, now.Priority, known.Priority.String()) {
		out.Priority = t.Priority
	}
	if take("parent", was.Parent, now.Parent, m.parentOf(known)) {
		out.Parent = t.Parent
	}
	m.labels(&out, t, known, was, first)
	m.notes(&out, t, known)
	m.asks(&out, t, known, was.Asks != now.Asks)
	settled := m.format.Boxes && !m.format.Lasting && !first && placeOf(m.format, t.Metadata).Words == placeOf(m.format, known.Metadata).Words
	if m.format.Lasting {
		now.After = slices.Compact(slices.Sorted(slices.Values(slices.Concat(was.After, now.After))))
	}
	if settled {
		now.After = was.After
	}
	for _, ref := range t.BlockedBy {
		switch {
		case slices.Contains(was.After, sum(ref.Name)) || m.waits(known, ref.Name):
		case settled && m.known[ref.Name] != nil: // the order of lines that both were there before: it follows from what is done
		default:
			out.BlockedBy = append(out.BlockedBy, ref)
			if settled {
				now.After = append(now.After, sum(ref.Name))
			}
		}
	}
	for _, id := range t.Board {
		if !slices.Contains(placeOf(m.format, known.Metadata).After, id) {
			out.BlockedBy = append(out.BlockedBy, pawl.RefID(id))
		}
	}
	if first && known.Status == pawl.Completed && t.Status != pawl.Completed && t.UpdatedAt.IsZero() {
		kept = append(kept, "completed")
	} else if t.Status == pawl.Completed && known.Open() && m.more(known) {
		now.Status = was.Status // a part of it that the source does not have is open
	} else if m.format.Boxes && (known.Claim.Live() || known.Hold != nil) && t.UpdatedAt.IsZero() && now.Status != known.Status && now.Status != was.Status {
		now.Status = was.Status // it stays to be told: a board takes nothing from a person or agent at work
		kept = append(kept, "status")
	} else if take("status", string(was.Status), string(now.Status), string(known.Status)) {
		out.Status = t.Status
		out.StartedAt, out.CompletedAt = t.StartedAt, t.CompletedAt
		if known.Status == pawl.Completed {
			m.Change(t, "reopened: no longer done there")
		}
	}
	if take("owner", was.Owner, now.Owner, sum(known.Owner)) {
		out.Owner = t.Owner
	}
	if take("hold", was.Hold, now.Hold, holdSum(known.Hold)) {
		if out.Hold = t.Hold; t.Hold == nil {
			m.Change(t, "still on hold: no longer so there")
		}
	}
	if newer {
		out.UpdatedAt = t.UpdatedAt
	}
	if len(kept) > 0 {
		m.Change(t, "kept as changed here: %s", strings.Join(kept, ", "))
	}
	return out
}

func (m *merging) parentOf(t *pawl.Task) string {
	if p := m.byID[t.Parent]; p != nil {
		return sum(cmp.Or(p.Ref(), "?"))
	}
	return ""
}

func (m *merging) waits(t *pawl.Task, ref string) bool {
	on := m.known[ref]
	return on != nil && slices.Contains(t.Blockers, on.ID)
}

// more reports whether a task has an open child that the source does not have.
func (m *merging) more(known *pawl.Task) bool {
	return slices.ContainsFunc(known.Children, func(id pawl.ID) bool {
		c := m.byID[id]
		return c != nil && c.Open() && !m.named[c.Ref()]
	})
}

func (m *merging) labels(out *pawl.ImportTask, t *Task, known *pawl.Task, was base, first bool) {
	labels := slices.Clone(known.Labels)
	for _, l := range t.Labels {
		if !slices.Contains(labels, l) && (first || !slices.Contains(was.Labels, sum(l))) {
			labels = append(labels, l)
		}
	}
	labels = slices.DeleteFunc(labels, func(l string) bool {
		return slices.Contains(was.Labels, sum(l)) && !slices.Contains(t.Labels, l)
	})
	if !slices.Equal(labels, known.Labels) && len(labels) <= pawl.MaxLabels {
		out.Labels = labels
	}
}

func (m *merging) asks(out *pawl.ImportTask, t *Task, known *pawl.Task, changed bool) {
	if !changed {
		return
	}
	for _, c := range t.Checks {
		if !slices.ContainsFunc(known.Checks, func(k pawl.Check) bool { return k.Name == c.Name }) {
			out.Checks = append(out.Checks, c)
		}
	}
	if len(out.Checks) > 0 {
		out.Checks = slices.Concat(known.Checks, out.Checks)
	}
	for _, c := range known.Accept {
		out.Accept = append(out.Accept, c.Text)
	}
	for _, text := range t.Accept {
		if !slices.Contains(out.Accept, text) {
			out.Accept = append(out.Accept, text)
		}
	}
}

func (m *merging) notes(out *pawl.ImportTask, t *Task, known *pawl.Task) {
	notes := slices.Clone(known.Notes)
	for _, n := range t.Notes {
		if !slices.ContainsFunc(notes, func(o pawl.Note) bool { return o.Text == n.Text }) {
			notes = append(notes, n)
		}
	}
	if len(notes) > len(known.Notes) && len(notes) <= pawl.MaxNotes {
		out.Notes = notes
	}
}

// reopen reopens parents that were completed and have an open child now; a
// board refuses one.
func (m *merging) reopen() {
	at := map[string]int{}
	for i := range m.out {
		at[m.out[i].Ref] = i
	}
	for i := range m.out {
		open := m.status(i) != pawl.Completed
		for j := i; open; {
			p := m.parent(j)
			k, ours := at[p]
			if p == "" || !ours || m.status(k) != pawl.Completed {
				break
			}
			m.out[k].Status, m.out[k].CompletedAt, m.out[k].UpdatedAt = pawl.Pending, time.Time{}, time.Time{}
			m.Change(&m.Tasks[k], "reopened: has open subtasks now")
			j = k
		}
	}
}

func (m *merging) status(i int) pawl.Status {
	if s := m.out[i].Status; s != "" {
		return s
	}
	if known := m.known[m.out[i].Ref]; known != nil {
		return known.Status
	}
	return pawl.Pending
}

func (m *merging) parent(i int) string {
	if p := m.out[i].Parent.Name; p != "" {
		return p
	}
	if known := m.known[m.out[i].Ref]; known != nil {
		if p := m.byID[known.Parent]; p != nil {
			return p.Ref()
		}
	}
	return ""
}

// untangle takes out new edges that close a cycle with those that the board has
// gained since.
func (m *merging) untangle() {
	nodes := map[string]int32{}
	var next [][]int32
	node := func(key string) int32 {
		n, there := nodes[key]
		if !there {
			n = int32(len(next))
			nodes[key], next = n, append(next, nil)
		}
		return n
	}
	key := func(t *pawl.Task) string {
		if ref := t.Ref(); ref != "" && m.known[ref] == t {
			return "ref " + ref
		}
		return fmt.Sprintf("id %d", t.ID)
	}
	edge := func(from, to string) { n := node(from); next[n] = append(next[n], node(to)) }
	for _, t := range m.byID {
		for _, id := range t.Blockers {
			if on := m.byID[id]; on != nil {
				edge(key(t), key(on))
			}
		}
		if p := m.byID[t.Parent]; p != nil {
			edge(key(p), key(t))
		}
	}
	before := len(graph.Cycles(next))
	for i := range m.out {
		t := &m.out[i]
		if t.Parent.Name != "" {
			edge("ref "+t.Parent.Name, "ref "+t.Ref)
		}
		for _, on := range t.BlockedBy {
			edge("ref "+t.Ref, "ref "+on.Name)
		}
	}
	if len(m.byID) == 0 || len(graph.Cycles(next)) == before {
		return
	}
	tied := map[int32]int{}
	for c, members := range graph.Cycles(next) {
		for _, n := range members {
			tied[n] = c + 1
		}
	}
	together := func(a, b string) bool { return tied[node(a)] != 0 && tied[node(a)] == tied[node(b)] }
	for i := range m.out {
		t := &m.out[i]
		if t.Parent.Name != "" && together("ref "+t.Parent.Name, "ref "+t.Ref) {
			m.Change(&m.Tasks[i], "stays where it is: its new parent would close a cycle")
			t.Parent = pawl.Ref{}
		}
		t.BlockedBy = slices.DeleteFunc(t.BlockedBy, func(on pawl.Ref) bool {
			if !together("ref "+t.Ref, "ref "+on.Name) {
				return false
			}
			m.Change(&m.Tasks[i], "a new dependency would close a cycle with one made here")
			return true
		})
	}
}
