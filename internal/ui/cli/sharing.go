package cli

import (
	"context"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
)

// Sharing are the functions that share a board through a git remote. Their errors
// wrap those of package share: ErrRefused, ErrLogin, ErrAway, ErrRace; one that is a
// pawl.Error already is told as it is.
type Sharing struct {
	// Status returns how the board in a folder is shared, from what this clone
	// remembers; nil: it is not shared. It runs no git and asks no remote. With unsent
	// it looks at the board's files, too, to count what waits to be sent.
	Status func(dir string, unsent bool) (*share.Status, error)
	// Plan says what Share would do, from the clone alone, without the network.
	Plan func(context.Context, ToShare) (SharePlan, error)
	// Share shares a board, or takes part in the one that the remote has, and syncs it
	// once. The board is made if the folder is missing. If that sync fails with an
	// error of the remote, nothing of it stays: the board is not shared. Of one that is
	// shared already, files that git tracks leave its index, and it is synced.
	Share func(context.Context, ToShare) (Shared, error)
	// Stop ends the sharing. All files of the board stay.
	Stop func(ctx context.Context, dir string, by pawl.Actor) (Stopped, error)
	// Sync exchanges a shared board with its remote. When it fails, what it returns
	// still says how the board stands.
	Sync func(context.Context, ToSync) (Synced, error)
	// Offered asks the remote what it has, for a board that is not shared here yet, and
	// may not exist. It changes nothing that lasts, and the context bounds it. A project
	// without a remote is not an error: the answer is the zero value.
	Offered func(context.Context, ToShare) (Offered, error)
}

// Agree asks a person whether a clone may sync so, when it has not before; nil: nobody can
// be asked.
type Agree func(share.Target) error

// ToShare asks for a board to be shared.
type ToShare struct {
	Dir    string     // the board's folder, which may be missing yet
	By     pawl.Actor // who asks
	Remote string     // a remote's name or an address; empty: that of the current branch's upstream, else origin, else the only one
	From   string     // the folder that a relative path in Remote begins at
	Moved  bool       // the board is shared already, and goes on through Remote
	Branch string     // a branch of the remote to keep the board on; empty: a reference that no branch shows

	Unasked bool // no person has asked for the remote, so that nothing runs which the folder names
	Agree   Agree
}

// A SharePlan is what sharing a board would do.
type SharePlan struct {
	Remote   string   // its name, or its address without credentials
	Address  string   // where that leads, without credentials; empty: as Remote
	Ref      string   // the reference on the remote
	Programs []string // see [share.Target]
	Tracked  []string // files of the board that git tracks, relative to the root of the work tree: they leave the index
	Branch   string   // the branch that is checked out; empty: none
	Branches []string // other branches, local and fetched, whose last commit has files of the board
	Allowed  bool     // the user lets scripts share, by PAWL_SYNC=allow
}

// Shared is what came of sharing a board.
type Shared struct {
	Status    share.Status
	Report    share.Report
	Made      bool     // the board's folder was made
	Published bool     // the remote had no board there: this one is the first
	Untracked []string // files that were taken out of git's index, relative to the root of the work tree
}

// Stopped is what came of it when sharing was ended.
type Stopped struct {
	Was    *share.Status // how it was shared; nil: it was not
	Sight  Sight         // what git sees of the board now
	Unsent int           // change sets that the remote does not have
}

// ToSync asks for a sync.
type ToSync struct {
	Dir        string
	By         pawl.Actor
	Resume     bool // continue from the remote's present state after it was rewound or deleted
	Dry        bool // only find out what would come of it: fetches, and changes neither side
	Background bool // asked for by Pawl itself: bounded in time and number, and only where a person allowed it
	Keep       bool // with Background: only what it does without the remote
	Agree      Agree
}

// Synced is what came of a sync.
type Synced struct {
	Status share.Status
	Report share.Report
}

// Offered is what a remote has.
type Offered struct {
	Remote string // its name, or its address without credentials; empty: there is none
	Ref    string // the reference that has a board; empty: none has

	Programs []string // see [share.Target]: why an unasked remote was not asked
}
