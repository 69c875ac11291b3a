package gitmerge_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/gitmerge"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/store/file"
)

// A clone is a work tree with a board.
type clone struct {
	testing.TB
	dir   string
	name  string
	below string // the folder of the project in the work tree
}

// always plays without -long, too: a merge by each way, its crash, and its undo.
var always = []string{"TestKilled", "TestUndo", "TestDriver", "TestRebase", "TestMergeLeavesOut", "TestTornMemory", "TestMoves"}

// newClone makes a repository with a board of two tasks.
func newClone(t testing.TB, name string) *clone {
	t.Helper()
	c := newFolder(t, name)
	must.Do(t, os.Mkdir(c.dir, 0o755))
	c.git("init", "-q", "-b", "main")
	must.Get(file.Init(c.board(), file.Unchanged))(t)
	c.add("Plan")
	c.add("Cart")
	c.commit("Begin")
	return c
}

// newFolder is a clone that is not there yet, in a folder of the test.
func newFolder(t testing.TB, name string) *clone {
	t.Helper()
	long.Seldom(t, 25, always...)
	must.Get(exec.LookPath("git"))(t)
	return &clone{TB: t, dir: filepath.Join(t.TempDir(), name), name: name}
}

// clone makes another clone, which has this one as origin.
func (c *clone) clone(name string) *clone {
	c.Helper()
	to := &clone{TB: c.TB, dir: filepath.Join(filepath.Dir(c.dir), name), name: name, below: c.below}
	c.git("clone", "-q", c.dir, to.dir)
	return to
}

// git runs git, which must succeed.
func (c *clone) git(args ...string) string {
	c.Helper()
	out, err := c.try(args...)
	if err != nil {
		c.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (c *clone) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "GIT_EDITOR=true", "GIT_MERGE_AUTOEDIT=no")
	for _, role := range []string{"GIT_AUTHOR_", "GIT_COMMITTER_"} {
		cmd.Env = append(cmd.Env, role+"NAME="+c.name, role+"EMAIL="+c.name+"@example.com")
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// stops runs git, which must stop with a conflict.
func (c *clone) stops(args ...string) {
	c.Helper()
	out, err := c.try(args...)
	if err == nil || !strings.Contains(out, "CONFLICT") && !strings.Contains(out, "onflict") {
		c.Fatalf("git %s did not stop: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (c *clone) commit(message string) {
	c.Helper()
	c.git("add", "-A")
	c.git("commit", "-q", "-m", message)
}

func (c *clone) board() string { return filepath.Join(c.dir, c.below, ".tasks") }

func (c *clone) store() *file.Store {
	c.Helper()
	return must.Get(file.Open(c.board()))(c)
}

func (c *clone) by() pawl.Actor { return pawl.Actor{Name: c.name, Session: c.name + "-1"} }

func (c *clone) merger(follow ...func(context.Context, []merge.Moved)) *gitmerge.Merger {
	c.Helper()
	return gitmerge.New(c.board(), c.store(), append(follow, unheard)[0])
}

func unheard(context.Context, []merge.Moved) {}

// do changes the board as a process would that knows nothing of git.
func (c *clone) do(op pawl.Op) pawl.Result {
	c.Helper()
	result, err := pawl.NewBoard(c.store()).Do(c.Context(), pawl.Request{By: c.by(), Op: op})
	if err != nil {
		c.Fatalf("%s: %v", op.Verb(), err)
	}
	return result
}

func (c *clone) add(subject string, blockedBy ...pawl.ID) pawl.ID {
	c.Helper()
	task := pawl.NewTask{Subject: subject}
	for _, id := range blockedBy {
		task.BlockedBy = append(task.BlockedBy, pawl.RefID(id))
	}
	return c.do(pawl.Create{Tasks: []pawl.NewTask{task}}).IDs[0]
}

func (c *clone) merge() merge.Outcome {
	c.Helper()
	out, err := c.merger().Merge(c.Context(), gitmerge.Options{By: c.by()})
	if err != nil {
		c.Fatalf("pawl merge: %v", err)
	}
	return out
}

// tasks are the tasks of the work tree, by number: #12 Retry hooks (was 9).
func (c *clone) tasks() string {
	c.Helper()
	var all string
	must.Do(c, c.store().View(c.Context(), func(r pawl.Reader) error {
		page, err := r.Select(pawl.Query{Limit: pawl.MaxPage})
		slices.SortFunc(page.Tasks, func(a, b pawl.Task) int { return int(a.ID - b.ID) })
		for _, t := range page.Tasks {
			all += fmt.Sprintf("%v %s", t.ID, t.Subject)
			if t.Status != pawl.Pending {
				all += " " + string(t.Status)
			}
			if len(t.BlockedBy) > 0 {
				all += fmt.Sprint(" after ", t.BlockedBy)
			}
			if len(t.Was) > 0 {
				all += fmt.Sprint(" was ", t.Was)
			}
			if t.Damage != "" {
				all += " damaged: " + t.Damage
			}
			all += "\n"
		}
		return err
	}))
	return all
}

func (c *clone) has(want string) {
	c.Helper()
	if got := c.tasks(); strings.TrimSpace(got) != strings.TrimSpace(want) {
		c.Errorf("%s has\n%swant\n%s", c.name, got, want)
	}
}

// files are the files of the board, without what is local to the clone.
func (c *clone) files() map[string]string {
	c.Helper()
	all := map[string]string{}
	entries := must.Get(os.ReadDir(c.board()))(c)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "task_") || e.Name() == ".highwatermark" {
			text := must.Get(os.ReadFile(filepath.Join(c.board(), e.Name())))(c)
			all[e.Name()] = string(text)
		}
	}
	return all
}

// same fails unless two clones have the same board, byte for byte.
func (c *clone) same(other *clone) {
	c.Helper()
	if a, b := c.files(), other.files(); !maps.Equal(a, b) {
		c.Errorf("%s and %s differ:\n%s\n%s", c.name, other.name, c.tasks(), other.tasks())
	}
}

// index is what git has of the board: mode, blob, stage and name.
func (c *clone) index() string {
	c.Helper()
	return c.git("ls-files", "--stage", "--", filepath.Join(c.below, ".tasks"))
}

func (c *clone) write(name, text string) {
	c.Helper()
	path := filepath.Join(c.dir, name)
	must.Do(c, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(c, os.WriteFile(path, []byte(text), 0o644))
}

// plainly takes away what keeps git from merging the lines of tasks.
func (c *clone) plainly() {
	c.Helper()
	os.Remove(filepath.Join(c.board(), ".gitattributes"))
}

var ctx = context.Background
