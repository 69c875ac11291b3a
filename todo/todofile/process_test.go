package todofile

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

var (
	processes = flag.Int("todofile.processes", 32, "processes that edit at the same time")
	edits     = flag.Int("todofile.edits", 5, "edits of each")
)

// play is the variable that makes the test binary another process of a story.
const play = "PAWL_TODOFILE_PLAY"

func TestMain(m *testing.M) {
	role := os.Getenv(play)
	if role == "" {
		os.Exit(m.Run())
	}
	os.Unsetenv(play)
	flag.Parse()
	if err := act(role, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// act is what another process does: "edit DIR NAME", "call DIR NAME" or "panel
// DIR SESSION".
func act(role string, args []string) error {
	ctx := context.Background()
	s, err := Open(args[0])
	if err != nil {
		return err
	}
	switch role {
	case "edit":
		for n := range *edits {
			key := one
			if n%2 == 1 {
				key = two
			}
			if err := persistently(func() error {
				_, err := s.Update(ctx, key, func(l *todo.List) error {
					id := fmt.Sprint(args[1], ".", n)
					l.Items = append(l.Items, todo.Item{ID: id, Content: id, Status: todo.Pending, Priority: todo.Low, ActiveForm: id})
					return nil
				})
				return err
			}); err != nil {
				return err
			}
		}
	case "call":
		lists := todo.New(s, time.Now)
		for n := range *edits {
			id := fmt.Sprint(args[1], ".", n)
			call := todo.Call{ToolCall: todo.ToolCall{ID: id, Name: "edit"}}
			if err := persistently(func() error { return lists.CallStarted(ctx, one, call) }); err != nil {
				return err
			}
			if err := persistently(func() error { return lists.CallEnded(ctx, one, id, todo.Succeeded) }); err != nil {
				return err
			}
		}
	case "panel":
		if _, err := s.OpenPanel(ctx, args[1]); err != nil {
			return err
		}
		fmt.Println("open")
		io.Copy(io.Discard, os.Stdin) // until the test ends us
	}
	return nil
}

// persistently repeats a call that found the list locked for as long as a caller
// waits: that changes nothing, and a busy machine is not a fault.
func persistently(call func() error) error {
	for {
		if err := call(); !errors.Is(err, errBusy) {
			return err
		}
	}
}

func process(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must.Do(t, err)
	cmd := exec.Command(self, append([]string{fmt.Sprint("-todofile.edits=", *edits)}, args...)...)
	cmd.Env = append(os.Environ(), play+"="+role)
	cmd.Stderr = os.Stderr
	return cmd
}

// Of what many processes add to two lists nothing is lost.
func TestManyProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "todos")
	var running []*exec.Cmd
	for n := range *processes {
		cmd := process(t, "edit", dir, fmt.Sprint(n))
		must.Do(t, cmd.Start())
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	s, seen := open(t, dir), map[string]bool{}
	for _, key := range []todo.Key{one, two} {
		list, err := s.Load(t.Context(), key)
		must.Do(t, err)
		for _, item := range list.Items {
			if seen[item.ID] {
				t.Errorf("%s is there twice", item.ID)
			}
			seen[item.ID] = true
		}
	}
	if want := *processes * *edits; len(seen) != want {
		t.Errorf("%d of %d edits are there", len(seen), want)
	}
	if problems := s.Problems(); len(problems) > 0 {
		t.Errorf("there are problems: %q", problems)
	}
}

// Nor is anything lost of the tool calls that they report at the same time, each as
// hooks do, in a process of its own.
func TestManyProcessesCall(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "todos")
	s := open(t, dir)
	must.Do(t, errOf(s.Update(t.Context(), one, func(l *todo.List) error {
		l.Items = []todo.Item{{ID: "1", Content: "a", Status: todo.InProgress, Priority: todo.Low, ActiveForm: "a"}}
		return nil
	})))
	callers := todo.MaxToolCalls / *edits
	var running []*exec.Cmd
	for n := range callers + 4 {
		role := "call"
		if n >= callers {
			role = "edit"
		}
		cmd := process(t, role, dir, fmt.Sprint(n))
		must.Do(t, cmd.Start())
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	list, err := s.Load(t.Context(), one)
	must.Do(t, err)
	seen := map[string]bool{}
	for _, c := range list.Items[0].ToolCalls {
		if seen[c.ID] || c.Outcome != todo.Succeeded {
			t.Errorf("%s is there twice, or %s", c.ID, c.Outcome)
		}
		seen[c.ID] = true
	}
	if want := callers * *edits; len(seen) != want {
		t.Errorf("%d of %d calls are there", len(seen), want)
	}
}

// Writers that are killed at any time leave a list that can be read and
// written, with all that others were told is stored.
func TestKilledWriters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "todos")
	s := open(t, dir)
	for round := range 6 {
		var running []*exec.Cmd
		for n := range 4 {
			cmd := process(t, "edit", dir, fmt.Sprint(round, "-", n))
			must.Do(t, cmd.Start())
			running = append(running, cmd)
		}
		for i := range 10 {
			content := fmt.Sprint(round, " ", i)
			if err := appending(one, content)(t, s); err != nil {
				t.Error(err)
			}
			if i == round {
				for _, cmd := range running {
					cmd.Process.Kill()
				}
			}
		}
		for _, cmd := range running {
			cmd.Wait() // killed, or done before that
		}
	}
	list, err := open(t, dir).Load(t.Context(), one)
	must.Do(t, err)
	there := map[string]bool{}
	for _, item := range list.Items {
		there[item.Content] = true
	}
	for round := range 6 {
		for i := range 10 {
			if !there[fmt.Sprint(round, " ", i)] {
				t.Errorf("edit %d of round %d is lost", i, round)
			}
		}
	}
	if problems := s.Problems(); len(problems) > 0 {
		t.Errorf("there are problems: %q", problems)
	}
}

// A panel that is killed is closed at once, and its lock file goes.
func TestKilledPanel(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "todos")
	s := open(t, dir)
	expect := func(want bool) {
		t.Helper()
		if open, err := s.PanelOpen(t.Context(), "s"); open != want || err != nil {
			t.Errorf("the panel is open: %v, %v; want %v", open, err, want)
		}
	}
	start := func() *exec.Cmd {
		t.Helper()
		cmd := process(t, "panel", dir, "s")
		must.Do(t, errOf(cmd.StdinPipe()))
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		must.Do(t, err)
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "open\n" {
			t.Fatalf("the other process says %q, %v", line, err)
		}
		return cmd
	}
	kill := func(cmd *exec.Cmd) {
		cmd.Process.Kill()
		cmd.Wait()
	}
	expect(false)
	first, second := start(), start()
	expect(true)
	kill(first)
	expect(true)
	kill(second)
	expect(false)
	if left := names(t, filepath.Join(dir, panelDir)); len(left) != 1 || left[0] != ".lock" {
		t.Errorf("of the panels there are left %q", left)
	}
	third := start()
	kill(third)
	if _, err := s.Sweep(t.Context(), time.Time{}, time.Time{}); err != nil {
		t.Error(err)
	}
	if left := names(t, filepath.Join(dir, panelDir)); len(left) != 1 {
		t.Errorf("after a sweep there are left %q", left)
	}
}

func names(t testing.TB, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must.Do(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
