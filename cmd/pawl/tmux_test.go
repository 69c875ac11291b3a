package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/dev/tmux"
)

// A screen is a terminal on which a story looks at Pawl, and types.
type screen struct {
	t        *testing.T
	terminal *tmux.Terminal
	dir      string // of the project
}

// show runs pawl on a terminal of this size.
func (h home) show(t *testing.T, width, height int, args ...string) *screen {
	t.Helper()
	return h.terminal(t, width, height, append([]string{filepath.Join(h.bin, "pawl")}, args...)...)
}

// terminal runs any program on one.
func (h home) terminal(t *testing.T, width, height int, args ...string) *screen {
	t.Helper()
	if err := tmux.Missing(); err != nil {
		mustrun.Skip(t, err.Error())
	}
	like := h.pawl(t, []string{"PATH=" + h.bin + ":/usr/local/bin:/usr/bin:/bin"})
	terminal := must.Get(tmux.Start(tmux.Program{Args: args, Dir: like.Dir, Env: like.Env, Width: width, Height: height}))(t)
	t.Cleanup(func() {
		must.Do(t, terminal.Close())
	})
	return &screen{t, terminal, like.Dir}
}

func (s *screen) must(err error) {
	s.t.Helper()
	must.Do(s.t, err)
}

// press presses keys, by their names in tmux.
func (s *screen) press(keys ...string) {
	s.t.Helper()
	s.must(s.terminal.Press(keys...))
}

// write types a text.
func (s *screen) write(text string) {
	s.t.Helper()
	s.must(s.terminal.Type(text))
}

func (s *screen) size(width, height int) {
	s.t.Helper()
	s.must(s.terminal.Resize(width, height))
}

// sees waits until all of the texts stand on the screen at once.
func (s *screen) sees(texts ...string) string {
	s.t.Helper()
	screen, err := s.terminal.Await(fmt.Sprintf("%q", texts), func(screen string) bool { return hasAll(screen, texts) })
	s.must(err)
	return screen
}

// seesRow waits until one row of the screen has all of the texts.
func (s *screen) seesRow(texts ...string) {
	s.t.Helper()
	_, err := s.terminal.Await(fmt.Sprintf("a row with %q", texts), func(screen string) bool {
		for row := range strings.Lines(screen) {
			if hasAll(row, texts) {
				return true
			}
		}
		return false
	})
	s.must(err)
}

func hasAll(text string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

// seesLike waits until something on the screen is as the pattern has it.
func (s *screen) seesLike(pattern string) {
	s.t.Helper()
	_, err := s.terminal.Await(pattern, regexp.MustCompile(pattern).MatchString)
	s.must(err)
}

// ends waits until the program has ended, well.
func (s *screen) ends() {
	s.t.Helper()
	_, err := s.terminal.Await("the end of the program", func(string) bool {
		how, err := s.terminal.Ended()
		return err == nil && how != ""
	})
	s.must(err)
	s.asks("#{pane_dead_status}", "0")
}

// seesNot waits until none of the texts stands on the screen.
func (s *screen) seesNot(texts ...string) {
	s.t.Helper()
	_, err := s.terminal.Await(fmt.Sprintf("a screen without %q", texts), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(screen, text) })
	})
	s.must(err)
}

// asks holds the terminal to the value of a format of tmux.
func (s *screen) asks(format, want string) {
	s.t.Helper()
	got, err := s.terminal.Ask(format)
	s.must(err)
	if got != want {
		s.t.Errorf("%s is %q, want %q", format, got, want)
	}
}

// signal sends a signal to the program that wrote its process id into the file
// pid of the project.
func (s *screen) signal(sig os.Signal) {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "pid"))
	s.must(err)
	id, err := strconv.Atoi(strings.TrimSpace(string(text)))
	s.must(err)
	process, err := os.FindProcess(id)
	s.must(err)
	s.must(process.Signal(sig))
}
