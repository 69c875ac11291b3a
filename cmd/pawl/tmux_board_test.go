package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
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
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), `"status": "pending"`, `"status": "completed"`, 1)
	if edited == string(text) {
		t.Fatalf("%s is not pending:\n%s", name, text)
	}
	if err := os.WriteFile(name, []byte(edited), 0o666); err != nil {
		t.Fatal(err)
	}
	s.sees("Blocked 0", "Ready 1", "Done 1")

	c := h.serve(t, "--session", "s1")
	contains(t, c.call("task_claim", `{}`), "Claimed #2")
	s.sees("Ready 0", "In progress 1")
	contains(t, c.call("task_update", `{"taskId":2,"status":"completed"}`), "Completed #2")
	s.sees("In progress 0", "Done 2")
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// Completing a task turns ready what waited for it, in the lanes and in the
// graph, for everybody who looks.
func TestBoardCompletes(t *testing.T) {
	h := newHome(t)
	h.run(t, "add", "Set up the project")
	h.run(t, "add", "Write the parser", "--after", "1")
	h.run(t, "add", "Write the emitter", "--after", "1")
	h.run(t, "add", "Test both", "--after", "2,3")
	lanes := h.show(t, 120, 40, "board")
	graph := h.show(t, 120, 40, "board", "1")
	lanes.sees("Blocked 3", "Ready 1", "◆ #1 Set up the project", "○ #2 Write the parser", "waits for #1")
	graph.sees("Around #1", "Write the emitter", "Test both", "Blocked 3")

	lanes.press("d")
	lanes.sees("Completed #1", "Blocked 1", "Ready 2", "Done 1", "◆ #2 Write the parser", "◆ #3 Write the emitter", "✔ #1 Set up the project")
	lanes.seesNot("waits for #1")
	graph.sees("Blocked 1", "Ready 2", "Done 1")
	graph.seesRow("◆", "#2 Write the parser")
	graph.seesRow("◆", "#3 Write the emitter")
	graph.seesRow("○", "#4 Test both")

	graph.press("j", "d") // the parser
	graph.sees("Completed #2")
	lanes.sees("Done 2", "Ready 1", "Blocked 1")
	h.run(t, "done", "3")
	lanes.sees("Done 3", "◆ #4 Test both")
	graph.sees("Done 3", "Ready 1")
	graph.seesRow("◆", "#4 Test both")
}

// Without a board the screen waits until anybody makes one.
func TestBoardWaits(t *testing.T) {
	h := newHome(t)
	s := h.show(t, 120, 40, "board")
	s.sees("Pawl")
	h.run(t, "add", "Set up the project")
	s.sees("Ready 1")
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

// However it ends, the terminal is as it was: its lines, its cursor, its mouse.
func TestBoardRestoresTheTerminal(t *testing.T) {
	for name, leave := range map[string]func(s *screen){
		"quit":   func(s *screen) { s.press("q") },
		"ctrl+c": func(s *screen) { s.press("C-c") },
		"TERM":   func(s *screen) { s.signal(syscall.SIGTERM) },
		"HUP":    func(s *screen) { s.signal(syscall.SIGHUP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.run(t, "add", "Set up the project")
			s := h.terminal(t, 100, 30, "sh", "-c", `echo before; sh -c 'echo $$ >pid; exec pawl board'; echo "left with $?"; read line`)
			s.sees("Ready 1")
			s.asks("alternate screen #{alternate_on}, mouse #{mouse_any_flag}", "alternate screen 1, mouse 1")
			leave(s)
			s.sees("before", "left with 0")
			s.seesNot("Ready")
			s.asks("alternate screen #{alternate_on}, mouse #{mouse_any_flag}, cursor #{cursor_flag}", "alternate screen 0, mouse 0, cursor 1")
		})
	}
}

// A large board says that it is being read, what is typed until then is not lost,
// and a task that was done long ago is found.
func TestBoardOfManyTasks(t *testing.T) {
	h := newHome(t)
	h.run(t, "init")
	const n = 3_000
	first := time.Now().UTC().Add(-n * time.Minute) // what is older is archived
	for id := 1; id <= n+1; id++ {
		text := fmt.Sprintf(`{"id":%d,"subject":"Chore %[1]d","status":"completed","completedAt":%q}`, id, first.Add(time.Duration(id)*time.Minute).Format(time.RFC3339))
		if id > n {
			text = fmt.Sprintf(`{"id":%d,"subject":"Go on","status":"pending"}`, id)
		}
		if err := os.WriteFile(filepath.Join(h.dir, "project", ".tasks", fmt.Sprintf("task_%d.json", id)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := h.show(t, 100, 20, "board")
	s.press("/")
	s.write("#77")
	s.press("Enter")
	s.sees("#77 Chore 77", "✔ completed")
	s.press("b")
	s.sees("3000 of 3001 tasks done", "…2990")
}
