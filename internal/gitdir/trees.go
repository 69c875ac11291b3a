package gitdir

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxTrees bounds how many work trees of one clone are looked at.
const maxTrees = 500

// Places are where the work trees of a clone can keep what they share, the first one
// that has it counts: the main work tree, if there is one. A bare repository has none:
// then it is the folder whose .git names it, the work tree of the branch that its HEAD
// names, as in a new clone, and then the others, by name.
//
//	project/.git        gitdir: ./.bare
//	project/.bare/HEAD  ref: refs/heads/main
//	project/main/.git   gitdir: ../.bare/worktrees/main
//
// None is returned for a main work tree, nor for a tree that is not owned.
func (t Tree) Places() []string {
	if main := t.Main(); main != "" {
		return []string{main}
	}
	linked := t.Common != t.Dir
	if linked && !t.Owned() || !linked && filepath.Dir(t.Common) != t.Root || !bare(t.Common) {
		return nil
	}
	var roots []string
	if up, ok := Find(filepath.Dir(t.Common)); ok && same(up.Dir, t.Common) {
		roots = append(roots, up.Root)
	}
	first := len(roots)
	head := firstLine(filepath.Join(t.Common, "HEAD"))
	for _, other := range t.Linked() {
		if strings.HasPrefix(head, "ref: ") && firstLine(filepath.Join(other.Dir, "HEAD")) == head {
			roots = slices.Insert(roots, first, other.Root)
		} else {
			roots = append(roots, other.Root)
		}
	}
	return roots
}

// Linked are the linked work trees of the clone that are there, by name. Each names the
// clone in its turn: one that does not is another clone's.
func (t Tree) Linked() (all []Tree) {
	dir := filepath.Join(t.Common, "worktrees")
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries[:min(len(entries), maxTrees)] {
		own := filepath.Join(dir, entry.Name())
		_, root := linked(own)
		if other, ok := Find(root); ok && root != "" && other.Root == root && same(other.Dir, own) && same(other.Common, t.Common) {
			all = append(all, other)
		}
	}
	return all
}

// bare reports whether the configuration in git's folder says that it has no work tree.
func bare(dir string) bool {
	section, config := "", read(filepath.Join(dir, "config"))+"\n"+read(filepath.Join(dir, "config.worktree"))
	for line := range strings.Lines(config) {
		line = strings.ToLower(strings.TrimSpace(line))
		if strings.HasPrefix(line, "[") {
			section = line
		}
		if key, value, _ := strings.Cut(line, "="); section == "[core]" && strings.TrimSpace(key) == "bare" && strings.TrimSpace(value) == "true" {
			return true
		}
	}
	return false
}
