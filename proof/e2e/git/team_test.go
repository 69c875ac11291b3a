//go:build unix

package git_test

import (
	"archive/tar"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

var (
	sharers = flag.Int("clones", 3, "how many clones share the board of the test of claims")
	agents  = flag.Int("agents", 2, "how many agents work in each of these clones")
	delay   = flag.Duration("delay", 0, "how long each connection to their remote takes to begin")
	work    = flag.Duration("work", 0, "how long an agent works on a task")
	wanted  = flag.Int("tasks", 9, "for how many tasks these clones compete")
	days    = flag.Int("days", 1, "how many rounds the scripted agents of a shared board work")
	cuts    = flag.Int("cuts", 1, "how often each kind of broken connection is tried")
)

// boardRef is where a board is shared.
const boardRef = "refs/pawl/board"

// A team shares one board through a bare repository. Each of its people has a machine,
// which is a home of their own.
type team struct {
	*world
	remote string // the bare repository
	clones []*clone
}

// team makes a project with a board that is shared, and a clone of it for each of these
// people. The first one begins the board with these tasks.
func (w *world) team(who []string, subjects ...string) *team {
	w.Helper()
	t := w.project(who...)
	first := t.clones[0]
	first.pawl("init")
	if len(subjects) > 0 {
		first.add(subjects...)
	}
	for _, c := range t.clones {
		c.pawl("share", "--yes")
	}
	return t
}

// project makes a project without a board, and clones of it.
func (w *world) project(who ...string) *team {
	w.Helper()
	t := &team{world: w, remote: filepath.Join(w.dir, "remote.git")}
	first := t.machine(who[0])
	must.Do(w.TB, os.MkdirAll(first.root, 0o755))
	first.git("init", "-q", "--bare", t.remote)
	first.git("init", "-q")
	first.write("src.txt", "one\ntwo\nthree\n")
	first.save("Begin")
	first.git("remote", "add", "origin", t.remote)
	first.git("push", "-q", "-u", "origin", "main")
	t.clones = []*clone{first}
	for _, name := range who[1:] {
		t.join(name)
	}
	return t
}

// join makes a clone of the project for somebody else, who has not heard of the board.
func (t *team) join(who string) *clone {
	t.Helper()
	c := t.machine(who)
	t.clones[0].git("clone", "-q", t.remote, c.root)
	t.clones = append(t.clones, c)
	return c
}

// machine is a clone that is not made yet, on a machine of its own.
func (t *team) machine(who string) *clone {
	t.Helper()
	c := t.at(who, filepath.Join(t.dir, who, "shop"))
	home := filepath.Join(t.dir, who, "home")
	c.vars = []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/config", "XDG_STATE_HOME=" + home + "/state", "XDG_CACHE_HOME=" + home + "/cache"}
	must.Do(t.TB, os.MkdirAll(home, 0o755))
	config, err := os.ReadFile(filepath.Join(t.dir, "home", ".gitconfig"))
	must.Do(t.TB, err)
	must.Do(t.TB, os.WriteFile(filepath.Join(home, ".gitconfig"), config, 0o644))
	return c
}

// sync syncs, and returns what was said.
func (c *clone) sync(args ...string) string {
	c.Helper()
	return c.pawl(append([]string{"sync"}, args...)...)
}

// settle is even, and no board is damaged.
func (t *team) settle() {
	t.Helper()
	t.even()
	t.sound()
}

// even syncs all clones until each has what all others have, and checks that their
// boards are that of the remote, byte for byte.
func (t *team) even() {
	t.Helper()
	for range 2 {
		for _, c := range t.clones {
			c.sync()
		}
	}
	t.same()
}

// same checks that each clone has the board that the remote has.
func (t *team) same() {
	t.Helper()
	want := t.tip()
	for _, c := range t.clones {
		if diff := cmp.Diff(want, c.plan()); diff != "" {
			t.Errorf("%s has another board than the remote (-remote +%[1]s):\n%s", c.who, diff)
		}
	}
}

// sound checks that no board is damaged.
func (t *team) sound() {
	t.Helper()
	for _, c := range t.clones {
		if out, code := c.run("pawl", "doctor"); code != 0 {
			t.Errorf("%s: pawl doctor: exit %d\n%s", c.who, code, out)
		}
	}
}

// plan are the texts of the tasks of a clone.
func (c *clone) plan() map[string]string {
	c.Helper()
	files := c.files()
	maps.DeleteFunc(files, func(name, _ string) bool { return !strings.HasPrefix(name, "task_") })
	return files
}

// tip are the texts of the tasks that the remote has.
func (t *team) tip() map[string]string {
	t.Helper()
	files := map[string]string{}
	for name, text := range t.tree(boardRef) {
		if boardFile.MatchString(name) {
			files[path.Base(name)] = text
		}
	}
	return files
}

// boardFile are the names that tasks have there. Others may stand beside them, which
// nobody minds.
var boardFile = regexp.MustCompile(`^tasks/[0-9]+/task_[1-9][0-9]{0,17}\.json$`)

// tree are the files of a commit of the remote.
func (t *team) tree(ref string) map[string]string {
	t.Helper()
	cmd := t.clones[0].command("git", "--git-dir="+t.remote, "archive", "--format=tar", ref)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("git archive %s: %v\n%s", ref, err, exit.Stderr)
		}
		t.Fatal(err)
	}
	files := map[string]string{}
	for r := tar.NewReader(strings.NewReader(string(out))); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		must.Do(t.TB, err)
		if h.Typeflag == tar.TypeReg {
			text, err := io.ReadAll(r)
			must.Do(t.TB, err)
			files[h.Name] = string(text)
		}
	}
}

// bare runs git in the remote, as somebody with an account there would.
func (t *team) bare(args ...string) string {
	t.Helper()
	return strings.TrimSpace(t.clones[0].git(append([]string{"--git-dir=" + t.remote}, args...)...))
}

// decoded are the tasks of texts, by number.
func (t *team) decoded(texts map[string]string) map[pawl.ID]pawl.Task {
	t.Helper()
	tasks := map[pawl.ID]pawl.Task{}
	for name, text := range texts {
		f, err := taskjson.Decode([]byte(text))
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		tasks[f.Task.ID] = f.Task
	}
	return tasks
}

// A print is what must not change in a repository that is somebody's own.
type print struct{ Refs, Objects, Config, Index, Status string }

// print looks at the clone's repository as its owner sees it.
func (c *clone) print() (p print) {
	c.Helper()
	p.Refs = c.git("for-each-ref")
	p.Objects = c.git("cat-file", "--batch-check", "--batch-all-objects", "--unordered")
	p.Config = c.read(".git/config")
	p.Index = c.git("ls-files", "--stage")
	p.Status = c.git("status", "--porcelain")
	lines := strings.Split(p.Objects, "\n")
	slices.Sort(lines)
	p.Objects = strings.Join(lines, "\n")
	return p
}

// size is what the files of a folder take, in bytes.
func (c *clone) size(dir string) (sum int64) {
	c.Helper()
	must.Do(c.TB, filepath.WalkDir(dir, func(_ string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if s, ok := info.Sys().(*syscall.Stat_t); ok {
			sum += int64(s.Blocks) * 512
		}
		return nil
	}))
	return sum
}
