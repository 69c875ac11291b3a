package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// at is the column and the row, from 1 on, at which a text begins on the screen.
func (s *screen) at(text string) (x, y int) {
	s.t.Helper()
	for row := range strings.Lines(s.sees(text)) {
		y++
		if before, _, ok := strings.Cut(row, text); ok {
			return len([]rune(before)) + 1, y
		}
	}
	s.t.Fatalf("%q is gone", text)
	return 0, 0
}

// mouse does something with the left button as terminals tell it: 'M' is down
// or, with 32 more, dragged, 'm' is up.
func (s *screen) mouse(button, x, y int, end rune) {
	s.t.Helper()
	s.must(s.terminal.Type(fmt.Sprintf("\x1b[<%d;%d;%d%c", button, x, y, end)))
}

// A click selects, a card that is dragged to a lane gets there, and a key at the
// bottom is pressed by a click on it.
func TestBoardMouse(t *testing.T) {
	h := newHome(t)
	h.run(t, "add", "Set up the project")
	h.run(t, "add", "Write the parser")
	s := h.show(t, 120, 40, "board")
	x, y := s.at("#2 Write the parser")
	s.mouse(0, x, y, 'M')
	s.mouse(0, x, y, 'm')
	s.sees("▌ ◆ #2 Write the parser")

	x, y = s.at("#1 Set up the project") // another one: two clicks on one open it
	to, _ := s.at("Done 0")
	s.mouse(0, x, y, 'M')
	s.mouse(32, (x+to)/2, y, 'M')
	s.mouse(32, to, y, 'M')
	s.sees("Drop to complete it")
	s.mouse(0, to, y, 'm')
	s.sees("Done 1", "✔ #1 Set up the project", "Completed #1")

	x, y = s.at("r reopen")
	s.mouse(0, x, y, 'M')
	s.mouse(0, x, y, 'm')
	s.sees("Done 0", "Ready 2")
}

// A task is edited in the reader's editor, which has the terminal until it ends and
// gives it back.
func TestBoardEditor(t *testing.T) {
	h := newHome(t)
	h.run(t, "add", "Write the parser")
	editor := filepath.Join(h.dir, "edit")
	script := "#!/bin/sh\necho editing; read answer\nsed \"s/parser/$answer/\" \"$1\" >text && cat text >\"$1\"\n"
	if err := os.WriteFile(editor, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	s := h.terminal(t, 100, 30, "env", "EDITOR="+editor, "pawl", "board")
	s.sees("Write the parser", "e edit")
	s.press("e")
	s.sees("editing")
	s.asks("alternate screen #{alternate_on}", "alternate screen 0")
	s.write("emitter")
	s.press("Enter")
	s.sees("◆ #1 Write the emitter", "? help")
	s.asks("alternate screen #{alternate_on}", "alternate screen 1")
	s.press("u")
	s.sees("◆ #1 Write the parser")
}

var colour = regexp.MustCompile(`\x1b\[[0-9;]*[34][0-8][;m]`) // not 39 and 49, which are the terminal's own

// Without colours and without Unicode all is said anyway.
func TestBoardPlain(t *testing.T) {
	h := newHome(t)
	h.run(t, "add", "Set up the project")
	h.run(t, "add", "Write the parser", "--after", "1")
	h.run(t, "claim", "1", "--as", "bob")
	for name, c := range map[string]struct {
		args []string
		sees []string
	}{
		"colours":  {nil, []string{"→ #1", "○ #2"}},
		"NO_COLOR": {[]string{"NO_COLOR=1"}, []string{"→ #1", "○ #2", "waits for #1", "bob"}},
		"ASCII":    {[]string{"LANG=C"}, []string{"> / #1", "#2 Write the parser", "waits for #1", "bob"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := h.terminal(t, 120, 40, append(append([]string{"env"}, c.args...), "pawl", "board", "--theme", "dark")...)
			screen := s.sees(append(c.sees, "? help")...)
			styled, err := s.terminal.Styled()
			s.must(err)
			if got := colour.MatchString(styled); got != (name != "NO_COLOR") {
				t.Errorf("colours: %v\n%q", got, styled)
			}
			for _, r := range screen {
				if name == "ASCII" && r > '~' {
					t.Errorf("there is a %q on\n%s", r, screen)
					break
				}
			}
		})
	}
}

// What another program wrote into a task is text: it does not reach the terminal as
// an order, nor move what stands beside it.
func TestBoardStrangers(t *testing.T) {
	h := newHome(t)
	h.run(t, "add", "Set up the project")
	h.run(t, "add", "Write the parser", "--after", "1")
	name := filepath.Join(h.dir, "project", ".tasks", "task_1.json")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	bad := strings.Replace(string(text), "Set up the project", `\u001b]0;owned\u0007\u001b[2J\u001b[31m語彙 e\u0301\u200d\u202ered\u009b5n👩‍👩‍👧`, 1)
	if err := os.WriteFile(name, []byte(bad), 0o666); err != nil {
		t.Fatal(err)
	}
	s := h.show(t, 120, 40, "board")
	s.sees("語彙", "red", "Blocked 1", "Ready 1", "Write the parser")
	for _, key := range []string{"g", "Enter", "t", "b"} {
		s.press(key)
		s.sees("語彙")
	}
	title, err := s.terminal.Ask("#{pane_title}")
	s.must(err)
	if strings.Contains(title, "owned") {
		t.Errorf("the terminal is called %q", title)
	}
	s.sees("Blocked 1", "Ready 1", "waits for #1")
}
