package git

import (
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// Pattern is the line of an exclude file that keeps one path out of git, and
// nothing else, in the work tree with a root. A path that ends in a separator is a
// folder. False: the path is outside of the work tree, or no line can name it. It
// does not run git.
func Pattern(root, path string) (string, bool) {
	names := (&Tree{Root: root}).below([]string{path})
	if len(names) != 1 {
		return "", false
	}
	return gitdir.ExcludeLine(names[0])
}

// pathFrom is a path that git has said, which may be one from a folder.
func pathFrom(dir, said string) string {
	path := filepath.FromSlash(strings.TrimRight(said, "\r\n"))
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// below are paths relative to the root, with slashes, without those elsewhere.
func (t *Tree) below(paths []string) (names []string) {
	for _, path := range paths {
		dir := ""
		if strings.HasSuffix(path, string(filepath.Separator)) {
			dir = "/"
		}
		rel, err := filepath.Rel(t.Root, resolved(filepath.Clean(path)))
		if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			continue
		}
		names = append(names, filepath.ToSlash(rel)+dir)
	}
	return names
}

// resolved is a path without links in its folders, as far as these exist. The
// last name stays: to git a link is a file.
func resolved(path string) string {
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return filepath.Join(real, filepath.Base(path))
	}
	return filepath.Join(resolved(dir), filepath.Base(path))
}
