package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/dev/tmux"
)

// A stage is where a scene is played: a project with a board, and a terminal.
// After a failure it does nothing more.
type stage struct {
	scene
	theme
	program  string
	dir      string // of the project
	home     string
	terminal *tmux.Terminal
	frames   []grid // those that are kept
	err      error
}

// play runs a scene and draws what was kept of it.
func (sc scene) play(program, dir string, th theme) (string, error) {
	s := &stage{scene: sc, theme: th, program: program, dir: filepath.Join(dir, "compiler"), home: filepath.Join(dir, "home")}
	s.do(func() error { return os.MkdirAll(filepath.Join(s.dir, ".git"), 0o755) })
	s.do(func() error { return os.MkdirAll(s.home, 0o755) })
	sc.story(s)
	if s.terminal != nil {
		err := s.terminal.Close()
		s.do(func() error { return err })
	}
	if s.err == nil && len(s.frames) == 0 {
		s.err = fmt.Errorf("nothing was kept")
	}
	if s.err != nil {
		return "", s.err
	}
	return picture{th, sc.title, sc.width}.draw(s.frames...), nil
}

func (s *stage) do(f func() error) {
	if s.err == nil {
		s.err = f()
	}
}

func (s *stage) env() []string {
	path := filepath.Dir(s.program) + string(os.PathListSeparator) + os.Getenv("PATH")
	return []string{"HOME=" + s.home, "USER=ada", "PATH=" + path, "TZ=UTC", "PS1=$ "}
}

// run runs pawl as somebody.
func (s *stage) run(who string, args ...string) {
	s.do(func() error { return s.pawl(nil, append(args, "--as", who, "--session", who)...) })
}

func (s *stage) pawl(in io.Reader, args ...string) error {
	cmd := exec.Command(s.program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = s.dir, s.env(), in
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pawl %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// open runs the command of the scene on a terminal.
func (s *stage) open() {
	s.do(func() (err error) {
		args := append(append([]string{s.program}, s.command...), "--theme", s.theme.name)
		if len(s.command) == 0 {
			args = []string{"sh"}
		}
		s.terminal, err = tmux.Start(tmux.Program{Args: args, Dir: s.dir, Env: s.env(), Width: s.width, Height: s.height})
		return err
	})
}

func (s *stage) press(keys ...string) {
	s.do(func() error { return s.terminal.Press(keys...) })
}

// enter types lines into a shell, each after the end of the one before.
func (s *stage) enter(lines ...string) {
	for _, line := range lines {
		s.do(func() error {
			_, err := s.terminal.Await("a prompt", func(screen string) bool {
				return strings.HasSuffix("\n"+strings.TrimRight(screen, " \n"), "\n$")
			})
			return err
		})
		s.do(func() error { return s.terminal.Type(line) })
		s.press("Enter")
	}
}

func (s *stage) sees(texts ...string) {
	s.do(func() error {
		_, err := s.terminal.Await(fmt.Sprintf("%q", texts), func(screen string) bool {
			return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
		})
		return err
	})
}

// keep keeps what stands on the screen once it stands still.
func (s *stage) keep() {
	s.do(func() error {
		var last string
		_, err := s.terminal.Await("a screen that stands still", func(screen string) bool {
			still := screen == last
			last = screen
			return still
		})
		if err != nil {
			return err
		}
		text, err := s.terminal.Styled()
		if err != nil {
			return err
		}
		g, err := parse(text)
		if err != nil {
			return err
		}
		s.frames = append(s.frames, g)
		return nil
	})
}
