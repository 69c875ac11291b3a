package share

import (
	"context"
	"errors"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// A Repository keeps commits of boards, and reaches the remote. Commits are named by
// their ids; "" is none.
type Repository interface {
	// Fetch gets what the remote has, with its history. "": the remote has no such
	// reference.
	Fetch(ctx context.Context) (tip string, err error)
	// Push makes the remote's reference tip, if it is still old ("": if there is none
	// yet). [ErrRace]: it was another one. Any other error leaves open whether it was
	// accepted.
	Push(ctx context.Context, old, tip string) error

	// Own is this clone's reference: the last snapshot, or what it was synced to.
	Own(ctx context.Context) (string, error)
	// SetOwn moves it, if it is still old; else [ErrRace]. It is on the disk when it returns.
	SetOwn(ctx context.Context, old, own string) error

	// Read returns the boards of commits. A commit with content that cannot be a
	// board's is an error: anybody may have written to the remote.
	Read(ctx context.Context, commits ...string) ([]merge.Board, error)
	// Write makes a commit of a board. It may use on to store only what differs.
	Write(ctx context.Context, c Commit, on merge.Board) (string, error)
	// Bases returns the merge bases of two commits, in order of their ids.
	Bases(ctx context.Context, a, b string) ([]string, error)
	// IsAncestor reports whether old is commit of, or in its history.
	IsAncestor(ctx context.Context, old, of string) (bool, error)
	// Line returns the commits from one, which is left out, to another along first
	// parents, the oldest first, at most a thousand, the newest. from "": from the beginning.
	Line(ctx context.Context, from, to string) ([]Commit, error)
	// Tidy packs the clone's objects, if there are many. It is called after each
	// sync, and must be quick when there is nothing to do.
	Tidy(ctx context.Context) error
}

// A Commit is a state of a board.
type Commit struct {
	ID      string
	Parents []string
	Board   merge.Board // to be written; not set when it is read by Line
	Message string
	Name    string    // of the person or agent, for git's author
	At      time.Time // for git's dates
}

// Errors of a repository.
var (
	// ErrRace: the reference is not where the caller last saw it.
	ErrRace = errors.New("another clone was first")
	// ErrRefused: the remote answered, and refuses such a reference or this writer.
	ErrRefused = errors.New("the remote refuses it")
	// ErrLogin: the remote wants credentials that git does not have.
	ErrLogin = errors.New("the remote asks who you are, and git has no answer")
	// ErrAway: the remote cannot be reached, or did not answer in time.
	ErrAway = errors.New("the remote cannot be reached")
)

// A Local is the board in this clone.
type Local interface {
	// Revision is the number of the last change set, and whether files are other than
	// it says because of another program. It is much cheaper than Read.
	Revision(ctx context.Context) (rev pawl.Revision, edited bool, err error)
	// Read returns the board as it is, and what happened to it after a revision, at which
	// its tasks had the texts of base; zero: nothing is wanted.
	Read(ctx context.Context, since pawl.Revision, base map[pawl.ID][]byte) (*Board, error)
	// Write makes the board what fn returns, in one transaction, as one change set with
	// an op id: all of it, or nothing. fn gets the board as it is at that moment, as
	// Read returns it; it is pure and may run again. Writing what is there already
	// writes nothing, and the op id is not kept then.
	Write(ctx context.Context, op pawl.OpID, since pawl.Revision, base map[pawl.ID][]byte, fn func(*Board) (*Written, error)) (pawl.Revision, error)
	// Pass lets the board, which is at a revision, go on after a later one, so that no claim gets
	// the token of an earlier one. If the board has come that far, it does nothing.
	Pass(ctx context.Context, is, to pawl.Revision) error
	// Wrote reports whether a change set with this op id was written.
	Wrote(ctx context.Context, op pawl.OpID) (bool, error)
}

// A Board is one clone's board at one moment.
type Board struct {
	Tasks    map[pawl.ID][]byte    // the texts of its files
	Damaged  map[pawl.ID]string    // those of them that cannot be read as a task, and why
	Claims   map[pawl.ID]LocalHeld // of tasks that have a claim, or a count of leases that ran out
	Mark     pawl.ID
	Revision pawl.Revision
	Now      time.Time // the store's clock
	Since    History   // what happened after the revision that was asked for
}

// LocalHeld is what the store keeps beside a task's file.
type LocalHeld struct {
	Claim   pawl.Claim
	Expired int
}

// History is what happened to the tasks of a clone since a revision, without what
// syncs wrote.
type History struct {
	Known bool              // false: it is not kept that far back
	Turns map[pawl.ID]Turns // by the number that the task has now
	// Removed are tasks that an op deleted, by number. A file that is gone otherwise
	// was not deleted on purpose: git or another program removed it.
	Removed map[pawl.ID]bool
	// Left are tasks as this clone left them before their files went, or older ones came in their
	// place, where that differs from the base.
	Left map[pawl.ID][]byte
	// Put are the older texts that files came back with: git has put them there, as by a
	// checkout, or somebody restored them from a backup. Only Read tells.
	Put map[pawl.ID][]byte
}

// Turns says how a task's status, owner or claim changed, renewals left out.
type Turns struct {
	N int // how often
	// Doubtful: the first of these was the end of a lease, which this clone's clock saw, or
	// an edit of the file.
	Doubtful bool
	// Forced: the first of these took a claim that the board showed as another clone's.
	Forced bool
}

// Written is what Write writes.
type Written struct {
	Tasks  map[pawl.ID][]byte // changed texts; nil: the file goes; other files stay
	Claims map[pawl.ID]LocalHeld
	Mark   pawl.ID
	Moved  []merge.Moved
	Beside []merge.Leftover
}

// A Clock tells the time in two ways.
type Clock interface{ Now() Instant }

// An Instant is a moment by two clocks of one machine. The wall clock can be set;
// the other one counts since the machine was started, sleep included, and cannot.
type Instant struct {
	Wall time.Time     `json:"wall"`
	Up   time.Duration `json:"up"`
	Boot string        `json:"boot"` // which start of the machine Up counts from
}

// A RenamedError is an [ErrAway]: git has no remote of the name that the board is shared
// through, and may have it under another one.
type RenamedError struct {
	Why error
	Now string // the only remote that git has, or NAME
}

func (e *RenamedError) Error() string {
	return ErrAway.Error() + ": " + e.Why.Error() + "; if it was renamed: " + e.Next()
}

func (e *RenamedError) Is(target error) bool { return target == ErrAway }

// Next is the command that follows the remote.
func (e *RenamedError) Next() string { return "pawl share --remote " + e.Now }
