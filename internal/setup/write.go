package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxConfig is more than people write. Claude Code keeps the history of all
// projects in the file that has its servers.
const (
	maxConfig = 1 << 20
	maxClaude = 32 << 20
)

func limit(path string) int64 {
	if filepath.Base(path) == ".claude.json" {
		return maxClaude
	}
	return maxConfig
}

// What a new file may be for others. Agents' programs go on to keep keys in some
// of those that are the user's.
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

// writable reports what keeps a file from being written. One that is marked as
// read-only is meant so: a system's configuration may be kept elsewhere.
func writable(mode fs.FileMode) error {
	if mode&0o200 == 0 {
		return errors.New("it is read-only")
	}
	return nil
}

// replace puts a new text in the place of an old one, whole or not at all, and
// makes the folders that are missing. nil is no file.
func replace(path string, old, new []byte, mode fs.FileMode) error {
	if err := still(path, old); err != nil {
		return err
	}
	if new == nil {
		return reason(os.Remove(path))
	}
	for _, dir := range missingDirs(filepath.Dir(path)) {
		if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return reason(err)
		}
	}
	return reason(swap(path, old, new, mode))
}

// still reports a file that is not as it was any more.
func still(path string, was []byte) error {
	now, _, err := read(path)
	if err == nil && ((now == nil) != (was == nil) || !bytes.Equal(now, was)) {
		err = errors.New("somebody else has just changed it")
	}
	return err
}

// flush makes a text survive a power cut. Tests, which write thousands, do without.
var flush = (*os.File).Sync

// swap writes beside the file and renames. Agents write some of these files all
// the time, and writing to a disk is slow: only the moment of the renaming is
// left in which one of their changes could be lost.
func swap(path string, old, text []byte, mode fs.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".pawl-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // which is not there any more when all went well
	_, err = temp.Write(text)
	switch {
	case err != nil:
	case old == nil:
		mode &^= umask()
	default:
		err = keepOwner(temp, path)
	}
	if err == nil {
		err = temp.Chmod(mode)
	}
	if err == nil {
		err = flush(temp)
	}
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = still(path, old)
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	return err
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
