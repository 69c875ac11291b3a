package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/source"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/file/notify"
)

// generation goes up when generate makes other tasks: older boards are then made
// again.
const generation = 1

// projectOf is the folder in which a board of a size is kept.
func projectOf(dir string, size int) string {
	return filepath.Join(dir, fmt.Sprintf("%d-v%d", size, generation))
}

func boardOf(project string) string { return filepath.Join(project, ".tasks") }

// makeBoards makes the boards that are not there yet. Each is put under its
// name when it is whole.
func makeBoards(dir string, sizes []int) error {
	for _, size := range sizes {
		project := projectOf(dir, size)
		if _, err := os.Stat(project); err == nil {
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		half, err := os.MkdirTemp(dir, "half-")
		if err != nil {
			return err
		}
		if err := makeBoard(half, size); err != nil {
			return err
		}
		if err := os.Rename(half, project); err != nil {
			return err
		}
	}
	return nil
}

// makeApart makes the boards in another process, which takes the memory for it
// along when it ends.
func makeApart(dir string, sizes []int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, size := range sizes {
		cmd := exec.Command(self, "-make", "-dir", dir, "-sizes", strconv.Itoa(size))
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return nil
}

// build compiles the programs as they are released.
func build(work string) (string, error) {
	binary := filepath.Join(work, "pawl")
	return binary, source.BuildBoth(binary)
}

// makeBoard writes the tasks as files into a project that git knows, as somebody
// else might, and lets Pawl take them in.
func makeBoard(project string, size int) error {
	board := boardOf(project)
	for _, dir := range []string{filepath.Join(project, ".git"), board} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(project, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		return err
	}
	tasks := generate(size)
	for i := range tasks {
		name := filepath.Join(board, "task_"+strconv.Itoa(i+1)+".json")
		if err := os.WriteFile(name, taskjson.Encode(&tasks[i]), 0o644); err != nil {
			return err
		}
	}
	for range 2 { // the second time no file is so young that it is read again
		time.Sleep(20 * time.Millisecond)
		if err := touch(board, 1, 1); err != nil {
			return err
		}
	}
	return nil
}

// touch changes a task a number of times in one running process.
func touch(dir string, id pawl.ID, times int) error {
	_, err := changes(dir, id, times, func() error { return nil })
	return err
}

// changes makes durable changes of one task in a running process, as a server of
// an agent is one, and says how long each took by the clock. between is run
// before each.
func changes(dir string, id pawl.ID, times int, between func() error) ([]time.Duration, error) {
	store, err := file.Open(dir, file.WithWatcher(notify.Watch))
	if err != nil {
		return nil, err
	}
	board := pawl.NewBoard(store)
	defer board.Close()
	ctx := context.Background()
	tasks, err := board.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	time.Sleep(200 * time.Millisecond) // until it is told what others do
	was := tasks[0].ActiveForm
	var took []time.Duration
	for i := range times + 1 {
		text := was // the last change takes the others back
		if i < times {
			text = "Measuring, number " + strconv.Itoa(i)
		}
		if err := between(); err != nil {
			return nil, err
		}
		start := time.Now()
		_, err := board.Do(ctx, pawl.Request{By: pawl.Actor{Name: "bench"}, Op: pawl.Update{ID: id, ActiveForm: &text}})
		if err != nil {
			return nil, err
		}
		took = append(took, time.Since(start))
	}
	return took[1:], board.Close() // the first one looks at all that has happened before
}
