package setup

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/userdir"
)

const (
	lockPatience = 20 * time.Second // with another setup, which writes for a moment
	lockPoll     = 10 * time.Millisecond
)

// Lock keeps other setups out from making a plan until it is applied. Nobody holds
// it while a person reads.
func (d *Planner) Lock(ctx context.Context) (unlock func(), err error) {
	state, err := userdir.State(d.Getenv)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(state, "setup")
	if err := userdir.Make(dir); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, ".plan.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, pawl.Errorf(pawl.Unavailable, "nothing was written: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	switch err := filelock.Wait(ctx, file, lockPoll); {
	case err == nil:
		return func() { file.Close() }, nil
	case ctx.Err() != nil:
		file.Close()
		return nil, &pawl.Error{Kind: pawl.Unavailable, Message: "another pawl setup is writing; nothing was written here", Hint: pawl.Hint{Step: pawl.HintRetry}}
	default:
		file.Close()
		return nil, pawl.Errorf(pawl.Unavailable, "nothing was written: %w", err)
	}
}

// Like reports whether two plans do the same to the same files. The rest of these
// files may differ: agents' programs write some of them all the time.
func (p *Plan) Like(o *Plan) bool {
	if len(p.Changes) != len(o.Changes) {
		return false
	}
	for i, c := range p.Changes {
		d := o.Changes[i]
		if c.real != d.real || (c.Old == nil) != (d.Old == nil) || (c.New == nil) != (d.New == nil) || !sameTexts(c.For, d.For) {
			return false
		}
	}
	return true
}

func sameTexts(a, b []string) bool {
	return len(less(a, b...)) == 0 && len(less(b, a...)) == 0
}
