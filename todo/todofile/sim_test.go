package todofile

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A simDisk is a disk in memory that forgets: texts that were not synced, and
// entries of folders that were not, may be lost in a power cut, each by itself
// and in any order.
type simDisk struct {
	folders map[string]*simFolder // by path; "." is the store's
	now     time.Time
	calls   int
	held    map[string]bool
	// before runs before each call.
	before func(call int, op, name string) error
	// without is what a planted fault leaves out: "file" or "folder" syncs.
	without string
}

type simFolder struct {
	names map[string]*simFile
	past  map[string][]*simFile // what a name stood for since the folder was synced; the first is on the platter
}

type simFile struct {
	text    []byte
	dirty   bool
	written time.Time
}

func newSimDisk() *simDisk {
	return &simDisk{folders: map[string]*simFolder{}, now: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), held: map[string]bool{}}
}

// A simProcess is the disk as one process sees it, until it dies.
type simProcess struct {
	*simDisk
	dead bool
}

func (d *simDisk) open(t testing.TB) *Store {
	d.held = map[string]bool{} // the process that had them is gone
	s := open(t, "/sim", WithClock(func() time.Time { return d.now }))
	s.disk = &simProcess{simDisk: d}
	return s
}

var (
	errDead  = errors.New("the process is dead")
	errShort = errors.New("a part was written")
)

// A crash is what a process dies of.
type crash struct{}

func (p *simProcess) call(op, name string) error {
	if p.dead {
		return errDead
	}
	p.calls++
	p.now = p.now.Add(time.Millisecond)
	if p.before == nil {
		return nil
	}
	err := p.before(p.calls, op, name)
	if errors.Is(err, errDead) {
		p.dead = true
		panic(crash{})
	}
	if err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

func (d *simDisk) at(name string) (folder *simFolder, base string) {
	if dir, base, ok := strings.Cut(name, "/"); ok {
		return d.folders[dir], base
	}
	return d.folders["."], name
}

func (d *simDisk) find(name string) *simFile {
	folder, base := d.at(name)
	if folder == nil {
		return nil
	}
	return folder.names[base]
}

func (f *simFolder) set(base string, file *simFile) {
	if len(f.past[base]) == 0 {
		f.past[base] = []*simFile{f.names[base]}
	}
	f.past[base] = append(f.past[base], file)
	if f.names[base] = file; file == nil {
		delete(f.names, base)
	}
}

func missing(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

func (p *simProcess) stat(name string) (time.Time, error) {
	if err := p.call("stat", name); err != nil {
		return time.Time{}, err
	}
	if file := p.find(name); file != nil {
		return file.written, nil
	}
	return time.Time{}, missing("stat", name)
}

func (p *simProcess) sight(name string) (sight, error) {
	written, err := p.stat(name)
	return sight{written: written.UnixNano()}, err
}

func (p *simProcess) read(name string, limit int64) ([]byte, time.Time, error) {
	if err := p.call("read", name); err != nil {
		return nil, time.Time{}, err
	}
	file := p.find(name)
	if file == nil {
		return nil, time.Time{}, missing("read", name)
	}
	return append([]byte{}, file.text...), file.written, nil
}

func (p *simProcess) list(dir string) ([]string, error) {
	if err := p.call("list", dir); err != nil {
		return nil, err
	}
	folder := p.folders[dir]
	if folder == nil {
		return nil, missing("list", dir)
	}
	return slices.Collect(maps.Keys(folder.names)), nil
}

func (p *simProcess) mkdir(dir string) error {
	if err := p.call("mkdir", dir); err != nil {
		return err
	}
	if p.folders[dir] == nil {
		p.folders[dir] = &simFolder{map[string]*simFile{}, map[string][]*simFile{}}
	}
	return nil
}

func (p *simProcess) create(name string, text []byte) error {
	err := p.call("create", name)
	if err != nil && !errors.Is(err, errShort) {
		return err
	}
	folder, base := p.at(name)
	if folder == nil {
		return missing("create", name)
	}
	if folder.names[base] != nil {
		return &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	if err != nil {
		text, err = text[:len(text)/2], &fs.PathError{Op: "write", Path: name, Err: syscall.ENOSPC}
	}
	folder.set(base, &simFile{slices.Clone(text), true, p.now})
	return err
}

func (p *simProcess) append(name string, text []byte) error {
	err := p.call("append", name)
	if err != nil && !errors.Is(err, errShort) {
		return err
	}
	folder, base := p.at(name)
	if folder == nil {
		return missing("append", name)
	}
	if folder.names[base] == nil {
		folder.set(base, &simFile{})
	}
	if err != nil {
		text, err = text[:len(text)/2], &fs.PathError{Op: "write", Path: name, Err: syscall.ENOSPC}
	}
	file := folder.names[base]
	file.text, file.dirty, file.written = slices.Concat(file.text, text), true, p.now
	return err
}

func (p *simProcess) sync(name string) error {
	if err := p.call("sync", name); err != nil {
		return err
	}
	if folder := p.folders[name]; folder != nil {
		if p.without != "folder" {
			folder.past = map[string][]*simFile{}
		}
		return nil
	}
	file := p.find(name)
	if file == nil {
		return missing("sync", name)
	}
	if p.without != "file" {
		file.dirty = false
	}
	return nil
}

func (p *simProcess) rename(from, to string) error {
	if err := p.call("rename", to); err != nil {
		return err
	}
	file := p.find(from)
	if file == nil {
		return missing("rename", from)
	}
	folder, base := p.at(from)
	folder.set(base, nil)
	folder, base = p.at(to)
	folder.set(base, file)
	return nil
}

func (p *simProcess) remove(name string) error {
	if err := p.call("remove", name); err != nil {
		return err
	}
	if p.find(name) == nil {
		return missing("remove", name)
	}
	folder, base := p.at(name)
	folder.set(base, nil)
	return nil
}

// Locks do not wait: in these tests nobody goes on who could give one up.
func (p *simProcess) lock(_ context.Context, name string) (func(), error) {
	unlock, got, err := p.try(name, true)
	if err == nil && !got {
		err = errBusy
	}
	return unlock, err
}

func (p *simProcess) try(name string, make bool) (func(), bool, error) {
	if err := p.call("lock", name); err != nil {
		return nil, false, err
	}
	folder, base := p.at(name)
	if folder == nil || folder.names[base] == nil && !make {
		return nil, false, missing("lock", name)
	}
	if folder.names[base] == nil {
		folder.set(base, &simFile{written: p.now})
	}
	if p.held[name] {
		return nil, false, nil
	}
	p.held[name] = true
	return func() { delete(p.held, name) }, true, nil
}

// powerCut loses what was not synced, or some of it.
func (d *simDisk) powerCut(rnd *rand.Rand) {
	seen := map[*simFile]bool{}
	for _, dir := range slices.Sorted(maps.Keys(d.folders)) {
		folder := d.folders[dir]
		for _, base := range slices.Sorted(maps.Keys(folder.past)) {
			past := folder.past[base]
			file := past[rnd.IntN(len(past))]
			if folder.names[base] = file; file == nil {
				delete(folder.names, base)
			}
		}
		folder.past = map[string][]*simFile{}
		for _, base := range slices.Sorted(maps.Keys(folder.names)) {
			if file := folder.names[base]; file.dirty && !seen[file] {
				seen[file] = true
				file.text, file.dirty = damaged(file.text, rnd), false
			}
		}
	}
}

// damaged is what may be left of a new file that was not synced.
func damaged(text []byte, rnd *rand.Rand) []byte {
	switch rnd.IntN(4) {
	case 0:
		return nil
	case 1:
		return make([]byte, len(text))
	case 2:
		return slices.Clone(text[:rnd.IntN(len(text)+1)])
	}
	return text
}

// put writes a file as another program would, uncounted, and to the platter.
func (d *simDisk) put(name, text string) {
	folder, base := d.at(name)
	delete(folder.past, base)
	folder.names[base] = &simFile{text: []byte(text), written: d.now}
}
