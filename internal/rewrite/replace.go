package rewrite

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
)

// Replace writes a file that a person names: it has all that write writes, or is as
// before. A regular file keeps its mode, its owner and its group. A pipe is written
// into. A link is refused, because it may have come with somebody's project and
// lead to a file of the person's; so is anything that is not a file. Names are
// those of the system, and any number may be written at once.
func Replace(name string, write func(io.Writer) error) error { return replace(name, write, true) }

// Swap is [Replace] for a file that another program reads at once, and that nobody
// needs after a power cut: it does not wait for the disk.
func Swap(name string, text []byte) error {
	return replace(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}, false)
}

func replace(name string, write func(io.Writer) error, synced bool) error {
	old, err := target(name)
	if err != nil {
		return err
	}
	if old != nil && old.Mode()&fs.ModeNamedPipe != 0 {
		return fill(name, write)
	}
	file, err := Beside(name, old, 0o644)
	if err != nil {
		return unplaced(name, err)
	}
	defer os.Remove(file.Name()) // gone already if it was renamed
	err = write(file)
	if err == nil && synced {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return unplaced(name, err)
	}
	if now, err := target(name); err != nil {
		return err
	} else if now != nil && !now.Mode().IsRegular() {
		return pawl.Errorf(pawl.Conflict, "%s was made something else by somebody meanwhile", name)
	}
	if err = filelock.Rename(file.Name(), name); err == nil && synced {
		err = filelock.SyncFolder(filepath.Dir(name))
	}
	return unplaced(name, err)
}

// target looks at what a name stands for, and refuses what is not to be
// replaced or written into. Nil: there is nothing.
func target(name string) (fs.FileInfo, error) {
	info, err := os.Lstat(name)
	if _, base := filepath.Split(name); errors.Is(err, fs.ErrNotExist) && base != "" {
		return nil, nil
	}
	if err != nil {
		return nil, unplaced(name, err)
	}
	refuse := func(format string, args ...any) (fs.FileInfo, error) {
		return nil, pawl.Errorf(pawl.Invalid, format, args...)
	}
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		if at, err := os.Stat(name); err == nil && descriptor(name) && at.Mode()&fs.ModeNamedPipe != 0 {
			return at, nil
		}
		to, err := os.Readlink(name)
		if err != nil {
			return nil, unplaced(name, err)
		}
		return nil, pawl.Errorf(pawl.Invalid, "%s is a link to %s, and links are not written through", name, to).
			Say("name the file itself, if that is the one that you mean")
	case mode.IsDir():
		return refuse("%s is a folder, not a file", name)
	case mode&fs.ModeNamedPipe != 0:
	case mode&fs.ModeDevice != 0:
		return nil, pawl.Errorf(pawl.Invalid, "%s is a device, not a file", name).
			Say("write to stdout, with - for the name, and let the shell lead that to the device")
	case mode&fs.ModeSocket != 0:
		return refuse("%s is a socket, not a file", name)
	case !mode.IsRegular():
		return refuse("%s is not a regular file", name)
	case mode&0o200 == 0:
		return refuse("%s is read-only", name)
	}
	return info, nil
}

// descriptor reports whether a name is that of a stream that the process was
// given: a shell's >(command) is the name of a pipe there.
func descriptor(name string) bool {
	dir := filepath.Dir(name)
	return dir == "/dev/fd" || dir == "/proc/self/fd"
}

// fill writes into a pipe, as soon as somebody reads it.
func fill(name string, write func(io.Writer) error) error {
	file, err := openPipe(name, descriptor(name))
	if err != nil {
		return unplaced(name, err)
	}
	err = write(file)
	if closing := file.Close(); err == nil {
		err = closing
	}
	return unplaced(name, err)
}

// Beside makes the file that is to replace another, in the same folder and under a name
// that nobody who may write there can guess and occupy. It has the mode, the owner and
// the group of the old one, if there is one, else that mode as far as the umask lets it.
func Beside(name string, old fs.FileInfo, mode fs.FileMode) (*os.File, error) {
	if old != nil {
		mode = old.Mode().Perm()
	}
	temp := filepath.Join(filepath.Dir(name), ".pawl-"+strings.ToLower(rand.Text()))
	file, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil || old == nil {
		return file, err
	}
	if err = keepOwner(file, old); err == nil {
		err = file.Chmod(mode)
	}
	if err != nil {
		file.Close()
		os.Remove(temp)
		return nil, err
	}
	return file, nil
}

// unplaced says why a file that a person names was not written.
func unplaced(name string, err error) error {
	if err == nil {
		return nil
	}
	if _, told := errors.AsType[*pawl.Error](err); told {
		return err
	}
	folder := filepath.Dir(name)
	switch info, gone := os.Stat(folder); {
	case errors.Is(gone, fs.ErrNotExist):
		return pawl.Errorf(pawl.NotFound, "the folder %s does not exist", folder)
	case gone == nil && !info.IsDir():
		return pawl.Errorf(pawl.Invalid, "%s is a file, not a folder", folder)
	}
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		err = of.Err // the name in it may be that of the file beside it
	} else if of, ok := errors.AsType[*os.LinkError](err); ok {
		err = of.Err
	}
	return pawl.Errorf(pawl.Unavailable, "%s cannot be written: %w", name, err)
}
