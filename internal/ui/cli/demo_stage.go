package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/terminal"
)

// beat is the time between two things that the demo shows to one who watches. It
// has some 50 of them, and is to be over in ten seconds.
const beat = 200 * time.Millisecond

// A stage is where the demo plays: it runs real commands in a folder and shows
// them. After a failure it does nothing more.
type stage struct {
	ctx      context.Context
	env      Env
	paint    paint
	screen   screen
	out      io.Writer
	root     string // the folder of all scenes
	dir      string // the folder of this one
	beat     time.Duration
	quiet    bool          // nobody watches: what commands print is kept in steps
	programs lookup.Finder // not of the project that the demo was called in
	around   []string      // the environment of commands
	steps    []stepJSON
	err      error
}

// stepJSON is a command that the demo ran.
type stepJSON struct {
	Dir     string `json:"dir"`     // where
	Command string `json:"command"` // as typed
	Output  string `json:"output"`  // what it printed
	Process int    `json:"process"` // the id of the process that ran it
}

func newStage(ctx context.Context, a *app, dir string, fast bool) *stage {
	s := &stage{ctx: ctx, env: a.env, programs: a.programs(), paint: a.paint, screen: a.screen, out: a.env.Stdout, root: dir}
	ours := func(pair string) bool { return strings.HasPrefix(pair, "PAWL_") }
	s.around = append(slices.DeleteFunc(os.Environ(), ours), s.programs.PATH()) // about its own boards, and in no project
	switch {
	case a.json:
		s.out, s.paint, s.quiet = io.Discard, false, true
	case !terminal.Is(a.env.Stdout):
		s.out = &audience{out: a.env.Stdout}
	case !fast:
		s.beat = beat
	}
	return s
}

// An audience reads the demo from a pipe. It may leave early.
type audience struct {
	out  io.Writer
	left bool
}

func (a *audience) Write(p []byte) (int, error) {
	n, err := a.out.Write(p)
	a.left = a.left || errors.Is(err, syscall.EPIPE)
	return n, err
}

// scene begins a new part, in the folder called name.
func (s *stage) scene(title, name string) {
	s.print("\n%s\n%s\n", s.paint.as(bold, title), strings.Repeat("-", len(title)))
	s.dir = filepath.Join(s.root, name)
	s.do(func() error { return os.MkdirAll(s.dir, 0o755) })
	s.wait(3)
}

// note says something between two commands.
func (s *stage) note(text string) {
	s.print("\n%s\n", strings.Join(term.Wrap(text, manual.Width), "\n"))
	s.wait(3)
}

// run runs a command in this process.
func (s *stage) run(args ...string) {
	s.play("pawl", args, func(out io.Writer) (int, error) {
		env := s.env
		env.Args, env.Dir, env.Stdin = args, s.dir, strings.NewReader("")
		env.Stdout, env.Stderr, env.Getenv = out, out, s.getenv
		if code := Run(s.ctx, env); code != 0 {
			return 0, fmt.Errorf("exit code %d", code)
		}
		return os.Getpid(), nil
	})
}

// play shows a command and what it prints.
func (s *stage) play(program string, args []string, run func(out io.Writer) (pid int, err error)) {
	words := []string{program}
	for _, arg := range args {
		words = append(words, quote(arg))
	}
	line := strings.Join(words, " ")
	s.print("\n%s\n", s.paint.as(bold, "$ "+line))
	s.wait(1)
	s.do(func() error { return s.carryOut(line, run) })
	s.wait(2)
}

// carryOut runs a command and keeps what is told of it.
func (s *stage) carryOut(line string, run func(out io.Writer) (pid int, err error)) error {
	var said bytes.Buffer
	out := s.out // a terminal is handed on, so that the command knows it is one
	if s.quiet {
		out = &said
	}
	pid, err := run(out)
	if err != nil {
		return pawl.Errorf(pawl.Internal, "%s: %w", line, err).Say("try it in a temporary folder: pawl demo")
	}
	s.steps = append(s.steps, stepJSON{s.dir, line, said.String(), pid})
	return nil
}

// write makes a file and shows it.
func (s *stage) write(name, content string) {
	s.do(func() error { return os.WriteFile(filepath.Join(s.dir, name), []byte(content), 0o644) })
	s.print("\n%s\n%s", s.paint.as(bold, "$ cat "+name), content)
	s.wait(3)
}

func (s *stage) do(f func() error) {
	if s.err == nil {
		s.err = f()
	}
}

func (s *stage) print(format string, args ...any) {
	s.do(func() error {
		_, err := fmt.Fprintf(s.out, format, args...)
		return err
	})
}

// wait lets some beats pass.
func (s *stage) wait(beats int) {
	if s.err != nil {
		return
	}
	if s.beat == 0 && s.ctx.Err() == nil {
		return
	}
	select {
	case <-s.ctx.Done():
		s.err = errStopped
	case <-time.After(time.Duration(beats) * s.beat):
	}
}
