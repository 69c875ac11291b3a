package cli

import (
	"context"
	"strings"

	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// statusGit is how the board stands with git, where the two differ.
type statusGit struct {
	Under     string       `json:"under,omitempty"`     // what git has under way, such as merge or rebase
	Waits     string       `json:"waits,omitempty"`     // the command that ends it
	Conflicts []string     `json:"conflicts,omitempty"` // files of the board with conflicts, relative to the root of the work tree
	Left      []string     `json:"left,omitempty"`      // files elsewhere with conflicts
	Next      *wire.Merged `json:"next,omitempty"`      // what the next merge would do
	ByHand    bool         `json:"byHand,omitempty"`    // only pawl merge does it, not the next change
	Problem   string       `json:"problem,omitempty"`   // what keeps Pawl from merging, one sentence
}

// withGit is how the board stands with git; nil: there is nothing to tell.
func (a *app) withGit(ctx context.Context, dir string) *merge.State {
	if a.env.Git == nil || dir == "" { // a board at an address is not in git
		return nil
	}
	s, err := a.env.Git.State(ctx, dir)
	if err != nil {
		a.once("%v", err)
		return nil
	}
	if len(s.Tasks) == 0 && s.Next.Nothing() && s.Under != "rebase" {
		return nil // what git has under way elsewhere is not of the board
	}
	return &s
}

func (a *app) gitJSON(s *merge.State) *statusGit {
	if s == nil {
		return nil
	}
	j := &statusGit{Under: s.Under, Waits: s.Waits, Conflicts: s.Tasks, Left: s.Left, ByHand: s.ByHand}
	if s.Next != nil {
		next := wire.NewMerged(s.Next, a.name())
		j.Next, j.Problem = &next, s.Next.Remark
	}
	return j
}

// tellsMoves reports whether tellGit names the tasks that have one number with others.
func tellsMoves(s *merge.State) bool {
	return s != nil && s.Next != nil && !s.Next.Done && len(s.Next.Report.Moved) > 0
}

// tellGit says what git and the board wait for:
//
//	two tasks are #12; at the next change yours becomes #15 (now: pawl merge)
//	git is merging: pawl merge for .tasks; src/cart.ts is yours
func (a *app) tellGit(s *merge.State) {
	if s == nil {
		return
	}
	now := a.command("merge")
	if s.Next != nil && s.Next.Remark != "" {
		a.say("%s", s.Next.Remark)
		return
	}
	board := s.Board
	if board == "" {
		board = ".tasks"
	}
	if s.Under == "rebase" && len(s.Tasks) == 0 {
		a.say("git is rebasing: tasks of your later commits are not here yet, and their numbers can be other tasks'; before git rebase --continue: git add %s", text.Line(quote(board)))
	} else if s.Under != "" {
		line := "git is in a " + text.Line(s.Under)
		if doing := map[string]string{"merge": "merging", "rebase": "rebasing", "cherry-pick": "cherry-picking", "revert": "reverting"}[s.Under]; doing != "" {
			line = "git is " + doing
		}
		line += ": " + now + " for " + text.Line(board)
		switch n := len(s.Left); {
		case n == 1:
			line += "; " + someFiles(s.Left) + " is yours"
		case n > 1:
			line += "; " + someFiles(s.Left) + " are yours"
		case s.Waits != "":
			line += ", then " + s.Waits
		}
		a.say("%s", line)
	} else if len(s.Tasks) > 0 {
		a.say("git has conflicts in %s: %s", text.Count(len(s.Tasks), "file of the board", "files of the board"), now)
	}
	a.tellNext(s, now)
}

// tellNext says what the next merge would do with the numbers that a user knows.
func (a *app) tellNext(s *merge.State, command string) {
	if s.Next == nil || s.Next.Done {
		return
	}
	when, now := "at the next change ", " (now: "+command+")"
	switch {
	case s.Under != "" || len(s.Tasks) > 0:
		when, now = "", "" // the command was named
	case s.ByHand:
		when, now = "", " with "+command // it was undone before
	}
	r := &s.Next.Report
	for i, m := range r.Moved {
		const most = 3
		if i == most-1 && len(r.Moved) > most {
			a.say("%d more tasks get other numbers%s", len(r.Moved)-i, now)
			break
		}
		whose := "yours"
		if m.Side == merge.Theirs {
			whose = map[bool]string{true: "theirs", false: "the commit's"}[s.Under == "" || s.Under == "merge"]
		}
		if m.Elder == "" && m.ElderBy == "" {
			a.say("%s%v becomes %v%s", when, m.From, m.ID, now)
			continue
		}
		a.say("two tasks are %v; %s%s becomes %v%s", m.From, when, whose, m.ID, now)
	}
	if len(s.Tasks) > 0 {
		a.tellKept(r)
	}
	if len(r.Moved) == 0 && !r.Empty() && s.Under == "" && len(s.Tasks) == 0 {
		a.say("%sanother branch's board is merged: %s%s", when, show.Merged(r, a.name()), now)
	}
}

// tellKept names tasks that one side deleted and the other changed, which is what git
// may have stopped at.
func (a *app) tellKept(r *merge.Report) {
	const most = 3
	kept := merge.Report{Kept: r.Kept}
	for _, line := range show.MergedLines(&kept, a.name(), "", most) {
		if strings.HasPrefix(line.Text, "#") {
			line.Text += "; it stays"
		}
		a.say("%s", line.Text)
	}
}
