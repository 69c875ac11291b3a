package git

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// mostIgnored bounds how many ignored files are looked at: about a tenth of a second.
const mostIgnored = 50_000

// Ignored returns the files of a work tree that git ignores, but those of a board's
// folder, each with what tells one state of it from another. It is an error if there are
// too many, or if one cannot be known: another repository, or a link to a folder outside.
func Ignored(ctx context.Context, dir, board string) (map[string]string, error) {
	t, err := Find(ctx, dir)
	if err != nil || t == nil {
		return nil, err
	}
	listed, err := t.list(ctx, "ls-files", "--others", "--ignored", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	if n := strings.Count(listed, "\x00"); n > mostIgnored {
		return nil, fmt.Errorf("git ignores %d files, which are too many to look at", n)
	}
	without := ""
	if names := t.below([]string{board}); board != "" && len(names) > 0 {
		without = strings.TrimSuffix(names[0], "/") + "/"
	}
	files := map[string]string{}
	for name := range strings.SplitSeq(strings.TrimSuffix(listed, "\x00"), "\x00") {
		if name == "" || without != "" && strings.HasPrefix(name, without) {
			continue
		}
		if files[name], err = t.mark(name); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// mark tells one state of a file that git ignores from another.
func (t *Tree) mark(name string) (string, error) {
	path := filepath.Join(t.Root, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	is, ok := gitdir.Mark(path)
	switch {
	case !ok || info.IsDir():
		return "", fmt.Errorf("%s cannot be looked at", path)
	case info.Mode()&fs.ModeSymlink == 0:
		return is, nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return is, nil // it leads nowhere
	}
	to, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	if !to.IsDir() {
		at, ok := gitdir.Mark(real)
		if !ok {
			return "", fmt.Errorf("%s cannot be looked at", real)
		}
		return is + " " + at, nil
	}
	if rel, err := filepath.Rel(resolved(t.Root), real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s leads to a folder outside", path)
	}
	return is, nil
}
