package setup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl"
)

// Apply writes the plan, whole or not at all. The record of a setup is written before the
// files and folders, and removed after them: after a crash in between, files that are as they
// were before count as such.
func (p *Plan) Apply(ctx context.Context) error {
	if !p.undoes {
		for _, c := range p.Changes {
			for _, dir := range missingDirs(filepath.Dir(c.real)) {
				if !slices.Contains(p.record.Dirs, dir) {
					p.record.Dirs = append(p.record.Dirs, dir)
				}
			}
		}
		if err := p.record.write(ctx, p.planner.Getenv, p.was); err != nil {
			return err
		}
	}
	if whole, err := writeAll(p.Changes); !whole {
		return pawl.Errorf(pawl.Unavailable, "not all could be written: %w", err)
	} else if err != nil {
		sweepDirs(less(p.record.Dirs, p.was.Dirs...), false)
		if !p.undoes { // what cannot be forgotten now goes with an uninstalling
			_ = p.was.write(ctx, p.planner.Getenv, p.record)
		}
		return pawl.Errorf(pawl.Unavailable, "nothing was written: %w", err)
	}
	if p.undoes {
		p.record.Dirs = sweepDirs(p.record.Dirs, len(p.record.Setups) == 0)
		return p.record.write(ctx, p.planner.Getenv, p.was)
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
