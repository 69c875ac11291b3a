package checks

import (
	"context"

	"github.com/pawl-dev/pawl"
)

// Check runs the checks of tasks, those that are trusted here, and records what they
// showed. Only are the names of those to run; empty: all.
func (s *Service) Check(ctx context.Context, r Request, ids []pawl.ID, only []string) (Report, error) {
	j, err := s.toCheck(ctx, r, ids, only)
	if err != nil || len(j.groups) == 0 {
		return Report{}, err
	}
	report, ops, _, err := s.work(ctx, r, j)
	return report, recorded(ctx, r, &j, report, ops, err)
}

// CheckFresh is Check in a new work tree of HEAD, which has no file that git does not
// have, and which is removed afterwards. The results are about that commit. As in each
// work tree of pawl run, the command that sets it up runs first.
func (s *Service) CheckFresh(ctx context.Context, r Request, ids []pawl.ID, only []string) (_ Report, err error) {
	j, err := s.toCheck(ctx, r, ids, only)
	if err != nil || len(j.groups) == 0 {
		return Report{}, err
	}
	f, err := s.fresh(ctx, r)
	if err != nil {
		return Report{}, err
	}
	defer func() {
		if left := f.remove(ctx); left != nil && err == nil {
			err = left
		}
	}()
	report, ops, _, err := f.work(ctx, r, j)
	report.Commit = f.commit
	return report, recorded(ctx, r, &j, report, ops, err)
}

// toCheck are the checks to run of tasks. Without groups there is nothing to run.
func (s *Service) toCheck(ctx context.Context, r Request, ids []pawl.ID, only []string) (job, error) {
	if s.Broken != "" {
		return job{}, s.broken()
	}
	if s.none != nil {
		return job{}, s.none
	}
	tasks, err := r.Read(ctx, ids)
	if err != nil {
		return job{}, err
	}
	for i := range tasks {
		if _, odd := tasks[i].Extra[string(pawl.FieldChecks)]; odd {
			return job{}, pawl.Errorf(pawl.Unmet, "the checks of %v cannot be read", tasks[i].ID).
				About(tasks[i].ID).Next(pawl.HintShow, tasks[i].ID)
		}
	}
	j, err := s.plan(tasks, true, only...)
	if err == nil && len(j.groups) == 0 && len(j.skipped) > 0 {
		err = untrusted(j.skipped)
	}
	j.again = true
	return j, err
}

// recorded records what checks showed, unless err says that they could not run. The error
// names what failed.
func recorded(ctx context.Context, r Request, j *job, report Report, ops []pawl.Op, err error) error {
	if err != nil {
		return err
	}
	if err := record(ctx, r, ops); err != nil {
		return err
	}
	if failed := report.failed(); len(failed) > 0 {
		return unmet(j.tasks, failed, report)
	}
	return nil
}
