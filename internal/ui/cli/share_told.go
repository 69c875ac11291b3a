package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// shareJSON is the envelope of share.
type shareJSON struct {
	wire.Envelope
	Shared    *wire.Shared  `json:"shared,omitempty"`    // how the board is shared; absent: it is not
	DryRun    bool          `json:"dryRun,omitempty"`    // nothing was done: plan says what would be
	Plan      *sharePlan    `json:"plan,omitempty"`      // what sharing does, or with --remote the move to it; absent if the board stays shared as it is
	Made      bool          `json:"made,omitempty"`      // the board's folder was made
	Published bool          `json:"published,omitempty"` // the remote had no board: this one is the first
	Synced    *wire.Synced  `json:"synced,omitempty"`    // what came and what was sent
	Git       *shareGitJSON `json:"git,omitempty"`       // what is left to do in git, if it tracked the board
	Stopped   bool          `json:"stopped,omitempty"`   // with --stop: the board was shared until now
	Unsent    int           `json:"unsent,omitempty"`    // with --stop: number of changes that the remote does not have
	Next      string        `json:"next,omitempty"`      // the command to go on with
}

// sharePlan is what sharing a board does.
type sharePlan struct {
	Remote  string `json:"remote"`            // a remote's name, or an address without credentials
	Address string `json:"address,omitempty"` // where the name leads
	Ref     string `json:"ref"`               // the reference on the remote
	Tasks   int    `json:"tasks"`             // number of tasks here, which are sent
	There   *int   `json:"there,omitempty"`   // with --dry-run: 0: the remote has no board; -1: it has one; absent: no answer
}

// shareGitJSON is what is left to do in git.
type shareGitJSON struct {
	Untracked []string `json:"untracked"`          // files that left git's index, or with --dry-run would, relative to the root of the work tree
	Commit    string   `json:"commit"`             // the command that commits it
	Branches  []string `json:"branches,omitempty"` // other branches that still have files of the board
}

func newShareJSON(s *share.Status, now time.Time) shareJSON {
	return shareJSON{Envelope: wire.NewEnvelope("share"), Shared: wire.NewShared(s, now)}
}

func newSharePlan(p *SharePlan, tasks int) *sharePlan {
	return &sharePlan{Remote: p.Remote, Address: p.Address, Ref: p.Ref, Tasks: tasks}
}

// newShareGit is nil if git has nothing to do with the board.
func newShareGit(p *SharePlan, files []string) *shareGitJSON {
	if len(files) == 0 {
		return nil
	}
	return &shareGitJSON{Untracked: files, Commit: untrackCommit(p), Branches: otherBranches(p)}
}

// untrackCommit commits what left the index. With a path git would add the files
// again, because they are still there.
func untrackCommit(p *SharePlan) string {
	return "git commit -m " + quote("Share tasks through "+p.Remote)
}

// tellPlan says, before the remote is reached, what sharing does:
//
//	Sharing the board in .tasks through origin (git@example.com:shop.git)
//	  Sends    12 tasks with notes and claims, and what changes from now on, to refs/pawl/board
//	  Visible  to all who can read that repository; what was sent cannot be taken back
//	  Git      4 files leave its index and stay on the disk
//	  Undo     pawl share --stop
func (a *app) tellPlan(place project.Board, p *SharePlan, tasks int) {
	where := place.Dir
	if rel, err := filepath.Rel(a.env.Dir, where); err == nil && len(rel) < len(where) {
		where = rel
	}
	through := text.Line(p.Remote)
	if p.Address != "" && p.Address != p.Remote {
		through += " (" + text.Line(p.Address) + ")"
	}
	a.print("%s\n", a.paint.as(bold, "Sharing the board in "+text.Line(where)+" through "+through))
	row := func(label, format string, args ...any) {
		a.print("  %-8s %s\n", label, text.Line(fmt.Sprintf(format, args...)))
	}
	sends := "what changes here from now on"
	if tasks > 0 {
		sends = text.Count(tasks, "task", "tasks") + " with notes and claims, and " + sends
	}
	row("Sends", "%s, to %s", sends, p.Ref)
	a.tellPrograms(p.Programs)
	row("Visible", "to all who can read that repository; what was sent cannot be taken back")
	if n := len(p.Tracked); n > 0 {
		leave := map[bool]string{true: " leaves its index and stays", false: " leave its index and stay"}[n == 1]
		row("Git", "%s%s on the disk", text.Count(n, "file", "files"), leave)
	}
	row("Undo", "pawl share --stop")
}

// shareDry says what the remote has, and changes nothing.
func (a *app) shareDry(ctx context.Context, s sharing, p *SharePlan, tasks int) error {
	if err := a.flush(); err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, share.Patience)
	defer cancel()
	s.Unasked = !p.Allowed
	there, err := a.env.Sharing.Offered(bounded, s.ToShare)
	if a.json {
		j := newShareJSON(nil, time.Now())
		j.DryRun, j.Plan, j.Git = true, newSharePlan(p, tasks), newShareGit(p, p.Tracked)
		switch {
		case s.Unasked && len(there.Programs) > 0:
		case err == nil && there.Ref == "":
			j.Plan.There = new(int)
		case err == nil:
			j.Plan.There = new(-1)
		}
		return a.printJSON(j)
	}
	switch {
	case err != nil:
		e := a.remoteFailed(err, &share.Status{Remote: p.Remote, Ref: p.Ref}, "share")
		a.say("%s", plainError(e))
	case s.Unasked && len(there.Programs) > 0:
		a.tellUnasked(&there)
	case there.Ref == "":
		a.print("%s has no board there yet\n", text.Line(p.Remote))
	default:
		a.print("%s has a board there: both become one\n", text.Line(p.Remote))
	}
	a.tellGitShare(p, p.Tracked, "would leave")
	if err := a.flush(); err != nil {
		return err
	}
	a.say("dry run: nothing was sent or changed")
	return nil
}

// tellShare says what came of it, and how to go on:
//
//	Shared through origin: 57 arrived, 12 sent
//	58 open, 3 ready; next: pawl claim
func (a *app) tellShare(ctx context.Context, p *SharePlan, done *Shared) error {
	a.works = nil // a board that was made is found now
	next, stands := a.afterShare(ctx)
	if a.json {
		j := newShareJSON(&done.Status, time.Now())
		synced := wire.NewSynced(&done.Report, a.name())
		j.Plan, j.Made, j.Published, j.Synced = newSharePlan(p, len(done.Report.Sent)), done.Made, done.Published, &synced
		j.Git, j.Next = newShareGit(p, done.Untracked), next
		return a.printJSON(j)
	}
	what := show.SyncedCounts(&done.Report)
	if done.Published {
		what = "its board is the first there"
		if n := len(done.Report.Sent); n > 0 {
			what = text.Count(n, "task", "tasks") + " sent"
		}
	}
	through := "Shared through " + text.Line(done.Status.Remote)
	if done.Status.Ref != p.Ref {
		through += " on " + text.Line(done.Status.Ref) + ", where its board is"
	}
	a.print("%s: %s\n", a.paint.as(bold, through), what)
	report := done.Report
	report.Arrived, report.Sent, report.Changed = nil, nil, nil // counted above; lists show them
	a.mergedLines(show.SyncedLines(&report, a.name(), mostMerged))
	a.tellGitShare(p, done.Untracked, "left")
	if stands != "" {
		a.print("%s\n", stands)
	}
	return nil
}

// afterShare says how the board stands now, and what to do next.
func (a *app) afterShare(ctx context.Context) (next, line string) {
	if a.project().Again(); a.none { // the remote had a board, and the clone none
		a.board, a.none = nil, false
	}
	found, err := asked(ctx, a, query.OverviewQuery{})
	if err != nil {
		return "", ""
	}
	n := &found.Counts
	switch {
	case n.Ready > 0:
		next = a.command("claim")
	case n.Open == 0:
		next = a.command(`add "first task"`)
	default:
		next = a.command("list")
	}
	return next, fmt.Sprintf("%d open, %d ready; next: %s", n.Open, n.Ready, next)
}

// tellGitShare says which files left git's index, and what is left to do because of
// that here, by colleagues and on other branches.
func (a *app) tellGitShare(p *SharePlan, files []string, leave string) {
	if len(files) == 0 {
		return
	}
	a.print("%s\n", a.paint.as(bold, fmt.Sprintf("%s %s git's index, and %s on the disk:", text.Count(len(files), "file", "files"), leave, map[bool]string{true: "stays", false: "stay"}[len(files) == 1])))
	const most = 6
	for i, f := range files {
		if i == most-1 && len(files) > most {
			a.print("  and %d more\n", len(files)-i)
			break
		}
		a.print("  %s\n", text.Line(f))
	}
	a.print("Commit that, with what else you have staged, and push it:\n  %s && git push\n", untrackCommit(p))
	a.print("Colleagues pull it, and then run %s in their clones.\n", a.paint.as(bold, "pawl share"))
	if others := otherBranches(p); len(others) > 0 {
		a.print("Still on %s: merge that commit there. While such a branch is checked out, nothing is synced.\n", someFiles(others))
	}
}

// otherBranches are those that a push of the checked-out one does not change.
func otherBranches(p *SharePlan) []string {
	return slices.DeleteFunc(slices.Clone(p.Branches), func(b string) bool {
		_, name, _ := strings.Cut(b, "/")
		return p.Branch != "" && name == p.Branch
	})
}

// mergedLines prints what a merge did, each word once.
func (a *app) mergedLines(lines []show.MergedLine) {
	wide := 0
	for _, l := range lines {
		wide = max(wide, len(l.Word))
	}
	for i, l := range lines {
		word := l.Word
		if i > 0 && lines[i-1].Word == word {
			word = ""
		}
		a.print("  %-*s  %s\n", wide, word, l.Text)
	}
}

// remoteFailed says why a remote was of no use, and what helps.
func (a *app) remoteFailed(err error, s *share.Status, verb string) error {
	e := show.RemoteFailed(err, s)
	if e == nil {
		return err
	}
	again := "pawl " + verb
	if verb == "share" && s.Remote != "" {
		again = commandLine(again, strings.TrimSpace(s.Remote))
		if branch, ok := strings.CutPrefix(s.Ref, "refs/heads/"); ok {
			again += " --branch=" + quote(branch)
		}
	}
	switch {
	case e.Hint.Text != "":
	case e.Kind == pawl.Unavailable:
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "try again: " + again}
	}
	return e
}
