package file

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
)

// fault tries a workload in which one call, or every call from it on until the
// step has answered, fails. It returns what went wrong.
func fault(t testing.TB, tr trace, prepare func(*disk), at int, cause error, sticky bool) (fired bool, problem string) {
	d := newDisk()
	prepare(d)
	s := simStore(t, d.process())
	start := d.calls
	d.before = func(call int, op, name string) error {
		if call-start == at || sticky && call-start > at {
			fired = true
			return cause
		}
		return nil
	}
	shown := 0
	for i := 0; i < len(steps); {
		err := apply(s, i)
		if !fired {
			if err != nil {
				return fired, fmt.Sprintf("step %d: %v", i, err)
			}
			i++
			shown = i
			continue
		}
		d.before = nil
		now := state(t, simStore(t, d.process()))
		possible := tr.states[i : i+2]
		switch {
		case err == nil: // it was acknowledged, or did not need what failed
			possible = tr.states[i+1 : i+2]
		case !errors.Is(err, pawl.Unavailable):
			return fired, fmt.Sprintf("step %d failed as %v, which is not unavailable: %v", i, pawl.KindOf(err), err)
		case !strings.Contains(err.Error(), "unknown"):
			possible = tr.states[i : i+1]
		}
		j := slices.Index(possible, now)
		if j < 0 {
			return fired, fmt.Sprintf("step %d answered %v, and the board is\n%sand not\n%s", i, err, now, possible[0])
		}
		if err == nil {
			j = 1
		}
		shown = i + j
		break
	}
	if shown == len(steps) && !fired {
		return false, ""
	}
	// The same process goes on.
	for i := shown; i < len(steps); i++ {
		if err := apply(s, i); err != nil {
			return fired, fmt.Sprintf("after the fault, step %d: %v", i, err)
		}
	}
	if now := state(t, simStore(t, d.process())); now != tr.states[len(steps)] {
		return fired, fmt.Sprintf("in the end the board is\n%sand not\n%s", now, tr.states[len(steps)])
	}
	if got := sets(t, s); !slices.Equal(got, tr.sets) {
		return fired, fmt.Sprintf("the history is\n%q\nand not\n%q", got, tr.sets)
	}
	// Nobody else wrote: no former text of ours is displaced, which doctor would tell for ever.
	if lost, err := s.list(lostDir); err != nil || len(lost) > 0 {
		return fired, fmt.Sprintf("in %s is %q, %v", lostDir, lost, err)
	}
	return fired, ""
}

// TestFaults lets every call of a workload fail in every way: the step says so
// and has changed nothing, or it was done.
func TestFaults(t *testing.T) {
	tr := traceOf(t, sound)
	causes := []error{syscall.EIO, syscall.ENOSPC, syscall.EROFS, syscall.EDQUOT, errShort}
	total := 0
	for at := 1; at < tr.calls; at += stride() {
		for i, cause := range causes {
			for _, sticky := range []bool{false, true} {
				if !*long.Asked && i != at%len(causes) {
					continue // one cause a call will do for a commit
				}
				fired, problem := fault(t, tr, sound, at, cause, sticky)
				if fired {
					total++
				}
				if problem != "" {
					t.Fatalf("call %d, %v, sticky %v: %s", at, cause, sticky, problem)
				}
			}
		}
	}
	t.Logf("%d faults in %d calls", total, tr.calls)
	if total < tr.calls/stride() {
		t.Fatal("too few of the faults happened")
	}
}
