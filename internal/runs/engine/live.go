package engine

import (
	"context"

	"github.com/pawl-dev/pawl/internal/runs"
)

// show writes down about once a second what people may look at.
func (r *Runner) show(ctx context.Context) {
	for i := 0; ; i++ {
		if i%30 == 0 {
			unpushed := r.Repo.Unpushed(ctx, r.Options.Run.Target)
			r.mu.Lock()
			r.unpushed = unpushed
			r.mu.Unlock()
		}
		if r.Options.Live != nil {
			r.Options.Live(r.live())
		}
		if sleep(ctx, lookEach) != nil {
			return
		}
	}
}

func (r *Runner) live() runs.Live {
	r.mu.Lock()
	defer r.mu.Unlock()
	live := runs.Live{
		Why: r.why, Until: r.until, Draining: r.draining, Unpushed: r.unpushed,
		Attempts: map[string]runs.Doing{},
	}
	for k, doing := range r.doing {
		live.Attempts[k.String()] = doing
	}
	return live
}

func (r *Runner) status(alive bool) runs.Status {
	return runs.StatusOf(r.snapshot(), r.live(), alive, r.Now())
}
