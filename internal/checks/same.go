package checks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/gitdir"
)

// mostFiles bounds how many files are looked at: about half a second.
const mostFiles = 100_000

// readStates are all files and folders of the work tree that the project is in, tracked,
// ignored or neither, each with what tells one state of it from another. Git is not asked:
// its settings and conversions hide changes that a check sees. Files that git itself and the
// board write do not count. Nil: they are too many, or one cannot be known, as a link to a
// folder outside.
func (s *Service) readStates(ctx context.Context) map[string]string {
	tree, ok := gitdir.Find(s.Root)
	if !ok {
		return nil
	}
	board, all := clone.Real(s.Folder), map[string]string{}
	err := filepath.WalkDir(tree.Root, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		case d.Name() == ".git" || s.Folder != "" && filepath.Dir(at) == board && ofBoard(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case len(all) == mostFiles:
			return fmt.Errorf("there are more than %d files", mostFiles)
		case d.IsDir():
			info, err := d.Info() // its times change with each file in it
			if err == nil {
				all[at] = info.Mode().String()
			}
			return err
		}
		all[at], err = stateOf(tree.Root, at, d)
		return err
	})
	if err != nil {
		return nil // then no pass is used again
	}
	return all
}

// ofBoard reports whether Pawl itself writes a file in a board's folder whenever a task changes.
func ofBoard(name string) bool {
	task, _ := path.Match("task_*.json", name)
	return task || name == ".pawl" || name == ".lock" || name == ".highwatermark"
}

// stateOf is the state of a file, and that of the file which a link leads to.
func stateOf(root, at string, d fs.DirEntry) (string, error) {
	is, err := clone.State(at)
	if err != nil || d.Type()&fs.ModeSymlink == 0 {
		return is, err
	}
	to, err := filepath.EvalSymlinks(at)
	if err != nil {
		return is, nil // it leads nowhere
	}
	if info, err := os.Lstat(to); err != nil || !info.IsDir() {
		behind, err := clone.State(to)
		return is + " " + behind, err
	}
	if rel, err := filepath.Rel(root, to); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s leads to a folder outside", at)
	}
	return is, nil
}

// stamp stands for the files after a run. It is empty if they are not known, or if one that
// was there before has changed: the run may have read it as it was. A new one is taken for
// what the run wrote.
func stamp(before, after map[string]string) string {
	if before == nil || after == nil {
		return ""
	}
	for name, is := range before {
		if after[name] != is {
			return ""
		}
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		h.Write([]byte(name + "\x00" + after[name] + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil))
}
