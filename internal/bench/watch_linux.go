package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/notify"
	"github.com/pawl-dev/pawl/store/file"
)

// watchScreens measures what people look at.
func watchScreens(p plan) (screens, error) {
	if err := makeBoards(p.dir, []int{watchTasks}); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "pawl-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	p.say("building")
	v := &viewer{project: filepath.Join(work, "project"), home: filepath.Join(work, "home")}
	if v.pawl, err = build(work, "pawl", "./cmd/pawl"); err != nil {
		return nil, err
	}
	// A copy, for much is changed in it.
	if err := os.CopyFS(v.project, os.DirFS(projectOf(p.dir, watchTasks))); err != nil {
		return nil, err
	}
	p.say("pawl board on %s tasks", thousands(watchTasks))
	board, err := v.board()
	if err != nil {
		return nil, err
	}
	return screens{board}, nil
}

// A viewer measures in a project.
type viewer struct {
	pawl, project, home string
	marks               int
}

func (v *viewer) command(args ...string) *exec.Cmd {
	cmd := exec.Command(v.pawl, args...)
	cmd.Dir = v.project
	cmd.Env = []string{
		"HOME=" + v.home, "XDG_STATE_HOME=" + filepath.Join(v.home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(v.home, "config"),
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

// sight does something a number of times that brings a mark to the screen.
func (v *viewer) sight(s *shown, by string, do func(mark string) error) (sighting, error) {
	var times []time.Duration
	for range watchRuns {
		time.Sleep(300 * time.Millisecond) // until all is quiet
		v.marks++
		text, place, start := mark(v.marks), s.now(), time.Now()
		err := do(text)
		if err == nil {
			var came time.Time
			came, err = s.await(text, place)
			times = append(times, came.Sub(start))
		}
		if err != nil {
			return sighting{}, fmt.Errorf("%s: %w", by, err)
		}
	}
	return sightingOf(by, times), nil
}

// shownTask is the one in progress that is changed on the board.
const shownTask = watchTasks

// board measures `pawl board`.
func (v *viewer) board() (w *watched, err error) {
	w = &watched{Name: fmt.Sprintf("`pawl board`, %s tasks", thousands(watchTasks))}
	if out, err := v.command("claim", fmt.Sprint(shownTask), "--force", "--lease", "0").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	s, took, err := v.show("In progress 1", "board", "--theme", "dark")
	if err != nil {
		return nil, err
	}
	defer func() {
		err = errors.Join(err, s.leave("q"))
	}()
	w.Start = took
	agent, _, err := meet(v.pawl, v.project)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(v.project, ".tasks", fmt.Sprintf("task_%d.json", shownTask))
	for _, way := range []struct {
		by string
		do func(mark string) error
	}{
		{"`pawl update`, from its start", func(mark string) error {
			return v.command("update", fmt.Sprint(shownTask), "--subject", mark).Run()
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
			_, err := agent.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"task_update","arguments":{"taskId":%d,"subject":%q}}}`, shownTask, mark))
			return err
		}},
	} {
		seen, err := v.sight(s, way.by, way.do)
		if err != nil {
			return nil, errors.Join(err, agent.leave())
		}
		w.Seen = append(w.Seen, seen)
	}
	if err := agent.leave(); err != nil {
		return nil, err
	}
	time.Sleep(time.Second)
	if w.Idle, _, err = load(s.cmd.Process.Pid, func() error { time.Sleep(watchIdle); return nil }); err != nil {
		return nil, err
	}
	if err := v.burst(s, w); err != nil {
		return nil, err
	}
	w.Peak = peak(s.cmd.Process.Pid)
	return w, nil
}

// burst makes many changes of what is on the screen, in this process.
func (v *viewer) burst(s *shown, w *watched) (err error) {
	store, err := file.Open(filepath.Join(v.project, ".tasks"), file.WithWatcher(notify.Watch))
	if err != nil {
		return err
	}
	board := pawl.NewBoard(store)
	defer func() { err = errors.Join(err, board.Close()) }()
	place := s.now()
	var text string
	w.Burst.CPU, w.Burst.Took, err = load(s.cmd.Process.Pid, func() error {
		for range watchBurst {
			v.marks++
			text = mark(v.marks)
			if r := board.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "bench"}, Op: pawl.Update{ID: shownTask, Subject: &text}})[0]; r.Err != nil {
				return r.Err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = s.await(text, place)
	w.Burst.Frames = s.frames(place)
	return err
}
