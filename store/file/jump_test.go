package file

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/epoch"
)

func highOf(t testing.TB, d *disk) (h epoch.High) {
	t.Helper()
	must.Do(t, simStore(t, d.process()).View(context.Background(), func(r pawl.Reader) error {
		h = epoch.High{Revision: r.Revision(), LastID: r.LastID(), Epoch: r.Epoch()}
		return nil
	}))
	return h
}

func jump(t testing.TB, d *disk) epoch.High { return jumpAt(t, d, noon) }

func jumpAt(t testing.TB, d *disk, now time.Time) epoch.High {
	t.Helper()
	s, err := Open("sim", withFS(d.process()), WithClock(func() time.Time { return now }))
	must.Do(t, err)
	h, err := s.Jump(context.Background())
	must.Do(t, err)
	return h
}

// After a jump no number comes again that may have been given after the backup: also
// where the index, or all of the state folder, is lost afterwards, and also when the same
// backup is restored and told of twice. Other programs see the number of the ids.
func TestJump(t *testing.T) {
	for name, lose := range map[string]func(*disk){
		"nothing":   func(*disk) {},
		"the index": func(d *disk) { d.drop(indexName); d.drop(logName) },
		"twice":     func(d *disk) { jump(t, d) },
	} {
		t.Run(name, func(t *testing.T) {
			d := board(t, create("one", "two"))
			before := highOf(t, d)
			after := jump(t, d)
			if after.Revision < before.Revision+1_000_000_000 || after.LastID < before.LastID+10_000 || after.Epoch != before.Epoch+1 {
				t.Fatalf("from %+v to %+v", before, after)
			}
			if got := d.text(waterName); got != "10002" {
				t.Errorf("other programs count on from %q", got)
			}
			lose(d)
			if got := highOf(t, d); got.Behind(after) {
				t.Fatalf("a reader finds %+v, which is behind %+v", got, after)
			}
			if problems, err := simStore(t, d.process()).Check(context.Background()); err != nil || len(problems) > 0 {
				t.Errorf("doctor finds %v, %v", problems, err)
			}
			do(t, d, create("three"))
			if got := highOf(t, d); got.LastID <= after.LastID || got.Revision <= after.Revision || got.Behind(after) {
				t.Errorf("the next task leads to %+v, after %+v", got, after)
			}
		})
	}
}

// A backup that git made has the files alone. A second restored one goes further, because
// nobody knows of the numbers that were given after the first.
func TestJumpWithoutState(t *testing.T) {
	var reached epoch.High
	for n := range 2 {
		d := newDisk()
		d.put(taskName(7), `{"id":7,"subject":"From git","status":"pending","blockedBy":[],"blocks":[],"owner":"","updatedAt":"2020-01-01T00:00:00.000Z"}`)
		after := jumpAt(t, d, noon.Add(time.Duration(n)*time.Hour))
		if after.LastID < 10_007 || after.Epoch != 1 || after.LastID <= reached.LastID || after.Revision <= reached.Revision {
			t.Fatalf("it goes on at %+v, after %+v", after, reached)
		}
		do(t, d, create("new"))
		if tasks := see(t, d); len(tasks) != 2 || tasks[after.LastID+1].Subject != "new" {
			t.Fatalf("the tasks are %v", tasks)
		}
		reached = after
	}
}

// History before a jump is there to be looked at, the latest first. It cannot be followed
// on: a watcher may have seen what was lost. It is told where to go on.
func TestHistoryAcrossJump(t *testing.T) {
	d := board(t, create("one"), create("two"))
	before := highOf(t, d).Revision
	after := jump(t, d).Revision
	do(t, d, create("three"))
	s := simStore(t, d.process())
	sets := 0
	for _, err := range s.Changes(context.Background(), pawl.Span{Backward: true}) {
		must.Do(t, err)
		sets++
	}
	if sets != 3 {
		t.Errorf("%d changes can be looked at, want 3", sets)
	}
	for at, gone := range map[pawl.Revision]bool{before: true, before + 1: true, after - 1: true, after: false} {
		for _, err := range s.Changes(context.Background(), pawl.Span{After: at}) {
			e, failed := errors.AsType[*pawl.Error](err)
			if failed != gone || gone && (e.Kind != pawl.Gone || e.Revision != after) {
				t.Errorf("after %d: %v; gone up to %d is %v", at, err, after, gone)
			}
			break
		}
	}
}

// A key of a task's metadata was taken for a jump: history could not be followed on.
func TestMetadataIsNoJump(t *testing.T) {
	meta := pawl.Update{ID: 1, Metadata: map[string]json.RawMessage{"a": []byte("1"), "jumped": []byte("5"), "z": []byte("2")}}
	d := board(t, create("one"), meta, pawl.Update{ID: 1, Subject: new("two")})
	sets := 0
	for _, err := range simStore(t, d.process()).Changes(context.Background(), pawl.Span{After: highOf(t, d).Revision - 2}) {
		if sets++; err != nil {
			t.Fatal(err)
		}
	}
	if sets != 2 {
		t.Errorf("%d changes follow, want 2", sets)
	}
}

// A simProcess dies at every single call of a workload that ends with a jump: the board has
// jumped, or has not.
func TestJumpCrashes(t *testing.T) {
	working(t, append(slices.Clip(steps[:3]), func(s *Store) error { _, err := s.Jump(context.Background()); return err }))
	tr := traceOf(t, sound)
	for at := 0; at < tr.calls; at += stride() {
		for _, power := range []bool{false, true} {
			c := scenario{crashes: []int{at}, power: []bool{power}, seed: uint64(at)}
			if _, problem := c.run(t, tr, sound, usual); problem != "" {
				t.Fatalf("%v: %s", c, problem)
			}
		}
	}
}
