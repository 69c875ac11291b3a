package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// A disk is a file system in memory that forgets. Data that was not synced and
// entries of folders that were not synced may be lost in a power cut, each by
// itself and in any order, as may the tail of a file.
//
// What a rename does to a file's ctime is lost when a part of the rename is:
// the file systems that we know write both in one transaction of their own.
type disk struct {
	root  *node
	next  uint64
	now   int64 // the file system's clock
	boot  int
	git   bool
	seen  bool   // git sees the board
	kin   string // of the clone that the board is in
	calls int
	// before runs before each call that is counted.
	before  func(call int, op, name string) error
	noSync  bool                            // a planted bug: syncs do nothing
	holders map[string]map[*simProcess]bool // of locks, and whether they are exclusive
	plain   bool                            // Exchange is not supported
	// tell is called with each name of the board's folder that changes.
	tell      []func(name string)
	residents []*Store // in whose hands simStore leaves the disk, in turns
	turns     int
}

// A node is a file or a folder.
type node struct {
	inode        uint64
	kind         fileKind
	data         []byte
	saved        []byte // as it is on the platter
	mtime, ctime int64
	dirty        bool
	names        map[string]*node
	past         map[string][]moment // what a name stood for since the folder was synced; the first is on the platter
}

// A moment is what a name stood for at some time.
type moment struct {
	node  *node // nil: nothing
	ctime int64
}

func newDisk() *disk {
	d := &disk{now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano(), boot: 1, holders: map[string]map[*simProcess]bool{}}
	d.root = d.make(kindFolder)
	return d
}

func (d *disk) make(kind fileKind) *node {
	d.next++
	n := &node{inode: d.next, kind: kind, mtime: d.now, ctime: d.now}
	if kind == kindFolder {
		n.names, n.past = map[string]*node{}, map[string][]moment{}
	}
	return n
}

func (d *disk) tick() { d.now += int64(time.Millisecond) }

// set makes a name of a folder stand for another node, or for nothing.
func (d *disk) set(dir *node, name string, n *node) {
	was := dir.names[name]
	if len(dir.past[name]) == 0 {
		dir.past[name] = []moment{momentOf(was)}
	}
	if n == nil {
		delete(dir.names, name)
	} else {
		dir.names[name] = n
		n.ctime = d.now
	}
	dir.past[name] = append(dir.past[name], momentOf(n))
	dir.mtime, dir.ctime = d.now, d.now
	d.changed(dir, name)
}

func (d *disk) changed(dir *node, name string) {
	if dir == d.root {
		for _, tell := range d.tell {
			tell(name)
		}
	}
}

func momentOf(n *node) moment {
	if n == nil {
		return moment{}
	}
	return moment{n, n.ctime}
}

func (d *disk) find(name string) (dir *node, base string, n *node, err error) {
	dir = d.root
	if name == "." {
		return nil, ".", dir, nil
	}
	parts := strings.Split(name, "/")
	for _, part := range parts[:len(parts)-1] {
		dir = dir.names[part]
		if dir == nil || dir.kind != kindFolder {
			return nil, "", nil, &fs.PathError{Op: "find", Path: name, Err: fs.ErrNotExist}
		}
	}
	base = parts[len(parts)-1]
	return dir, base, dir.names[base], nil
}

// powerCut loses what was not synced, or some of it, and starts again.
func (d *disk) powerCut(rnd *rand.Rand) {
	ctimes := map[*node]int64{}
	d.cut(d.root, rnd, ctimes, map[*node]bool{})
	for n, ctime := range ctimes {
		n.ctime = ctime
	}
	d.boot++
	d.now += int64(time.Minute)
}

func (d *disk) cut(n *node, rnd *rand.Rand, ctimes map[*node]int64, seen map[*node]bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	if n.kind == kindRegular {
		if n.dirty {
			n.data = damaged(n, rnd)
		}
		n.dirty, n.saved = false, slices.Clone(n.data)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(n.past)) {
		past := n.past[name]
		m := past[rnd.IntN(len(past))]
		if m.node == nil {
			delete(n.names, name)
		} else {
			n.names[name] = m.node
			if c, ok := ctimes[m.node]; !ok || m.ctime < c {
				ctimes[m.node] = m.ctime
			}
		}
	}
	n.past = map[string][]moment{}
	for _, name := range slices.Sorted(maps.Keys(n.names)) {
		d.cut(n.names[name], rnd, ctimes, seen)
	}
}

// damaged is what may be left of a file that was not synced.
func damaged(n *node, rnd *rand.Rand) []byte {
	if len(n.saved) > len(n.data) && len(n.data) > 0 { // it was cut: the old end may come back
		if rnd.IntN(2) == 0 {
			return slices.Clone(n.saved)
		}
		return slices.Clone(n.data)
	}
	if len(n.saved) > 0 && len(n.saved) <= len(n.data) { // what was there stays
		tail := n.data[len(n.saved):]
		kept := append(slices.Clone(n.saved), tail[:rnd.IntN(len(tail)+1)]...)
		if rnd.IntN(4) == 0 {
			kept = append(kept, make([]byte, len(n.data)-len(kept))...)
		}
		return kept
	}
	switch rnd.IntN(4) {
	case 0:
		return nil
	case 1:
		return make([]byte, len(n.data))
	case 2:
		return slices.Clone(n.data[:rnd.IntN(len(n.data)+1)])
	}
	return slices.Clone(n.data)
}

// simProcess is the disk as one process sees it, until it dies.
type simProcess struct {
	*disk
	dead bool
}

func (d *disk) process() *simProcess { return &simProcess{disk: d} }

var errDead = errors.New("the process is dead")

// A crash is what a process dies of.
type crash struct{}

func (p *simProcess) call(op, name string) error {
	if p.dead {
		return errDead
	}
	p.calls++
	if p.before != nil {
		if err := p.before(p.calls, op, name); err != nil {
			if errors.Is(err, errDead) {
				p.dead = true
				panic(crash{})
			}
			return &fs.PathError{Op: op, Path: name, Err: err}
		}
	}
	p.tick()
	return nil
}

func (n *node) info() fileInfo {
	return fileInfo{Kind: n.kind, Device: 1, Inode: n.inode, Size: int64(len(n.data)), Mtime: n.mtime, Ctime: n.ctime}
}

func (p *simProcess) Stat(name string) (fileInfo, error) {
	if err := p.call("stat", name); err != nil {
		return fileInfo{}, err
	}
	return p.stat(name)
}

func (d *disk) stat(name string) (fileInfo, error) {
	_, _, n, err := d.find(name)
	if err != nil {
		return fileInfo{}, err
	}
	if n == nil {
		return fileInfo{}, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return n.info(), nil
}

func (p *simProcess) Hold() (release func()) { return func() {} }

func (p *simProcess) StatEach(count int, name func(int, []byte) []byte, got func(int, fileInfo)) error {
	if err := p.call("stateach", "."); err != nil {
		return err
	}
	for i := range count {
		info, _ := p.stat(string(name(i, nil)))
		got(i, info)
	}
	return nil
}

func (p *simProcess) List(dir string, got func([]byte)) error {
	if err := p.call("list", dir); err != nil {
		return err
	}
	_, _, n, err := p.find(dir)
	if err != nil || n == nil {
		return &fs.PathError{Op: "list", Path: dir, Err: fs.ErrNotExist}
	}
	for _, name := range slices.Sorted(maps.Keys(n.names)) {
		got([]byte(name))
	}
	return nil
}

func (p *simProcess) Read(name string, limit int64) ([]byte, fileInfo, error) {
	if err := p.call("read", name); err != nil {
		return nil, fileInfo{}, err
	}
	_, _, n, err := p.find(name)
	switch {
	case err != nil:
		return nil, fileInfo{}, err
	case n == nil:
		return nil, fileInfo{}, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	case n.kind != kindRegular:
		return nil, n.info(), &fs.PathError{Op: "read", Path: name, Err: errIrregular}
	case int64(len(n.data)) > limit:
		return nil, n.info(), &fs.PathError{Op: "read", Path: name, Err: errTooLarge}
	}
	return slices.Clone(n.data), n.info(), nil
}

func (p *simProcess) Create(name string, data []byte) (fileInfo, error) {
	short := p.call("create", name)
	if short != nil && !errors.Is(short, errShort) {
		return fileInfo{}, short
	}
	dir, base, n, err := p.find(name)
	if err != nil {
		return fileInfo{}, err
	}
	if n != nil {
		return fileInfo{}, &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	if short != nil {
		data = data[:len(data)/2]
	}
	n = p.make(kindRegular)
	n.data, n.dirty = slices.Clone(data), true
	p.set(dir, base, n)
	return n.info(), short
}

// errShort makes a write stop half-way.
var errShort = errors.New("no space left after a part of it")

func (p *simProcess) Open(name string, write bool) (storeFile, error) {
	if err := p.call("open", name); err != nil {
		return nil, err
	}
	dir, base, n, err := p.find(name)
	if err != nil {
		return nil, err
	}
	if n == nil {
		if !write {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		n = p.make(kindRegular)
		p.set(dir, base, n)
	}
	return &simFile{p, n, name}, nil
}

func (p *simProcess) Mkdir(name string) error {
	if err := p.call("mkdir", name); err != nil {
		return err
	}
	if name == "." {
		return nil
	}
	dir, base, n, err := p.find(name)
	if err != nil {
		return err
	}
	if n == nil {
		p.set(dir, base, p.make(kindFolder))
	}
	return nil
}

func (p *simProcess) Rename(from, to string) error { return p.rename("rename", from, to) }

func (p *simProcess) RenameNew(from, to string) error { return p.rename("renamenew", from, to) }

func (p *simProcess) rename(op, from, to string) error {
	if err := p.call(op, to); err != nil {
		return err
	}
	fromDir, fromBase, n, err := p.find(from)
	if err != nil || n == nil {
		return &fs.PathError{Op: op, Path: from, Err: fs.ErrNotExist}
	}
	toDir, toBase, there, err := p.find(to)
	if err != nil {
		return err
	}
	if there != nil && op == "renamenew" {
		return &fs.PathError{Op: op, Path: to, Err: fs.ErrExist}
	}
	p.set(fromDir, fromBase, nil)
	p.set(toDir, toBase, n)
	return nil
}

func (p *simProcess) Exchange(a, b string) error {
	if err := p.call("exchange", b); err != nil {
		return err
	}
	if p.plain {
		return &fs.PathError{Op: "exchange", Path: a, Err: errors.ErrUnsupported}
	}
	aDir, aBase, aNode, errA := p.find(a)
	bDir, bBase, bNode, errB := p.find(b)
	if errA != nil || errB != nil || aNode == nil || bNode == nil {
		return &fs.PathError{Op: "exchange", Path: b, Err: fs.ErrNotExist}
	}
	at := aNode.ctime
	atB := bNode.ctime
	p.set(aDir, aBase, bNode)
	aNode.ctime, bNode.ctime = at, atB // so that the other name remembers it
	p.set(bDir, bBase, aNode)
	aNode.ctime, bNode.ctime = p.now, p.now
	return nil
}

func (p *simProcess) Remove(name string) error {
	if err := p.call("remove", name); err != nil {
		return err
	}
	dir, base, n, err := p.find(name)
	if err != nil || n == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	p.set(dir, base, nil)
	return nil
}

func (p *simProcess) Sync(name string) error {
	if err := p.call("sync", name); err != nil {
		return err
	}
	_, _, n, err := p.find(name)
	if err != nil || n == nil {
		return &fs.PathError{Op: "sync", Path: name, Err: fs.ErrNotExist}
	}
	p.save(n)
	return nil
}

func (p *simProcess) SyncEach(names []string) error {
	for _, name := range names {
		if err := p.Sync(name); err != nil && !absent(err) {
			return err
		}
	}
	return nil
}

func (d *disk) save(n *node) {
	if d.noSync {
		return
	}
	n.dirty, n.saved = false, slices.Clone(n.data)
	n.past = map[string][]moment{}
}

func (p *simProcess) SyncAll() error {
	if err := p.call("syncall", "."); err != nil {
		return err
	}
	var all func(n *node)
	all = func(n *node) {
		p.save(n)
		for _, m := range n.names {
			all(m)
		}
	}
	all(p.root)
	return nil
}

// Lock does not wait: in these tests nobody goes on who could give it up.
func (p *simProcess) Lock(_ context.Context, name string, exclusive bool) (func(), error) {
	if err := p.call("lock", name); err != nil {
		return nil, err
	}
	dir, base, n, err := p.find(name)
	if err != nil {
		return nil, err
	}
	if n == nil {
		if !exclusive {
			return nil, &fs.PathError{Op: "lock", Path: name, Err: fs.ErrNotExist}
		}
		p.set(dir, base, p.make(kindRegular))
	}
	for other := range p.holders[name] {
		if exclusive || p.holders[name][other] {
			return nil, &fs.PathError{Op: "lock", Path: name, Err: errors.New("it is held")}
		}
	}
	if p.holders[name] == nil {
		p.holders[name] = map[*simProcess]bool{}
	}
	p.holders[name][p] = exclusive
	return func() { delete(p.holders[name], p) }, nil
}

func (p *simProcess) Boot() string   { return fmt.Sprint("boot ", p.boot) }
func (p *simProcess) Remote() string { return "" }
func (p *simProcess) GitBusy() bool  { return p.git }
func (p *simProcess) GitSees() bool  { return p.seen }
func (p *simProcess) Kin() string    { return p.kin }

func (p *simProcess) IsOther(kin string) bool { return p.kin != "" && p.kin != kin }

type simFile struct {
	p    *simProcess
	n    *node
	name string
}

func (f *simFile) ReadAt(b []byte, off int64) (int, error) {
	if err := f.p.call("readat", f.name); err != nil {
		return 0, err
	}
	if off > int64(len(f.n.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.n.data[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *simFile) Write(b []byte) (int, error) {
	err := f.p.call("write", f.name)
	if err != nil && !errors.Is(err, errShort) {
		return 0, err
	}
	if err != nil {
		b = b[:len(b)/2]
	}
	f.n.data = append(slices.Clone(f.n.data), b...)
	f.n.dirty, f.n.mtime, f.n.ctime = true, f.p.now, f.p.now
	return len(b), err
}

func (f *simFile) Truncate(size int64) error {
	if err := f.p.call("truncate", f.name); err != nil {
		return err
	}
	f.n.data = slices.Clone(f.n.data[:min(int(size), len(f.n.data))])
	f.n.dirty, f.n.mtime, f.n.ctime = true, f.p.now, f.p.now
	return nil
}

func (f *simFile) Sync() error {
	if err := f.p.call("fdatasync", f.name); err != nil {
		return err
	}
	f.p.save(f.n)
	return nil
}

func (f *simFile) Stat() (fileInfo, error) {
	if err := f.p.call("fstat", f.name); err != nil {
		return fileInfo{}, err
	}
	return f.n.info(), nil
}

func (f *simFile) Close() error { return nil }

// What another program does to the files, without being
// counted.

func (d *disk) put(name, text string) {
	d.tick()
	dir, base, n, _ := d.find(name)
	if n == nil {
		n = d.make(kindRegular)
		d.set(dir, base, n)
	}
	n.data, n.dirty, n.mtime, n.ctime = []byte(text), true, d.now, d.now
	d.changed(dir, base)
}

// swap puts a new file in the place of one, as git and editors do.
func (d *disk) swap(name, text string) {
	d.tick()
	dir, base, _, _ := d.find(name)
	n := d.make(kindRegular)
	n.data, n.dirty = []byte(text), true
	d.set(dir, base, n)
}

func (d *disk) drop(name string) {
	d.tick()
	dir, base, _, _ := d.find(name)
	d.set(dir, base, nil)
}

func (d *disk) text(name string) string {
	_, _, n, err := d.find(name)
	if err != nil || n == nil {
		return ""
	}
	return string(n.data)
}
