package file

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// short commits a set and returns what the board calls it.
func short(t testing.TB, s *Store) string {
	t.Helper()
	r, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "One more"}}}})
	must.Do(t, err)
	return r.Revision.Short(originOf(t, s))
}

func originOf(t testing.TB, s *Store) (origin pawl.Revision) {
	t.Helper()
	must.Do(t, s.View(context.Background(), func(r pawl.Reader) error { origin = r.Origin(); return nil }))
	return origin
}

// Whatever of the state folder is lost, the changes that it still knows keep their
// numbers.
func TestOriginStays(t *testing.T) {
	for name, lose := range map[string]func(*disk){
		"nothing":             func(*disk) {},
		"the index":           func(d *disk) { d.drop(indexName); d.drop(logName) },
		"the log":             func(d *disk) { d.drop(logName) },
		"what the lock keeps": func(d *disk) { d.drop(lockName) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDisk()
			s := simStore(t, d.process())
			for n := range 3 {
				if got, want := short(t, s), fmt.Sprint("@", n+1); got != want {
					t.Fatalf("%s, want %s", got, want)
				}
			}
			want := originOf(t, s)
			lose(d)
			s = simStore(t, d.process())
			if got := originOf(t, s); got != want {
				t.Errorf("a reader counts from %d, want %d", got, want)
			}
			if got := short(t, s); got != "@4" {
				t.Errorf("then came %s, want @4", got)
			}
		})
	}
}

// Trimmed history takes the first segment away, and with it where the board
// began: the later ones say it too.
func TestOriginOutlivesItsSegment(t *testing.T) {
	d := newDisk()
	s := simStore(t, d.process())
	s.keep, s.size, s.day = 1, 1, 0
	for n := range 9 {
		if got, want := short(t, s), fmt.Sprint("@", n+1); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	if d.text(segmentName(1)) != "" {
		t.Fatal("the first segment is still there")
	}
	want := originOf(t, s)
	d.drop(indexName)
	d.drop(logName)
	if got := short(t, simStore(t, d.process())); got != "@11" { // after what it found in the files
		t.Errorf("%s, want @11", got)
	}
	if got := originOf(t, simStore(t, d.process())); got != want {
		t.Errorf("it counts from %d, want %d", got, want)
	}
}

// A number that was written down before somebody deleted .pawl/ never means
// another change: the count goes on above all numbers that there were.
func TestDeletedStateFreesNoNumber(t *testing.T) {
	d := newDisk()
	s := simStore(t, d.process())
	for range 3 {
		short(t, s)
	}
	for round, want := range []string{"@10002", "@20002"} { // after what it found in the files
		for _, name := range []string{indexName, logName, segmentName(1), gateName} {
			d.drop(name)
		}
		d.drop(stateDir)
		s = simStore(t, d.process())
		if got := short(t, s); got != want {
			t.Errorf("after deletion %d the first change is %s, want %s", round+1, got, want)
		}
		_, err := pawl.NewBoard(s).ChangeAt(context.Background(), originOf(t, s)+3)
		if !errors.Is(err, pawl.Gone) {
			t.Errorf("@3 is %v, want gone", err)
		}
	}
}

// The number in the lock file is ahead of every count, however long.
func TestReservedStaysAhead(t *testing.T) {
	d := newDisk()
	s := simStore(t, d.process())
	short(t, s)
	s.loaded.mark.origin -= 9_000 // as after so many changes
	must.Do(t, s.checkpoint())
	if got := s.reserved(); got != 20_000 {
		t.Errorf("the lock file has %d, want 20000: %q", got, d.text(lockName))
	}
	for _, text := range []string{"", "x", "x12", "x-5\n", "x99999999999999999999999\n", "x9007199254740993000\n", strings.Repeat("1", 100)} {
		d.put(lockName, text)
		if got := s.reserved(); got != 0 {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}
