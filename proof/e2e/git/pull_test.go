//go:build unix

package git_test

import (
	"os"
	"path/filepath"
	"strings"
)

// end ends what git has stopped in, with `pawl merge` and git's own next step and
// nothing else, and returns how often git stopped.
func (c *clone) end(out string, code int) (stops int) {
	c.Helper()
	before := "nothing yet"
	for ; code != 0; stops++ {
		if stops == 500 || out == before {
			c.Fatalf("%s: git does not go on:\n%s", c.who, out)
		}
		before = out
		next := c.next()
		if next == nil {
			c.Fatalf("%s: git failed, and is not in the middle of anything:\n%s", c.who, out)
		}
		said := c.pawl("merge")
		if left := c.git("ls-files", "--unmerged"); left != "" {
			c.Fatalf("%s: pawl merge left unmerged:\n%s\nit said:\n%s\ngit had said:\n%s", c.who, left, said, out)
		}
		if left := c.git("diff", "--stat"); left != "" && next[0] != "commit" {
			c.Errorf("%s: pawl merge left changes that are not in the index:\n%s\nit said:\n%s\ngit had said:\n%s\n%s", c.who, left, said, out, c.git("diff"))
		}
		c.valid()
		out, code = c.run("git", next...)
		if code != 0 && c.next() == nil {
			c.Fatalf("%s: git %s: exit %d\n%s", c.who, strings.Join(next, " "), code, out)
		}
	}
	return stops
}

// next is how git is told to go on from where it has stopped.
func (c *clone) next() []string {
	for _, s := range []struct {
		state string
		args  []string
	}{
		{"rebase-merge", []string{"rebase", "--continue"}},
		{"rebase-apply/applying", []string{"am", "--continue"}},
		{"rebase-apply", []string{"rebase", "--continue"}},
		{"CHERRY_PICK_HEAD", []string{"cherry-pick", "--continue"}},
		{"REVERT_HEAD", []string{"revert", "--continue"}},
		{"MERGE_HEAD", []string{"commit", "--no-edit", "-q"}},
	} {
		if _, err := os.Stat(c.gitPath(s.state)); err == nil {
			return s.args
		}
	}
	return nil
}

// gitPath is where git keeps a file of its state.
func (c *clone) gitPath(name string) string {
	c.Helper()
	path := strings.TrimSpace(c.git("rev-parse", "--git-path", name))
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.root, path)
	}
	return path
}

// goes runs git and ends each of its stops; then the board is whole, and committed.
func (c *clone) goes(args ...string) (stops int) {
	c.Helper()
	out, code := c.run("git", args...)
	stops = c.end(out, code)
	c.settle()
	return stops
}

// settle merges what git has merged without stopping, and commits it.
func (c *clone) settle() {
	c.Helper()
	c.pawl("merge")
	c.save("Merge tasks")
	c.valid()
}

// pull pulls from another clone. The way is --no-rebase, or --rebase.
func (c *clone) pull(from *clone, way string) (stops int) {
	c.Helper()
	return c.goes("pull", "-q", "--no-edit", way, from.root, "HEAD")
}

// meet makes two clones pull from each other, and compares their boards.
func (c *clone) meet(d *clone, way string) (stops int) {
	c.Helper()
	stops = c.pull(d, way) + d.pull(c, way)
	same(c, d)
	c.sound()
	d.sound()
	return stops
}

var ways = []string{"--no-rebase", "--rebase"}
