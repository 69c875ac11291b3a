package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/runs"
)

// demoTempo is how long an agent of the demo works on a file.
const demoTempo = 2 * time.Second

// worksItselfOff shows pawl run in a git repository: two slots, a check that fails and is
// repaired, a conflict that is resolved, and a change that waits for a person. All of it
// is in the folder of the demo, the user's folders of its programs included.
func (s *stage) worksItselfOff(fast bool) {
	s.scene("A board that works itself off", "recipes")
	pace := demoTempo
	if fast {
		pace = 0
	}
	s.do(func() error { return s.demoHome(pace, "none") })
	s.do(func() error { return os.WriteFile(filepath.Join(s.dir, "index.md"), []byte("# Index\n\n"), 0o644) })
	s.command("git", "init", "--quiet", ".")
	s.command("git", "add", "index.md")
	s.command("git", "commit", "--quiet", "--message", "Begin")
	s.child("init", ".", "--private")
	s.checked("git grep -q yeast -- bread.md", "Bread")
	s.checked("git grep -q salt -- soup.md", "Soup")
	s.checked("git grep -q bread.md -- index.md", "Bread in the index", "--after", "1,2")
	s.checked("git grep -q soup.md -- index.md", "Soup in the index", "--after", "1,2")
	s.note("The agent of this demo is a script that forgets the salt. pawl run takes the one that you use. The user's setting run.review is none, so that checks alone decide:")
	s.child("run", "--yes")
	s.note("Two worked side by side, in work trees of their own. The soup was repaired, and what conflicted in the index was done again on what was there.")
	s.child("run", "log", "2")
	s.note("For the next one a person is asked: run.review is before-merge.")
	s.do(func() error { return s.demoHome(pace, "before-merge") })
	s.checked(`git grep -q "2 recipes" -- README.md`, "Count the recipes")
	s.ends(ExitCode(&pawl.Error{Kind: pawl.Blocked}), "run")
	s.child("run", "diff", "5")
	s.approve("5")
	s.child("run")
	s.note("What is left to look at:")
	s.command("git", "log", "--graph", "--oneline")
	s.child("list", "--all")
}

// checked adds a task with a check. The demo's user agrees to it, as a person does by typing
// it at a terminal: the demo has none.
func (s *stage) checked(check, subject string, words ...string) {
	s.do(func() error {
		service, err := checks.In(project.Open(project.From{Dir: s.dir, Getenv: s.getenv}), s.getenv)
		if err != nil {
			return err
		}
		c, err := pawl.ParseCheck(check)
		if err != nil {
			return err
		}
		return service.Trust(s.ctx, []pawl.Check{c}, nil)
	})
	s.child(slices.Concat([]string{"add", subject}, words, []string{"--check", check})...)
}

// approve lets an attempt in, as the demo's user would at a terminal.
func (s *stage) approve(task string) {
	s.play("pawl", []string{"run", "approve", task}, func(out io.Writer) (int, error) {
		env := s.env
		env.Args, env.Dir, env.Getenv, env.Stdout, env.Stderr = []string{"run"}, s.dir, s.getenv, out, out
		r := &runRun{app: &app{env: env}}
		w, a, err := r.onlyRun(s.ctx, task)
		if err != nil {
			return 0, err
		}
		fmt.Fprintln(out, askedRun(runs.Approve, &a)+r.when(w))
		return os.Getpid(), errors.Join(r.control(w, runs.Control{Op: runs.Approve, ID: a.ID, Task: a.Task}), w.Board.Close())
	})
}

// getenv reads the environment of the demo's user.
func (s *stage) getenv(name string) string {
	for _, pair := range s.around {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// demoHome makes the folders of a user who has git's and Pawl's settings for the demo. Only a
// person at a terminal may run pawl config for these.
func (s *stage) demoHome(pace time.Duration, review string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	// Without run.agent it would be an agent that the viewer has, and pays for.
	settings, err := json.Marshal(map[string]any{"run.agent": "cook", "run.review": review, "run.agents": map[string]any{
		"cook": map[string]any{"command": []string{self, DemoAgentVerb, pace.String()}},
	}})
	if err != nil {
		return err
	}
	s.around = append(demoAround(os.Environ(), s.root), s.programs.PATH())
	git := "[user]\n\tname = Demo\n\temail = demo@example.invalid\n[init]\n\tdefaultBranch = main\n[commit]\n\tgpgSign = false\n[core]\n\tautocrlf = false\n\thooksPath = " +
		filepath.ToSlash(filepath.Join(s.root, "home", "hooks")) + "\n"
	for path, text := range map[string]string{
		filepath.Join("home", ".gitconfig"):           git,
		filepath.Join("config", "pawl", "pawl.jsonc"): string(settings) + "\n",
	} {
		path = filepath.Join(s.root, path)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600))
	}
	return err
}

// demoAround is the environment of who looks on, with other folders of a user, and
// without what names a board, a repository or an agent.
func demoAround(environ []string, root string) []string {
	var marks []string
	for _, a := range known.Agents {
		marks = append(marks, a.Marks...)
	}
	folders := map[string]string{
		"HOME": "home", "USERPROFILE": "home", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache",
		"APPDATA": "config", "LOCALAPPDATA": "state",
	}
	env := slices.DeleteFunc(slices.Clone(environ), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		_, ours := folders[strings.ToUpper(name)]
		return ours || strings.EqualFold(name, "PATH") || strings.HasPrefix(name, "PAWL_") || strings.HasPrefix(name, "GIT_") || slices.Contains(marks, name)
	})
	for name, dir := range folders {
		env = append(env, name+"="+filepath.Join(root, dir))
	}
	return env
}

// child runs pawl in a process of the demo's user.
func (s *stage) child(args ...string) { s.ends(0, args...) }

// ends runs pawl, which ends with an exit code.
func (s *stage) ends(code int, args ...string) {
	self, err := os.Executable()
	s.do(func() error { return err })
	s.process(code, self, "pawl", args)
}

// command runs another program.
func (s *stage) command(program string, args ...string) {
	s.process(0, s.programs.Find(program), program, args)
}

func (s *stage) process(code int, path, shown string, args []string) {
	s.play(shown, args, func(out io.Writer) (int, error) {
		cmd := exec.CommandContext(s.ctx, path, args...)
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, s.around, out, out
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // a run then keeps what its agents did
		cmd.WaitDelay = demoLife
		err := cmd.Run()
		if cmd.ProcessState == nil {
			return 0, err
		}
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == code || err == nil && code == 0 {
			return cmd.ProcessState.Pid(), nil
		}
		return 0, cmp.Or(err, error(pawl.Errorf(pawl.Internal, "exit code 0, want %d", code)))
	})
}
