package file

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/transfer"
)

// few is a target that gets many small parts.
type few struct{ transfer.Local }

func (f few) Receive(ctx context.Context, part pawl.Part) error {
	if len(part.Sets) > 0 {
		for some := range slices.Chunk(part.Sets, 3) {
			if err := f.Local.Receive(ctx, pawl.Part{Run: part.Run, Sets: some}); err != nil {
				return err
			}
		}
		return nil
	}
	if part.Tasks == nil {
		return f.Local.Receive(ctx, part)
	}
	after := part.Tasks.After
	for i, t := range part.Tasks.Tasks {
		upTo := t.ID
		if i == len(part.Tasks.Tasks)-1 {
			upTo = part.Tasks.UpTo
		}
		if err := f.Local.Receive(ctx, pawl.Part{Run: part.Run, Tasks: &pawl.Stretch{After: after, UpTo: upTo, Tasks: part.Tasks.Tasks[i : i+1]}}); err != nil {
			return err
		}
		after = upTo
	}
	return nil
}

// copyOn copies a board until it is through or the process dies.
func copyOn(t testing.TB, from, to *disk, configure func(*Store)) (died bool, err error) {
	s := simStore(t, to.process())
	configure(s)
	defer func() {
		if r := recover(); r != nil {
			if r != (crash{}) {
				panic(r)
			}
			died = true
		}
	}()
	_, err = transfer.Copy(context.Background(), transfer.Store(simStore(t, from.process())), few{transfer.Store(s)}, nil)
	return false, err
}

// whole is all that a board is, revisions included; unfinished: it says that it is not
// all there.
func whole(t testing.TB, d *disk) (text string, unfinished bool) {
	t.Helper()
	s := simStore(t, d.process())
	var rev, origin pawl.Revision
	err := s.View(context.Background(), func(r pawl.Reader) error {
		rev, origin = r.Revision(), r.Origin()
		return nil
	})
	if errors.Is(err, pawl.Unavailable) {
		return "", true
	}
	if err != nil {
		t.Fatal(err)
	}
	if rev == origin {
		rev, origin = 0, 0 // a new board counts from the time
	}
	return fmt.Sprintf("%d from %d\n%s%q\n", rev, origin, state(t, s), sets(t, s)), false
}

// A copy that dies at any call, with or without a power cut, is either not begun, or
// says that it is unfinished, or is all there; and repeated it comes to its end.
func TestCopyCrashes(t *testing.T) {
	// made is a board after some of the steps: the same each time, since time stands still.
	made := func(upTo int) *disk {
		d := newDisk()
		s := simStore(t, d.process())
		for i := range upTo {
			if err := apply(s, i); err != nil {
				t.Fatal(err)
			}
		}
		return d
	}
	half := made(len(steps) / 2)
	src := half
	blank, _ := whole(t, newDisk())
	// lives copies with crashes on the way and compares the end.
	lives := func(dst *disk, before string, crashes []int, power []bool, seed uint64, configure func(*Store)) (fired int, problem string) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		want, _ := whole(t, src)
		for i, at := range crashes {
			start := dst.calls
			dst.before = func(call int, op, name string) error {
				if call-start >= at {
					return errDead
				}
				return nil
			}
			died, err := copyOn(t, src, dst, configure)
			dst.before = nil
			if died {
				fired++
			} else if err != nil {
				return fired, err.Error()
			}
			if power[i] {
				dst.powerCut(rnd)
			}
			if is, unfinished := whole(t, dst); !unfinished && is != before && is != want {
				return fired, fmt.Sprintf("after crash %d the board says that it is\n%s", i, is)
			}
		}
		if died, err := copyOn(t, src, dst, configure); died || err != nil {
			return fired, fmt.Sprintf("repeated: %v", err)
		}
		if power[len(power)-1] {
			dst.powerCut(rnd)
		}
		if is, unfinished := whole(t, dst); unfinished || is != want {
			return fired, fmt.Sprintf("in the end the board is\n%snot\n%s", is, want)
		}
		if _, _, lost, _ := dst.find(lostDir); len(lost.names) > 0 {
			return fired, fmt.Sprintf("nobody else wrote, and yet there is %v in lost+found", lost.names)
		}
		return fired, ""
	}
	run := func(name string, dst func() *disk, before string) {
		calls := dst()
		was := calls.calls
		if _, err := copyOn(t, src, calls, usual); err != nil {
			t.Fatal(err)
		}
		n, fired := calls.calls-was, 0
		for at := 0; at < n; at += stride() {
			for _, power := range []bool{false, true} {
				if !*long.Asked && power != (at%2 == 0) {
					continue
				}
				k, problem := lives(dst(), before, []int{at}, []bool{power}, uint64(at), usual)
				if fired += k; problem != "" {
					t.Fatalf("%s, crash after call %d, power cut %v: %s", name, at, power, problem)
				}
			}
		}
		for seed := range uint64(*faults) {
			rnd := rand.New(rand.NewPCG(seed, 4))
			var crashes []int
			var power []bool
			for range 1 + rnd.IntN(3) {
				crashes, power = append(crashes, rnd.IntN(n)), append(power, rnd.IntN(2) == 0)
			}
			configure := usual
			if seed%2 == 0 {
				configure = func(s *Store) { s.size = 2000 }
			}
			k, problem := lives(dst(), before, crashes, power, seed, configure)
			if fired += k; problem != "" {
				t.Fatalf("%s, crashes after calls %v, power cuts %v, seed %d: %s", name, crashes, power, seed, problem)
			}
		}
		t.Logf("%s: %d calls, %d crashes", name, n, fired)
		if fired < n/stride()*9/10 {
			t.Errorf("%s: only %d crashes in %d calls", name, fired, n)
		}
	}
	run("a first copy", newDisk, blank)
	// What is new then comes to copies that are whole.
	before, _ := whole(t, half)
	src = made(len(steps))
	run("what is new", func() *disk {
		d := newDisk()
		if _, err := copyOn(t, half, d, usual); err != nil {
			t.Fatal(err)
		}
		return d
	}, before)
}
