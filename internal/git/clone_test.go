package git

import (
	flags "flag" // flag is a function of the package
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// A clone is a folder that real git manages, with a board in .tasks.
type clone struct {
	t   testing.TB
	dir string
	env []string // more of git's environment
}

// always plays without -long, too: what starts no program of a repository, keeps a person's
// work, and ends whole.
var always = []string{"TestHostileRepository", "TestHostileRepo", "TestHostileRemotes", "TestSnapshot", "TestFastForward", "TestRebase", "TestCut", "TestAttributes", "TestPlantedRepo", "TestNoSSHOfTheProject"}

func newClone(t testing.TB, options ...string) *clone {
	t.Helper()
	long.Seldom(t, 25, always...)
	if _, err := exec.LookPath("git"); err != nil {
		mustrun.Skip(t, "git is not installed")
	}
	root := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	c := &clone{t: t, dir: filepath.Join(root, "shop")}
	c.once(c.dir, options, func() {
		c.write("readme", "shop\n")
		c.git(append([]string{"init", "-q"}, options...)...)
		c.task(1, "Begin")
		c.commit("Begin")
	})
	return c
}

// templates has what once has made.
var (
	templates string
	making    sync.Mutex
)

// once makes a folder with options of git init. The next one like it is a copy, which takes a
// fraction of the time of the processes of git that made the first.
func (c *clone) once(dir string, options []string, do func()) {
	c.t.Helper()
	making.Lock()
	defer making.Unlock()
	from, to := dir, filepath.Join(templates, filepath.Base(dir)+strings.Join(options, ""))
	if isDir(to) {
		from, to = to, from
	} else {
		do()
	}
	must.Do(c.t, os.CopyFS(to, os.DirFS(from)))
}

// atHome gives all tests one home: they run at once, because each waits for git.
func atHome(run func() int) int {
	home, err := os.MkdirTemp("", "home")
	if err == nil {
		err = os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\nname = Ada\nemail = ada@example.com\n[protocol \"file\"]\nallow = always\n[init]\ndefaultBranch = main\n[advice]\ndetachedHead = false\n[maintenance]\nauto = false\n"), 0o644) // the last is a process less for each commit
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(home)
	for _, e := range os.Environ() { // as in a hook of git's that runs the tests
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "GIT_") {
			os.Unsetenv(name)
		}
	}
	os.Setenv("HOME", home)
	os.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	templates = filepath.Join(home, "templates")
	flags.Parse()
	_ = flags.Set("test.parallel", "8")
	return run()
}

// path is a name in the clone, or an absolute one.
func (c *clone) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.dir, filepath.FromSlash(name))
}

func (c *clone) board() string { return c.path(".tasks") }

func (c *clone) write(name, text string) {
	c.t.Helper()
	must.Do(c.t, os.MkdirAll(filepath.Dir(c.path(name)), 0o755))
	must.Do(c.t, os.WriteFile(c.path(name), []byte(text), 0o644))
}

func (c *clone) task(n int, subject string) {
	c.t.Helper()
	c.write(".tasks/task_"+string(rune('0'+n))+".json", `{"subject": "`+subject+"\"}\n")
}

func (c *clone) read(name string) string {
	c.t.Helper()
	return string(must.Get(os.ReadFile(c.path(name)))(c.t))
}

// try runs git as a person does.
func (c *clone) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), c.env...)
	must.Do(c.t, os.MkdirAll(c.dir, 0o755))
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (c *clone) git(args ...string) string {
	c.t.Helper()
	out, err := c.try(args...)
	if err != nil {
		c.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

// fails runs git, which must stop.
func (c *clone) fails(args ...string) string {
	c.t.Helper()
	out, err := c.try(args...)
	if err == nil {
		c.t.Fatalf("git %v did not stop:\n%s", args, out)
	}
	return out
}

func (c *clone) commit(message string) string {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-qm", message)
	return c.git("rev-parse", "HEAD")
}

func (c *clone) tree() *Tree {
	c.t.Helper()
	tree, err := Find(c.t.Context(), c.dir)
	if err != nil || tree == nil {
		c.t.Fatal(tree, err)
	}
	return tree
}

// part makes two branches that both changed task 1 and both made task 2, and goes
// to main.
func (c *clone) part() (ours, theirs string) {
	c.git("checkout", "-qb", "side")
	c.task(1, "Theirs")
	c.task(2, "Their second")
	theirs = c.commit("Side")
	c.git("checkout", "-q", "main")
	c.task(1, "Ours")
	c.task(2, "Our second")
	return c.commit("Main"), theirs
}
