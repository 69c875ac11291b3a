package checks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks/run"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Request asks to run checks of tasks for a caller.
type Request struct {
	Person bool   // nothing says that an agent asks
	By     string // the caller's name
	// Read returns tasks as they are now, whole.
	Read func(ctx context.Context, ids []pawl.ID) ([]pawl.Task, error)
	// Do carries out an op for the caller.
	Do func(context.Context, pawl.Op) error
	// Past returns the newest changes of a task after a revision, the newest first, as many
	// as the board tells.
	Past func(ctx context.Context, id pawl.ID, after pawl.Revision) ([]pawl.ChangeSet, error)
	// Tell is told what happens while checks run, a line each. It may be nil.
	Tell func(line string)
}

// Ran is a check that has run, or need not run again.
type Ran struct {
	Tasks  []pawl.ID
	Check  pawl.Check
	Passed bool
	Again  bool // it had passed on exactly these files, and was not run again
	Exit   int
	Took   time.Duration
	Tail   string
	Why    string // why it did not end by itself
}

// A Report says what was done about checks.
type Report struct {
	Ran     []Ran
	Skipped []pawl.Check // required, and not trusted here
	Commit  string       // whose files alone were checked; empty: the project's files were, as they are
}

// An UnmetError is why tasks are not shown to be done, with what ran.
type UnmetError struct {
	Why    *pawl.Error
	Report Report
}

func (e *UnmetError) Error() string { return e.Why.Error() }

// Unwrap returns the error without the report.
func (e *UnmetError) Unwrap() error { return e.Why }

// Done completes tasks: it runs the required checks that have not passed on exactly
// these files, and completes if the tasks and the files are still what was checked.
// Nothing is locked while they run, and the caller's claims are renewed. A failure is
// recorded in the tasks and is an [*UnmetError]; the tasks stay as they are.
func (s *Service) Done(ctx context.Context, r Request, op pawl.Complete) (Report, error) {
	if s.Broken != "" && op.Unchecked == "" {
		return Report{}, s.broken()
	}
	op.Rules = s.Rules
	if s.none != nil { // nothing can be trusted here, and the board has the rule
		return Report{}, r.Do(ctx, op)
	}
	may, err := s.anyHad()
	if err != nil {
		return Report{}, err
	}
	if op.Unchecked != "" || !may {
		// Nearly always no task has checks, and the board says so.
		if err := r.Do(ctx, op); op.Unchecked != "" || pawl.KindOf(err) != pawl.Unmet {
			return Report{}, err
		}
	}
	job, err := s.openJob(ctx, r, op.IDs)
	if err != nil {
		return Report{}, err
	}
	if len(job.groups) == 0 && len(job.skipped) == 0 {
		return Report{}, r.Do(ctx, op)
	}
	if len(job.skipped) > 0 && r.Person {
		return Report{}, untrusted(job.skipped)
	}
	report, ops, files, err := s.work(ctx, r, job)
	if err != nil {
		return report, err
	}
	if failed := report.failed(); len(failed) > 0 {
		if err := record(ctx, r, ops); err != nil {
			return report, err
		}
		if err := resume(ctx, r, job.tasks, failed); err != nil && pawl.KindOf(err) != pawl.Blocked {
			return report, err
		}
		return report, unmet(job.tasks, failed, report)
	}
	if len(job.skipped) > 0 && s.Refuse {
		if err := record(ctx, r, ops); err != nil {
			return report, err
		}
		return report, s.giveBack(ctx, r, op, job)
	}
	op.Tree = files.Tree
	if len(job.skipped) > 0 {
		if err := s.stillAsks(ctx, r, op.IDs, job.tasks); err != nil {
			return report, err
		}
		op.Unchecked = text.Clip("nobody here has trusted "+several(job.skipped, show.CheckWords), pawl.MaxReason)
		for i := range job.skipped {
			r.tell("skipped " + show.CheckWords(&job.skipped[i]) + ": a person must trust it first: pawl trust checks")
		}
	}
	err = r.Do(ctx, pawl.All{Ops: append(ops, op)})
	if e, is := errors.AsType[*pawl.Error](err); is && len(job.skipped) > 0 && e.Kind == pawl.Conflict && e.Hint.Step == pawl.HintCheck {
		return report, untrusted(job.skipped) // a server lets no agent do without
	}
	return report, err
}

// openJob plans the required checks of the tasks that are open. It refuses tasks that no
// check can complete.
func (s *Service) openJob(ctx context.Context, r Request, ids []pawl.ID) (job, error) {
	tasks, err := r.readOpen(ctx, ids)
	if err != nil {
		return job{}, err
	}
	if err := s.recollect(ctx, r, tasks); err != nil {
		return job{}, err
	}
	if err := s.refuseBefore(tasks); err != nil {
		return job{}, err
	}
	return s.plan(tasks, false)
}

// giveBack ends an agent's work on tasks of which only a person's trust is missing: they
// wait for it on hold, and the agent goes on with another task. It returns the board's
// other refusals.
func (s *Service) giveBack(ctx context.Context, r Request, op pawl.Complete, j job) error {
	if err := r.Do(ctx, op); pawl.KindOf(err) != pawl.Unmet {
		return err
	}
	e := pawl.Errorf(pawl.Unmet, "")
	var back []pawl.Op
	held := ""
	for i := range j.tasks {
		t := &j.tasks[i]
		mine := slices.DeleteFunc(t.AllChecks(s.Rules), func(c pawl.Check) bool {
			return c.Optional || !slices.ContainsFunc(j.skipped, func(skipped pawl.Check) bool { return skipped.Sum() == c.Sum() })
		})
		if len(mine) == 0 {
			continue
		}
		e.IDs = append(e.IDs, t.ID)
		release := pawl.Release{IDs: []pawl.ID{t.ID}, Token: op.Token}
		if t.Hold == nil {
			release.Hold = pawl.FinishedReason(r.By, several(mine, func(c *pawl.Check) string { return "`" + show.Command(c) + "`" }))
		} else if !t.Hold.Finished() {
			held += fmt.Sprintf(", and lifts the hold on %v: %s", t.ID, text.Line(t.Hold.Reason))
		}
		if t.Hold == nil || t.Status == pawl.InProgress {
			back = append(back, release)
		}
	}
	if err := record(ctx, r, back); err != nil {
		return err
	}
	e.Message = fmt.Sprintf("%s finished, and on hold until a person trusts %s %s%s. Tell your user once: pawl trust checks",
		isAre(e.IDs), text.Plural(len(j.skipped), "the check", "the checks"), several(j.skipped, show.CheckWords), held)
	e.Hint = pawl.Hint{Step: pawl.HintNext}
	return &UnmetError{e, Report{Skipped: j.skipped}}
}

func isAre(ids []pawl.ID) string { return show.IDs(ids) + " " + text.Plural(len(ids), "is", "are") }

// resume makes tasks ready again that waited for trust and whose checks failed: somebody
// has to work on them.
func resume(ctx context.Context, r Request, tasks []pawl.Task, failed []Ran) error {
	var ids []pawl.ID
	for i := range tasks {
		if t := &tasks[i]; t.Hold.Finished() && slices.ContainsFunc(failed, func(ran Ran) bool { return slices.Contains(ran.Tasks, t.ID) }) {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return r.Do(ctx, pawl.LiftHold{IDs: ids})
}

// stillAsks refuses when tasks ask for something else than before their checks ran: a
// completion that leaves a check out is not held to the others by the board.
func (s *Service) stillAsks(ctx context.Context, r Request, ids []pawl.ID, before []pawl.Task) error {
	now, err := r.readOpen(ctx, ids)
	if err == nil {
		err = s.refuseBefore(now)
	}
	if err != nil {
		return err
	}
	same := slices.EqualFunc(before, now, func(a, b pawl.Task) bool {
		return a.ID == b.ID && slices.EqualFunc(a.AllChecks(s.Rules), b.AllChecks(s.Rules), func(c, d pawl.Check) bool { return c.Equal(&d) })
	})
	if !same {
		return pawl.Errorf(pawl.Unmet, "what the tasks ask for changed while checks ran").
			About(ids...).Next(pawl.HintCheck, ids...)
	}
	return nil
}

func (r *Request) readOpen(ctx context.Context, ids []pawl.ID) ([]pawl.Task, error) {
	tasks, err := r.Read(ctx, ids)
	return slices.DeleteFunc(tasks, func(t pawl.Task) bool { return !t.Open() }), err
}

// broken refuses what would leave out the checks of the project.
func (s *Service) broken() error {
	return pawl.Errorf(pawl.Unmet, "the checks of this project cannot be read: %s", s.Broken).Say("pawl config list")
}

func record(ctx context.Context, r Request, ops []pawl.Op) error {
	if len(ops) == 0 {
		return nil
	}
	return r.Do(ctx, pawl.All{Ops: ops})
}

// refuseBefore refuses what no check can change, before one runs for minutes.
func (s *Service) refuseBefore(tasks []pawl.Task) error {
	for i := range tasks {
		t := &tasks[i]
		if err := s.refuseLost(t); err != nil {
			return err
		}
		if err := t.Unmeetable(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) refuseLost(t *pawl.Task) error {
	lost, err := s.Lost(t)
	if err == nil && len(lost) == 0 && s.home != nil {
		lost, err = s.home.Lost(t)
	}
	if err != nil || len(lost) == 0 {
		return err
	}
	return pawl.Errorf(pawl.Unmet, "%v needed %s, which it needs no longer: a person has to agree", t.ID, strings.Join(lost, ", ")).
		About(t.ID).Say("pawl trust checks")
}

// A job is the checks to run for some tasks.
type job struct {
	tasks   []pawl.Task
	groups  []group
	skipped []pawl.Check // not trusted
	again   bool         // also those that have passed on these files
}

// A group is one check and the tasks that have it.
type group struct {
	check pawl.Check
	tasks []int
}

// plan chooses what to run for tasks: the required checks or all, each once, the tasks'
// own before the project's.
func (s *Service) plan(tasks []pawl.Task, all bool, only ...string) (job, error) {
	j := job{tasks: tasks}
	for _, own := range []bool{true, false} {
		for i := range tasks {
			items, err := s.Items(&tasks[i])
			if err != nil {
				return j, err
			}
			for _, item := range items {
				if item.Own != own || item.Optional && !all || len(only) > 0 && !slices.Contains(only, item.Name) {
					continue
				}
				j.add(item, i)
			}
		}
	}
	return j, nil
}

func (j *job) add(item Item, task int) {
	sum := item.Sum()
	if !item.Trusted {
		if !slices.ContainsFunc(j.skipped, func(c pawl.Check) bool { return c.Sum() == sum }) {
			j.skipped = append(j.skipped, item.Check)
		}
		return
	}
	at := slices.IndexFunc(j.groups, func(u group) bool { return u.check.Sum() == sum })
	if at < 0 {
		j.groups = append(j.groups, group{check: item.Check})
		at = len(j.groups) - 1
	}
	j.groups[at].tasks = append(j.groups[at].tasks, task)
}

// work runs a job, and returns the ops that record it. The files are those that all runs
// were about: if they change in between, nothing is shown.
func (s *Service) work(ctx context.Context, r Request, j job) (Report, []pawl.Op, Files, error) {
	report := Report{Skipped: j.skipped}
	if run.Inside(s.Getenv) && len(j.groups) > 0 {
		return report, nil, Files{}, errInside()
	}
	before, err := s.files(ctx)
	if err != nil {
		return report, nil, before, err
	}
	states := s.states(ctx)
	if err := s.remember(ctx, j.tasks, false); err != nil {
		return report, nil, before, err
	}
	ending := r.renewing(ctx, j.tasks)
	defer ending()
	evidence := make([][]pawl.Evidence, len(j.tasks))
	type seen struct {
		task     *pawl.Task
		evidence pawl.Evidence
		ran      Ran
	}
	var kept []seen
	same := stamp(states, states)
	for _, u := range j.groups {
		if !j.again && s.still(&j, &u, before, same) {
			again := Ran{Tasks: j.ids(u.tasks), Check: u.check, Passed: true, Again: true}
			report.Ran = append(report.Ran, again)
			r.tell(again.Line())
			continue
		}
		ran, e, err := s.perform(ctx, r, u.check, before)
		if err != nil {
			return report, nil, before, err
		}
		ran.Tasks = j.ids(u.tasks)
		report.Ran = append(report.Ran, ran)
		for _, i := range u.tasks {
			evidence[i] = append(evidence[i], e)
			kept = append(kept, seen{&j.tasks[i], e, ran})
		}
	}
	after, err := s.files(ctx)
	if err != nil {
		return report, nil, before, err
	}
	if after.Tree != before.Tree {
		return report, nil, before, &UnmetError{errMoved(), report}
	}
	// Before, they could show what other files do. And it comes before the evidence goes
	// to the board, so that this clone never takes its own run for a claim.
	if len(kept) > 0 {
		same = stamp(states, s.states(ctx))
	}
	for _, k := range kept {
		if err := s.keepRun(ctx, keptRun{s.key(k.task.ID, k.task), k.evidence, k.ran.Tail, k.ran.Why, same}); err != nil {
			return report, nil, before, err
		}
	}
	var ops []pawl.Op
	for i := range evidence {
		if len(evidence[i]) > 0 {
			ops = append(ops, pawl.AddEvidence{ID: j.tasks[i].ID, Evidence: evidence[i]})
		}
	}
	return report, ops, before, nil
}

func errInside() *pawl.Error { return pawl.Errorf(pawl.Invalid, "a check must not run checks") }

func errMoved() *pawl.Error {
	return pawl.Errorf(pawl.Unmet, "files of the project changed while the checks ran, so they show nothing").
		Say("run it again when nobody writes; let git ignore what a check itself writes")
}

// still reports whether a run was on exactly these files, which are those of a commit.
func (f *Files) still(e *pawl.Evidence) bool {
	return !f.Dirty && f.Tree != pawl.NoTree && e.Tree == f.Tree && !e.Dirty
}

// still reports whether a check need not run again: this clone has seen it pass, for
// each of the tasks, on exactly these files, which are those of a commit, and nothing in the
// work tree has changed since.
func (s *Service) still(j *job, u *group, now Files, states string) bool {
	for _, i := range u.tasks {
		e := j.tasks[i].LastEvidence(u.check.Sum())
		if e == nil || !e.Passed || !now.still(e) {
			return false
		}
		if kept, seen := s.ran(&j.tasks[i], e); !seen || states == "" || kept.States != states {
			return false
		}
	}
	return true
}

func (s *Service) perform(ctx context.Context, r Request, c pawl.Check, files Files) (Ran, pawl.Evidence, error) {
	r.tell("running " + show.CheckWords(&c))
	result, err := s.run(ctx, c, nil)
	if why := ctx.Err(); why != nil {
		return Ran{}, pawl.Evidence{}, pawl.Errorf(pawl.Unavailable, "the check %s was stopped: %w", c.Name, why)
	}
	if err != nil {
		return Ran{}, pawl.Evidence{}, err
	}
	e := pawl.Evidence{
		Check: c.Name, Sum: c.Sum(), Commit: files.Commit, Tree: files.Tree, Dirty: files.Dirty,
		Passed: result.Passed, Exit: result.Exit, Millis: max(1, result.Took.Milliseconds()), Output: result.Output,
	}
	ran := ranOf(c, result)
	r.tell(ran.Line())
	return ran, e, nil
}

func (j *job) ids(at []int) []pawl.ID {
	ids := make([]pawl.ID, len(at))
	for i := range at {
		ids[i] = j.tasks[at[i]].ID
	}
	return ids
}

// renewEach is how often claims are renewed while checks run, unless a lease is so short
// that it has to be more often.
const renewEach = 30 * time.Second

// renewing renews the caller's claims until the function that it returns is called.
func (r *Request) renewing(ctx context.Context, tasks []pawl.Task) func() {
	each := renewEach
	for i := range tasks {
		if lease := time.Duration(tasks[i].Claim.Lease); lease > 0 {
			each = min(each, lease/3)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(each)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				_ = r.Do(ctx, pawl.Renew{}) // a claim that is over is found out when the task is completed
			}
		}
	}()
	return func() { cancel(); <-done }
}

func (r *Request) tell(line string) {
	if r.Tell != nil {
		r.Tell(line)
	}
}

// Line says how a run ended.
func (ran *Ran) Line() string {
	switch {
	case ran.Again:
		return ran.Check.Name + " has passed on exactly these files"
	case !ran.Passed && ran.Why != "":
		return ran.Check.Name + " " + ran.Says()
	}
	return fmt.Sprintf("%s %s, %v", ran.Check.Name, ran.Says(), ran.Took.Round(10*time.Millisecond))
}

func (report *Report) failed() []Ran {
	return slices.DeleteFunc(slices.Clone(report.Ran), func(ran Ran) bool { return ran.Passed || ran.Check.Optional })
}

// Fault is a run that failed as a fault of what it is about.
func (ran *Ran) Fault() pawl.Fault {
	return pawl.Fault{Path: ran.Check.Name, Problem: ran.Says()}
}

func unmet(tasks []pawl.Task, failed []Ran, report Report) error {
	var ids []pawl.ID
	e := pawl.Errorf(pawl.Unmet, "")
	for i := range failed {
		for _, id := range failed[i].Tasks {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		e.Faults = append(e.Faults, failed[i].Fault())
	}
	e.Message = isAre(ids) + " not shown to be done"
	e.IDs, e.Hint = ids, pawl.Hint{Step: pawl.HintCheck, IDs: ids}
	return &UnmetError{e, report}
}

func untrusted(all []pawl.Check) error {
	return pawl.Errorf(pawl.Unmet, "%s %s not trusted in this clone, so no check ran", several(all, show.CheckWords), text.Plural(len(all), "is", "are")).
		Say("pawl trust checks")
}

func several(all []pawl.Check, of func(*pawl.Check) string) string {
	var words []string
	for i := range all {
		words = append(words, of(&all[i]))
	}
	return strings.Join(words, ", ")
}

// Unmet returns the error in err that says that checks are not met, and what ran.
func Unmet(err error) (*UnmetError, bool) {
	return errors.AsType[*UnmetError](err)
}
