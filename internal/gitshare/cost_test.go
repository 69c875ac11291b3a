//go:build unix

package gitshare

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
)

// spent is the processor time of this process, and of what it ran.
func spent(t testing.TB) time.Duration {
	var all time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			t.Fatal(err)
		}
		all += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return all
}

// reopened is a repository as the next process finds it.
func reopened(f *field, r *Repository) *Repository {
	return NewRepository(r.repo, r.remote, r.ref)
}

// fullSync is what a sync does that has news and something to send.
func fullSync(ctx context.Context, r *Repository, n int) error {
	own, err := r.Own(ctx)
	if err != nil {
		return err
	}
	boards, err := r.Read(ctx, own)
	if err != nil {
		return err
	}
	before := boards[0]
	boards, err = r.Read(ctx, own)
	if err != nil {
		return err
	}
	mine := boards[0]
	mine.Tasks[500] = task(500, time.Duration(n).String())
	mine.Beside[500] = merge.Beside{Turn: n}
	commit := share.Commit{Board: mine, Parents: []string{own}, Name: "ada", Message: "mine", At: time.Now()}
	s, err := r.Write(ctx, commit, before)
	if err != nil {
		return err
	}
	if err := r.SetOwn(ctx, own, s); err != nil {
		return err
	}
	tip, err := r.Fetch(ctx)
	if err != nil {
		return err
	}
	if _, err := r.Line(ctx, own, tip); err != nil {
		return err
	}
	bases, err := r.Bases(ctx, s, tip)
	if err != nil {
		return err
	}
	if boards, err = r.Read(ctx, append(bases, tip)...); err != nil {
		return err
	}
	merged := boards[len(boards)-1]
	merged.Tasks[500], merged.Beside[500] = mine.Tasks[500], mine.Beside[500]
	commit = share.Commit{Board: merged, Parents: []string{tip, s}, Name: "ada", Message: "merged", At: time.Now()}
	c, err := r.Write(ctx, commit, boards[len(boards)-1])
	if err != nil {
		return err
	}
	return errors.Join(r.Push(ctx, tip, c), r.SetOwn(ctx, s, c), r.Tidy(ctx))
}

// BenchmarkSync says what a sync of a board of 1,000 tasks costs, the remote included,
// which is a folder of the same machine.
func BenchmarkSync(b *testing.B) {
	f := newField(b)
	ada, bob := f.clone("ada"), f.clone("bob")
	ctx := b.Context()
	first := write(b, ada, board(1000))
	if err := errors.Join(ada.SetOwn(ctx, "", first), ada.Push(ctx, "", first)); err != nil {
		b.Fatal(err)
	}
	if _, err := bob.Fetch(ctx); err != nil {
		b.Fatal(err)
	}
	if err := bob.SetOwn(ctx, "", first); err != nil {
		b.Fatal(err)
	}
	b.Run("no news", func(b *testing.B) {
		before := spent(b)
		for b.Loop() {
			if _, err := reopened(f, ada).Fetch(ctx); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64((spent(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
	})
	n := 0
	b.Run("full", func(b *testing.B) {
		var all time.Duration
		for b.Loop() {
			n++
			if err := fullSync(ctx, reopened(f, bob), n); err != nil { // the news
				b.Fatal(err)
			}
			before := spent(b)
			if err := fullSync(ctx, reopened(f, ada), n+1_000_000); err != nil {
				b.Fatal(err)
			}
			all += spent(b) - before
		}
		b.ReportMetric(float64(all.Microseconds())/1000/float64(b.N), "cpu-ms/op")
	})
}
