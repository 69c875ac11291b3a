package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/process"
)

// writePatience is how long git may take to write the files of a whole work tree.
const writePatience = 10 * time.Minute

// steady are the options of commands that write files or an index. No submodule is
// touched, one process writes, and what is written is on the disk when git ends.
var steady = []string{
	"-c", "submodule.recurse=false", "-c", "checkout.workers=1", "-c", "core.splitIndex=false",
	"-c", "worktree.useRelativePaths=false", "-c", "i18n.commitEncoding=UTF-8",
	"-c", "core.fsync=all", "-c", "core.fsyncMethod=batch",
}

// change runs git with a command that writes files, references or an index. It starts no
// filter. It has a session of its own, so that no key of a terminal ends it in the middle.
func (t *Tree) change(ctx context.Context, env []string, stdin []byte, args ...string) (string, error) {
	quiet, err := t.withoutFilters(ctx)
	if err != nil {
		return "", err
	}
	c := call{env: slices.Concat(quiet, env), stdin: stdin, patience: writePatience, limit: maxList, writes: true}
	return t.run(ctx, c, slices.Concat(steady, args)...)
}

// finish runs a command in a group, which ends with ctx.
func (t *Tree) finish(ctx context.Context, cmd *exec.Cmd) error {
	if t.hold != nil && runtime.GOOS != "windows" { // which cannot
		cmd.ExtraFiles = []*os.File{t.hold}
	}
	g := process.NewGroup(cmd)
	defer g.Close()
	cmd.Cancel = g.End // git then removes its locks, and what it has begun
	if err := cmd.Start(); err != nil {
		return err
	}
	g.Started()
	err := cmd.Wait()
	if ctx.Err() != nil {
		g.Kill()
	}
	return err
}

// spareIndex copies the index to a file that only the caller knows, with the time that
// git compares files with: a newer one would hide an edit of the same moment.
func (t *Tree) spareIndex(dir string) (string, error) {
	f, err := os.CreateTemp(dir, "pawl-index-*")
	if err != nil {
		return "", err
	}
	from := filepath.Join(t.Dir().Dir, "index")
	info, err := os.Stat(from)
	if errors.Is(err, os.ErrNotExist) { // to git, an empty index is none
		return f.Name(), errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return "", errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	text, err := os.ReadFile(from)
	if err == nil {
		_, err = f.Write(text)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), errors.Join(os.Chmod(f.Name(), info.Mode().Perm()), os.Chtimes(f.Name(), info.ModTime(), info.ModTime()))
}

// zeroEnded are the texts of a list that git ends with a zero each.
func zeroEnded(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(list, "\x00"), "\x00")
}

// within reports whether a path, with slashes, is one of some folders or files, or below it.
func within(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool {
		return path == f || strings.HasPrefix(path, f) && path[len(f)] == '/'
	})
}

// inside makes paths, absolute or from the root, such ones from the root with slashes.
// Those elsewhere are left out.
func (t *Tree) inside(paths []string) []string {
	var names []string
	for _, p := range paths {
		if filepath.IsAbs(p) {
			for _, name := range t.below([]string{p}) {
				names = append(names, strings.TrimSuffix(name, "/"))
			}
		} else if p = filepath.Clean(p); filepath.IsLocal(p) && p != "." {
			names = append(names, filepath.ToSlash(p))
		}
	}
	return names
}
