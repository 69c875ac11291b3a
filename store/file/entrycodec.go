package file

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

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
	flagBusy        // in progress, claimed, or with leases that ran out
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
		{flagBusy, e.isBusy()},
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

// appendBlob appends the part of e whose size differs.
func appendBlob(dst []byte, e *entry) []byte {
	c := codec{w: packer{append(dst, 0, 0, 0, 0)}}
	c.entry(e)
	binary.LittleEndian.PutUint32(c.w.buf[len(dst):], c.parts)
	return c.w.buf
}

// A codec writes a blob, or reads it: which optional parts are there, a bit each, and
// then each part in turn.
type codec struct {
	w     packer
	r     unpacker
	reads bool
	parts uint32
	next  uint32 // the bit of the next part
}

func decoder(blob []byte) *codec {
	c := &codec{r: unpacker{blob}, reads: true}
	if len(blob) >= 4 {
		c.parts, c.r.buf = binary.LittleEndian.Uint32(blob), blob[4:]
	}
	return c
}

// part reports whether the next part is there. To read, says does not matter.
func (c *codec) part(says bool) bool {
	bit := uint32(1) << c.next
	c.next++
	if says && !c.reads {
		c.parts |= bit
	}
	return c.parts&bit != 0
}

func (c *codec) text(s *string) {
	if c.reads {
		*s = c.r.text()
	} else {
		c.w.text(*s)
	}
}

func (c *codec) ids(ids *[]pawl.ID) {
	if c.reads {
		*ids = c.r.ids()
	} else {
		c.w.ids(*ids)
	}
}

func number[N ~int | ~int64 | ~uint64](c *codec, n *N) {
	if c.reads {
		*n = N(c.r.uint())
	} else {
		c.w.uint(uint64(*n))
	}
}

// signed is for numbers that may be below zero.
func signed[N ~int64](c *codec, n *N) {
	if c.reads {
		*n = N(c.r.int())
	} else {
		c.w.int(int64(*n))
	}
}

func (c *codec) time(t *time.Time) {
	ms := millis(*t)
	if signed(c, &ms); c.reads {
		*t = fromMillis(ms)
	}
}

// list writes each value, or reads it: each takes at least a byte.
func list[T any](c *codec, all *[]T, one func(*codec, *T)) {
	if !c.reads {
		c.w.uint(uint64(len(*all)))
		for i := range *all {
			one(c, &(*all)[i])
		}
		return
	}
	for i := range c.r.count() {
		*all = append(*all, *new(T))
		one(c, &(*all)[i])
	}
}

func (c *codec) entry(e *entry) {
	c.moments(&e.createdAt, &e.times)
	c.text(&e.subject)
	c.ids(&e.blockedBy)
	c.ids(&e.blocks)
	sorted := inOrder(e.blockedBy)
	if c.reads {
		e.said.blockedBy, e.said.blocks, e.blockers = e.blockedBy, e.blocks, sorted
	}
	if c.part(e.owner != "") {
		c.text(&e.owner)
	}
	if c.part(e.ref != "") {
		c.text(&e.ref)
	}
	if c.part(len(e.labels) > 0) {
		list(c, &e.labels, (*codec).text)
	}
	if c.part(e.hold != nil) {
		if c.reads {
			e.hold = &pawl.Hold{}
		}
		c.text(&e.hold.Reason)
		c.text(&e.hold.By)
		c.time(&e.hold.At)
	}
	if c.part(e.parent != 0) {
		number(c, &e.parent)
	}
	if c.part(e.damage != "") {
		c.text(&e.damage)
	}
	if c.part(e.image != position{}) {
		number(c, &e.image.segment)
		number(c, &e.image.offset)
	}
	if c.part(!slices.Equal(e.said.blockedBy, e.blockedBy)) {
		c.ids(&e.said.blockedBy)
	}
	if c.part(!slices.Equal(e.said.blocks, e.blocks)) {
		c.ids(&e.said.blocks)
	}
	if c.part(!slices.Equal(e.blockers, sorted)) {
		c.ids(&e.blockers)
	}
	if c.part(len(e.children) > 0) {
		c.ids(&e.children)
		number(c, &e.open)
	}
	if c.part(e.claim.Live()) {
		c.text(&e.claim.Session)
		c.text(&e.claim.Agent)
		number(c, &e.claim.Token)
		signed(c, &e.claim.Lease)
		c.time(&e.claim.Until)
	}
	if c.part(e.expired > 0) {
		number(c, &e.expired)
	}
	if c.part(len(e.was) > 0) {
		c.ids(&e.was)
	}
	if c.part(len(e.merging) > 0) {
		list(c, &e.merging, (*codec).other)
	}
	if c.part(e.isShared()) {
		c.text(&e.claim.Clone)
		c.time(&e.claim.Confirmed)
	}
	if c.part(len(e.left) > 0) {
		list(c, &e.left, (*codec).noRun)
	}
}

// moments come first: to find what was done last, they are read of all that is done.
func (c *codec) moments(created *int64, t *times) {
	if c.part(*created != 0) {
		signed(c, created)
	}
	if !c.part(*t != times{}) {
		return
	}
	for _, at := range []*int64{&t.updated, &t.started, &t.completed} {
		by := since(*created, *at)
		if signed(c, &by); c.reads {
			*at = after(*created, by)
		}
	}
}

// completed reads only when a task was completed.
func completed(blob []byte) int64 {
	var created int64
	var t times
	decoder(blob).moments(&created, &t)
	return t.completed
}

// other is a task as BriefMerging has it.
func (c *codec) other(t *pawl.Task) {
	status := max(0, slices.Index(statuses[:], t.Status))
	number(c, &t.ID)
	c.text(&t.Subject)
	number(c, &status)
	c.text(&t.Owner)
	c.time(&t.CreatedAt)
	if c.reads {
		t.Status = statuses[min(uint(status), uint(len(statuses)-1))]
	}
}

func (c *codec) noRun(left *pawl.Evidence) {
	c.text(&left.Check)
	c.text(&left.Sum)
	if c.reads {
		*left = pawl.NoRun(left.Check, left.Sum)
	}
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
	decoder(blob).entry(e)
	e.said.hasBlockedBy, e.said.hasBlocks = flags&flagNoBlockedBy == 0, flags&flagNoBlocks == 0
	return e
}
