package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A task is edited in the reader's editor, which has the terminal until it ends and
// gives it back.
func TestBoardEditor(t *testing.T) {
	h := newHome(t)
	h.run(t, "add", "Write the parser")
	editor := filepath.Join(h.dir, "edit")
	script := "#!/bin/sh\necho editing; read answer\nsed \"s/parser/$answer/\" \"$1\" >text && cat text >\"$1\"\n"
	must.Do(t, os.WriteFile(editor, []byte(script), 0o755))
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
	text := must.Get(os.ReadFile(name))(t)
	bad := strings.Replace(string(text), "Set up the project", `\u001b]0;owned\u0007\u001b[2J\u001b[31m語彙 e\u0301\u200d\u202ered\u009b5n👩‍👩‍👧`, 1)
	must.Do(t, os.WriteFile(name, []byte(bad), 0o666))
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
