//go:build unix

package git_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// files are the texts of a board, but for local state: what git may see of it.
func (c *clone) files() map[string]string {
	c.Helper()
	entries, err := os.ReadDir(c.board)
	must.Do(c.TB, err)
	files := map[string]string{}
	for _, e := range entries {
		if e.Name() == ".lock" || e.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(c.board, e.Name()))
		must.Do(c.TB, err)
		files[e.Name()] = string(text)
	}
	return files
}

// tasks are read from the files themselves, each of which must be sound.
func (c *clone) tasks() map[pawl.ID]pawl.Task {
	c.Helper()
	tasks := map[pawl.ID]pawl.Task{}
	for name, text := range c.files() {
		if !strings.HasPrefix(name, "task_") {
			continue
		}
		f, err := taskjson.Decode([]byte(text))
		if err != nil {
			c.Errorf("%s: %s: %v\n%s", c.who, name, err, text)
			continue
		}
		id, err := pawl.ParseID(strings.TrimSuffix(strings.TrimPrefix(name, "task_"), ".json"))
		must.Do(c.TB, err) // which a strange file may say otherwise inside
		tasks[id] = f.Task
	}
	return tasks
}

// called returns the one task with this subject.
func (c *clone) called(subject string) pawl.Task {
	c.Helper()
	var found []pawl.Task
	for _, task := range c.tasks() {
		if task.Subject == subject {
			found = append(found, task)
		}
	}
	if len(found) != 1 {
		c.Fatalf("%s: %d tasks are called %q; the board has %v", c.who, len(found), subject, c.subjects())
	}
	return found[0]
}

// subjects are those of all tasks, in order.
func (c *clone) subjects() []string {
	c.Helper()
	var all []string
	for _, task := range c.tasks() {
		all = append(all, task.Subject)
	}
	slices.Sort(all)
	return all
}

// has checks which tasks the board has, and nothing else.
func (c *clone) has(subjects ...string) {
	c.Helper()
	slices.Sort(subjects)
	if diff := cmp.Diff(subjects, c.subjects()); diff != "" {
		c.Errorf("%s has other tasks (-want +got):\n%s", c.who, diff)
	}
	c.sound()
}

// sound checks that neither pawl nor git has anything to complain of.
func (c *clone) sound() {
	c.Helper()
	if out, code := c.run("pawl", "doctor", "--ci"); code != 0 {
		c.Errorf("%s: pawl doctor --ci: exit %d\n%s", c.who, code, out)
	}
	if out := c.git("ls-files", "--unmerged"); out != "" {
		c.Errorf("%s: git has unmerged files:\n%s", c.who, out)
	}
}

// same checks that the clones have one board, byte for byte.
func same(clones ...*clone) {
	first := clones[0]
	first.Helper()
	want := first.files()
	for _, c := range clones[1:] {
		if diff := cmp.Diff(want, c.files()); diff != "" {
			c.Errorf("%s and %s have different boards (-%[1]s +%[2]s):\n%s", first.who, c.who, diff)
		}
	}
}

// unchanged checks that what runs leaves the board as it is.
func (c *clone) unchanged(run func()) {
	c.Helper()
	before := c.files()
	run()
	if diff := cmp.Diff(before, c.files()); diff != "" {
		c.Errorf("%s: the board has changed (-before +after):\n%s", c.who, diff)
	}
}

// valid checks that no file of the board is text that git merged, or damaged.
func (c *clone) valid() {
	c.Helper()
	files := c.files()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.Contains(files[name], "<<<<<<<") || strings.Contains(files[name], ">>>>>>>") {
			c.Errorf("%s: %s has conflict lines:\n%s", c.who, name, files[name])
		}
	}
	c.tasks()
}
