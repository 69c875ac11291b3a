package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/lookup"
)

// A refusal is what git says instead of an answer.
type refusal struct {
	code int
	said string
}

func (r *refusal) Error() string {
	first := ""
	for line := range strings.Lines(r.said) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "hint:") {
			first = line
			break
		}
	}
	return fmt.Sprintf("git: %s", strings.TrimPrefix(first, "fatal: "))
}

// ErrBusy says that git, or an editor that uses it, is writing the index.
var ErrBusy = errors.New("git is at work in this work tree: its index is locked")

func refuse(code int, said string) error {
	if strings.Contains(said, "index.lock': File exists") {
		return ErrBusy
	}
	return &refusal{code, said}
}

func isRefusal(err error) bool { return errors.As(err, new(*refusal)) }

func isExit(err error, code int) bool {
	var r *refusal
	return errors.As(err, &r) && r.code == code
}

// calm are the options that keep a repository's own configuration from starting a
// program, for each one that a command of this package could start. Programs for
// other commands (diff, textconv, merge, editor, pager, gpg) are never reached,
// because those commands are not used; filters are not, because blobs are written
// with --no-filters, and the index is written, and files are hashed, withoutFilters.
var calm = []string{
	"--no-pager",
	"-c", "safe.bareRepository=explicit", // a folder that only looks like a repository
	"-c", "core.fsmonitor=false", // asked by whatever reads the index
	"-c", "core.hooksPath=" + os.DevNull, // post-index-change, reference-transaction
	"-c", "core.alternateRefsCommand=",
	"-c", "core.sshCommand=", "-c", "core.gitProxy=", "-c", "core.askPass=", "-c", "credential.helper=", // the network, which environment forbids, too
	"-c", "log.showSignature=false",
	"-c", "gc.auto=0", "-c", "maintenance.auto=false",
}

// ask runs git with a short question.
func (t *Tree) ask(ctx context.Context, stdin []byte, args ...string) (string, error) {
	return t.run(ctx, call{stdin: stdin, patience: patience, limit: maxAnswer}, args...)
}

// A call is how git is run.
type call struct {
	env      []string // beside the usual
	stdin    []byte
	patience time.Duration
	limit    int  // bytes of the answer
	part     bool // the beginning of a longer answer is enough
	writes   bool // it must not end in the middle
}

// run runs git, and returns what it answers.
func (t *Tree) run(ctx context.Context, c call, args ...string) (string, error) {
	patience := left(ctx, c.patience)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := t.command(ctx, args...)
	cmd.Stdin, cmd.Env = bytes.NewReader(c.stdin), append(cmd.Env, c.env...)
	out, said := limited{max: c.limit}, limited{max: maxSaid}
	cmd.Stdout, cmd.Stderr = &out, &said
	var err error
	if c.writes {
		err = t.finish(ctx, cmd)
	} else {
		err = cmd.Run()
	}
	switch exit := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		return "", late(ctx, patience)
	case errors.As(err, &exit):
		return out.String(), refuse(exit.ExitCode(), said.String())
	case err != nil:
		return "", notRun(err)
	case out.cut && !c.part:
		return "", tooLong(c.limit)
	}
	return out.String(), nil
}

func notRun(err error) error { return fmt.Errorf("git cannot be run: %w", err) }

func tooLong(limit int) error { return fmt.Errorf("git's answer is longer than %d MiB", limit>>20) }

// left is how long a call may take, of which its caller may have less.
func left(ctx context.Context, patience time.Duration) time.Duration {
	if end, bound := ctx.Deadline(); bound {
		patience = min(patience, max(0, time.Until(end)))
	}
	return patience
}

// late says why a call was given up.
func late(ctx context.Context, patience time.Duration) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return fmt.Errorf("git did not answer within %v", patience.Round(time.Second/10))
}

// command is git with arguments, not started yet.
func (t *Tree) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, t.git, slices.Concat(calm, t.dirs, args)...)
	cmd.Dir, cmd.Env = t.Root, environment(os.Environ())
	// With these settings git's children do not outlive it. But a program that another
	// goroutine starts at this moment has the pipes until it runs, and on a machine on which
	// agents build and test that takes seconds.
	cmd.WaitDelay = 15 * time.Second
	return cmd
}

// limited keeps what is written to it up to a limit.
type limited struct {
	bytes.Buffer
	max int
	cut bool
}

func (l *limited) Write(p []byte) (int, error) {
	if room := l.max - l.Len(); len(p) > room {
		l.cut = true
		l.Buffer.Write(p[:room])
		return len(p), nil
	}
	return l.Buffer.Write(p)
}

// environment is that of git: without what leads it to another repository, makes
// it run programs, or has it answer in another language. It fetches nothing, which
// programs would do that the repository's configuration names, and sees the
// history as every clone does: without replaced commits.
func environment(of []string) []string {
	env := slices.DeleteFunc(slices.Clone(of), func(e string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(e), "=")
		return strings.HasPrefix(name, "GIT_") || name == "LC_ALL" || name == "LANGUAGE" || name == "SSH_ASKPASS"
	})
	return append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+os.DevNull)
}

// look finds git on PATH, and not in the project of the folder that it is asked about.
func look(dir string) (string, error) {
	name := "git"
	if runtime.GOOS == "windows" {
		name = "git.exe"
	}
	if path := lookup.Outside(os.Getenv, dir).Find(name); path != "" {
		return path, nil
	}
	return "", ErrMissing
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
