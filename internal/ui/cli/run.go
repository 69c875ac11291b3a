package cli

import (
	"context"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/runs/journal"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

var runVerb = verb{
	name:  "run",
	use:   "[ID... | ACTION] [flags]",
	short: "have agents do the ready tasks, each in a work tree of its own",
	long: "Takes ready tasks in the order of pawl ready, and gives each to an agent's program in a git work tree of its own. When the agent ends, pawl runs the task's checks, commits its work to the current branch as one commit, runs the checks on the merged files, and completes the task. Goes on until nothing is ready or a person is needed.\n\n" +
		"Without IDs, takes all ready tasks; with IDs, only these and the tasks below them. Press Ctrl-C once to start no further task, twice to stop the agents. Each attempt stays under refs/pawl/run, and pawl run resumes a run that was killed.",
	topics: func() []manual.Section { return []manual.Section{runActions().section("Actions")} },
	kind:   "run",
	examples: []string{
		"pawl run 12",
		"pawl run --label api --agents 3",
		"pawl run status",
	},
	max:   -1,
	build: buildRun,
}

// Runs does what a run needs beside the board and the journal.
type Runs struct {
	// Look says what a run would use, and why it cannot begin.
	Look func(context.Context, *Working) (Prospect, error)
	// Work works the board off until nothing is left to do, a person is needed, or ctx is
	// over. A first signal begins nothing more, a second one stops the agents.
	Work func(ctx context.Context, w *Working, signals <-chan os.Signal) (RunEnd, error)
	// Diff is what an attempt changed, as text.
	Diff func(ctx context.Context, w *Working, a *runs.Attempt) (string, error)
	// Clean removes work trees whose work is kept elsewhere, and says why others stay;
	// with dry it removes nothing.
	Clean func(ctx context.Context, w *Working, dry bool) ([]CleanedTree, error)
	// Trial has an agent answer one trivial prompt, and says whether it works.
	Trial func(ctx context.Context, w *Working) (string, error)
	// Files are the outputs of an attempt, by what they are.
	Files func(dir string) []RunFile
}

// Working is what a run is to do.
type Working struct {
	Root     string // of the project
	Place    project.Board
	Board    query.Board
	By       pawl.Actor
	Settings *settings.Settings
	Folder   journal.Folder
	Run      runs.Run
	Model    string
	Tell     func(line string)
}

// Prospect is what a run would use.
type Prospect struct {
	Agent   string   // its name
	Program string   // its path
	Target  string   // refs/heads/…
	Setup   string   // the command; empty: none
	Copy    []string // files
	Skips   bool     // the agent does everything without asking
	Waits   []string // what a person must trust first
	Commits int      // that only this clone has
}

// RunEnd is how a run ended.
type RunEnd struct {
	Status runs.Status
	Why    *pawl.Error // why nothing more is ready
}

// CleanedTree is a work tree that was removed, or stays.
type CleanedTree struct {
	Dir string  `json:"dir"`           // its folder
	ID  pawl.ID `json:"id,omitempty"`  // the task of the attempt
	Why string  `json:"why,omitempty"` // it stays; empty: it was removed, or would be
}

// RunFile is an output of an attempt.
type RunFile struct {
	What string `json:"what"` // prompt, stream or errors
	Path string `json:"path"` // of the file
	Size int64  `json:"size"` // in bytes
}

// runFlags are the flags of run.
type runFlags struct {
	agents                              int
	agent, model, remark                string
	labels                              []string
	all, once, dry, yes, noMerge, share bool
}

func runActions() actions[*runRun] {
	return actions[*runRun]{
		{"status", "", "show slots, the queue, what waits for you, and why nothing begins", 0, 0, nil, (*runRun).status},
		{"log", "ID", "show the attempts at a task: what happened, and where the outputs are", 1, 1, nil, (*runRun).log},
		{"diff", "ID", "show what the last attempt changed", 1, 1, nil, (*runRun).diff},
		{"approve", "ID...", "let run integrate work that waits for approval; with --shared: accept git's shared configuration as it is now", 0, -1, nil, (*runRun).approve},
		{"retry", "ID", "try the task again, with --remark TEXT as a hint for the agent; also sends back work that waits for approval", 1, 1, nil, (*runRun).retry},
		{"stop", "[ID]", "stop the agent of a task, or all of them and the run", 0, 1, nil, (*runRun).stop},
		{"take", "ID", "stop the agent of a task and go on yourself in its work tree", 1, 1, nil, (*runRun).take},
		{"clean", "", "remove work trees whose work is kept elsewhere, and say why others stay; with --dry-run, remove none", 0, 0, nil, (*runRun).clean},
		{"check", "[AGENT]", "have an agent answer one trivial prompt, and say whether it works", 0, 1, nil, (*runRun).check},
	}
}

// runRun is one call of run.
type runRun struct {
	*app
	flags runFlags
	slots bool // --agents was given
}

func buildRun(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	r := &runRun{app: a}
	f := cmd.Flags()
	f.IntVar(&r.flags.agents, "agents", 0, "`N` agents at once; default: the setting run.slots")
	f.StringVar(&r.flags.agent, "agent", "", "`NAME` name of the agent; default: the setting run.agent, or the first one that is installed")
	f.StringVar(&r.flags.model, "model", "", "`NAME` name of the model; default: the agent's own choice")
	f.StringArrayVar(&r.flags.labels, "label", nil, "`LABEL` only tasks with this label; with several, only tasks that have all")
	f.BoolVar(&r.flags.all, "all", false, "all ready tasks, as without IDs and labels")
	f.BoolVar(&r.flags.once, "once", false, "start one round of tasks, and exit when they have ended")
	f.BoolVar(&r.flags.noMerge, "no-merge", false, "leave each task's work on its branch, as the setting run.integrate=none does")
	f.BoolVar(&r.flags.dry, "dry-run", false, "show what would start, and start nothing")
	f.BoolVarP(&r.flags.yes, "yes", "y", false, "do not ask before the first run in a clone")
	f.StringVar(&r.flags.remark, "remark", "", "`TEXT` with retry: a hint for the agent")
	f.BoolVar(&r.flags.share, "shared", false, "with approve: accept git's shared configuration, hooks and attributes as they are now")
	return func(ctx context.Context, args []string) error {
		r.slots = cmd.Flags().Changed("agents")
		if len(args) > 0 {
			if do := runActions().find(args[0]); do != nil {
				if err := runActions().check("run", do, cmd, args[1:]); err != nil {
					return err
				}
				if slices.Contains([]string{"retry", "stop", "clean"}, do.name) && r.env.Getenv(runs.EnvRun) != "" {
					return pawl.Errorf(pawl.Invalid, "this is an attempt of a run: its agent cannot change the run").
						Say("pawl hold ID REASON")
				}
				return do.run(r, ctx, args[1:])
			}
		}
		return r.begin(ctx, args)
	}
}

// working is what the caller's project and settings say of a run.
func (r *runRun) working(ctx context.Context) (*Working, error) {
	place, err := r.place()
	if err != nil {
		return nil, err
	}
	root, err := r.project().Root()
	if err != nil {
		return nil, err
	}
	c := clone.Of(root)
	if !c.Git {
		return nil, pawl.Errorf(pawl.Invalid, "pawl run needs a git repository: each agent works in a work tree of its own").
			Say("git init && git add -A && git commit -m start")
	}
	s, err := r.settings()
	if err != nil {
		return nil, err
	}
	w := &Working{Root: root, Place: place, By: r.caller().Actor, Settings: s, Model: r.flags.model}
	board := place.Dir
	if board == "" {
		board = place.Address.String()
	}
	if w.Folder, err = journal.Of(r.env.Getenv, c, board); err != nil {
		return nil, err
	}
	w.Tell = func(line string) { r.say("%s", text.Line(line)) }
	return w, nil
}
