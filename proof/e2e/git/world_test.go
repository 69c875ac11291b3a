//go:build unix

// Package git proves what holds when boards meet through git: it has tests only.
// They run the built program and the machine's git in clones of their own, as a
// team would, and compare what the clones have afterwards.
//
//	go -C proof test ./e2e/git                        a commit's share
//	go -C proof test ./e2e/git -long                  all stories
//	go -C proof test ./e2e/git -run Soak -changes 200 -meetings 10
//	go -C proof test ./e2e/git -run Killed -kills 1000
//	go -C proof test ./e2e/git -run Race -clones 8 -agents 4 -tasks 200 -delay 200ms -work 30s
//
// PAWL_TEST_BINARY names a program to prove instead of the one that this tree makes: one
// with a fault, to see the tests fail.
package git_test

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/leftover"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/dev/pty"
	"github.com/pawl-dev/pawl/internal/dev/source"
)

var (
	changes  = flag.Int("changes", 9, "how many changes each clone makes between two meetings of the soak, in all")
	meetings = flag.Int("meetings", 2, "how often the clones of the soak meet")
	kills    = flag.Int("kills", 1, "how often each scene of the kill test is killed")
	seed     = flag.Uint64("seed", 0, "what the random changes begin with; 0: the time")
)

// program is the folder with the program pawl; empty where it cannot be made.
var program, unmade string

func TestMain(m *testing.M) {
	if state := os.Getenv(sshVar); state != "" {
		os.Exit(ssh(state, os.Args[1:]))
	}
	flag.Parse()
	os.Exit(withProgram(m.Run))
}

func withProgram(run func() int) int {
	dir, err := os.MkdirTemp("", "pawl-e2e-git")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if given := os.Getenv("PAWL_TEST_BINARY"); given != "" {
		err = os.Symlink(given, filepath.Join(dir, "pawl"))
	} else {
		err = source.Build(filepath.Join(dir, "pawl"))
	}
	if errors.Is(err, exec.ErrNotFound) {
		unmade = "go is not installed"
	} else if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	program = dir
	return run()
}

// Nets are what keeps git from merging tasks as text. The third one, which looks at
// what git has done, is always there.
type nets struct {
	driver     bool // the clone was set up: pawl setup git
	attributes bool // the board has .gitattributes
}

func (n nets) String() string {
	return cmp.Or(
		map[nets]string{{true, true}: "both", {true, false}: "driver", {false, true}: "attributes"}[n], "none")
}

var allNets = []nets{{true, true}, {false, true}, {true, false}, {false, false}}

// each runs a story under each of these combinations of nets, or a twelfth of the stories
// under one of them that its name decides.
func each(t *testing.T, nets []nets, story func(t *testing.T, w *world)) {
	long.Seldom(t, 12)
	if !*long.Asked {
		i := int(crc32.ChecksumIEEE([]byte(t.Name()))/3) % len(nets)
		nets = nets[i : i+1]
	}
	for _, n := range nets {
		t.Run(n.String(), func(t *testing.T) {
			t.Parallel() // each waits for programs, most of the time
			story(t, openWorld(t, n))
		})
	}
}

// A world is a user's machine: a home, and clones of one project.
type world struct {
	testing.TB
	nets
	dir string
	env []string
}

// newWorld is for a test of its own, of which one in eight plays, and those about a promise
// that nothing else shows.
func newWorld(t testing.TB, n nets) *world {
	t.Helper()
	long.Seldom(t, 8, "TestSyncKilledAtCalls", "TestConnectionCut", "TestKilledAtCalls", "TestTwoCommands", "TestRace")
	return openWorld(t, n)
}

func openWorld(t testing.TB, n nets) *world {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		mustrun.Skip(t, "git is not installed")
	}
	if unmade != "" {
		mustrun.Skip(t, unmade)
	}
	w := &world{TB: t, nets: n, dir: leftover.TempDir(t)}
	home := filepath.Join(w.dir, "home")
	w.env = []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/config", "XDG_STATE_HOME=" + home + "/state", "XDG_CACHE_HOME=" + home + "/cache",
		"PATH=" + program + string(os.PathListSeparator) + os.Getenv("PATH"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=true", "LC_ALL=C", "TZ=UTC",
		"PAWL_SYNC=allow", // nobody is at a terminal
	}
	must.Do(t, os.MkdirAll(home, 0o755))
	must.Do(t, os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(strings.Join([]string{
		"[user]", "email = team@example.org",
		"[init]", "defaultBranch = main",
		"[advice]", "detachedHead = false", "skippedCherryPicks = false",
		"[rerere]", "enabled = false",
		"[protocol \"file\"]", "allow = always", "",
	}, "\n")), 0o644))
	return w
}

// with adds to the environment of all programs.
func (w *world) with(vars ...string) { w.env = append(w.env[:len(w.env):len(w.env)], vars...) }

// A clone is a clone of the project, in which one person works.
type clone struct {
	*world
	root  string // of the work tree
	board string // the folder .tasks
	who   string
	vars  []string // added to the environment of its programs
}

// first makes the project, with a board that is committed and has these tasks.
func (w *world) first(who string, subjects ...string) *clone {
	w.Helper()
	c := w.at(who, filepath.Join(w.dir, who))
	must.Do(w.TB, os.MkdirAll(c.root, 0o755))
	c.git("init", "-q")
	c.write("src.txt", "one\ntwo\nthree\n")
	c.begin(subjects...)
	return c
}

// begin makes the board and commits it.
func (c *clone) begin(subjects ...string) {
	c.Helper()
	c.pawl("init")
	if !c.attributes {
		os.Remove(filepath.Join(c.board, ".gitattributes"))
	}
	c.add(subjects...)
	c.save("Begin")
	c.setUp()
}

func (w *world) at(who, root string) *clone {
	return &clone{world: w, root: root, board: filepath.Join(root, ".tasks"), who: who}
}

// clone makes a clone for somebody else.
func (c *clone) clone(who string, args ...string) *clone {
	c.Helper()
	d := c.at(who, filepath.Join(c.dir, who))
	c.git(append(append([]string{"clone", "-q"}, args...), "file://"+c.root, d.root)...)
	d.setUp()
	return d
}

// setUp does what the person of a clone does once.
func (c *clone) setUp() {
	c.Helper()
	if c.driver {
		c.pawl("setup", "git", "--yes")
	}
	if !c.attributes { // what a set-up made, as if the board were of an older Pawl
		os.Remove(filepath.Join(c.board, ".gitattributes"))
	}
}

// run runs a program in the clone and returns all that it printed.
func (c *clone) run(name string, args ...string) (string, int) {
	c.Helper()
	cmd := c.command(name, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		c.Fatalf("%s: %v", name, err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

func (c *clone) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	if name == "pawl" {
		cmd = exec.Command(filepath.Join(program, "pawl"), args...)
	}
	cmd.Dir = c.root
	cmd.Env = append(c.env[:len(c.env):len(c.env)], "USER="+c.who, "PAWL_SESSION="+c.who+"-1",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0="+c.who)
	cmd.Env = append(cmd.Env, c.vars...)
	if line := strings.Join(args, " "); strings.Contains(line, "--resume") || strings.Contains(line, "--offline") { // only a person at a terminal
		cmd.Stdin = pty.Open(c.TB)
	}
	return cmd
}

// git runs git, which must succeed.
func (c *clone) git(args ...string) string {
	c.Helper()
	out, code := c.run("git", args...)
	if code != 0 {
		c.Fatalf("%s: git %s: exit %d\n%s", c.who, strings.Join(args, " "), code, out)
	}
	return out
}

// pawl runs pawl, which must succeed.
func (c *clone) pawl(args ...string) string {
	c.Helper()
	out, code := c.run("pawl", args...)
	if code != 0 {
		c.Fatalf("%s: pawl %s: exit %d\n%s", c.who, strings.Join(args, " "), code, out)
	}
	return out
}

// insist runs pawl, and once again if it refuses a number that has just got another
// meaning.
func (c *clone) insist(args ...string) {
	c.Helper()
	if out, code := c.run("pawl", args...); code == 4 && strings.Contains(out, "is now") {
		c.pawl(args...)
	} else if code != 0 {
		c.Fatalf("%s: pawl %s: exit %d\n%s", c.who, strings.Join(args, " "), code, out)
	}
}

// refused runs pawl, which must fail with this exit code and these words.
func (c *clone) refused(code int, words string, args ...string) string {
	c.Helper()
	out, got := c.run("pawl", args...)
	if got != code || !strings.Contains(out, words) {
		c.Errorf("%s: pawl %s: exit %d, want %d and %q\n%s", c.who, strings.Join(args, " "), got, code, words, out)
	}
	return out
}

func (c *clone) add(subjects ...string) {
	c.Helper()
	for _, s := range subjects {
		c.pawl("add", s)
	}
}

// save commits all that git sees, if there is anything.
func (c *clone) save(message string) {
	c.Helper()
	c.git("add", "-A")
	if c.git("status", "--porcelain") != "" {
		c.git("commit", "-q", "-m", message)
	}
}

func (c *clone) path(name string) string { return filepath.Join(c.root, name) }

func (c *clone) read(name string) string {
	c.Helper()
	text, err := os.ReadFile(c.path(name))
	must.Do(c.TB, err)
	return string(text)
}

func (c *clone) write(name, text string) {
	c.Helper()
	must.Do(c.TB, os.MkdirAll(filepath.Dir(c.path(name)), 0o755))
	must.Do(c.TB, os.WriteFile(c.path(name), []byte(text), 0o644))
}
