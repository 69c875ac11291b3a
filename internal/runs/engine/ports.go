package engine

import (
	"context"
	"errors"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/query"
)

// A Journal keeps records. Once Append has returned, its record survives any crash.
type Journal interface {
	Append(r runs.Record) error
}

// A Repo is the clone in which a run works. Each method may be called again after a
// crash in its middle, and then ends as if it had been called once.
type Repo interface {
	// Tip is the commit of the target.
	Tip(ctx context.Context, target string) (string, error)
	// Begin makes the work tree a.Tree on branch a.Branch at a.Base, with the files that
	// are copied. A tree that an earlier call left is removed, if nobody has worked in
	// it.
	Begin(ctx context.Context, a *runs.Attempt) error
	// Verify fails with WrongFolder unless a.Tree is the work tree that Begin made, on
	// its branch.
	Verify(ctx context.Context, a *runs.Attempt) error
	// Sum changes whenever a file, the index or HEAD of a work tree changes.
	Sum(ctx context.Context, a *runs.Attempt) (string, error)
	// Save commits what the agent left, on a.Branch and on a.Ref(), and says what the
	// attempt has done. It works whatever the agent did to the tree, even without it.
	Save(ctx context.Context, a *runs.Attempt) (Saved, error)
	// Contains reports whether the target has the work base..tip already.
	Contains(ctx context.Context, target, base, tip string) (bool, error)
	// Rebase puts base..tip on onto, in the private work tree, which has the new commit
	// checked out afterwards; conflicts are paths. It moves no branch. With a message all of
	// it becomes one commit by the user; without one, the commits stay.
	Rebase(ctx context.Context, base, tip, onto, message string) (commit string, conflicts []string, err error)
	// Steps returns the commits of base..tip, the oldest first, if all are the agent's own
	// and follow one another; else none.
	Steps(ctx context.Context, base, tip string) ([]string, error)
	// Private is the folder of the private work tree.
	Private() string
	// Merge moves the target from onto to commit, with the files of the main checkout if
	// the target is checked out there. ErrMoved: the target is not at onto.
	Merge(ctx context.Context, target, onto, commit string) error
	// Standing says how the main checkout is.
	Standing(ctx context.Context, target string) (Standing, error)
	// SetBranch moves an attempt's branch to a commit of its own work.
	SetBranch(ctx context.Context, branch, from, to string) error
	// Clean removes the work tree and the branch of an attempt whose work the target has.
	// It keeps both if the tree has changes, and never removes a.Ref().
	Clean(ctx context.Context, a *runs.Attempt) error
	// MergeBoard merges the board that a commit has, by a reference, into this one.
	MergeBoard(ctx context.Context, ref string) error
	// Unpushed says in a sentence that the target has commits that its upstream lacks;
	// empty: it has none, or no upstream.
	Unpushed(ctx context.Context, target string) string
}

// ErrMoved says that the target has moved.
var ErrMoved = errors.New("the target has moved")

// ErrWrongFolder says that a work tree is not the one that Begin made.
var ErrWrongFolder = errors.New("not the work tree of the attempt")

// ErrInTheWay says that a merge would overwrite changes in the main checkout.
var ErrInTheWay = errors.New("changes in the main checkout are in the way")

// A SetupError says that the project's set-up command failed on the merged files.
type SetupError struct{ Why, Tail string }

func (e *SetupError) Error() string { return "the set-up of the merged files failed: " + e.Why }

// Saved is the work of an attempt.
type Saved struct {
	Tip     string // a commit with all of it
	Files   []string
	Added   int
	Removed int
	Gone    bool   // the work tree is gone, or the folder is not a work tree now
	Half    string // an operation of git is under way in it; empty: none
	Nested  string // a repository inside was not kept, in a sentence
	Board   bool   // the commits changed the board
}

// Standing is the state of the main checkout.
type Standing struct {
	Under  string            // a merge, rebase or the like is under way; empty: none
	Dirty  []string          // paths with changes, outside the board's folder
	Shared map[string]string // hashes of what all work trees share and what could run programs; [Moved]
}

// Moved stands in [Standing.Shared] for a branch that an agent has moved in another folder
// than its own. A person can take that back, too.
const Moved = "moved by an agent"

// Agents start agents' programs.
type Agents interface {
	// Setup runs the project's set-up command in a new work tree. A failure of the
	// command is in why.
	Setup(ctx context.Context, a *runs.Attempt) (why, tail string, err error)
	// Start starts the program of a.Agent for an attempt.
	Start(ctx context.Context, a *runs.Attempt, turn Turn) (Process, error)
	// Find returns the program that was started for an attempt, even by a process that is
	// gone; nil: none was.
	Find(ctx context.Context, a *runs.Attempt) (Process, error)
}

// A Turn is one request to an agent.
type Turn struct {
	Task    query.Detail
	Resume  string         // the conversation to go on with; empty: a new one
	Before  []runs.Attempt // earlier attempts, the oldest first
	Remarks []string       // of people
}

// A Process is an agent's program at work.
type Process interface {
	Look() Look                                 // what it has told so far
	Wait(ctx context.Context) (End, error)      // until it has ended
	Stop(ctx context.Context, why string) error // ends it, with all that it started
}

// Look is what a program has printed so far.
type Look struct {
	Output  int64     // bytes
	Sign    time.Time // of the last output; zero: none yet
	Doing   string
	Usage   runs.Usage
	Session string // its own, to resume
	Answer  string
	Todos   []runs.Todo // its own list
	Refused []string    // what it asked for and did not get
	Failed  string      // why it could not do it, as it says
	Limited bool        // its service refuses for now
	Until   time.Time
}

// End is how a program ended.
type End struct {
	OK   bool
	Lost bool   // nobody saw it end: the machine was restarted, or its keeper was killed
	How  string // in words: "exit code 1", "killed by SIGKILL", "not known"
	Tail string // of its standard error
}

// Checks run the checks of a task.
type Checks interface {
	// Run runs the required checks of a task on the files of a work tree.
	Run(ctx context.Context, tree string, id pawl.ID, tell func(line string)) (Checked, error)
}

// Checked is the result of checks.
type Checked struct {
	Failed    string // the check that failed; empty: all have passed
	Why       string
	Tail      string
	Passed    []string // commands of the checks that have passed
	Untrusted []string // checks that nobody here has trusted: none has run
	Refused   string   // why a person has to agree first
	Files     string   // the id of the files that they ran on
	Evidence  []pawl.Op
	Rules     []pawl.CheckRule
}
