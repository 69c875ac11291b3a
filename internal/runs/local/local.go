// Package local implements the ports of package engine on this machine: the clone with its
// work trees (clone.go, save.go, integrate.go), agents' programs (agents.go, process.go,
// prompt.go), and the checks of tasks (checks.go).
package local

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/runs/journal"
	"github.com/pawl-dev/pawl/internal/runs/program"
)

// Options say which clone it is and how agents work in it.
type Options struct {
	Tree    *git.Tree      // the main checkout
	Folder  journal.Folder // of the run
	Board   string         // as PAWL_BOARD names it for agents
	Dir     string         // the board's folder; empty: it is at an address
	Program *program.Program
	Skip    bool          // the user lets the agent do everything without asking
	Model   string        // empty: the program's own choice
	Setup   []string      // the command that sets a work tree up; empty: none
	Copy    []string      // files of the main checkout that git ignores and work trees get
	Limit   time.Duration // of an attempt: its program is ended even if no runner is there
	Keeper  []string      // the words that start the keeper of a program
	Getenv  func(string) string
	Environ []string
	Checks  *checks.Service
	Boards  func(ctx context.Context, commit string) error // merges the board that a commit has into this one; nil: none can be
}

// Local is the clone, the programs and the checks.
type Local struct {
	Options
	programs programs
}

// New returns a Local.
func New(o Options) *Local { return &Local{Options: o} }

// apart are the paths that are no work of an agent: copied files, and the board.
func (l *Local) apart(root string) []string { return append(l.copied(root), l.boards(root)...) }

func (l *Local) copied(root string) []string {
	var all []string
	for _, path := range l.Copy {
		all = append(all, filepath.Join(root, filepath.FromSlash(path)))
	}
	return all
}

// boards is the folder of the board in a work tree; none if the board is elsewhere.
func (l *Local) boards(root string) []string {
	if rel, ok := l.boardIn(); ok {
		return []string{filepath.Join(root, rel)}
	}
	return nil
}

// boardIn is where in the project the board is.
func (l *Local) boardIn() (string, bool) {
	if l.Dir == "" {
		return "", false
	}
	dir := l.Dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(l.Tree.Root, dir)
	return rel, err == nil && filepath.IsLocal(rel) && rel != "."
}

func (l *Local) open(ctx context.Context, a *runs.Attempt) (*git.Tree, error) {
	return l.linked(ctx, a.Tree)
}

// linked returns a work tree that the run has made. One whose files git takes for those
// of the main checkout, because an agent has led it there, is none.
func (l *Local) linked(ctx context.Context, dir string) (*git.Tree, error) {
	t, err := git.OpenWorktree(ctx, dir, l.Tree.Dir().Common)
	if err == nil && t.Dir().Dir == t.Dir().Common {
		return nil, fmt.Errorf("%s: %w: git takes it for the main checkout", dir, git.ErrNotWorktree)
	}
	return t, err
}
