package storetest

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/memory"
)

func openMemory(_ *testing.T, clock func() time.Time) pawl.Store {
	return memory.New(memory.WithClock(clock))
}

// Files and memory hold the same, byte for byte, whatever they are told.
func TestFileAgreesWithMemory(t *testing.T) {
	dir := ""
	again := func(t *testing.T, _ pawl.Store, clock func() time.Time) pawl.Store {
		s, err := file.Open(dir, file.WithClock(clock))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	open := func(t *testing.T, clock func() time.Time) pawl.Store {
		dir = filepath.Join(t.TempDir(), ".tasks")
		return again(t, nil, clock)
	}
	Compare(t, Candidate{Name: "memory", Open: openMemory}, Candidate{Name: "file", Open: open, Options: []Option{Reopen(again)}})
}

// A comparison that sees nothing would be worth nothing.
func TestCompareSeesADifference(t *testing.T) {
	if len(scripts()) < 30 {
		t.Fatalf("only %d scripts", len(scripts()))
	}
	for _, fault := range []string{"an unblock is lost", "places that moved are forgotten", "a result is not remembered", "history does not say who", "times are cut to seconds"} {
		t.Run(fault, func(t *testing.T) {
			seen := false
			for _, p := range planted {
				if p.fault != fault {
					continue
				}
				for _, script := range scripts() {
					if seen {
						return
					}
					failures := record(t, func(w *world) {
						script(newPeers(w.TB, []string{"memory", "spoilt"}, newWorld(w.TB, &opener{t: t, open: openMemory}), w))
					}, sound(p.plant))
					if len(failures) > 0 {
						seen = true
					}
				}
			}
			if !seen {
				t.Error("not seen")
			}
		})
	}
}
