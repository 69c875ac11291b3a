// Package checks runs the checks of tasks in one clone, and completes a task when they
// have passed.
//
//	Complete ─→ Done ─┬→ what this clone trusts, and what its tasks had    (memory.go)
//	                  ├→ the id of the files, each check, the id again     (done.go)
//	                  └→ All{AddEvidence…, Complete}                       (to the board)
//
// Commands come from a repository, and anybody may have written them. So none runs
// before a person of this clone has trusted exactly it: trust is for the sum of a check
// ([pawl.Check.Sum]), of one board, in one folder of one clone, and kept in the user's state
// folder, which no repository can bring (package consent). The checks that tasks required
// there are remembered, too, so that nobody gets around a trusted check by removing it. A
// program that can write the user's files can forge all of that: this keeps a repository
// from running its commands, and an agent from forgetting what was asked of it; it is not a
// sandbox.
//
// The result of a run goes into the task as evidence; its output stays here. Evidence that
// this clone has not seen is somebody's claim, and counts for nothing here.
package checks

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks/run"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/project/consent"
)

// Options say which clone it is.
type Options struct {
	Root   string // the top folder of the project
	Board  string // the address of a board without a folder; Open puts the board's name in the clone here
	Folder string // the board's folder, whose files do not count as the project's; empty: it has none
	Rules  []pawl.CheckRule
	Broken string           // why the project's checks cannot be read; empty: they can
	Refuse bool             // what is not trusted stops a completion, also where nobody can be asked
	Users  []pawl.CheckRule // what the user's own settings trust in every clone
	Getenv func(string) string

	runs forRuns // what the settings say of pawl run
}

// A Service knows and runs the checks of one clone. It is safe for concurrent use.
type Service struct {
	Options
	home  *Service // of the clone that the board's folder is in, if that is another one and trusts checks
	place consent.Place
	list  *consent.List // what the user has agreed to
	none  error         // why there is no list: the user has no home, and nothing is trusted
	files func(context.Context) (Files, error)
	// states are those of all files of the work tree; nil: not known.
	states func(context.Context) map[string]string
	run    func(context.Context, pawl.Check, func(line string)) (run.Result, error)
	now    func() time.Time
}

// Files are a project's files as they are at one moment.
type Files struct {
	Commit string
	Tree   string // or pawl.NoTree
	Dirty  bool
}

// Open returns the service of a clone. Where the user has no home nothing is trusted and
// nothing runs.
func Open(o Options) *Service {
	board := o.Folder
	if board == "" {
		board = o.Board
	}
	s := &Service{Options: o, now: time.Now, place: consent.At(o.Root, board)}
	s.Board = s.place.Board
	s.list, s.none = consent.Of(o.Getenv)
	return s.At(o.Root, o.Folder)
}

// dir is the folder of what is remembered of the clone, in the user's state folder; empty:
// there is nothing, because the user has no home or nothing marks the clone yet.
func (s *Service) dir() string {
	id := s.place.ID()
	if s.none != nil || id == "" {
		return ""
	}
	return filepath.Join(s.list.Dir, "checks", string(id))
}

// mark is dir for what is written there.
func (s *Service) mark() (string, error) {
	if s.none != nil {
		return "", s.none
	}
	_, err := s.place.Mark()
	return s.dir(), err
}

// readFiles asks git. Without a repository nothing stands for the files.
func (s *Service) readFiles(ctx context.Context) (Files, error) {
	if _, ok := gitdir.Find(s.Root); !ok {
		return Files{Tree: pawl.NoTree}, nil // where git may be missing, too
	}
	is, err := git.WorkTree(ctx, s.Root, s.Folder)
	if errors.Is(err, git.ErrNoRepository) {
		return Files{Tree: pawl.NoTree}, nil
	}
	if err != nil {
		return Files{}, err
	}
	return Files{Commit: is.Commit, Tree: is.Tree, Dirty: is.Dirty}, nil
}

// An Item is a check of a task.
type Item struct {
	pawl.Check
	Own     bool // the task's; else the project asks it
	Trusted bool // this clone may run it
}

// Items are the checks of a task, its own first.
func (s *Service) Items(t *pawl.Task) ([]Item, error) {
	trusted, err := s.trusted()
	if err != nil {
		return nil, err
	}
	var items []Item
	for i, c := range t.AllChecks(s.Rules) {
		items = append(items, Item{c, i < len(t.Checks), trusted.has(c.Sum())})
	}
	return items, nil
}

// State is what is known of a check on the files as they are.
type State string

// The states. A passed run on other files than those that are there is stale.
const (
	NotRun State = "open"
	Passed State = "passed"
	Failed State = "failed"
	Stale  State = "stale"
)

// Shown is a check with all that a person wants to know of it.
type Shown struct {
	Item
	State    State
	Evidence *pawl.Evidence // of its last run; nil: it has not run
	Seen     bool           // this clone has seen that run; else it is what the task's file claims
	Tail     string         // the end of what it printed here
	Why      string         // why it did not end by itself
}

// Look says what is known of a task's checks. With files it reads the project's files
// to find out what is stale, which takes a run of git; else nothing is.
func (s *Service) Look(ctx context.Context, t *pawl.Task, files bool) ([]Shown, error) {
	items, err := s.Items(t)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	var now Files
	if files && len(t.Evidence) > 0 {
		if now, err = s.files(ctx); err != nil {
			return nil, err
		}
	}
	all := make([]Shown, len(items))
	for i, item := range items {
		all[i] = Shown{Item: item, State: NotRun}
		e := t.LastEvidence(item.Sum())
		if e == nil {
			continue
		}
		all[i].Evidence, all[i].State = e, Passed
		switch {
		case e.LeftOut():
			all[i].State = NotRun
		case !e.Passed:
			all[i].State = Failed
		case now.Tree != "" && (now.Tree != e.Tree || now.Tree == pawl.NoTree && !t.Open()):
			all[i].State = Stale
		}
		if kept, ok := s.ran(t, e); ok {
			all[i].Seen, all[i].Tail, all[i].Why = true, kept.Tail, kept.Why
		}
	}
	return all, nil
}
