package pawl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A Query chooses tasks. The zero value chooses all of them, by id.
type Query struct {
	IDs      []ID      `json:"ids,omitempty"`      // sorted; any of these
	Status   []Status  `json:"status,omitempty"`   // any of these
	Ready    bool      `json:"ready,omitempty"`    // ready for For (see [Task.Ready])
	For      string    `json:"for,omitempty"`      // with Ready: also what is assigned to this name
	Blocked  bool      `json:"blocked,omitempty"`  // pending, and waits for a blocker or a child; not what is damaged
	Held     bool      `json:"held,omitempty"`     // on hold
	Damaged  bool      `json:"damaged,omitempty"`  // its file cannot be read
	Unshown  bool      `json:"unshown,omitempty"`  // completed, and nothing shows that it is done ([Task.Unshown])
	Merging  bool      `json:"merging,omitempty"`  // another branch has a task, or a state of it, of the same number ([Task.Merging])
	Was      ID        `json:"was,omitempty"`      // had this number once ([Task.Was]); AnyNumber: had another one
	Owner    string    `json:"owner,omitempty"`    // claimed by or assigned to this name
	Mine     Actor     `json:"mine,omitzero"`      // with a name: what this actor owns ([Actor.Owns])
	Owned    bool      `json:"owned,omitempty"`    // claimed by or assigned to anybody
	Session  string    `json:"session,omitempty"`  // claimed by this session, of this clone
	Labels   []string  `json:"labels,omitempty"`   // all of these
	Parent   ID        `json:"parent,omitempty"`   // direct children of this task
	Priority *Priority `json:"priority,omitempty"` // own priority
	Text     string    `json:"text,omitempty"`     // part of the subject, the description or a note, case folded
	Refs     []string  `json:"refs,omitempty"`     // sorted; any of these is the name that the task has elsewhere ([Task.Ref])
	// LeaseBefore chooses claims whose lease ends at or before this time. It
	// looks at tasks as they were recorded, not as [Task.Settle] shows them.
	LeaseBefore time.Time `json:"leaseBefore,omitzero"`
	// QuietBefore chooses tasks that last changed, and whose leases were last
	// renewed, at or before this time ([Task.LastSign]).
	QuietBefore time.Time `json:"quietBefore,omitzero"`
	// DoneSince leaves out tasks that were completed before this time, and
	// DoneBefore chooses only those ([Task.DoneAt]).
	DoneSince  time.Time `json:"doneSince,omitzero"`
	DoneBefore time.Time `json:"doneBefore,omitzero"`

	Brief     bool    `json:"brief,omitempty"`     // the page's tasks come as [Task.Brief] has them
	Uncounted bool    `json:"uncounted,omitempty"` // the page comes without its total, which can take longer than all the rest
	Order     Order   `json:"order,omitempty"`
	After     *Cursor `json:"after,omitempty"` // the page after this one
	Limit     int     `json:"limit,omitempty"` // 1 to MaxPage; zero: MaxPage
}

// AnyNumber stands for every number in Query.Was.
const AnyNumber ID = -1

// Order is the order of a page.
type Order uint8

// The orders.
const (
	ByID         Order = iota
	ByUrgency          // urgency, then height, then id: the order in which a next task is chosen
	ByCompletion       // what was completed last comes first, the higher id where two were at once; what is not completed comes last
)

var orders = [...]string{ByID: "id", ByUrgency: "urgency", ByCompletion: "completion"}

func (o Order) String() string {
	if int(o) >= len(orders) {
		return fmt.Sprintf("order %d", uint8(o))
	}
	return orders[o]
}

// MarshalText is [Order.String].
func (o Order) MarshalText() ([]byte, error) {
	if int(o) >= len(orders) {
		return nil, invalid("there is no %v", o)
	}
	return []byte(o.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (o *Order) UnmarshalText(text []byte) error {
	i := slices.Index(orders[:], string(text))
	if i < 0 {
		return invalid("%q is not an order", clip(string(text), 40))
	}
	*o = Order(i)
	return nil
}

// Compare says how a and b follow one another in the order, as far as their
// ranks tell: for ByCompletion see [Cursor.Compare].
func (o Order) Compare(a, b Rank) int {
	if o == ByUrgency {
		if c := cmp.Or(cmp.Compare(b.Urgency, a.Urgency), cmp.Compare(b.Height, a.Height)); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.ID, b.ID)
}

// A Cursor is where a page ended.
type Cursor struct {
	Rank     Rank     `json:"rank"`
	Done     int64    `json:"done,omitempty"` // when that task was completed, in Unix milliseconds; zero: it is not, or nobody knows
	Revision Revision `json:"revision"`       // of the first page
}

// Cursor returns where t stands in any order.
func (t *Task) Cursor() Cursor {
	c := Cursor{Rank: t.Rank()}
	if t.Status == Completed && !t.CompletedAt.IsZero() {
		c.Done = t.CompletedAt.UnixMilli()
	}
	return c
}

// Compare says how two places follow one another in an order.
func (c Cursor) Compare(o Order, other Cursor) int {
	if o == ByCompletion {
		return cmp.Or(cmp.Compare(other.Done, c.Done), cmp.Compare(other.Rank.ID, c.Rank.ID))
	}
	return o.Compare(c.Rank, other.Rank)
}

func (c Cursor) String() string {
	s := fmt.Sprintf("%d.%d.%d.%d", c.Revision, c.Rank.Urgency, c.Rank.Height, c.Rank.ID)
	if c.Done != 0 {
		s += fmt.Sprintf(".%d", c.Done)
	}
	return s
}

// ParseCursor reads what [Cursor.String] wrote.
func ParseCursor(s string) (*Cursor, error) {
	var c Cursor
	if n, _ := fmt.Sscanf(s, "%d.%d.%d.%d.%d", &c.Revision, &c.Rank.Urgency, &c.Rank.Height, &c.Rank.ID, &c.Done); n < 4 || c.String() != s {
		return nil, invalid("%q is not a cursor: use the one that the page before ended with", clip(s, 60))
	}
	return &c, nil
}

// A Page is part of the answer to a query. Pages follow one another by key:
// what changes on the board between two of them shows in the later one.
type Page struct {
	Tasks    []Task   `json:"tasks"`
	Total    int      `json:"total"`          // how many match in all; zero with Query.Uncounted
	Next     *Cursor  `json:"next,omitempty"` // nil: this was the last page
	Revision Revision `json:"revision"`
	Moved    bool     `json:"moved,omitempty"` // the board has changed since the first page
}

// Match reports whether the query chooses t at the given time, its order and
// limits aside.
func (q *Query) Match(t *Task, now time.Time) bool {
	if !q.LeaseBefore.IsZero() && !(t.Status == InProgress && t.Claim.Live() && t.Claim.Lease > 0 && !t.Claim.Until.After(q.LeaseBefore)) {
		return false
	}
	s := t
	if t.Status == InProgress && t.Claim.expired(now) {
		settled := t.Settle(now)
		s = &settled
	}
	switch {
	case len(q.IDs) > 0 && !containsSorted(q.IDs, s.ID),
		len(q.Status) > 0 && !slices.Contains(q.Status, s.Status),
		q.Ready && !s.Ready(q.For),
		q.Blocked && !(s.Status == Pending && s.Damage == "" && (len(s.BlockedBy) > 0 || s.OpenChildren > 0)),
		q.Held && s.Hold == nil,
		q.Damaged && s.Damage == "",
		q.Unshown && !s.Unshown(),
		q.Merging && len(s.Merging) == 0 && !s.Conflicted,
		q.Was != 0 && !slices.Contains(s.Was, q.Was) && (q.Was != AnyNumber || len(s.Was) == 0),
		q.Owner != "" && s.Owner != q.Owner,
		q.Mine.Name != "" && !q.Mine.Owns(s),
		q.Owned && s.Owner == "",
		!q.QuietBefore.IsZero() && s.LastSign().After(q.QuietBefore),
		!q.DoneSince.IsZero() && s.doneBefore(q.DoneSince),
		!q.DoneBefore.IsZero() && !s.doneBefore(q.DoneBefore),
		q.Session != "" && !s.Claim.Of(q.Session),
		q.Parent != 0 && s.Parent != q.Parent,
		q.Priority != nil && s.Priority != *q.Priority,
		len(q.Refs) > 0 && !containsSorted(q.Refs, s.Ref()):
		return false
	}
	for _, label := range q.Labels {
		if !slices.Contains(s.Labels, label) {
			return false
		}
	}
	return q.Text == "" || containsFold(s.Subject, q.Text) || containsFold(s.Description, q.Text) ||
		slices.ContainsFunc(s.Notes, func(n Note) bool { return containsFold(n.Text, q.Text) })
}

// DoneAt returns when a completed task was completed, or, where its file does not
// say, when it last changed. It is zero for a task that is open, damaged or silent
// about both.
func (t *Task) DoneAt() time.Time {
	switch {
	case t.Status != Completed || t.Damage != "":
		return time.Time{}
	case t.CompletedAt.IsZero():
		return t.UpdatedAt
	}
	return t.CompletedAt
}

func (t *Task) doneBefore(at time.Time) bool {
	done := t.DoneAt()
	return !done.IsZero() && done.Before(at)
}

func containsSorted[E cmp.Ordered](all []E, one E) bool {
	_, found := slices.BinarySearch(all, one)
	return found
}

func containsFold(s, part string) bool {
	if len(part) > len(s)*utf8.UTFMax { // it has more letters, of which folding drops none
		return false
	}
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}

// Paginate makes the page of q from all tasks that match, in any order. It
// sorts tasks in place, and makes those of the page brief if q wants them so.
func (q *Query) Paginate(tasks []Task, rev Revision) Page {
	slices.SortFunc(tasks, func(a, b Task) int { return a.Cursor().Compare(q.Order, b.Cursor()) })
	page := Page{Total: len(tasks), Revision: rev}
	first := rev
	if q.After != nil {
		first = q.After.Revision
		page.Moved = rev != first
		tasks = tasks[q.skip(tasks):]
	}
	if limit := q.PageSize(); len(tasks) > limit {
		tasks = tasks[:limit]
		next := tasks[limit-1].Cursor()
		next.Revision = first
		page.Next = &next
	}
	if page.Tasks = tasks; tasks == nil {
		page.Tasks = []Task{} // in JSON a list, too
	}
	if q.Brief {
		brief(page.Tasks)
	}
	if q.Uncounted {
		page.Total = 0
	}
	return page
}

// skip counts the tasks, in order, that came with the page before.
func (q *Query) skip(tasks []Task) int {
	n, _ := slices.BinarySearchFunc(tasks, *q.After, func(t Task, at Cursor) int {
		if t.Cursor().Compare(q.Order, at) <= 0 {
			return -1
		}
		return 1
	})
	return n
}

// PageSize is the limit that holds.
func (q *Query) PageSize() int {
	if q.Limit <= 0 || q.Limit > MaxPage {
		return MaxPage
	}
	return q.Limit
}
