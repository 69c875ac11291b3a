package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	runlocal "github.com/pawl-dev/pawl/internal/runs/local"
	agents "github.com/pawl-dev/pawl/internal/runs/program"
	"github.com/pawl-dev/pawl/internal/ui/cli"
)

// runDiff is what an attempt changed.
func runDiff(ctx context.Context, w *cli.Working, a *runs.Attempt) (string, error) {
	t, err := clone(ctx, w)
	if err != nil {
		return "", err
	}
	tip := a.Tip
	if tip == "" { // it is at work: what it has committed so far
		if tip, err = t.Ref(ctx, a.Branch); err != nil {
			return "", err
		}
	}
	if tip == "" || a.Base == "" || tip == a.Base {
		return "", nil
	}
	return t.Diff(ctx, a.Base, tip, mostDiff)
}

// cleanRuns removes the work trees of attempts whose work is kept elsewhere.
func cleanRuns(ctx context.Context, w *cli.Working, dry bool) ([]cli.CleanedTree, error) {
	here, err := locally(ctx, w, nil)
	if err != nil {
		return nil, err
	}
	var state *runs.State
	if !dry {
		j, s, err := w.Folder.Open()
		if err != nil {
			return nil, err
		}
		defer j.Close()
		state = s
	} else if state, err = w.Folder.Read(); err != nil {
		return nil, err
	}
	asked, _, err := w.Folder.Controls(state.Done)
	if err != nil {
		return nil, err
	}
	var all []cli.CleanedTree
	for _, work := range state.Tasks {
		seen := map[string]bool{}
		for i := len(work.Attempts) - 1; i >= 0; i-- {
			a := work.Attempts[i]
			if a.Tree == "" || seen[a.Tree] {
				continue
			}
			seen[a.Tree] = true
			if _, err := os.Lstat(a.Tree); errors.Is(err, os.ErrNotExist) {
				continue
			}
			one := cli.CleanedTree{Dir: a.Tree, ID: a.ID}
			switch last := work.Last(); {
			case !last.Phase.Over() || last.Phase == runs.Waiting:
				one.Why = "attempt " + fmt.Sprint(last.N) + " is " + last.Phase.Word()
			case last.Phase == runs.Taken, slices.ContainsFunc(asked, func(c runs.Control) bool { return c.Op == runs.Take && c.Task == last.Task }): // the next run notes it
				one.Why = "a person has taken it over"
			case slices.ContainsFunc(asked, func(c runs.Control) bool { return c.Op == runs.Retry && c.Task == last.Task }):
				one.Why = "another attempt follows in it"
			case last.Phase == runs.Handed:
				one.Why = "its branch waits for a person"
			default:
				if one.Why, err = here.Keeps(ctx, &a); err != nil {
					one.Why = err.Error()
				}
			}
			if one.Why == "" && !dry {
				if err := here.Clean(ctx, &a); err != nil {
					one.Why = err.Error()
				}
			}
			all = append(all, one)
		}
	}
	if !dry {
		err = here.CleanPrivate(ctx)
	}
	return all, err
}

// tryAgent has an agent answer one trivial prompt.
func tryAgent(ctx context.Context, w *cli.Working) (string, error) {
	p, err := finder(w).Find(w.Run.Agent)
	if err == nil {
		err = bounded(w, p)
	}
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "pawl-trial-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	tried, err := agents.Trial{Program: p, Dir: dir, Environ: os.Environ(), Model: w.Model, Skip: skips(w)}.Run(ctx)
	switch {
	case err != nil:
		return "", err
	case !tried.Works:
		return "", hinted(pawl.Unavailable, tried.Fix, "%s does not work without a person: %s", p.Title, tried.Why)
	}
	return fmt.Sprintf("%s works: it answered in %v (%s)", p.Title, tried.Took.Round(100*time.Millisecond), p.Path), nil
}

// runFiles are the outputs of an attempt.
func runFiles(dir string) []cli.RunFile {
	all := []cli.RunFile{}
	for _, f := range []struct{ what, name string }{{"prompt", runlocal.PromptFile}, {"stream", runlocal.StreamFile}, {"errors", runlocal.ErrorsFile}} {
		path := filepath.Join(dir, f.name)
		if info, err := os.Stat(path); err == nil {
			all = append(all, cli.RunFile{What: f.what, Path: path, Size: info.Size()})
		}
	}
	return all
}
