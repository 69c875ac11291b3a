//go:build unix

package file

import (
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// folders are the open folders of a board. While somebody holds them they stay
// open: a command asks for things in the same few folders dozens of times.
type folders struct {
	mu   sync.Mutex
	held *openFolders // nil: nobody holds any
}

// openFolders are folders that were opened one from the other. They are closed
// when their last user goes.
type openFolders struct {
	users int
	fds   map[string]int
	at    fileInfo // the board's folder, once it is open
}

// Hold keeps folders open until release. Folders that are held already are shared
// while the board's folder is still the one at its path.
func (f *osFS) Hold() (release func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.held == nil || !f.current(f.held) {
		f.held = &openFolders{fds: map[string]int{}}
	}
	h := f.held
	h.users++
	return func() { f.leave(h) }
}

// moveOn makes later calls look for the board's folder again, if it is no longer
// the open one.
func (f *osFS) moveOn() (moved bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if moved = f.held != nil && !f.current(f.held); moved {
		f.held = nil
	}
	return moved
}

// current reports whether a new look would find the same folder.
func (f *osFS) current(h *openFolders) bool {
	if h.at.Kind == kindAbsent {
		return true
	}
	var st unix.Stat_t
	err := again(func() error { return unix.Fstatat(unix.AT_FDCWD, f.dir, &st, unix.AT_SYMLINK_NOFOLLOW) })
	now := infoOf(&st)
	return err == nil && now.Inode == h.at.Inode && now.Device == h.at.Device
}

// folder returns an open folder; done is called when it is no longer used.
func (f *osFS) folder(name string) (fd int, done func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.held
	if h == nil {
		h = &openFolders{fds: map[string]int{}}
	}
	if fd, err = h.open(f.dir, name); err != nil {
		if h != f.held {
			h.close()
		}
		return -1, nil, err
	}
	h.users++
	return fd, func() { f.leave(h) }, nil
}

// open opens a folder, one element of its name after the other, so that none of
// them can be a symbolic link.
func (h *openFolders) open(dir, name string) (fd int, err error) {
	if fd, ok := h.fds[name]; ok {
		return fd, nil
	}
	parent, base := unix.AT_FDCWD, dir
	if name != "." {
		above := "."
		base = name
		if i := strings.LastIndexByte(name, '/'); i >= 0 {
			above, base = name[:i], name[i+1:]
		}
		if parent, err = h.open(dir, above); err != nil {
			return -1, err
		}
	}
	if fd, err = openat(parent, base, unix.O_RDONLY|unix.O_DIRECTORY, 0); err != nil {
		return -1, err
	}
	if name == "." {
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			unix.Close(fd)
			return -1, err
		}
		h.at = infoOf(&st)
	}
	h.fds[name] = fd
	return fd, nil
}

func (f *osFS) leave(h *openFolders) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if h.users--; h.users > 0 {
		return
	}
	h.close()
	if f.held == h {
		f.held = nil
	}
}

func (h *openFolders) close() {
	for _, fd := range h.fds {
		unix.Close(fd)
	}
	clear(h.fds)
}
