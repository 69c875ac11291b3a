package file

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"syscall"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
)

func readOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

// withoutLock reports whether a reader does without the lock that it did not
// get: where nothing can be written, or nobody ever wrote.
func withoutLock(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || readOnly(err)
}

// unwritable says why nothing could be written, after which nothing has been.
func unwritable(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return pawl.Errorf(pawl.Unavailable, "the disk is full, so nothing was changed: %w", err).
			Say("make room on that disk, then repeat this")
	case errors.Is(err, fs.ErrPermission), readOnly(err):
		e := pawl.Errorf(pawl.Unavailable, "the board's folder cannot be written to, so nothing was changed: %w", err)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "make the folder writable, or name another board; reading works as it is"}
		return clone.Denied(e, "")
	case errors.Is(err, errIrregular):
		return misplaced("", err)
	}
	return pawl.Errorf(pawl.Unavailable, "the board could not be written, so nothing was changed: %w", err)
}

// impossible reports whether err says that there can be no such folder: its
// place is in a file, its name is too long, links lead in a cycle.
func impossible(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EINVAL)
}

// noPlace says that a board's folder can never be made where it was asked for.
func noPlace(err error) error {
	return pawl.Errorf(pawl.Invalid, "there can be no board in that place: %w", err).Say("name another folder")
}

// unmade says why the board's folder could not be made. One in which nothing
// can be, as in /proc, reports that the file does not exist.
func unmade(err error) error {
	if impossible(err) || absent(err) {
		return noPlace(err)
	}
	return unwritable(err)
}

// unreadable says why the board as a whole cannot be read.
func (s *Store) unreadable(err error) error { return unreadable(s.dir, err) }

func unreadable(dir string, err error) error {
	if e, ok := errors.AsType[*pawl.Error](err); ok {
		return e
	}
	if errors.Is(err, errIrregular) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) {
		return misplaced(dir, err)
	}
	return clone.Denied(pawl.Errorf(pawl.Unavailable, "the board cannot be read: %w", err), "")
}

// misplaced says what stands in the way of the board in dir, where that has to
// have a folder or a file of its own.
func misplaced(dir string, err error) error {
	name := "."
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		name = at.Path
	}
	is := "is a symbolic link, no folder"
	switch {
	case errors.Is(err, syscall.ENOTDIR): // said of what is in it
		name, is = path.Dir(name), "is not a folder"
	case errors.Is(err, errIrregular) && (name == "." || name == stateDir):
		is = "is not a folder"
	case errors.Is(err, errIrregular):
		is = "is not a regular file"
	}
	e := pawl.Errorf(pawl.Invalid, "%s %s, and the board needs one there", filepath.Join(dir, name), is)
	e.Cause = err
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "move it to another place, then repeat this"}
	return e
}

func newerFormat(what string, has int) error {
	e := pawl.Errorf(pawl.Invalid, "the board's %s has format %d, and this version of Pawl knows formats up to %d: use a newer one", what, has, format)
	e.Cause = errNewer
	return e
}

var errNewer = errors.New("a newer version of Pawl keeps this board")

// errAgain asks for another attempt: the files were not as they had been. It
// is what the caller gets when that does not help.
var errAgain = &pawl.Error{
	Kind:    pawl.Conflict,
	Message: "the task files kept changing while they were to be written, so nothing was changed",
	Hint:    pawl.Hint{Step: pawl.HintRetry},
}
