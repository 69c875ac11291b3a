package journal

import (
	"reflect"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/runs"
)

// A decision of a person shows before a runner has carried it out, in both ways to look,
// and another one does not fit then. Before, it could be pressed again and again.
func TestDecidedIsSeen(t *testing.T) {
	for first, want := range map[runs.ControlOp]runs.Phase{runs.Approve: runs.Approved, runs.Retry: runs.Released} {
		f := Folder{Path: t.TempDir()}
		j, s := open(t, f)
		put(t, j, s, runs.Record{Kind: runs.KindBegin, Run: &runs.Run{ID: "r", Slots: 1}})
		put(t, j, s, runs.Record{Kind: runs.KindAttempt, Attempt: attempt(1, runs.Waiting)})
		seen := Seen{Folder: f}
		if st, _, err := seen.Status(time.Now()); err != nil || len(st.Waiting) != 1 {
			t.Fatal(st, err)
		}
		for _, op := range []runs.ControlOp{first, runs.Approve, runs.Retry} { // the first decides
			must.Do(t, f.Ask(runs.Control{Op: op, ID: 1, Task: "1-5", At: time.Now()}))
		}
		all, err := seen.Attempts("1-5")
		read, fault := f.Read()
		if err != nil || fault != nil || all[0].Phase != want || read.Tasks["1-5"].Last().Phase != want {
			t.Fatalf("after %s it is seen %+v (%v), and read %+v (%v)", first, all, err, read, fault)
		}
		if err := runs.Approve.Fits(&all[0], false); pawl.KindOf(err) != pawl.Conflict {
			t.Errorf("after %s approving fits: %v", first, err)
		}
		if err := runs.Retry.Fits(&all[0], false); (first == runs.Approve) != (pawl.KindOf(err) == pawl.Conflict) {
			t.Errorf("after %s sending back: %v", first, err)
		}
		_ = j.Close()
		if _, s := open(t, f); s.Tasks["1-5"].Last().Phase != runs.Waiting {
			t.Error("a runner takes for done what it has to carry out")
		}
	}
}

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
	must.Do(t, j.shorten(s))
	same("begun anew")
	all, err := seen.Attempts("1-5")
	if err != nil || len(all) != 3 || all[2].N != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	if all, err := seen.Attempts("2-5"); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
}
