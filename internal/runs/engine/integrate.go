package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
)

// maxMoves is how often the target may move while an attempt is being rebased onto
// it.
const maxMoves = 10

// checking runs the task's checks in the attempt's own work tree: what fails there need
// not be integrated.
func (r *Runner) checking(d *driver, a *runs.Attempt) error {
	ok, err := r.check(d, a, a.Tree, false)
	if err != nil || !ok {
		return err
	}
	return r.move(a, runs.Checked)
}

// check runs the checks on the files of a folder. False: the attempt has failed.
func (r *Runner) check(d *driver, a *runs.Attempt, dir string, merged bool) (bool, error) {
	if over, err := r.endedEarly(d, a); over {
		return false, err
	}
	if _, err := r.detail(d.work, a); err != nil { // by the number that it has now
		return false, err
	}
	c, err := r.Checks.Run(d.work, dir, a.ID, func(line string) { r.checkTells(a.Key, line) })
	if err != nil {
		return false, err
	}
	if len(c.Evidence) > 0 {
		if _, err := r.do(d.work, a, once(a, "evidence."+digest(c.Evidence)), func(pawl.ID) pawl.Op { return pawl.All{Ops: c.Evidence} }); err != nil {
			return false, err
		}
	}
	where := "in its work tree"
	if a.Merged = merged; merged {
		where = "on the merged files"
	}
	switch {
	case len(c.Untrusted) > 0:
		return false, r.fail(a, runs.Untrusted, fmt.Sprintf("nobody here has trusted %s: pawl trust checks", strings.Join(c.Untrusted, ", ")), "")
	case c.Refused != "":
		return false, r.fail(a, runs.Untrusted, c.Refused, "")
	case c.Failed != "":
		a.Check = c.Failed
		return false, r.fail(a, runs.CheckFailed, fmt.Sprintf("%s %s %s", c.Failed, c.Why, where), c.Tail)
	}
	a.FilesID, a.Passed = c.Files, c.Passed
	return true, nil
}

// digest tells what checks showed from what they showed another time, on the same files.
func digest(ops []pawl.Op) string {
	sum := sha256.New()
	for _, op := range ops {
		text, _ := pawl.Encode(op) // an op that cannot be encoded, the board refuses
		_, _ = sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

func (r *Runner) checkTells(k runs.Key, line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	doing := r.doing[k]
	doing.Doing = line
	r.doing[k] = doing
}

// checked asks a person, or goes on.
func (r *Runner) checked(d *driver, a *runs.Attempt) error {
	switch {
	case a.OK:
	case r.Options.Run.Merge == "none":
		return r.hand(d, a, "its work is on "+runs.Branch(a.Branch))
	case r.Options.Run.Review == "before-merge":
		r.tell(a, "waits for approval: pawl run diff %d, pawl run approve %d", a.ID, a.ID)
		return r.move(a, runs.Waiting)
	}
	return r.move(a, runs.Integrating)
}

// waiting puts the task on hold until a person has approved.
func (r *Runner) waiting(d *driver, a *runs.Attempt) error {
	reason := pawl.ApprovalReason(a.N, fmt.Sprintf("pawl run diff %d, pawl run approve %d", a.ID, a.ID))
	if err := r.giveBack(d.life, a, "wait", reason); err != nil && !lost(err) { // lost: somebody decided otherwise
		r.tell(a, "cannot be put on hold: %v; the next pawl run tries it again", err)
	}
	return nil // what was done is kept, and waits
}

// approved claims the task again.
func (r *Runner) approved(d *driver, a *runs.Attempt) error {
	t, err := r.task(d.life, a)
	if err != nil {
		return err
	}
	if t.Hold != nil { // nobody gets the task between its hold and its claim
		if _, err := r.do(d.life, a, "", func(id pawl.ID) pawl.Op {
			return pawl.All{Ops: []pawl.Op{pawl.LiftHold{IDs: []pawl.ID{id}, Reason: t.Hold.Reason}, pawl.ClaimTask{ID: id, Lease: pawl.Duration(runs.Lease)}}}
		}); err != nil {
			return err
		}
	}
	a.Token, a.OK = 0, true
	if err := r.claim(d.life, a); err != nil {
		return err
	}
	return r.move(a, runs.Integrating)
}

// integrating puts the attempt's commits on the target, one attempt at a time.
func (r *Runner) integrating(d *driver, a *runs.Attempt) error {
	if err := r.await(d.work, d); err != nil {
		return err
	}
	defer func() { <-r.queue }()
	if a.Phase != runs.Integrating { // of a runner that was killed
		if err := r.move(a, runs.Integrating); err != nil {
			return err
		}
	}
	for range maxMoves {
		if err := r.unhindered(d, ""); err != nil {
			return err
		}
		if over, err := r.endedEarly(d, a); over {
			return err
		}
		done, err := r.integrate(d, a)
		if done || err != nil {
			return err
		}
	}
	return r.fail(a, runs.Moved, fmt.Sprintf("%s moved %d times while the commits were put on it", runs.Branch(a.Target), maxMoves), "")
}

// integrate tries it once, on the target as it is. False: it has moved since.
func (r *Runner) integrate(d *driver, a *runs.Attempt) (done bool, err error) {
	onto, err := r.Repo.Tip(d.work, a.Target)
	if err != nil {
		return true, err
	}
	base, tip := a.Base, a.Tip
	if has, err := r.Repo.Contains(d.work, a.Target, base, tip); err != nil {
		return true, err
	} else if has { // a person merged the branch
		base, tip = onto, onto
	}
	passed := a.Passed // which the message names
	commit, conflicts, err := r.put(d, a, base, tip, onto)
	if err != nil {
		return true, err
	}
	a.Onto, a.Commit, a.Paths = onto, commit, conflicts
	if len(conflicts) > 0 {
		shown := conflicts
		if len(shown) > 5 {
			shown = append(slices.Clone(shown[:5]), fmt.Sprintf("and %d more", len(conflicts)-5))
		}
		return true, r.fail(a, runs.Conflict, fmt.Sprintf("its commits conflict with %s in %s", runs.Branch(a.Target), strings.Join(shown, ", ")), "")
	}
	if err := r.move(a, runs.Rebased); err != nil {
		return true, err
	}
	if ok, err := r.check(d, a, r.Repo.Private(), true); err != nil || !ok {
		return true, err
	}
	if !slices.Equal(passed, a.Passed) { // the task has other checks now
		return false, nil
	}
	if err := r.move(a, runs.Verified); err != nil {
		return true, err
	}
	if r.Options.Run.Merge == "branch" && !a.OK {
		if err := r.Repo.SetBranch(d.work, a.Branch, a.Tip, commit); err != nil {
			return true, err
		}
		return true, r.hand(d, a, fmt.Sprintf("it is on %s, which can be merged into %s", runs.Branch(a.Branch), runs.Branch(a.Target)))
	}
	if err := r.unhindered(d, ""); err != nil {
		return true, err
	}
	if over, err := r.endedEarly(d, a); over {
		return true, err
	}
	if err := r.move(a, runs.Merging); err != nil {
		return true, err
	}
	return r.merge(d, a)
}

// put puts an attempt's work on onto: as the agent's own commits if they are to be kept and
// are good, else as one commit for the task.
func (r *Runner) put(d *driver, a *runs.Attempt, base, tip, onto string) (commit string, conflicts []string, err error) {
	if r.Options.Run.Merge == "keep" {
		if good, err := r.goodSteps(d, a, base, tip, onto); err != nil {
			return "", nil, err
		} else if good {
			if commit, conflicts, err = r.Repo.Rebase(d.work, base, tip, onto, ""); err != nil || len(conflicts) == 0 {
				return commit, nil, err
			}
		}
	}
	t, err := r.task(d.work, a)
	if err != nil {
		return "", nil, err
	}
	return r.Repo.Rebase(d.work, base, tip, onto, message(&t, a))
}

// message is what the target's history says of an attempt. The number has no #, by which
// hosts of repositories would link it to an issue of theirs.
func message(t *pawl.Task, a *runs.Attempt) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nPawl-Task: %d\n", t.Subject, t.ID)
	for _, check := range a.Passed {
		fmt.Fprintf(&b, "Pawl-Check: %s\n", check)
	}
	fmt.Fprintf(&b, "Assisted-by: %s\n", a.Agent)
	return b.String()
}

// goodSteps reports whether the task's checks pass at each of the agent's own commits on
// top of onto. The last one is for the caller to check.
func (r *Runner) goodSteps(d *driver, a *runs.Attempt, base, tip, onto string) (bool, error) {
	steps, err := r.Repo.Steps(d.work, base, tip)
	if err != nil || len(steps) == 0 {
		return false, err
	}
	at := onto
	for _, step := range steps[:len(steps)-1] {
		commit, conflicts, err := r.Repo.Rebase(d.work, base, step, onto, "")
		if _, setup := errors.AsType[*SetupError](err); setup || len(conflicts) > 0 {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if commit == at { // nothing of this step is left
			continue
		}
		at = commit
		c, err := r.Checks.Run(d.work, r.Repo.Private(), a.ID, func(line string) { r.checkTells(a.Key, line) })
		if err != nil || c.Failed != "" || c.Refused != "" || len(c.Untrusted) > 0 {
			return false, err
		}
	}
	return true, nil
}

// merge moves the target. False: it has moved by itself.
func (r *Runner) merge(d *driver, a *runs.Attempt) (done bool, err error) {
	for {
		err := r.Repo.Merge(d.life, a.Target, a.Onto, a.Commit)
		switch {
		case errors.Is(err, ErrInTheWay):
			if err := r.unhindered(d, err.Error()); err != nil {
				return true, err
			}
			continue
		case errors.Is(err, ErrMoved):
			has, err := r.Repo.Contains(d.life, a.Target, a.Onto, a.Commit)
			if err != nil {
				return true, err
			}
			if !has {
				return false, r.move(a, runs.Integrating)
			}
		case err != nil:
			return true, err
		}
		r.tell(a, "is in %s", runs.Branch(a.Target))
		if err := r.resume(); err != nil {
			return true, err
		}
		return true, r.move(a, runs.Merged)
	}
}

// merging finds out whether a runner that was killed has moved the target. That one may
// have written some of the files: they look like changes of a person, which would keep all
// attempts waiting, so [Runner.Run] has given this one its turn before all others.
func (r *Runner) merging(d *driver, a *runs.Attempt) error {
	if err := r.await(d.life, d); err != nil { // even if the attempt is stopped: the target may have moved
		return err
	}
	defer func() { <-r.queue }()
	_, err := r.merge(d, a)
	return err
}

// await waits for an attempt's turn to be put on the target, and the caller ends it.
func (r *Runner) await(ctx context.Context, d *driver) error {
	if d.turn {
		d.turn = false
		return nil
	}
	select {
	case r.queue <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (r *Runner) takeTurn() bool {
	select {
	case r.queue <- struct{}{}:
		return true
	default:
		return false
	}
}

// unhindered waits until nothing keeps integration from going on: the main checkout is
// clean outside the board, and what all work trees share is as it was. Why is what kept
// the caller from it, which it tries again after a while: the pause stays until then.
func (r *Runner) unhindered(d *driver, why string) error {
	for first := true; ; first = false {
		s, err := r.Repo.Standing(d.work, r.Options.Run.Target)
		if err != nil {
			return err
		}
		in := r.hindrance(&s)
		if first {
			in = cmp.Or(in, why)
		}
		paused, is := r.snapshot().Paused[""]
		switch {
		case in == "" && paused.Why == why:
			return nil
		case in == "":
			return r.resume()
		case !is || paused.Why != in:
			if r.Tell != nil {
				r.Tell("integration pauses: " + in)
			}
			if err := r.record(runs.Record{Kind: runs.KindPause, Pause: &runs.Pause{Why: in}}); err != nil {
				return err
			}
		}
		r.mu.Lock()
		over := r.draining
		r.mu.Unlock()
		if over {
			return errLeft
		}
		if err := sleep(d.work, pauseEach); err != nil {
			return err
		}
	}
}

func (r *Runner) resume() error {
	if _, is := r.snapshot().Paused[""]; !is {
		return nil
	}
	return r.record(runs.Record{Kind: runs.KindResume, Pause: &runs.Pause{}})
}

// lookLast looks at the end of a run at what all work trees share: an attempt that was not
// integrated may have changed it, too. The next run asks a person then.
func (r *Runner) lookLast(ctx context.Context) error {
	s, err := r.Repo.Standing(ctx, r.Options.Run.Target)
	if err != nil {
		return nil // the next run looks
	}
	in := r.hindrance(&Standing{Shared: s.Shared})
	if paused, is := r.snapshot().Paused[""]; in == "" || is && paused.Why == in {
		return nil
	}
	if r.Tell != nil {
		r.Tell(in)
	}
	return r.record(runs.Record{Kind: runs.KindPause, Pause: &runs.Pause{Why: in}})
}

func (r *Runner) hindrance(s *Standing) string {
	run := r.snapshot().Run
	for _, names := range []map[string]string{s.Shared, run.Standing} {
		for name := range names {
			if is, was := s.Shared[name], run.Standing[name]; is != was && (is != "" || was != Moved) {
				return fmt.Sprintf("git's %s is not as it was when the run began, and holds for all work trees: look at it, then pawl run approve --shared", name)
			}
		}
	}
	if s.Under != "" {
		return "the main checkout has a " + s.Under + " under way: finish or abort it"
	}
	var new []string
	for _, path := range s.Dirty {
		if !slices.Contains(run.Dirty, path) {
			new = append(new, path)
		}
	}
	if len(new) > 3 {
		new = append(new[:3], fmt.Sprintf("and %d more", len(new)-3))
	}
	if len(new) > 0 {
		return "the main checkout has changes that it did not have when the run began: " + strings.Join(new, ", ")
	}
	return ""
}
