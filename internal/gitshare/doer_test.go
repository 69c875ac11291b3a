package gitshare

import (
	"errors"
	"os"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// Who completed a task is told, and not who brought that here: by a sync, or back after a backup.
func TestWhoCompleted(t *testing.T) {
	t.Parallel()
	ada, bob := pair(t, "one", "two")
	saved := t.TempDir()
	must.Do(t, os.CopyFS(saved, os.DirFS(ada.board)))
	bob.must(pawl.ClaimTask{ID: 1})
	bob.must(pawl.Complete{IDs: []pawl.ID{1}})
	bob.sync()
	ada.sync()
	tell := func(when string) {
		t.Helper()
		o, err := ada.ask.Do(t.Context(), pawl.Request{By: ada.by, Op: pawl.Complete{IDs: []pawl.ID{1}}}, query.WantAlready)
		if is, ok := o.Already[1]; err != nil || !ok || is.By.Name != "bob" {
			t.Errorf("%s: %+v, %v", when, o.Already, err)
		}
	}
	tell("after a sync")
	ada.store.Close()
	must.Do(t, errors.Join(os.RemoveAll(ada.board), os.CopyFS(ada.board, os.DirFS(saved))))
	ada.open()
	tell("after a backup")
	ada.cleaned()
	tell("after git clean")
}

// A number that a sync gave to another task names neither of the two where a set does not say
// which: what was done to the one that moved is not told of the other one.
func TestNamesAfterAMove(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada, bob := f.desk("ada"), f.desk("bob")
	bob.must(tasks("bob's"))
	bob.join()
	ada.must(tasks("ada's"))
	ada.must(pawl.AddNote{ID: 1, Text: "of ada's"})
	ada.join()
	ada.must(pawl.AddNote{ID: 1, Text: "of bob's"})
	h, err := query.Of(t.Context(), ada.ask, query.Asker{}, query.HistoryQuery{Limit: 10})
	if err != nil || len(h.Sets) < 4 {
		t.Fatalf("%+v, %v", h, err)
	}
	for i := range h.Sets {
		set := &h.Sets[i]
		switch name := h.Names.At(set)[1]; {
		case set.Verb == pawl.VerbCreate && name != "ada's", set.Verb == pawl.VerbNote && name != "":
			t.Errorf("set %d, %s: #1 is called %q", i, set.Verb, name)
		}
	}
}
