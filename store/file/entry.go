package file

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// An entry is what the index knows of a task: how its file looked, what the
// file said, and what follows from that and from the other files. Texts stay
// in the file. An entry that has been put into a table is never written again.
type entry struct {
	id   pawl.ID
	info fileInfo
	hash uint64 // of the whole text
	// racy: the file was so young when it was looked at that a later change
	// may have left it with the same times.
	racy bool
	// image is where the journal has the text, if it has.
	image position

	subject   string
	owner     string
	ref       string
	labels    []string
	hold      *pawl.Hold
	status    pawl.Status
	priority  pawl.Priority
	parent    pawl.ID
	createdAt int64 // Unix milliseconds; zero: not known
	times     times
	damage    string
	was       []pawl.ID
	merging   []pawl.Task // in brief, as pawl.Task has them
	// conflicted: git's conflict lines are in the file, which reads as this side of
	// them and is not written.
	conflicted bool
	checked    checkedByte
	// left are the records of checks that no run has shown, and that the file has not: see
	// [Store.unproven]. The next commit writes them into the file.
	left []pawl.Evidence

	said said

	blockedBy []pawl.ID // effective, as pawl.Task has them
	blocks    []pawl.ID
	blockers  []pawl.ID
	children  []pawl.ID
	open      int // open children
	urgency   pawl.Priority
	height    int
	claim     pawl.Claim
	expired   int
}

// times are the other moments of a task, as createdAt is.
type times struct{ updated, started, completed int64 }

// A checkedByte is how far it is shown that a task is done, as a record has it: the
// place in standings, and one. Zero: of a damaged file, or not known.
type checkedByte uint8

var standings = [...]pawl.Checked{pawl.NotChecked, pawl.CheckedOpen, pawl.CheckedFailed, pawl.CheckedPassed}

// doubted is that of a task with left-out checks that its file does not name.
const doubted checkedByte = 2 // pawl.CheckedOpen

// checkedOf is that of a task as its file says, or of a brief one.
func checkedOf(t *pawl.Task) checkedByte {
	is := t.Checked
	if is == pawl.NotChecked {
		is = t.Standing()
	}
	return checkedByte(1 + max(0, slices.Index(standings[:], is)))
}

func (c checkedByte) state() pawl.Checked {
	if c == 0 || int(c) > len(standings) {
		return pawl.NotChecked
	}
	return standings[c-1]
}

// said is what a file says about edges, which is not always what holds.
type said struct {
	blockedBy, blocks       []pawl.ID
	hasBlockedBy, hasBlocks bool // without the key, nothing is said
}

// isOpen reports whether others wait for the task. Nobody can tell of a
// damaged one, so they do.
func (e *entry) isOpen() bool { return e.status != pawl.Completed || e.damage != "" }

// isFree reports whether nothing but an owner keeps the task from being started.
func (e *entry) isFree() bool {
	return e.status == pawl.Pending && len(e.blockedBy) == 0 && e.open == 0 && e.hold == nil && e.damage == ""
}

// isShared reports whether the claim has what only a board that is shared knows.
func (e *entry) isShared() bool { return e.claim.Clone != "" || !e.claim.Confirmed.IsZero() }

// awaited reports whether others wait for what has the number, be it the task
// itself or one of another branch: until the boards are merged, nobody can tell for
// which of them.
func (e *entry) awaited() bool {
	return e.isOpen() || slices.ContainsFunc(e.merging, func(t pawl.Task) bool { return t.Open() })
}

func (e *entry) clone() *entry {
	c := *e
	return &c
}

// read takes over what a file without conflict lines says; everything derived stays.
func (e *entry) read(f *taskjson.File) {
	t := &f.Task
	e.subject, e.owner, e.ref = t.Subject, t.Owner, t.Ref()
	e.labels, e.hold = t.Labels, t.Hold
	e.status, e.priority, e.parent = t.Status, t.Priority, t.Parent
	e.createdAt = millis(t.CreatedAt)
	e.times = times{millis(t.UpdatedAt), millis(t.StartedAt), millis(t.CompletedAt)}
	e.damage, e.conflicted = "", false
	e.checked, e.left = checkedOf(t), nil
	e.was, e.merging = t.Was, pawl.BriefMerging(t.Merging)
	e.said = said{
		blockedBy: t.BlockedBy, hasBlockedBy: f.Has.Has("blockedBy"),
		blocks: t.Blocks, hasBlocks: f.Has.Has("blocks"),
	}
}

// light returns the task without what only its file has.
func (e *entry) light() pawl.Task {
	t := pawl.Task{
		ID: e.id, Subject: e.subject, Owner: e.owner, Labels: e.labels, Was: e.was, Merging: e.merging,
		CreatedAt: fromMillis(e.createdAt), UpdatedAt: fromMillis(e.times.updated),
		StartedAt: fromMillis(e.times.started), CompletedAt: fromMillis(e.times.completed),
	}
	if e.damage == "" {
		t.Checked = e.checked.state()
	}
	if e.ref != "" {
		raw, _ := json.Marshal(e.ref)
		t.Metadata = map[string]json.RawMessage{pawl.RefKey: raw}
	}
	e.derive(&t)
	return t
}

// node returns the shape of the task. It shares its lists with the entry.
func (e *entry) node() pawl.Node {
	return pawl.Node{
		ID: e.id, Status: e.status, Priority: e.priority, Urgency: e.urgency, Height: e.height,
		Owner: e.owner, Claim: e.claim, Expired: e.expired, Held: e.hold != nil, Damaged: e.damage != "",
		Parent: e.parent, Children: e.children, OpenChildren: e.open,
		Blocks: e.blocks, Blockers: e.blockers, BlockedBy: e.blockedBy,
	}
}

// derive sets on t everything that does not come from its file alone.
func (e *entry) derive(t *pawl.Task) {
	t.Status, t.Priority, t.Parent, t.Hold = e.status, e.priority, e.parent, e.hold
	t.BlockedBy, t.Blocks, t.Blockers = e.blockedBy, e.blocks, e.blockers
	t.Children, t.OpenChildren = e.children, e.open
	t.Urgency, t.Height = e.urgency, e.height
	t.Claim, t.Expired, t.Damage, t.Conflicted = e.claim, e.expired, e.damage, e.conflicted
}

// deriveWhole sets on t, whole, what its file does not say, and takes back what no run has shown.
func (e *entry) deriveWhole(t *pawl.Task) {
	if e.derive(t); len(e.left) > 0 {
		t.Record(e.left...)
	}
}

// shownText is the text of its file with what was left out.
func (e *entry) shownText(text []byte) []byte {
	if len(e.left) > 0 {
		t, _ := decodeTask(text)
		t.Record(e.left...)
		if shown, err := taskjson.Patch(text, &t); err == nil {
			return shown
		}
	}
	return text
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
