package gitshare

import (
	"errors"
	"os"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
)

// Who completed a task is told, and not who brought that here: by a sync, or back after a backup.
func TestWhoCompleted(t *testing.T) {
	f := newField(t)
	ada, bob := f.desk("ada"), f.desk("bob")
	ada.must(tasks("one", "two"))
	ada.join()
	bob.join()
	saved := t.TempDir()
	if err := os.CopyFS(saved, os.DirFS(ada.board)); err != nil {
		t.Fatal(err)
	}
	bob.must(pawl.ClaimTask{ID: 1})
	bob.must(pawl.Complete{IDs: []pawl.ID{1}})
	bob.sync()
	ada.sync()
	tell := func(when string) {
		t.Helper()
		o, err := ada.ask.Do(t.Context(), pawl.Request{By: ada.by, Op: pawl.Complete{IDs: []pawl.ID{1}}}, ask.WantAlready)
		if is, ok := o.Already[1]; err != nil || !ok || is.By.Name != "bob" {
			t.Errorf("%s: %+v, %v", when, o.Already, err)
		}
	}
	tell("after a sync")
	ada.store.Close()
	if err := errors.Join(os.RemoveAll(ada.board), os.CopyFS(ada.board, os.DirFS(saved))); err != nil {
		t.Fatal(err)
	}
	ada.open()
	tell("after a backup")
	ada.cleaned()
	tell("after git clean")
}
