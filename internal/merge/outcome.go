package merge

import "github.com/pawl-dev/pawl"

// An Outcome is the result of a merge of boards that git has brought together, or
// that a person named. Its Report has the numbers and sides of the board in the
// work tree: Ours was there before.
type Outcome struct {
	Report  Report   `json:"report"`
	Sources []Source `json:"sources,omitempty"` // what was merged, in order; empty: there was nothing to merge

	Revision pawl.Revision `json:"revision,omitempty"` // the change set; zero: no file of the board had to change
	Origin   pawl.Revision `json:"origin,omitempty"`   // that [pawl.Revision.Short] counts from
	Dry      bool          `json:"dry,omitempty"`      // nothing was written: it would be so
	Done     bool          `json:"done,omitempty"`     // git had done all of it, and nothing was left to do

	// Git's side. Paths are relative to the root of the work tree, with slashes.
	Board   string   `json:"board,omitempty"`   // the folder of the board
	Added   []string `json:"added,omitempty"`   // files that were put into git's index
	Removed []string `json:"removed,omitempty"` // files that were taken out of it
	Left    []string `json:"left,omitempty"`    // files elsewhere that git still has as unmerged: they are the user's
	Waits   string   `json:"waits,omitempty"`   // the command that ends what git has under way: "git rebase --continue"; empty: nothing is under way
	Commit  bool     `json:"commit,omitempty"`  // files of the board are other than in git's last commit because of the merge, and nothing is under way

	// Apart says that this is the board of a linked work tree, which other verbs do not use.
	Apart bool `json:"apart,omitempty"`

	Remark string `json:"remark,omitempty"` // what kept Pawl from merging, one sentence
}

// Nothing reports whether an outcome has nothing to tell.
func (o *Outcome) Nothing() bool {
	return o == nil || o.Revision == 0 && !o.Dry && len(o.Added)+len(o.Removed) == 0 && o.Remark == "" && o.Report.Empty()
}

// A Source is one merge that was taken into the board.
type Source struct {
	Kind   Kind   `json:"kind"`
	Ours   string `json:"ours,omitempty"`   // the commit of our side; of a merge that git has committed, its first parent
	Theirs string `json:"theirs,omitempty"` // the commit of the other one
	Commit string `json:"commit,omitempty"` // the merge commit, where there is one
	Name   string `json:"name,omitempty"`   // what git calls the other side, as far as it says: "origin/main"
}

// A Kind says how two boards came together.
type Kind string

// The kinds.
const (
	KindMerge  Kind = "merge"       // git merge or git pull, under way or committed
	KindRebase Kind = "rebase"      // one step of it, or all when it is finished
	KindPick   Kind = "cherry-pick" // one commit
	KindRevert Kind = "revert"      // one commit
	KindStages Kind = "stages"      // git has unmerged files and does not say why, as after git stash pop
	KindApart  Kind = "apart"       // two tasks in one file, without their history: a squash, an archive
	KindRef    Kind = "ref"         // a commit that a person named
)

// A State is how a board stands with git, for a status screen.
type State struct {
	Under  string   `json:"under,omitempty"`  // what git has under way: "merge", "rebase", "cherry-pick", "revert", "am", "bisect"; empty: nothing
	Waits  string   `json:"waits,omitempty"`  // the command that ends it
	Board  string   `json:"board,omitempty"`  // the folder of the board; this and the following as in an Outcome
	Tasks  []string `json:"tasks,omitempty"`  // files of the board that git has as unmerged
	Left   []string `json:"left,omitempty"`   // files elsewhere that git has as unmerged
	Next   *Outcome `json:"next,omitempty"`   // what the next merge would do; nil: nothing
	ByHand bool     `json:"byHand,omitempty"` // only pawl merge does it, because git is in the middle of a rebase, or it was undone before
}
