package live

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/trace"
)

// A toy is a project that nobody needs, with all that Pawl remembers of it:
//
//	pawl-live-4182/
//	├── bin/pawl            calls this program, and has it say what it sees
//	├── look/               seen.jsonl, state, config
//	└── pawl-toy-k7f2q…/    the project; agents keep things by its name
type toy struct {
	dir, root, look string
	command         string // how the agent calls Pawl
	env             []string
	home            string
	program         string
}

func (l *Look) makeToy(_ context.Context) (y *toy, err error) {
	dir, err := os.MkdirTemp("", "pawl-live-")
	if err != nil {
		return nil, pawl.Errorf(pawl.Unavailable, "cannot make a temporary folder: %w", err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	y = &toy{dir: dir, look: filepath.Join(dir, "look"), home: l.Home, program: l.Pawl, command: l.Pawl}
	y.root = filepath.Join(dir, "pawl-toy-"+strings.ToLower(rand.Text()[:10]))
	for _, name := range []string{y.look, filepath.Join(dir, "bin"), filepath.Join(y.root, ".git", "objects"), filepath.Join(y.root, ".git", "refs", "heads")} {
		if err := os.MkdirAll(name, 0o700); err != nil {
			return nil, err
		}
	}
	files := map[string]string{ // with that it is a repository of git, whether git is there or not
		filepath.Join(y.root, ".git", "HEAD"):   "ref: refs/heads/main\n",
		filepath.Join(y.root, ".git", "config"): "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
		filepath.Join(y.root, "README.md"):      "# A toy\n\nAn empty project in which a task memory is tried. It is removed afterwards.\n",
	}
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			return nil, err
		}
	}
	y.env = environment(l.Environ, y.look, filepath.Join(dir, "bin"), y.root)
	return y, y.wrap()
}

// wrap makes a pawl that looks on whatever the agent's program leaves of its
// environment: some hand their servers a cleaned one. Windows has no such script
// that each program starts; there the environment has to do.
func (y *toy) wrap() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	y.command = filepath.Join(y.dir, "bin", "pawl")
	script := fmt.Sprintf("#!/bin/sh\n%s=%s\nexport %[1]s\nexec %[3]s \"$@\"\n", trace.Variable, quote(y.look), quote(y.program))
	return os.WriteFile(y.command, []byte(script), 0o700)
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// environment is the user's, without variables of another session: those that an
// agent sets for its commands would make this a session within that one, and those
// that steer git or Pawl would lead out of the toy.
func environment(user []string, look, bin, root string) (env []string) {
	drop := map[string]bool{"PWD": true, "OLDPWD": true, trace.Variable: true}
	for _, a := range known.Agents {
		for _, name := range append([]string{a.Session, a.Project}, a.Marks...) {
			drop[name] = true
		}
	}
	path := ""
	for _, v := range user {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case strings.EqualFold(name, "PATH"):
			path = string(os.PathListSeparator) + value
		case drop[name], strings.HasPrefix(name, "GIT_"), strings.HasPrefix(name, "PAWL_"):
		default:
			env = append(env, v)
		}
	}
	return append(env, "PATH="+bin+path, "PWD="+root, trace.Variable+"="+look)
}

// getenv is what holds for Pawl in the toy project.
func (y *toy) getenv(name string) string {
	switch name {
	case "XDG_STATE_HOME":
		return filepath.Join(y.look, "state")
	case "XDG_CONFIG_HOME":
		return filepath.Join(y.look, "config")
	}
	return value(y.env, name)
}

// value is that of a variable, as a program sees it: of several, the last.
func value(env []string, name string) (v string) {
	for _, line := range env {
		if n, found, _ := strings.Cut(line, "="); n == name {
			v = found
		}
	}
	return v
}

// pawl runs this program in the toy project as a person does, and reads its JSON
// into a value.
func (y *toy) pawl(ctx context.Context, into any, args ...string) error {
	cmd := exec.CommandContext(ctx, y.program, append(args, "--json", "--as", "you")...)
	cmd.Dir, cmd.Env = y.root, y.env
	out, err := cmd.Output()
	if err != nil {
		return pawl.Errorf(pawl.Unavailable, "pawl %s fails in the toy project: %w: %s", strings.Join(args, " "), err, y.mask(string(out)))
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(out, into)
}

// A step is a todo, as far as it matters here.
type step struct{ Content, Status string }

func (y *toy) todos(ctx context.Context, session string) ([]step, error) {
	var in struct{ Todos []step }
	if session == "" {
		return nil, nil
	}
	err := y.pawl(ctx, &in, "todo", "--session", session)
	return in.Todos, err
}

// mask is a text fit to be sent: without secrets, the user's home, the toy's
// folder, or what could move a cursor. A secret is hidden before the text is cut,
// because half of one has no shape.
func (y *toy) mask(s string) string {
	for _, v := range []struct{ path, name string }{{y.root, "TOY"}, {y.dir, "TMP"}, {y.home, "~"}} {
		if len(v.path) > 1 {
			s = strings.ReplaceAll(s, v.path, v.name)
		}
	}
	return text.Clip(unsecret(text.Line(strings.TrimSpace(text.Clip(s, maxMasked)))), maxSaid)
}

// maxSaid is how much of what an agent says a report quotes.
const maxSaid = 500

// maxMasked is how much is looked at for it: more than secrets fill that are hidden.
const maxMasked = 40 * maxSaid

func (y *toy) remove() { _ = os.RemoveAll(y.dir) }
