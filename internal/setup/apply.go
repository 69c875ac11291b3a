package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/pawl-dev/pawl"
)

// Apply writes the plan. What it remembers of a setup is written before the
// files, and forgotten after them: after a crash in between, files that are as
// they were before count as such.
func (p *Plan) Apply(ctx context.Context) error {
	if !p.undoes {
		if err := p.record.write(ctx, p.desk.Getenv, p.was); err != nil {
			return err
		}
	}
	var dirs []string
	var failed []error
	for _, c := range p.Changes {
		made, err := replace(c.real, c.Old, c.New, c.mode)
		dirs = append(dirs, made...)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", c.Path, err))
			if p.undoes {
				break
			}
		}
	}
	last := p.record.clone()
	was := p.record
	for _, dir := range dirs {
		if !slices.Contains(last.Dirs, dir) {
			last.Dirs = append(last.Dirs, dir)
		}
	}
	if p.undoes {
		was = p.was
		last.Dirs = sweepDirs(last.Dirs, len(last.Setups) == 0)
	}
	if len(failed) == 0 || !p.undoes {
		if err := last.write(ctx, p.desk.Getenv, was); err != nil {
			return err
		}
	}
	if err := errors.Join(failed...); err != nil {
		return pawl.Errorf(pawl.Unavailable, "not all could be written: %w", err)
	}
	return nil
}

// sweepDirs removes folders that were made and are empty, and returns the
// others.
func sweepDirs(dirs []string, all bool) (left []string) {
	slices.Sort(dirs)
	for _, dir := range slices.Backward(dirs) { // the inner ones first
		info, err := os.Lstat(dir)
		if err == nil && info.IsDir() {
			err = os.Remove(dir) // which is refused when something is in it
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !all {
			left = append(left, dir)
		}
	}
	slices.Sort(left)
	return left
}
