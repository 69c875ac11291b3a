package file

import (
	"encoding/binary"
	"encoding/json"
	"slices"

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
	e.createdAt = taskjson.Millis(t.CreatedAt)
	e.times = times{taskjson.Millis(t.UpdatedAt), taskjson.Millis(t.StartedAt), taskjson.Millis(t.CompletedAt)}
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
		CreatedAt: taskjson.FromMillis(e.createdAt), UpdatedAt: taskjson.FromMillis(e.times.updated),
		StartedAt: taskjson.FromMillis(e.times.started), CompletedAt: taskjson.FromMillis(e.times.completed),
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

// Of the record of a task, the part with a fixed size. Little-endian.
//
//	 0 id · 8 inode · 16 mtime · 24 ctime · 32 hash
//	40 size · 44 blob's offset · 48 blob's length · 52 height
//	56 open blockers (at most 65,535) · 58 status · 59 priority · 60 urgency · 61 checked · 62 flags
const recordSize = 64

// Flags of a record: the facts that queries need most, so that they need not read
// the blob.
const (
	flagRacy uint16 = 1 << iota
	flagDamaged
	flagFree  // nothing but an owner keeps it from being started
	flagOwned // it has an owner
	flagHeld
	flagLeased      // claimed, and the claim can end by itself
	flagOpenChild   // it waits for a child
	flagNoBlocks    // the file has no key "blocks"
	flagNoBlockedBy // the file has no key "blockedBy"
	flagWas         // it had other numbers
	flagMerging     // another branch has a task, or a state of it, of the same number
	flagConflicted  // git's conflict lines are in the file
)

var statuses = [...]pawl.Status{pawl.Pending, pawl.InProgress, pawl.Completed}

// A record is the fixed part of an entry, in place.
type record []byte

func (r record) id() pawl.ID  { return pawl.ID(binary.LittleEndian.Uint64(r)) }
func (r record) hash() uint64 { return binary.LittleEndian.Uint64(r[32:]) }
func (r record) height() int  { return int(binary.LittleEndian.Uint32(r[52:])) }
func (r record) waits() int   { return int(binary.LittleEndian.Uint16(r[56:])) }
func (r record) status() pawl.Status {
	return statuses[min(int(r[58]), len(statuses)-1)]
}
func (r record) checked() checkedByte { return checkedByte(r[61]) }

// unshown reports whether the task is completed, and may be one that nothing shows to be
// done.
func (r record) unshown() bool {
	is := r.checked().state()
	return (is == pawl.CheckedOpen || is == pawl.CheckedFailed) && r.status() == pawl.Completed && r.flags()&flagDamaged == 0
}

// racy reports whether the file has to be read, however it looks.
func (r record) racy() bool { return r.flags()&flagRacy != 0 }

func (r record) flags() uint16 { return binary.LittleEndian.Uint16(r[62:]) }
func (r record) rank() pawl.Rank {
	return pawl.Rank{ID: r.id(), Urgency: pawl.Priority(int8(r[60])), Height: r.height()}
}
func (r record) blob() (int, int) {
	return int(binary.LittleEndian.Uint32(r[44:])), int(binary.LittleEndian.Uint32(r[48:]))
}

// matches reports whether the file still looks as it did.
func (r record) matches(info *fileInfo) bool {
	return info.Kind == kindRegular &&
		info.Inode == binary.LittleEndian.Uint64(r[8:]) &&
		info.Mtime == int64(binary.LittleEndian.Uint64(r[16:])) &&
		info.Ctime == int64(binary.LittleEndian.Uint64(r[24:])) &&
		info.Size == int64(binary.LittleEndian.Uint32(r[40:]))
}

func (r record) info() fileInfo {
	return fileInfo{
		Kind:  kindRegular,
		Inode: binary.LittleEndian.Uint64(r[8:]),
		Mtime: int64(binary.LittleEndian.Uint64(r[16:])),
		Ctime: int64(binary.LittleEndian.Uint64(r[24:])),
		Size:  int64(binary.LittleEndian.Uint32(r[40:])),
	}
}

// appendRecord appends the fixed part of e, with the blob at an offset.
func appendRecord(dst []byte, e *entry, offset, length int) []byte {
	var flags uint16
	for _, f := range []struct {
		flag uint16
		set  bool
	}{
		{flagRacy, e.racy},
		{flagDamaged, e.damage != ""},
		{flagFree, e.isFree()},
		{flagOwned, e.owner != ""},
		{flagHeld, e.hold != nil},
		{flagLeased, e.claim.Live() && e.claim.Lease > 0},
		{flagOpenChild, e.open > 0},
		{flagNoBlocks, !e.said.hasBlocks},
		{flagNoBlockedBy, !e.said.hasBlockedBy},
		{flagWas, len(e.was) > 0},
		{flagMerging, len(e.merging) > 0 || e.conflicted},
		{flagConflicted, e.conflicted},
	} {
		if f.set {
			flags |= f.flag
		}
	}
	le := binary.LittleEndian
	dst = le.AppendUint64(dst, uint64(e.id))
	dst = le.AppendUint64(dst, e.info.Inode)
	dst = le.AppendUint64(dst, uint64(e.info.Mtime))
	dst = le.AppendUint64(dst, uint64(e.info.Ctime))
	dst = le.AppendUint64(dst, e.hash)
	dst = le.AppendUint32(dst, uint32(e.info.Size))
	dst = le.AppendUint32(dst, uint32(offset))
	dst = le.AppendUint32(dst, uint32(length))
	dst = le.AppendUint32(dst, uint32(e.height))
	dst = le.AppendUint16(dst, uint16(min(len(e.blockedBy), 1<<16-1)))
	dst = append(dst, uint8(max(0, slices.Index(statuses[:], e.status))), uint8(e.priority), uint8(e.urgency), uint8(e.checked))
	return le.AppendUint16(dst, flags)
}

// Parts of a blob that are there only when they say something.
const (
	hasOwner uint64 = 1 << iota
	hasRef
	hasLabels
	hasHold
	hasParent
	hasCreatedAt
	hasDamage
	hasImage
	hasSaidBlockedBy // other than blockedBy
	hasSaidBlocks    // other than blocks
	hasBlockers      // other than blockedBy, sorted
	hasChildren
	hasClaim
	hasExpired
	hasTimes
	hasWas // older versions of Pawl know what is above, and pass over the rest
	hasMerging
	hasShared // the claim is another clone's, or confirmed
	hasLeft
)

// appendBlob appends the part of e whose size differs: a set of what is there,
// the subject, the two lists of effective edges, and then each part in turn.
func appendBlob(dst []byte, e *entry) []byte {
	sorted := inOrder(e.blockedBy)
	var has uint64
	for _, p := range []struct {
		part uint64
		set  bool
	}{
		{hasOwner, e.owner != ""},
		{hasRef, e.ref != ""},
		{hasLabels, len(e.labels) > 0},
		{hasHold, e.hold != nil},
		{hasParent, e.parent != 0},
		{hasCreatedAt, e.createdAt != 0},
		{hasDamage, e.damage != ""},
		{hasImage, e.image != position{}},
		{hasSaidBlockedBy, !slices.Equal(e.said.blockedBy, e.blockedBy)},
		{hasSaidBlocks, !slices.Equal(e.said.blocks, e.blocks)},
		{hasBlockers, !slices.Equal(e.blockers, sorted)},
		{hasChildren, len(e.children) > 0},
		{hasClaim, e.claim.Live()},
		{hasExpired, e.expired > 0},
		{hasTimes, e.times != times{}},
		{hasWas, len(e.was) > 0},
		{hasMerging, len(e.merging) > 0},
		{hasShared, e.isShared()},
		{hasLeft, len(e.left) > 0},
	} {
		if p.set {
			has |= p.part
		}
	}
	w := packer{dst}
	w.uint(has)
	w.text(e.subject)
	w.ids(e.blockedBy)
	w.ids(e.blocks)
	if has&hasOwner != 0 {
		w.text(e.owner)
	}
	if has&hasRef != 0 {
		w.text(e.ref)
	}
	if has&hasLabels != 0 {
		w.uint(uint64(len(e.labels)))
		for _, label := range e.labels {
			w.text(label)
		}
	}
	if has&hasHold != 0 {
		w.text(e.hold.Reason)
		w.text(e.hold.By)
		w.int(taskjson.Millis(e.hold.At))
	}
	if has&hasParent != 0 {
		w.uint(uint64(e.parent))
	}
	if has&hasCreatedAt != 0 {
		w.int(e.createdAt)
	}
	if has&hasDamage != 0 {
		w.text(e.damage)
	}
	if has&hasImage != 0 {
		w.uint(uint64(e.image.segment))
		w.uint(uint64(e.image.offset))
	}
	if has&hasSaidBlockedBy != 0 {
		w.ids(e.said.blockedBy)
	}
	if has&hasSaidBlocks != 0 {
		w.ids(e.said.blocks)
	}
	if has&hasBlockers != 0 {
		w.ids(e.blockers)
	}
	if has&hasChildren != 0 {
		w.ids(e.children)
		w.uint(uint64(e.open))
	}
	if has&hasClaim != 0 {
		w.text(e.claim.Session)
		w.text(e.claim.Agent)
		w.uint(uint64(e.claim.Token))
		w.int(int64(e.claim.Lease))
		w.int(taskjson.Millis(e.claim.Until))
	}
	if has&hasExpired != 0 {
		w.uint(uint64(e.expired))
	}
	if has&hasTimes != 0 {
		w.int(since(e.createdAt, e.times.updated))
		w.int(since(e.createdAt, e.times.started))
		w.int(since(e.createdAt, e.times.completed))
	}
	if has&hasWas != 0 {
		w.ids(e.was)
	}
	if has&hasMerging != 0 {
		w.others(e.merging)
	}
	if has&hasShared != 0 {
		w.text(e.claim.Clone)
		w.int(taskjson.Millis(e.claim.Confirmed))
	}
	if has&hasLeft != 0 {
		w.uint(uint64(len(e.left)))
		for i := range e.left {
			w.text(e.left[i].Check)
			w.text(e.left[i].Sum)
		}
	}
	return w.buf
}

// inOrder returns ids by number.
func inOrder(ids []pawl.ID) []pawl.ID {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	return sorted
}

// since is how much later than another a moment is, which takes less room than
// the moment. Zero stays zero: the moment is not known.
func since(first, at int64) int64 {
	switch {
	case at == 0:
		return 0
	case at >= first:
		return at - first + 1
	}
	return at - first
}

// after is the moment that since was asked about.
func after(first, by int64) int64 {
	switch {
	case by == 0:
		return 0
	case by > 0:
		return first + by - 1
	}
	return first + by
}

// unpack makes the entry of a record and its blob. Nothing in it shares memory
// with either.
func unpack(rec record, blob []byte) *entry {
	flags := rec.flags()
	e := &entry{
		id: rec.id(), info: rec.info(), hash: rec.hash(), racy: rec.racy(), checked: rec.checked(), conflicted: flags&flagConflicted != 0,
		status: rec.status(), priority: pawl.Priority(int8(rec[59])),
		urgency: pawl.Priority(int8(rec[60])), height: rec.height(),
	}
	r := unpacker{blob}
	has := r.uint()
	e.subject = r.text()
	e.blockedBy = r.ids()
	e.blocks = r.ids()
	if has&hasOwner != 0 {
		e.owner = r.text()
	}
	if has&hasRef != 0 {
		e.ref = r.text()
	}
	if has&hasLabels != 0 {
		for range min(r.uint(), uint64(len(r.buf))) {
			e.labels = append(e.labels, r.text())
		}
	}
	if has&hasHold != 0 {
		e.hold = &pawl.Hold{Reason: r.text(), By: r.text(), At: taskjson.FromMillis(r.int())}
	}
	if has&hasParent != 0 {
		e.parent = pawl.ID(r.uint())
	}
	if has&hasCreatedAt != 0 {
		e.createdAt = r.int()
	}
	if has&hasDamage != 0 {
		e.damage = r.text()
	}
	if has&hasImage != 0 {
		e.image = position{segment: int(r.uint()), offset: int64(r.uint())}
	}
	e.said = said{
		blockedBy: e.blockedBy, hasBlockedBy: flags&flagNoBlockedBy == 0,
		blocks: e.blocks, hasBlocks: flags&flagNoBlocks == 0,
	}
	if has&hasSaidBlockedBy != 0 {
		e.said.blockedBy = r.ids()
	}
	if has&hasSaidBlocks != 0 {
		e.said.blocks = r.ids()
	}
	if has&hasBlockers != 0 {
		e.blockers = r.ids()
	} else {
		e.blockers = inOrder(e.blockedBy)
	}
	if has&hasChildren != 0 {
		e.children = r.ids()
		e.open = int(r.uint())
	}
	if has&hasClaim != 0 {
		e.claim = pawl.Claim{
			Session: r.text(), Agent: r.text(), Token: pawl.Revision(r.uint()),
			Lease: pawl.Duration(r.int()), Until: taskjson.FromMillis(r.int()),
		}
	}
	if has&hasExpired != 0 {
		e.expired = int(r.uint())
	}
	if has&hasTimes != 0 {
		e.times = times{after(e.createdAt, r.int()), after(e.createdAt, r.int()), after(e.createdAt, r.int())}
	}
	if has&hasWas != 0 {
		e.was = r.ids()
	}
	if has&hasMerging != 0 {
		e.merging = r.others()
	}
	if has&hasShared != 0 {
		e.claim.Clone, e.claim.Confirmed = r.text(), taskjson.FromMillis(r.int())
	}
	if has&hasLeft != 0 {
		for range min(r.uint(), uint64(len(r.buf))) {
			e.left = append(e.left, pawl.NoRun(r.text(), r.text()))
		}
	}
	return e
}
