package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

var shareVerb = verb{
	name:  "share",
	use:   "[REMOTE] [flags]",
	short: "share the board with other clones, through a git remote",
	long: "The remote keeps the board beside the code, on a reference of its own: branches, commits and diffs of the code do not show it, and a clone without Pawl never fetches it. Exactly one clone gets each claim. If the remote has a board already, its tasks and yours become one board, and nothing is deleted. " +
		"REMOTE is the name of a remote, or an address; without it, the remote of the branch's upstream is used, else origin, else the only one. If the board is already shared, share prints its state.\n\n" +
		"Everybody who can read that repository can read the tasks, and what was sent cannot be taken back: share says what is sent before it reaches the remote, and asks before it sends tasks for the first time. An agent cannot share a board. Pawl keeps its data in .git/pawl, and adds no object, reference or setting to the repository.\n\n" +
		"A shared board is hidden from git. If git tracks the board, share removes its files from git's index, keeps them on the disk, and names the commit for you to make. Colleagues then pull that commit and run pawl share.\n\n" +
		"The board is synced when somebody claims, completes, releases, holds or reopens a task, and each minute while Pawl is used; the setting sync changes that. pawl share --stop ends it: all files stay, and git sees them again.",
	kind: "share",
	examples: []string{
		"pawl share",
		"pawl share upstream --dry-run",
		"pawl share origin --branch",
		"pawl share --remote upstream",
		"pawl share --stop",
	},
	max:   1,
	build: buildShare,
}

// defaultBranch is the value of --branch alone.
const defaultBranch = "pawl-board"

// sharing are the arguments of share.
type sharing struct {
	ToShare
	dry, yes bool
}

func buildShare(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var s sharing
	var stop bool
	flags := cmd.Flags()
	flags.StringVar(&s.Branch, "branch", "", "`NAME` keep the board on a branch of the remote, for a host that refuses other references")
	flags.Lookup("branch").NoOptDefVal = defaultBranch
	var remote string
	flags.StringVar(&remote, "remote", "", "`NAME` as REMOTE; if the board is already shared, continue with that remote, as after git remote rename")
	flags.BoolVar(&stop, "stop", false, "stop sharing; all files stay, and git sees them again")
	flags.BoolVar(&s.dry, "dry-run", false, "show what would be sent where, and what the remote has, and send nothing")
	flags.BoolVarP(&s.yes, "yes", "y", false, "do not ask before tasks are sent for the first time")
	return func(ctx context.Context, args []string) error {
		branch := flags.Changed("branch")
		if s.Moved = flags.Changed("remote"); s.Moved {
			args = append(args, remote)
		}
		switch {
		case len(args) > 1:
			return usage("share", "a remote is named twice: give REMOTE or --remote")
		case stop && (branch || s.dry || len(args) > 0):
			return usage("share", "--stop stands alone")
		case branch && strings.TrimSpace(s.Branch) == "":
			return usage("share", "the name of the branch is empty: perhaps it comes from a variable that is not set")
		case len(args) == 1 && strings.TrimSpace(args[0]) == "":
			return usage("share", "the name of the remote is empty: perhaps it comes from a variable that is not set")
		case len(args) == 1:
			s.Remote = args[0]
		}
		place, err := a.sharedPlace("share")
		if err != nil {
			return err
		}
		s.Dir, s.From, s.By = place.Dir, a.env.Dir, a.caller().Actor
		if stop {
			if err := a.consents("stop sharing the board", "pawl share --stop"); err != nil {
				return err
			}
			return a.stopSharing(ctx, place)
		}
		return a.share(ctx, place, s)
	}
}

// sharedPlace is the board of a verb that needs the functions of [Sharing].
func (a *app) sharedPlace(verb string) (project.Board, error) {
	place, err := a.place()
	if err == nil {
		err = a.needsFolder(&place, verb+" is for a board in a folder", "others take part with pawl join "+place.Where())
	}
	if err == nil && a.env.Sharing == nil {
		err = usage(verb, "a board is shared where it is kept, and that is not here")
	}
	return place, err
}

func (a *app) share(ctx context.Context, place project.Board, s sharing) error {
	status, err := a.env.Sharing.Status(s.Dir, true)
	if err != nil {
		return err
	}
	if status != nil && s.Moved {
		return a.moveSharing(ctx, status, s)
	}
	if status != nil {
		return a.shareAgain(ctx, status, s)
	}
	if err := a.unmergedBoard(ctx, place); err != nil {
		return err
	}
	plan, err := a.env.Sharing.Plan(ctx, s.ToShare)
	if err != nil {
		return err
	}
	tasks, err := a.tasksHere(ctx, place)
	if err != nil {
		return err
	}
	if !a.json {
		a.tellPlan(place, &plan, tasks)
	}
	if s.dry {
		if !a.caller().Person { // it asks the remote as this clone's configuration says, which may name a program
			return a.consents("ask "+text.Line(plan.Remote), commandLine("pawl share --dry-run", plan.Remote))
		}
		return a.shareDry(ctx, s, &plan, tasks)
	}
	if err := a.agreeToShare(s.yes, &plan, tasks); err != nil {
		return err
	}
	s.Agree = a.agreeing(&plan)
	done, err := a.env.Sharing.Share(ctx, s.ToShare)
	if err != nil {
		return a.remoteFailed(err, &share.Status{Remote: plan.Remote, Ref: plan.Ref}, "share")
	}
	if !place.Exists {
		a.project().Again() // the clone has got a board since
	}
	return a.tellShare(ctx, &plan, &done)
}

// shareAgain answers on a board that is shared: it says how that stands, unless git
// tracks the board's files on the branch that is checked out. These leave the index.
func (a *app) shareAgain(ctx context.Context, status *share.Status, s sharing) error {
	asked := s.ToShare
	if asked.Remote == "" {
		s.Remote = status.Remote
	}
	plan, err := a.env.Sharing.Plan(ctx, s.ToShare)
	if err != nil && asked.Remote != "" {
		return err
	}
	if err := sharedOtherwise(status, &plan, &asked); err != nil {
		return err
	}
	if err != nil || len(plan.Tracked) == 0 {
		if err != nil {
			a.say("%s", plainError(err))
		}
		return a.sharedStatus(status)
	}
	plan.Remote, plan.Ref = status.Remote, status.Ref
	s.Agree = a.agreeing(nil)
	done := Shared{Status: *status}
	if s.dry {
		if !a.json {
			a.tellGitShare(&plan, plan.Tracked, "would leave")
			return nil
		}
	} else if done, err = a.env.Sharing.Share(ctx, s.ToShare); err != nil {
		if !a.json {
			a.tellGitShare(&plan, done.Untracked, "left")
		}
		return a.remoteFailed(err, status, "sync")
	}
	if a.json {
		j := newShareJSON(&done.Status, time.Now())
		j.DryRun, j.Git = s.dry, newShareGit(&plan, plan.Tracked)
		return a.printJSON(j)
	}
	a.tellGitShare(&plan, done.Untracked, "left")
	a.print("%s: %s\n", a.paint.as(bold, "Synced with "+text.Line(status.Remote)), show.SyncedCounts(&done.Report))
	return nil
}

// sharedOtherwise refuses to share a board elsewhere than it is.
func sharedOtherwise(status *share.Status, plan *SharePlan, asked *ToShare) error {
	if (asked.Remote == "" || plan.Remote == status.Remote) && (asked.Branch == "" || "refs/heads/"+asked.Branch == status.Ref) {
		return nil
	}
	again := commandLine("pawl share", plan.Remote)
	if asked.Branch != "" {
		again += " --branch=" + quote(asked.Branch)
	}
	e := pawl.Errorf(pawl.Conflict, "the board is shared through %s already, as %s", text.Line(status.Remote), text.Line(status.Ref))
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "stop that first, then run " + again + ": pawl share --stop"}
	if asked.Branch == "" {
		e.Hint.Text = "if that remote has the same board: " + commandLine("pawl share --remote", plan.Remote)
	}
	return e
}

// moveSharing lets a shared board go on through another remote. It asks, unless git has no
// remote of the old name: then that was renamed.
func (a *app) moveSharing(ctx context.Context, status *share.Status, s sharing) error {
	plan, err := a.env.Sharing.Plan(ctx, s.ToShare)
	if err != nil {
		return err
	}
	switch {
	case s.dry && a.json:
		j := newShareJSON(status, time.Now())
		j.DryRun, j.Plan = true, newSharePlan(&plan, 0)
		return a.printJSON(j)
	case s.dry:
		a.print("Would share the board through %s instead of %s\n", text.Line(plan.Remote), text.Line(status.Remote))
		return nil
	}
	if err := a.consents("share the board through "+text.Line(plan.Remote), commandLine("pawl share --remote", plan.Remote)); err != nil {
		return err
	}
	was := ToShare{Dir: s.Dir, By: s.By, Remote: status.Remote}
	_, err = a.env.Sharing.Plan(ctx, was)
	if _, renamed := errors.AsType[*git.UnknownRemote](err); !renamed && plan.Remote != status.Remote || len(plan.Programs) > 0 {
		if !a.json {
			a.tellPrograms(plan.Programs)
		}
		if err := a.confirm(s.yes, "Share the board through "+text.Line(plan.Remote)+" instead of "+text.Line(status.Remote), "the board is shared as before"); err != nil {
			return err
		}
	}
	s.Agree = a.agreeing(&plan)
	done, err := a.env.Sharing.Share(ctx, s.ToShare)
	if err != nil {
		return a.remoteFailed(err, &share.Status{Remote: plan.Remote, Ref: status.Ref}, "sync")
	}
	if a.json {
		return a.printJSON(newShareJSON(&done.Status, time.Now()))
	}
	a.print("Shared through %s: %s\n", text.Line(plan.Remote), show.SyncedCounts(&done.Report))
	return nil
}

// unmergedBoard refuses a board that git has not finished merging: half of its tasks
// would be sent.
func (a *app) unmergedBoard(ctx context.Context, place project.Board) error {
	if !place.Exists {
		return nil
	}
	if git := a.withGit(ctx, place.Dir); git != nil && (len(git.Tasks) > 0 || git.Under != "") {
		return pawl.Errorf(pawl.Conflict, "git has not finished a merge of this board").Next(pawl.HintMerge)
	}
	return nil
}

// tasksHere is how many tasks a board has.
func (a *app) tasksHere(ctx context.Context, place project.Board) (int, error) {
	if !place.Exists {
		return 0, nil
	}
	board, err := a.env.Boards.Open(place)
	if err != nil {
		return 0, err
	}
	found, err := query.Of(ctx, board, query.Asker{By: a.caller().Actor}, query.OverviewQuery{})
	n := &found.Counts
	return n.Open + n.Completed + n.Damaged, errors.Join(err, board.Close())
}

// agreeToShare asks before tasks are sent to where others can read them. A script has no
// terminal: a person lets theirs share by a variable.
func (a *app) agreeToShare(yes bool, plan *SharePlan, tasks int) error {
	if !a.caller().Person || !plan.Allowed {
		if err := a.consents("share the board through "+text.Line(plan.Remote), commandLine("pawl share", plan.Remote)); err != nil {
			return err
		}
	}
	what := "Send " + text.Count(tasks, "task", "tasks") + " to " + text.Line(plan.Remote)
	if tasks == 0 {
		if plan.Allowed || len(plan.Programs) == 0 {
			return nil
		}
		what = "Share the board through " + text.Line(plan.Remote)
	}
	return a.confirm(yes, what, "nothing was sent")
}

// sharedStatus answers pawl share on a shared board.
func (a *app) sharedStatus(status *share.Status) error {
	if a.json {
		return a.printJSON(newShareJSON(status, time.Now()))
	}
	a.print("%s\n", text.Sentence(show.Shared(status, time.Now())))
	a.print("  Remote  %s, %s\n", text.Line(status.Remote), text.Line(status.Ref))
	a.print("  Clone   %s\n", text.Line(status.Clone))
	a.print("  Sync    %s (setting sync)\n", text.Line(status.Mode))
	if here := status.Here; len(here) > 0 {
		a.print("  Claimed here only  %s\n", show.IDs(here))
	}
	for _, next := range show.SharedNext(status) {
		a.print("  %-26s  %s\n", a.keep(next.Command), next.Does)
	}
	return nil
}

// stopSharing keeps the board to this clone from now on.
func (a *app) stopSharing(ctx context.Context, place project.Board) error {
	done, err := a.env.Sharing.Stop(ctx, place.Dir, a.caller().Actor)
	if err != nil {
		return err
	}
	if done.Was == nil {
		if a.json {
			return a.printJSON(newShareJSON(nil, time.Now()))
		}
		a.print("The board is not shared\n")
		return nil
	}
	if a.json {
		j := newShareJSON(nil, time.Now())
		j.Stopped, j.Unsent = true, done.Unsent
		return a.printJSON(j)
	}
	left, err := a.confirmedHere(ctx, place) // opened before Stop, a missing board would be restored
	if err != nil {
		return err
	}
	sees := "all files stay"
	switch {
	case done.Sight.Rule != "":
		sees += "; git ignores them: " + text.Line(done.Sight.Rule)
	case done.Sight.Git && !done.Sight.Hidden:
		sees += ", and git sees them"
	}
	through, remote := " through "+text.Line(done.Was.Remote), text.Line(done.Was.Remote)
	if done.Was.Remote == "" { // what was remembered of it is damaged
		through, remote = "", "the remote"
	}
	a.print("No longer shared%s: %s\n", through, sees)
	if done.Unsent > 0 {
		a.print("%s not sent\n", text.Count(done.Unsent, "change of this clone was", "changes of this clone were"))
	}
	if len(left) > 0 {
		a.print("For the others this clone still has %s: to take it over, %s there\n", show.IDs(left), command("claim", left)+" --force")
	}
	a.print("The other clones go on; %s keeps the board as it was last sent\n", remote)
	return nil
}

// confirmedHere are the tasks that this clone has claimed, as the remote knows.
func (a *app) confirmedHere(ctx context.Context, place project.Board) (ids []pawl.ID, err error) {
	if !place.Exists {
		return nil, nil
	}
	tasks, err := a.boardTasks(ctx)
	for i := range tasks {
		if c := &tasks[i].Claim; tasks[i].Status == pawl.InProgress && c.Clone == "" && !c.Confirmed.IsZero() {
			ids = append(ids, tasks[i].ID)
		}
	}
	return ids, err
}
