package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

type folder struct {
	path string
	file *os.File // the folder itself, whatever the path leads to by now
}

func (f *folder) close() { f.file.Close() }

// openFolder opens a folder of a project. Why says in words what is wrong with it. No
// step of the way is a link, which could lead out of the project.
func openFolder(top, dir string) (f *folder, why string, err error) {
	top, err = filepath.Abs(top)
	if err != nil {
		return nil, "", err
	}
	at, err := os.OpenRoot(top)
	if err != nil {
		return nil, "", err
	}
	defer func() { at.Close() }()
	done := ""
	for name := range strings.SplitSeq(dir, "/") {
		if name == "" && dir == "" {
			break
		}
		next, why, err := step(at, name, strings.TrimPrefix(done+"/"+name, "/"))
		if why != "" || err != nil {
			return nil, why, err
		}
		at.Close()
		at, done = next, strings.TrimPrefix(done+"/"+name, "/")
	}
	file, err := at.Open(".")
	if err != nil {
		return nil, "", err
	}
	return &folder{filepath.Join(top, filepath.FromSlash(dir)), file}, "", nil
}

// step opens one folder in another.
func step(at *os.Root, name, path string) (next *os.Root, why string, err error) {
	if name == "" || name == "." || name == ".." || !filepath.IsLocal(name) || strings.ContainsFunc(name, separator) {
		return nil, fmt.Sprintf("%q is not a folder of the project", path), nil
	}
	before, err := at.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Sprintf("its folder %q does not exist", path), nil
	case err != nil:
		return nil, fmt.Sprintf("its folder %q cannot be opened: %v", path, reason(err)), nil
	case before.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		return nil, fmt.Sprintf("its folder %q is a link, which could lead out of the project", path), nil
	case !before.IsDir():
		return nil, fmt.Sprintf("its folder %q is a file", path), nil
	}
	lookedAt(path)
	next, err = at.OpenRoot(name)
	if err != nil {
		return nil, fmt.Sprintf("its folder %q cannot be opened: %v", path, reason(err)), nil
	}
	if now, err := next.Stat("."); err != nil || !os.SameFile(before, now) {
		next.Close()
		return nil, fmt.Sprintf("its folder %q was exchanged while it was opened", path), nil
	}
	return next, "", nil
}

// lookedAt lets a test exchange a folder between two steps.
var lookedAt = func(path string) {}

func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
