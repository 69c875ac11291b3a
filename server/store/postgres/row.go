package postgres

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/server/pg"
)

// A row is that of a task. Rows that were read are never changed: a commit makes new ones.
type row struct {
	id           pawl.ID
	doc          string // empty: the task does not exist, and is named by others
	status       string
	priority     int16
	u            int16 // minus the urgency
	h            int32 // minus the height
	free         bool
	owner        string
	claim        *string
	session      string
	clone        string
	leaseUntil   *int64
	expired      int32
	held         bool
	parent       pawl.ID
	children     []int64
	openChildren int32
	blocks       []int64
	blockers     []int64
	blockedBy    []int64
	labels       []string
	ref          string
	was          []int64
	sign         int64
	done         int64
	doneAt       *int64
	search       string
	unshown      bool

	decoded *pawl.Task // when somebody has asked for it
	why     *string    // what damage says, when somebody has asked

	from *row // of a commit: a row of the board that differs only in what [slim] writes; nil: any column may differ
}

// columns are the columns that are read; the others are for searching.
const columns = "id, doc, status, priority, rank_u, rank_h, free, owner, session, claim, lease_until, expired, held, parent, children, open_children, blocks, blockers, blocked_by"

// nodeColumns omit the doc, which may be long.
const nodeColumns = "id, case when doc is not null then '-' end, status, priority, rank_u, rank_h, free, owner, session, claim, lease_until, expired, held, parent, children, open_children, blocks, blockers, blocked_by"

func scan(rows pg.Rows) (*row, error) {
	var r row
	return &r, r.scan(rows)
}

// scan reads the columns, and those that more is for.
func (r *row) scan(rows pg.Rows, more ...any) error {
	var doc *string
	err := rows.Scan(append([]any{&r.id, &doc, &r.status, &r.priority, &r.u, &r.h, &r.free, &r.owner, &r.session, &r.claim, &r.leaseUntil, &r.expired, &r.held,
		&r.parent, &r.children, &r.openChildren, &r.blocks, &r.blockers, &r.blockedBy}, more...)...)
	if doc != nil {
		r.doc = *doc
	}
	return err
}

// exists reports whether there is such a task.
func (r *row) exists() bool { return r != nil && r.doc != "" }

// shared reads the document. The lists and maps of the task are the row's own and must
// stay as they are.
func (r *row) shared() (pawl.Task, error) {
	if r.decoded == nil {
		t, err := taskjson.DecodeTask([]byte(r.doc))
		if err == nil {
			err = sound(&t, r.id)
		}
		if err != nil {
			return t, err
		}
		t.Urgency, t.Height = pawl.Priority(-r.u), int(-r.h)
		t.Blockers, t.Children, t.OpenChildren = ids(r.blockers), ids(r.children), int(r.openChildren)
		r.decoded = &t
	}
	return *r.decoded, nil
}

// node returns the shape of the task.
func (r *row) node() pawl.Node {
	return pawl.Node{
		ID: r.id, Status: pawl.Status(r.status), Priority: pawl.Priority(r.priority), Urgency: pawl.Priority(-r.u), Height: int(-r.h),
		Owner: r.owner, Claim: r.claimed(), Expired: int(r.expired), Held: r.held, Parent: r.parent, Children: ids(r.children), OpenChildren: int(r.openChildren),
		Blocks: ids(r.blocks), Blockers: ids(r.blockers), BlockedBy: ids(r.blockedBy),
	}
}

// rowOf makes the row of a task, with what is derived from other tasks as in was, which
// may be nil.
func rowOf(t *pawl.Task, was *row) (*row, error) {
	doc, err := docOf(t)
	if err != nil {
		return nil, err
	}
	r := &row{
		id: t.ID, doc: doc, status: string(t.Status), priority: int16(t.Priority), u: int16(-t.Urgency), h: int32(-t.Height),
		owner: t.Owner, session: t.Claim.Session, clone: t.Claim.Clone, expired: int32(t.Expired), held: t.Hold != nil,
		parent: t.Parent, blocks: ints(t.Blocks), blockedBy: ints(t.BlockedBy), labels: t.Labels, ref: t.Ref(), was: ints(t.Was),
		sign: t.LastSign().UnixMilli(), done: t.Cursor().Done, search: searched(t),
		unshown: t.Unshown(),
	}
	if t.Claim != (pawl.Claim{}) {
		text, err := taskjson.EncodeFast(t.Claim)
		if err != nil {
			return nil, err
		}
		claim := string(text)
		r.claim = &claim
	}
	if t.Claim.Live() && t.Claim.Lease > 0 {
		until := t.Claim.Until.UnixMilli()
		r.leaseUntil = &until
	}
	if at := t.DoneAt(); !at.IsZero() {
		ms := at.UnixMilli()
		r.doneAt = &ms
	}
	if was != nil {
		r.blockers, r.children, r.openChildren = was.blockers, was.children, was.openChildren
	}
	r.refresh()
	return r, nil
}

// waiterOf is rowOf for a task of which a commit has changed nothing but what it waits for
// and its place.
func waiterOf(t *pawl.Task, was *row) (*row, error) {
	doc, err := docOf(t)
	if err != nil {
		return nil, err
	}
	r := was.derived()
	r.doc, r.u, r.h, r.blockedBy, r.sign = doc, int16(-t.Urgency), int32(-t.Height), ints(t.BlockedBy), t.LastSign().UnixMilli()
	r.refresh()
	return r, nil
}

// derived is the row for a commit that changes what is derived from other tasks.
func (r *row) derived() *row {
	copied := *r
	copied.from, copied.decoded, copied.why = r, nil, nil
	return &copied
}

// docOf is the document of a task: all but what is derived from other tasks.
func docOf(t *pawl.Task) (string, error) {
	kept := *t
	kept.Blockers, kept.Children, kept.OpenChildren, kept.Urgency, kept.Height = nil, nil, 0, 0, 0
	doc, err := taskjson.EncodeFast(kept)
	return string(doc), err
}

// refresh works out what follows from both the task and others.
func (r *row) refresh() {
	r.free = r.exists() && r.status == string(pawl.Pending) && len(r.blockedBy) == 0 && r.openChildren == 0 && !r.held
}

// ghost is the row of a task that does not exist.
func ghost(id pawl.ID) *row { return &row{id: id} }

// needless reports whether nothing needs the row.
func (r *row) needless() bool { return !r.exists() && len(r.blockers) == 0 && len(r.children) == 0 }

func (r *row) open() bool { return r.exists() && r.status != string(pawl.Completed) }

// searched are the texts of a task in which [pawl.Query.Text] is looked for.
func searched(t *pawl.Task) string {
	all := []string{t.Subject, t.Description}
	for _, note := range t.Notes {
		all = append(all, note.Text)
	}
	return folded(strings.Join(all, string(separator)))
}

// folded is a text as [pawl.Query.Text] is compared with it.
func folded(s string) string { return strings.ToLower(s) }

func ids(all []int64) []pawl.ID {
	if len(all) == 0 {
		return nil
	}
	out := make([]pawl.ID, len(all))
	for i, id := range all {
		out[i] = pawl.ID(id)
	}
	return out
}

func ints(all []pawl.ID) []int64 {
	out := make([]int64, len(all)) // an array without elements is not null
	for i, id := range all {
		out[i] = int64(id)
	}
	return out
}

// with and without change a sorted list that others may have.
func with(all []int64, id pawl.ID) []int64 {
	at, found := slices.BinarySearch(all, int64(id))
	if found {
		return all
	}
	return slices.Insert(slices.Clone(all), at, int64(id))
}

func without(all []int64, id pawl.ID) []int64 {
	at, found := slices.BinarySearch(all, int64(id))
	if !found {
		return all
	}
	return slices.Delete(slices.Clone(all), at, at+1)
}
