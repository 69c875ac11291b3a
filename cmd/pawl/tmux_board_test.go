package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// What another process does shows by itself: a command, an editor, an agent.
func TestBoardFollowsOthers(t *testing.T) {
	h := newHome(t)
	h.run(t, "add", "Set up the project")
	s := h.show(t, 120, 40, "board")
	s.sees("Ready 1")

	h.run(t, "add", "Write the parser", "--after", "1")
	s.sees("Blocked 1", "Ready 1")

	name := filepath.Join(h.dir, "project", ".tasks", "task_1.json")
	text := must.Get(os.ReadFile(name))(t)
	edited := strings.Replace(string(text), `"status": "pending"`, `"status": "completed"`, 1)
	if edited == string(text) {
		t.Fatalf("%s is not pending:\n%s", name, text)
	}
	must.Do(t, os.WriteFile(name, []byte(edited), 0o666))
	s.sees("Blocked 0", "Ready 1", "Done 1")

	c := h.serve(t, "--session", "s1")
	contains(t, c.call("task_claim", `{}`), "Claimed #2")
	s.sees("Ready 0", "In progress 1")
	contains(t, c.call("task_update", `{"taskId":2,"status":"completed"}`), "Completed #2")
	s.sees("In progress 0", "Done 2")
	must.Do(t, c.end())
}

// The screen fits its terminal at any time, and says so where it cannot.
func TestBoardFits(t *testing.T) {
	h := newHome(t)
	h.run(t, "add", "Set up the project")
	s := h.show(t, 120, 40, "board")
	s.sees("Ready 1", "? help")
	for _, size := range [][2]int{{60, 15}, {200, 60}, {29, 15}, {30, 8}, {120, 40}} {
		s.size(size[0], size[1])
		first, some, last := "Pawl", "Ready 1", "? help"
		switch {
		case size[0] < 30:
			first, some, last = "Pawl needs 30×8", "", ""
		case size[1] < 10:
			first = "Ready 1" // no room for a heading
		}
		_, err := s.terminal.Await(fmt.Sprintf("a frame for %v", size), func(screen string) bool {
			lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
			return len(lines) == size[1] && strings.Contains(lines[0], first) && strings.Contains(screen, some) && strings.Contains(lines[len(lines)-1], last)
		})
		s.must(err)
	}
}

// However the board and the panel end, the terminal is as it was: its lines, its cursor, its
// mouse.
func TestRestoresTheTerminal(t *testing.T) {
	for name, leave := range map[string]func(s *screen){
		"board q":    func(s *screen) { s.press("q") },
		"board C-c":  func(s *screen) { s.press("C-c") },
		"board TERM": func(s *screen) { s.signal(syscall.SIGTERM) },
		"board HUP":  func(s *screen) { s.signal(syscall.SIGHUP) },
		"panel q":    func(s *screen) { s.press("q") },
		"panel TERM": func(s *screen) { s.signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			command, _, _ := strings.Cut(name, " ")
			if command == "board" {
				h.run(t, "add", "Set up the project")
			} else {
				h.run(t, "todo", "add", "Set up the project", "--session", "s1")
				command = "todo --follow"
			}
			s := h.terminal(t, 100, 30, "sh", "-c", `echo before; sh -c 'echo $$ >pid; exec pawl `+command+`'; echo "left with $?"; read line`)
			s.sees("Set up the project")
			s.asks("alternate screen #{alternate_on}, mouse #{mouse_any_flag}", "alternate screen 1, mouse 1")
			leave(s)
			s.sees("before", "left with 0")
			s.seesNot("Set up the project")
			s.asks("alternate screen #{alternate_on}, mouse #{mouse_any_flag}, cursor #{cursor_flag}", "alternate screen 0, mouse 0, cursor 1")
		})
	}
}
