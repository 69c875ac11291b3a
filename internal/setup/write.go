package setup

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/rewrite"
)

// maxConfig is more than people write, and maxHistory is for a file in which the
// program keeps more than settings.
const (
	maxConfig  = 1 << 20
	maxHistory = 32 << 20
)

func limit(path string) int64 {
	for _, a := range Agents() {
		if a.Config.History != "" && filepath.Base(path) == a.Config.History {
			return maxHistory
		}
	}
	return maxConfig
}

// Modes of new files. Agents' programs later keep keys in some of the user's.
const (
	newFile   = 0o600
	newShared = 0o644 // in a project
)

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// resolve follows the links that lead to a file, as far as it is there: people
// keep such files among versioned ones. Below a project nothing leads out of it:
// its links came with it.
func resolve(path, root string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if info, is := os.Lstat(path); is == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", errors.New("it is a link to something that is not there")
		}
		dir := filepath.Dir(path)
		if dir == path {
			return path, nil
		}
		if real, err = resolve(dir, ""); err == nil {
			if info, is := os.Stat(real); is == nil && !info.IsDir() {
				return "", errors.New("not a directory") // Windows says only that nothing is there
			}
			real = filepath.Join(real, filepath.Base(path))
		}
	}
	if err != nil {
		return "", reason(err)
	}
	if root != "" && real != root && !strings.HasPrefix(real, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator)) {
		return "", fmt.Errorf("it is a link that leads out of the project, to %s", real)
	}
	return real, nil
}

// reason is an error without the path, which is told already.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// read returns a file's text, nil when there is none, and its mode.
func read(path string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, reason(err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errors.New("it is not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, reason(err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit(path)+1))
	if err == nil && int64(len(text)) > limit(path) {
		err = fmt.Errorf("it is larger than %d MiB", limit(path)>>20)
	}
	if text == nil {
		text = []byte{}
	}
	return text, info.Mode().Perm(), err
}

// differ reports whether two texts differ. One that is not there is not an empty one.
func differ(a, b []byte) bool { return (a == nil) != (b == nil) || !bytes.Equal(a, b) }

// may reports what keeps a text from being written.
func (c *Change) may(text []byte) error {
	if !differ(text, c.New) {
		return nil
	}
	return c.writable()
}

// writable reports what keeps the file from being written. One that is marked as
// read-only is meant so: a system's configuration may be kept elsewhere.
func (c *Change) writable() error {
	if c.Old != nil {
		if c.mode&0o200 == 0 {
			return errors.New("it is read-only")
		}
		if there(c.real+".lock") && filepath.Base(c.real) == "config" {
			return errors.New("git is writing it")
		}
		file, err := os.OpenFile(c.real, os.O_WRONLY, 0) // the folder may be ours, and the file not
		if err != nil {
			return fmt.Errorf("it cannot be written: %w", reason(err))
		}
		file.Close()
	}
	dir := filepath.Dir(c.real)
	for !there(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	if err := access(dir); err != nil {
		return fmt.Errorf("nothing can be written in %s: %w", dir, err)
	}
	return nil
}

// writeAll puts new texts in the place of old ones, and makes the folders that
// are missing. All texts are beside their files before the first takes its
// place; when one cannot, those before it are put back. whole says that this,
// too, was possible.
func writeAll(changes []Change) (whole bool, err error) {
	temps := make([]string, len(changes))
	defer func() {
		for _, temp := range temps {
			if temp != "" {
				os.Remove(temp) // which is no longer there when all went well
			}
		}
	}()
	for i, c := range changes {
		if temps[i], err = c.stage(); err != nil {
			return true, fmt.Errorf("%s: %w", c.Path, err)
		}
	}
	for i, c := range changes {
		if err = c.exchange(temps[i]); err == nil {
			continue
		}
		err = fmt.Errorf("%s: %w", c.Path, err)
		for _, c := range changes[:i] {
			if back := c.putBack(); back != nil {
				return false, errors.Join(err, fmt.Errorf("%s: it could not be put back: %w", c.Path, back))
			}
		}
		return true, err
	}
	return true, nil
}

// stage writes the new text beside the file, and returns its name there.
func (c Change) stage() (temp string, err error) {
	if err := still(c.real, c.Old); err != nil || c.New == nil {
		return "", err
	}
	for _, dir := range missingDirs(filepath.Dir(c.real)) {
		if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", reason(err)
		}
	}
	temp, err = writeBeside(c.real, c.New, c.mode, c.Old != nil)
	return temp, reason(err)
}

// exchange puts what was staged in its place. Agents write some of these files
// all the time, and writing to a disk is slow: only the moment of the renaming
// is left in which one of their changes could be lost.
func (c Change) exchange(temp string) error {
	if err := still(c.real, c.Old); err != nil {
		return err
	}
	if c.New == nil {
		return reason(os.Remove(c.real))
	}
	return reason(filelock.Rename(temp, c.real))
}

// putBack makes the file what it was, unless somebody has written it since.
func (c Change) putBack() error {
	back := Change{Old: c.New, New: c.Old, real: c.real, mode: c.mode}
	temp, err := back.stage()
	if temp != "" {
		defer os.Remove(temp) // which is no longer there when all went well
	}
	if err == nil {
		err = back.exchange(temp)
	}
	return err
}

// still reports a file that is no longer as it was.
func still(path string, was []byte) error {
	now, _, err := read(path)
	if err == nil && differ(now, was) {
		err = errors.New("somebody else has just changed it")
	}
	return err
}

// flush makes a text survive a power cut. Tests, which write thousands, do without.
var flush = (*os.File).Sync

// writeBeside writes a file that can be renamed to another, which may be there.
func writeBeside(path string, text []byte, mode fs.FileMode, there bool) (name string, err error) {
	var old fs.FileInfo
	if there {
		if old, err = os.Stat(path); err != nil {
			return "", err
		}
	}
	temp, err := rewrite.Beside(path, old, mode)
	if err != nil {
		return "", err
	}
	if _, err = temp.Write(text); err == nil {
		err = flush(temp)
	}
	return temp.Name(), cmp.Or(err, temp.Close())
}

// missingDirs are those of a folder and the ones above it that are not there, the
// outer ones first.
func missingDirs(dir string) (missing []string) {
	for !there(dir) && dir != filepath.Dir(dir) {
		missing = append(missing, dir)
		dir = filepath.Dir(dir)
	}
	slices.Reverse(missing)
	return missing
}
