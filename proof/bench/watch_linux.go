package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/file/notify"
)

// watchScreens measures what people look at.
func watchScreens(p plan) (screens, error) {
	var all screens
	var v *viewer
	for _, size := range watchSizes {
		p.say("pawl board on %s tasks", thousands(size))
		v = &viewer{pawl: p.pawl, size: size, project: filepath.Join(p.work, strconv.Itoa(size)), home: filepath.Join(p.work, "home")}
		// A copy, for much is changed in it.
		if err := os.CopyFS(v.project, os.DirFS(projectOf(p.dir, size))); err != nil {
			return nil, err
		}
		board, err := v.board()
		if err != nil {
			return nil, err
		}
		all = append(all, board)
	}
	p.say("pawl todo --follow")
	panel, err := v.panel()
	if err != nil {
		return nil, err
	}
	return append(all, panel), nil
}

// A viewer looks at programs in a project.
type viewer struct {
	pawl, project, home string
	size                int // of the board
	marks               int
}

func (v *viewer) command(args ...string) *exec.Cmd {
	cmd := exec.Command(v.pawl, args...)
	cmd.Dir = v.project
	cmd.Env = []string{
		"HOME=" + v.home, "XDG_STATE_HOME=" + stateOf(v.project), "XDG_CONFIG_HOME=" + filepath.Join(v.home, "config"),
		"PATH=" + os.Getenv("PATH"), "USER=ada", "LANG=C.UTF-8", "TERM=xterm-256color", "COLORTERM=truecolor",
	}
	return cmd
}

// show starts a program on a terminal, and waits for a text of its first frame.
func (v *viewer) show(first string, args ...string) (*shown, time.Duration, error) {
	start := time.Now()
	s, err := show(v.command(args...))
	if err != nil {
		return nil, 0, err
	}
	came, err := s.await(first, 0)
	if err != nil {
		err = errors.Join(err, s.cmd.Process.Kill(), s.cmd.Wait())
	}
	return s, came.Sub(start), err
}

// A way is one in which something comes to the screen.
type way struct {
	by string
	do func(mark string) error
}

// measure looks at a program that runs, at rest and while there is much to show.
func (v *viewer) measure(w *watched, s *shown, ways []way, burst func(mark string) error) error {
	for _, way := range ways {
		seen, err := v.sight(s, way)
		if err != nil {
			return err
		}
		w.Seen = append(w.Seen, seen)
	}
	time.Sleep(time.Second)
	pid := s.cmd.Process.Pid
	var err error
	if w.Idle, _, err = load(pid, func() error { time.Sleep(watchIdle); return nil }); err != nil {
		return err
	}
	place, text := s.now(), ""
	w.Burst.CPU, w.Burst.Took, err = load(pid, func() error {
		for range watchBurst {
			v.marks++
			text = mark(v.marks)
			if err := burst(text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = s.await(text, place)
	w.Burst.Frames = s.frames(place)
	w.Peak = peak(pid)
	return err
}

// sight does something a number of times that brings a mark to the screen.
func (v *viewer) sight(s *shown, w way) (sighting, error) {
	var times []time.Duration
	for range watchRuns {
		time.Sleep(watchPause)
		v.marks++
		text, place, start := mark(v.marks), s.now(), time.Now()
		err := w.do(text)
		if err == nil {
			var came time.Time
			came, err = s.await(text, place)
			times = append(times, came.Sub(start))
		}
		if err != nil {
			return sighting{}, fmt.Errorf("%s: %w", w.by, err)
		}
	}
	return sightingOf(w.by, times), nil
}

// board measures `pawl board`.
func (v *viewer) board() (w *watched, err error) {
	last := v.size // the id of the one in progress, which is changed
	w = &watched{Name: fmt.Sprintf("`pawl board`, %s tasks", thousands(v.size))}
	if out, err := v.command("claim", fmt.Sprint(last), "--force", "--lease", "0").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	s, took, err := v.show("In progress 1", "board", "--theme", "dark")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.leave("q")) }()
	w.Start = took
	agent, _, err := meet(v.pawl, v.project)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, agent.leave()) }()
	store, err := file.Open(filepath.Join(v.project, ".tasks"), file.WithWatcher(notify.Watch))
	if err != nil {
		return nil, err
	}
	board := pawl.NewBoard(store)
	defer func() { err = errors.Join(err, board.Close()) }()
	name := filepath.Join(v.project, ".tasks", fmt.Sprintf("task_%d.json", last))
	return w, v.measure(w, s, []way{
		{"`pawl update`, from its start", func(mark string) error {
			return v.command("update", fmt.Sprint(last), "--subject", mark).Run()
		}},
		{"an editor writes the file", func(mark string) error {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if text, err = subject(text, mark); err != nil {
				return err
			}
			return os.WriteFile(name, text, 0o644)
		}},
		{"`task_update` over MCP, from its request", func(mark string) error {
			return agent.tool("task_update", map[string]any{"taskId": last, "subject": mark})
		}},
	}, func(mark string) error {
		_, err := board.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "bench"}, Op: pawl.Update{ID: pawl.ID(last), Subject: &mark}})
		return err
	})
}

// panel measures `pawl todo --follow`, beside an agent that has a list of 20 todos.
func (v *viewer) panel() (w *watched, err error) {
	const todos = 20
	w = &watched{Name: fmt.Sprintf("`pawl todo --follow`, %d todos", todos)}
	agent, _, err := meet(v.pawl, v.project)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, agent.leave()) }()
	write := func(mark string) error {
		list := []map[string]string{{"content": mark, "status": "in_progress"}}
		for i := range todos - 1 {
			list = append(list, map[string]string{"content": fmt.Sprintf("Step %d", i+2), "status": "pending"})
		}
		return agent.tool("todo_write", map[string]any{"todos": list})
	}
	if err := write("Step 1"); err != nil {
		return nil, err
	}
	s, took, err := v.show("Step 1", "todo", "--follow", "--session", "bench", "--theme", "dark")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.leave("q")) }()
	w.Start = took
	return w, v.measure(w, s, []way{
		{"`pawl todo edit`, from its start", func(mark string) error {
			return v.command("todo", "edit", "1", mark, "--session", "bench").Run()
		}},
		{"`todo_write` over MCP, from its request", write},
	}, write)
}

// tool calls a tool.
func (p *peer) tool(name string, args any) error {
	params, err := json.Marshal(map[string]any{"name": name, "arguments": args})
	if err != nil {
		return err
	}
	_, err = p.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":%s}`, params))
	return err
}
