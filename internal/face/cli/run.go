package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/runs/journal"
	"github.com/pawl-dev/pawl/internal/text"
)

var runVerb = verb{
	name:  "run",
	use:   "[ID... | ACTION] [flags]",
	short: "have agents work the board off, each task in a work tree of its own",
	long: "Takes ready tasks in the order of pawl ready, and gives each to an agent's program in a git work tree of its own. When the agent ends, pawl runs the task's checks, puts its commits on the branch that is checked out, runs the checks on the merged files, and completes the task. Goes on until nothing is ready or a person is needed.\n\n" +
		"Without IDs: all ready tasks. With IDs: only these, and the tasks below them. Ctrl-C once begins nothing more; twice stops the agents. Nothing that an agent did is lost: each attempt stays under refs/pawl/run, and a run that was killed goes on where it was.",
	topics: runTopics,
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
	Board    ask.Board
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

// runAction is what can be done with a run.
type runAction struct {
	name, use, short string
	min, max         int
	run              func(r *runRun, ctx context.Context, args []string) error
}

func runActions() []runAction {
	return []runAction{
		{"status", "", "show slots, the queue, what waits for you, and why nothing begins", 0, 0, (*runRun).status},
		{"log", "ID", "show the attempts at a task: what happened, and where the outputs are", 1, 1, (*runRun).log},
		{"diff", "ID", "show what the last attempt changed", 1, 1, (*runRun).diff},
		{"approve", "ID...", "let what waits for approval be integrated; with --shared: accept git's shared configuration as it is now", 0, -1, (*runRun).approve},
		{"retry", "ID", "let another attempt follow, with --remark TEXT as a hint for the agent; sends back what waits for approval", 1, 1, (*runRun).retry},
		{"stop", "[ID]", "stop the agent of a task, or all of them and the run", 0, 1, (*runRun).stop},
		{"take", "ID", "stop the agent of a task and go on yourself in its work tree", 1, 1, (*runRun).take},
		{"clean", "", "remove work trees whose work is kept elsewhere, and say why others stay; with --dry-run: only say it", 0, 0, (*runRun).clean},
		{"check", "[AGENT]", "have an agent answer one trivial prompt, and say whether it works", 0, 1, (*runRun).check},
	}
}

func runTopics() []manual.Section {
	actions := manual.Section{Title: "Actions"}
	for _, do := range runActions() {
		actions.Terms = append(actions.Terms, manual.Term{Word: strings.TrimSpace(do.name + " " + do.use), Meaning: do.short})
	}
	return []manual.Section{actions}
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
	f.StringVar(&r.flags.agent, "agent", "", "`NAME` of the agent; default: the setting run.agent, or the first one that is installed")
	f.StringVar(&r.flags.model, "model", "", "`NAME` of the model; default: the agent's own choice")
	f.StringArrayVar(&r.flags.labels, "label", nil, "only tasks with this `LABEL`; may be repeated: all of them")
	f.BoolVar(&r.flags.all, "all", false, "all ready tasks, which is also what run does without IDs and labels")
	f.BoolVar(&r.flags.once, "once", false, "begin tasks once, and end when these have ended")
	f.BoolVar(&r.flags.noMerge, "no-merge", false, "leave each task's work on its branch: as the setting run.integrate with none")
	f.BoolVar(&r.flags.dry, "dry-run", false, "show what would begin, and start nothing")
	f.BoolVarP(&r.flags.yes, "yes", "y", false, "do not ask before the first run of a clone")
	f.StringVar(&r.flags.remark, "remark", "", "with retry: a `TEXT` for the agent")
	f.BoolVar(&r.flags.share, "shared", false, "with approve: accept git's shared configuration, hooks and attributes as they are now")
	return func(ctx context.Context, args []string) error {
		r.slots = cmd.Flags().Changed("agents")
		if len(args) > 0 {
			for _, do := range runActions() {
				if do.name != args[0] {
					continue
				}
				if n := len(args) - 1; n < do.min || do.max >= 0 && n > do.max {
					e := pawl.Errorf(pawl.Invalid, "usage: pawl run %s", strings.TrimSpace(do.name+" "+do.use))
					e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl help run"}
					return e
				}
				if slices.Contains([]string{"retry", "stop", "clean"}, do.name) && r.env.Getenv(runs.EnvRun) != "" {
					e := pawl.Errorf(pawl.Invalid, "this is an attempt of a run: its agent cannot change the run")
					e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl hold ID REASON"}
					return e
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
	tree, ok := gitdir.Find(root)
	if !ok {
		e := pawl.Errorf(pawl.Invalid, "pawl run needs a git repository: each agent works in a work tree of its own")
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "git init && git add -A && git commit -m start"}
		return nil, e
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
	if w.Folder, err = journal.Of(r.env.Getenv, tree.Common, board); err != nil {
		return nil, err
	}
	w.Tell = func(line string) { r.say("%s", text.Line(line)) }
	return w, nil
}

// begin works the board off.
func (r *runRun) begin(ctx context.Context, args []string) error {
	if r.env.Getenv(runs.EnvRun) != "" {
		return pawl.Errorf(pawl.Invalid, "this is an attempt of a run: an agent of a run cannot start another run")
	}
	w, err := r.working(ctx)
	if err != nil {
		return err
	}
	if w.Board, err = r.open(); err != nil {
		return err
	}
	if w.Run.Select.IDs, err = r.chosen(ctx, w, args); err != nil {
		return err
	}
	if r.flags.all && len(args)+len(r.flags.labels) > 0 {
		return pawl.Errorf(pawl.Invalid, "--all goes with neither IDs nor --label")
	}
	w.Run.Select.Labels = r.flags.labels
	if err := r.limits(w); err != nil {
		return err
	}
	found, err := r.env.Runs.Look(ctx, w)
	if err != nil {
		return err
	}
	w.Run.Agent, w.Run.Target = found.Agent, found.Target
	state, err := w.Folder.Read()
	if err != nil {
		return err
	}
	if r.flags.dry {
		return r.prospect(ctx, w, found, state)
	}
	if len(found.Waits) > 0 {
		e := pawl.Errorf(pawl.Unmet, "a person must trust first: %s", strings.Join(found.Waits, "; "))
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl trust checks"}
		return e
	}
	if state.Run == nil {
		r.introduce(w, found)
		if err := r.confirm(r.flags.yes, "start agents here", "no agent was started"); err != nil {
			return err
		}
	}
	if w.Board, err = r.openWatchedAt(w.Place, func(warning string) { r.say("%s", warning) }); err != nil {
		return err
	}
	defer w.Board.Close()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	end, err := r.env.Runs.Work(ctx, w, signals)
	if err != nil {
		return err
	}
	return r.told(w, end)
}

// chosen are the tasks that a run is for, which must exist.
func (r *runRun) chosen(ctx context.Context, w *Working, args []string) ([]pawl.ID, error) {
	ids, err := r.resolveWords(ctx, args)
	if err != nil || len(ids) == 0 {
		return ids, err
	}
	q := ask.TaskQuery{}
	for _, id := range ids {
		q.Names = append(q.Names, id.String())
	}
	found, err := ask.Of(ctx, w.Board, ask.Asker{}, q)
	if err != nil {
		return nil, err
	}
	for i := range found.Tasks {
		if fault := found.Tasks[i].Fault; fault != nil {
			return nil, fault
		}
	}
	return ids, nil
}

// limits reads what bounds the run from the settings.
func (r *runRun) limits(w *Working) error {
	s := w.Settings
	run := &w.Run
	run.ID, run.Began, run.Once = newRunID(), time.Now().UTC(), r.flags.once
	run.Slots, run.Agent = settings.Of[int](s, "run.slots"), settings.Of[string](s, "run.agent")
	if r.slots {
		if r.flags.agents < 1 || r.flags.agents > 16 {
			return pawl.Errorf(pawl.Invalid, "--agents is a number from 1 to 16")
		}
		run.Slots = r.flags.agents
	}
	if r.flags.agent != "" {
		run.Agent = r.flags.agent
	}
	run.Review, run.Merge = settings.Of[string](s, "run.review"), settings.Of[string](s, "run.integrate")
	if r.flags.noMerge {
		run.Merge = "none"
	}
	limit := func(of string) runs.Limit {
		l := runs.Limit{Time: settings.Of[time.Duration](s, "run.timeout"+of)}
		l.Tokens, l.Money = int64(settings.Of[int](s, "run.tokens"+of)), settings.Of[float64](s, "run.money"+of)
		return l
	}
	run.Limits = runs.Limits{
		Attempts: settings.Of[int](s, "run.attempts"), Attempt: limit(""), Task: limit(".task"), Run: limit(".run"),
		Stall: settings.Of[time.Duration](s, "run.stall"), Progress: settings.Of[time.Duration](s, "run.progress"),
		Output: int64(settings.Of[int](s, "run.output")) << 20, Reviews: settings.Of[int](s, "run.review.max"),
	}
	return nil
}

// introduce says before the first run of a clone what is about to happen.
func (r *runRun) introduce(w *Working, found Prospect) {
	r.say("%s (%s) works on ready tasks, %d at once, each in a work tree of its own under %s", found.Agent, found.Program, w.Run.Slots, w.Folder.Path)
	switch {
	case w.Run.Merge != "merge":
		r.say("its commits stay on branches pawl/ID-…")
	case w.Run.Review == "before-merge":
		r.say("when a task's checks have passed, you are asked before its commits go to %s: pawl run approve ID. pawl config set run.review none --user changes that", runs.Branch(found.Target))
	default:
		r.say("when a task's checks have passed, its commits go to %s", runs.Branch(found.Target))
	}
	if found.Setup != "" {
		r.say("each work tree is set up with: %s", text.Line(found.Setup))
	}
	if len(found.Copy) > 0 {
		r.say("each work tree gets a copy of %s, which the agent can read", text.And(found.Copy))
	}
	if found.Skips {
		r.say("the agent does everything without asking (run.permissions is skip), outside of its work tree, too")
	}
	r.say("an attempt may take %s%s; agents use your account with their provider", span(w.Run.Limits.Attempt.Time), cost(&w.Run.Limits))
}

func span(d time.Duration) string {
	if d == 0 {
		return "as long as it likes"
	}
	return d.String()
}

func cost(l *runs.Limits) string {
	switch {
	case l.Attempt.Money > 0:
		return fmt.Sprintf(" and $%.2f", l.Attempt.Money)
	case l.Attempt.Tokens > 0:
		return fmt.Sprintf(" and %d model tokens", l.Attempt.Tokens)
	}
	return ", and there is no limit on model tokens or money (run.tokens, run.money)"
}

// onlyRun returns the newest attempt at the task that was named.
func (r *runRun) onlyRun(ctx context.Context, name string) (*Working, runs.Attempt, error) {
	w, err := r.working(ctx)
	if err != nil {
		return nil, runs.Attempt{}, err
	}
	if w.Board, err = r.open(); err != nil {
		return nil, runs.Attempt{}, err
	}
	ids, err := r.resolveWords(ctx, []string{name})
	if err != nil {
		return nil, runs.Attempt{}, err
	}
	state, err := w.Folder.Read()
	if err != nil {
		return nil, runs.Attempt{}, err
	}
	found, err := ask.Of(ctx, w.Board, ask.Asker{}, ask.TaskQuery{Names: []string{ids[0].String()}})
	if err != nil {
		return nil, runs.Attempt{}, err
	}
	if detail := found.Tasks[0].Detail; detail != nil {
		if last := state.Tasks[runs.IdentityOf(&detail.Task)].Last(); last != nil {
			last.ID = detail.Task.ID // a merge may have changed it
			return w, *last, nil
		}
	}
	for _, work := range state.Tasks { // the task was deleted
		if last := work.Last(); last != nil && last.ID == ids[0] && found.Tasks[0].Detail == nil {
			return w, *last, nil
		}
	}
	e := pawl.Errorf(pawl.NotFound, "no attempt at %v is known in this clone", ids[0])
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: fmt.Sprintf("pawl run %d", ids[0])}
	return nil, runs.Attempt{}, e
}

// control sends a request to the run.
func (r *runRun) control(w *Working, c runs.Control) error {
	c.By, c.At = w.By.Name, time.Now().UTC()
	return w.Folder.Ask(c)
}

// when says when a request is carried out.
func (r *runRun) when(w *Working) string { return whenRun(w.Folder.Alive()) }

func whenRun(alive bool) string {
	if alive {
		return ""
	}
	return "; no run is at work here, so the next pawl run does it"
}

// fitsRun refuses a request that does not fit how the last attempt at a task stands.
func fitsRun(op runs.ControlOp, a *runs.Attempt, alive bool) error {
	switch {
	case op == runs.Approve && a.Phase != runs.Waiting && a.Phase != runs.Handed:
		e := pawl.Errorf(pawl.Conflict, "attempt %d at %v does not wait for approval: it is %s", a.N, a.ID, a.Phase.Word())
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl run status"}
		return e
	case op == runs.Retry && a.Phase == runs.Completed:
		e := pawl.Errorf(pawl.Conflict, "%v is completed", a.ID)
		e.Hint = pawl.Hint{Step: pawl.HintReopen, IDs: []pawl.ID{a.ID}}
		return e
	case op == runs.StopOne && (a.Phase.Over() || !alive):
		return pawl.Errorf(pawl.Conflict, "no attempt at %v is at work: the last one is %s", a.ID, a.Phase.Word())
	}
	return nil
}

// askedRun says what follows a request.
func askedRun(op runs.ControlOp, a *runs.Attempt) string {
	switch op {
	case runs.Approve:
		return fmt.Sprintf("Approved attempt %d at %v", a.N, a.ID)
	case runs.Retry:
		return fmt.Sprintf("Another attempt at %v follows attempt %d", a.ID, a.N)
	}
	return fmt.Sprintf("Attempt %d at %v stops; what it did is kept, and the task is put on hold", a.N, a.ID)
}

// personOnly refuses an agent what only a person may do.
func (r *runRun) personOnly(what string) error {
	if r.caller().Person {
		return nil
	}
	e := pawl.Errorf(pawl.Invalid, "%s is for a person", what)
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "ask your user to run it"}
	return e
}

func (r *runRun) approve(ctx context.Context, args []string) error {
	if err := r.personOnly("approving"); err != nil {
		return err
	}
	if r.flags.share {
		w, err := r.working(ctx)
		if err != nil {
			return err
		}
		if err := r.control(w, runs.Control{Op: runs.Approve}); err != nil {
			return err
		}
		return r.answer("Accepted git's shared configuration, hooks and attributes as they are now" + r.when(w))
	}
	if len(args) == 0 {
		e := pawl.Errorf(pawl.Invalid, "usage: pawl run approve ID...")
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl run status"}
		return e
	}
	for _, name := range args {
		w, a, err := r.onlyRun(ctx, name)
		if err != nil {
			return err
		}
		if err := fitsRun(runs.Approve, &a, true); err != nil {
			return err
		}
		if err := r.control(w, runs.Control{Op: runs.Approve, ID: a.ID, Task: a.Task}); err != nil {
			return err
		}
		if err := r.answer(askedRun(runs.Approve, &a) + r.when(w)); err != nil {
			return err
		}
	}
	return nil
}

func (r *runRun) retry(ctx context.Context, args []string) error {
	w, a, err := r.onlyRun(ctx, args[0])
	if err != nil {
		return err
	}
	if err := fitsRun(runs.Retry, &a, true); err != nil {
		return err
	}
	if err := r.control(w, runs.Control{Op: runs.Retry, ID: a.ID, Task: a.Task, Text: r.flags.remark}); err != nil {
		return err
	}
	return r.answer(askedRun(runs.Retry, &a) + r.when(w))
}

func (r *runRun) stop(ctx context.Context, args []string) error {
	if len(args) == 0 {
		w, err := r.working(ctx)
		if err != nil {
			return err
		}
		if !w.Folder.Alive() {
			return pawl.Errorf(pawl.Conflict, "no run is at work here")
		}
		if err := r.control(w, runs.Control{Op: runs.StopAll}); err != nil {
			return err
		}
		return r.answer("The run stops its agents and ends; what they did is kept")
	}
	w, a, err := r.onlyRun(ctx, args[0])
	if err != nil {
		return err
	}
	if err := fitsRun(runs.StopOne, &a, w.Folder.Alive()); err != nil {
		return err
	}
	if err := r.control(w, runs.Control{Op: runs.StopOne, ID: a.ID, Task: a.Task}); err != nil {
		return err
	}
	return r.answer(askedRun(runs.StopOne, &a))
}

func (r *runRun) take(ctx context.Context, args []string) error {
	if err := r.personOnly("taking over an attempt"); err != nil {
		return err
	}
	w, a, err := r.onlyRun(ctx, args[0])
	if err != nil {
		return err
	}
	if a.Cleaned || a.Tree == "" {
		return pawl.Errorf(pawl.Conflict, "the work tree of attempt %d at %v is gone; its work is %s", a.N, a.ID, a.Ref())
	}
	alive := w.Folder.Alive()
	if err := r.control(w, runs.Control{Op: runs.Take, ID: a.ID, Task: a.Task}); err != nil {
		return err
	}
	if alive { // the claim is the attempt's until its agent has ended
		for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(200 * time.Millisecond) {
			state, err := w.Folder.Read()
			if err != nil {
				return err
			}
			if now, _ := state.Attempt(a.Key); now.Phase.Over() {
				break
			}
		}
	}
	if _, err := r.do(ctx, pawl.ClaimTask{ID: a.ID, Force: true}); err != nil {
		return err
	}
	if r.json {
		return r.answer(a.Tree)
	}
	r.print("%s\n", a.Tree)
	r.say("%v is yours: go on in this folder, on branch %s; then pawl done %d", a.ID, runs.Branch(a.Branch), a.ID)
	return nil
}

func (r *runRun) diff(ctx context.Context, args []string) error {
	w, a, err := r.onlyRun(ctx, args[0])
	if err != nil {
		return err
	}
	diff, err := r.env.Runs.Diff(ctx, w, &a)
	if err != nil {
		return err
	}
	if r.json {
		return r.answer(diff)
	}
	if diff == "" {
		r.say("attempt %d at %v has changed no file", a.N, a.ID)
		return nil
	}
	for line := range strings.Lines(diff) {
		r.print("%s\n", text.Line(strings.TrimRight(line, "\r\n")))
	}
	r.say("attempt %d at %v: %s since %.12s", a.N, a.ID, text.Count(len(a.Files), "file", "files"), a.Base)
	return nil
}

func (r *runRun) clean(ctx context.Context, _ []string) error {
	w, err := r.working(ctx)
	if err != nil {
		return err
	}
	all, err := r.env.Runs.Clean(ctx, w, r.flags.dry)
	if err != nil {
		return err
	}
	if r.json {
		return r.answerRun(runJSON{Trees: all})
	}
	for _, c := range all {
		switch {
		case c.Why != "":
			r.print("%s stays: %s\n", text.Line(c.Dir), text.Line(c.Why))
		case r.flags.dry:
			r.print("%s would be removed\n", text.Line(c.Dir))
		default:
			r.print("%s was removed\n", text.Line(c.Dir))
		}
	}
	if len(all) == 0 {
		r.say("there are no work trees of runs")
	}
	return nil
}

func (r *runRun) check(ctx context.Context, args []string) error {
	w, err := r.working(ctx)
	if err != nil {
		return err
	}
	w.Run.Agent = settings.Of[string](w.Settings, "run.agent")
	if r.flags.agent != "" {
		w.Run.Agent = r.flags.agent
	}
	if len(args) > 0 {
		w.Run.Agent = args[0]
	}
	said, err := r.env.Runs.Trial(ctx, w)
	if err != nil {
		return err
	}
	return r.answer(said)
}
