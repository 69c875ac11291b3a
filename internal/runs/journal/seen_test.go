package journal

import (
	"reflect"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/runs"
)

// Who looks again and again sees what a whole reading sees: of a journal that grows, and of
// one that a new runner began anew.
func TestSeen(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	seen := Seen{Folder: f}
	same := func(when string) {
		t.Helper()
		if _, _, err := seen.Status(time.Now()); err != nil {
			t.Fatal(when, err)
		}
		want, err := f.Read()
		if err != nil || !reflect.DeepEqual(seen.state, want) {
			t.Fatalf("%s: seen %+v, read %+v (%v)", when, seen.state, want, err)
		}
	}
	same("without a journal")
	if _, ever, _ := seen.Status(time.Now()); ever {
		t.Error("there was never a run, and one is seen")
	}
	j, s := open(t, f)
	put(t, j, s, runs.Record{Kind: runs.KindBegin, Run: &runs.Run{ID: "r", Slots: 2}})
	same("begun")
	for n := range 3 {
		put(t, j, s, runs.Record{Kind: runs.KindAttempt, Attempt: attempt(n+1, runs.Running)})
		put(t, j, s, runs.Record{Kind: runs.KindAttempt, Attempt: attempt(n+1, runs.Released)})
		same("grown")
	}
	if _, err := j.file.WriteString(`{"n":99,`); err != nil { // not whole yet
		t.Fatal(err)
	}
	same("torn")
	st, ever, err := seen.Status(time.Now())
	if err != nil || !ever || !st.Running || len(st.Slots) != 2 {
		t.Errorf("%+v, %v, %v", st, ever, err)
	}
	_ = j.Close()
	j, s = open(t, f)
	if err := j.shorten(s); err != nil {
		t.Fatal(err)
	}
	same("begun anew")
	all, err := seen.Attempts("1-5")
	if err != nil || len(all) != 3 || all[2].N != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	if all, err := seen.Attempts("2-5"); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
}
