package file

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// TestReaderSparesTheNext: files that were young when the index was written
// are read by the first reader after it, and by no other.
func TestReaderSparesTheNext(t *testing.T) {
	const tasks = 200
	d := newDisk()
	var op pawl.Create
	for range tasks {
		op.Tasks = append(op.Tasks, pawl.NewTask{Subject: "young"})
	}
	w := simStore(t, d.process())
	must.Do(t, errOf(pawl.NewBoard(w).Do(t.Context(), pawl.Request{By: by, Op: op})))
	_, _, folder, err := d.find(".")
	must.Do(t, err)
	for id := range pawl.ID(tasks) { // all within one tick of the clock
		n := folder.names[taskName(id+1)]
		n.mtime, n.ctime = d.now, d.now
	}
	d.now += int64(time.Minute)
	index := func() string { return d.text(indexName) + d.text(logName) }
	before := index()
	if opened, _, _ := costs(t, d); opened < tasks || index() == before {
		t.Fatalf("the first reader opens %d files and writes nothing", opened)
	}
	before = index()
	if opened, _, _ := costs(t, d); opened > 0 || index() != before {
		t.Errorf("the second reader opens %d files, and has written: %v", opened, index() != before)
	}
}
