package journal

import (
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/runs"
)

func attempt(n int, phase runs.Phase) *runs.Attempt {
	return &runs.Attempt{Key: runs.Key{Task: "1-5", N: n}, ID: 1, Phase: phase, Began: time.Unix(int64(n), 0).UTC()}
}

func open(t *testing.T, f Folder) (*Journal, *runs.State) {
	t.Helper()
	j, s, err := f.Open()
	must.Do(t, err)
	t.Cleanup(func() { _ = j.Close() })
	return j, s
}

func put(t *testing.T, j *Journal, s *runs.State, r runs.Record) {
	t.Helper()
	r.N = s.N + 1
	must.Do(t, j.Append(r))
	s.Apply(r)
}

func TestJournal(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	j, s := open(t, f)
	put(t, j, s, runs.Record{Kind: runs.KindBegin, Run: &runs.Run{ID: "r", Slots: 2}})
	put(t, j, s, runs.Record{Kind: runs.KindAttempt, Attempt: attempt(1, runs.Running)})
	put(t, j, s, runs.Record{Kind: runs.KindAttempt, Attempt: attempt(1, runs.Released)})
	put(t, j, s, runs.Record{Kind: runs.KindRemark, Remark: &runs.Remark{Task: "1-5", Text: "again", Retry: true}})
	put(t, j, s, runs.Record{Kind: runs.KindAttempt, Attempt: attempt(2, runs.Running)})
	if !f.Alive() {
		t.Error("nobody holds the lock of an open journal")
	}
	if _, _, err := f.Open(); pawl.KindOf(err) != pawl.Conflict {
		t.Errorf("a second runner: %v", err)
	}
	_ = j.Close()
	if f.Alive() {
		t.Error("somebody holds the lock of a closed journal")
	}
	got, err := f.Read()
	if err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("read %+v, %v\nwant %+v", got, err, s)
	}
}

// A crash leaves a line that is not whole: it does not count, and the next record takes
// its place.
func TestTorn(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	j, s := open(t, f)
	put(t, j, s, runs.Record{Kind: runs.KindBegin, Run: &runs.Run{ID: "r"}})
	_ = j.Close()
	file := must.Get(os.OpenFile(f.journal(), os.O_APPEND|os.O_WRONLY, 0))(t)
	_, _ = file.WriteString(`{"n":2,"kind":"att`)
	_ = file.Close()
	j, s = open(t, f)
	put(t, j, s, runs.Record{Kind: runs.KindAttempt, Attempt: attempt(1, runs.Running)})
	_ = j.Close()
	got, err := f.Read()
	if err != nil || got.N != 2 || len(got.Live()) != 1 {
		t.Errorf("read %+v, %v", got, err)
	}
}

func TestDamaged(t *testing.T) {
	for _, text := range []string{"x\n", `{"n":1,"kind":"end"}` + "\n" + `{"n":3,"kind":"end"}` + "\n"} {
		f := Folder{Path: t.TempDir()}
		must.Do(t, os.WriteFile(f.journal(), []byte(text), 0o600))
		if _, err := f.Read(); err == nil {
			t.Errorf("%q is read as a journal", text)
		}
		if j, _, err := f.Open(); err == nil {
			_ = j.Close()
			t.Errorf("%q is gone on with", text)
		}
	}
}

func TestShorten(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	j, s := open(t, f)
	put(t, j, s, runs.Record{Kind: runs.KindBegin, Run: &runs.Run{ID: "r"}})
	for n := range 3 {
		for _, phase := range []runs.Phase{runs.Running, runs.Failed, runs.Released} {
			put(t, j, s, runs.Record{Kind: runs.KindAttempt, Attempt: attempt(n+1, phase)})
		}
		if n == 1 {
			put(t, j, s, runs.Record{Kind: runs.KindRemark, Remark: &runs.Remark{Task: "1-5", Text: "again", Retry: true}})
		}
	}
	put(t, j, s, runs.Record{Kind: runs.KindPause, Pause: &runs.Pause{Agent: "a", Why: "w"}})
	put(t, j, s, runs.Record{Kind: runs.KindControl, Done: 7})
	must.Do(t, j.shorten(s))
	_ = j.Close()
	got, err := f.Read()
	if err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("read %+v, %v\nwant %+v", got, err, s)
	}
}

func TestControls(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	for id := range 3 {
		must.Do(t, f.Ask(runs.Control{Op: runs.Approve, ID: pawl.ID(id + 1)}))
	}
	all, at, err := f.Controls(0)
	if err != nil || len(all) != 3 || all[2].ID != 3 {
		t.Fatalf("got %v, %v", all, err)
	}
	if all, again, err := f.Controls(at); err != nil || len(all) != 0 || again != at {
		t.Errorf("got %v at %d, %v", all, again, err)
	}
}

func TestLive(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	want := runs.Live{Why: "none", Attempts: map[string]runs.Doing{"1-5/1": {Doing: "edit"}}}
	must.Do(t, f.SetLive(want))
	if got := f.Live(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

// A disk that is full takes half of a record. Nothing may follow it, even if there is room
// again: the next runner reads what came before.
func TestFull(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	j, s := open(t, f)
	put(t, j, s, runs.Record{Kind: runs.KindBegin, Run: &runs.Run{ID: "r"}})
	good := j.file
	read := must.Get(os.Open(f.journal()))(t)
	defer read.Close()
	j.file = read // cannot be written
	if err := j.Append(runs.Record{N: 2, Kind: runs.KindEnd}); err == nil {
		t.Error("a record was written that cannot be")
	}
	must.Get(good.WriteString(`{"n":2,"ki`))(t)
	j.file = good
	if err := j.Append(runs.Record{N: 2, Kind: runs.KindEnd}); err == nil {
		t.Error("a record was written behind half of one")
	}
	_ = j.Close()
	if got, err := f.Read(); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("read %+v, %v\nwant %+v", got, err, s)
	}
}
