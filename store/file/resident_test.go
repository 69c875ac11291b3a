package file

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// beResident makes a store on a simulated disk one of a process that runs on:
// it is told of each change in the very moment.
func beResident(s *Store) {
	d := s.fs.(*simProcess).disk
	s.tracker = newChangeTracker()
	s.watcher = func(...string) (<-chan string, func(), error) { panic("nobody attends to this store") }
	s.watching.Do(func() {})
	watch := s.tracker.raise(d.root.info())
	d.tell = append(d.tell, func(name string) {
		s.heard(watch, filepath.Join(s.dir, name))
		if !s.tracker.up {
			watch = s.tracker.raise(d.root.info())
		}
	})
}

// inhabit makes board leave its disk to two processes that run on.
var inhabit bool

// resident runs tests that were written for many short-lived processes with two
// that run on and work in turns.
func resident(t *testing.T, test func(t *testing.T)) {
	inhabit = true
	defer func() { inhabit = false }()
	test(t)
}

// TestResidentStrangers lets other programs work beside processes that only look at
// what they are told of.
func TestResidentStrangers(t *testing.T) {
	for name, test := range map[string]func(t *testing.T){
		"naive completes": TestNaiveCompletes, "naive without blocks": TestNaiveWithoutBlocks, "one side": TestOneSide,
		"missing": TestMissing, "damaged": TestDamaged, "claim void": TestClaimVoid, "external set": TestExternalSet,
		"external ready": TestExternalReady, "external bulk": TestExternalBulk, "touched": TestTouched,
		"cycle": TestStrangersCycle, "stale counter": TestStaleCounter, "checkout": TestCheckout, "old sight": TestOldSight,
		"at random": TestStrangersAtRandom,
	} {
		t.Run(name, func(t *testing.T) { resident(t, test) })
	}
}

// told lets another program edit a file beside a process that runs on. It has to show
// the edit as soon as it was told, again and again until it is recorded, and
// also when it was not told, once its last check of all files is old.
func told(t testing.TB, prepare func(*disk), configure func(*Store)) string {
	d := board(t, chain("one", "two"))
	prepare(d)
	s := simStore(t, d.process())
	beResident(s)
	configure(s)
	see := func(subject string) bool {
		page, err := pawl.NewBoard(s).Select(context.Background(), pawl.Query{IDs: []pawl.ID{1}, Brief: true}) // no file is read for it
		return err == nil && page.Tasks[0].Subject == subject
	}
	if !see("one") {
		return "the board cannot be read"
	}
	d.edit(t, 1, `"one"`, `"ONE"`)
	for range 3 {
		if !see("ONE") {
			return "an edit that was told is not shown"
		}
	}
	nothing := func(pawl.Reader) (pawl.Commit, error) { return pawl.Commit{}, nil }
	if _, err := s.Update(context.Background(), nothing); err != nil || !see("ONE") {
		return "an edit cannot be recorded"
	}
	hearing := d.tell
	d.tell = nil
	d.edit(t, 1, `"ONE"`, `"once"`)
	if see("once") {
		return "all files are looked at each time"
	}
	s.tracker.checked = s.tracker.checked.Add(-2 * checkEvery)
	if !see("once") {
		return "an edit that was not told is not shown later"
	}
	d.tell = hearing
	d.swap(taskName(1), strings.Replace(d.text(taskName(1)), "once", "twice", 1))
	d.tell = nil
	if _, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: pawl.AddNote{ID: 1, Text: "x"}}); err != nil {
		return err.Error()
	}
	if !see("twice") {
		return "an edit was written over"
	}
	// What an update writes it looks at, whatever it was told.
	d.edit(t, 1, `"twice"`, `"again"`)
	if _, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: pawl.AddNote{ID: 1, Text: "y"}}); err != nil {
		return err.Error()
	}
	if !see("again") || len(lost(d)) > 0 {
		return "an edit that was not told was written over"
	}
	return ""
}

// A store that runs on looks at few files, however many there are.
func TestResidentLooksAtLittle(t *testing.T) {
	const tasks, requests = 300, 20
	d := newDisk()
	var op pawl.Create
	for range tasks {
		op.Tasks = append(op.Tasks, pawl.NewTask{Subject: "one"})
	}
	do(t, d, op)
	comeBy(t, d)
	s := simStore(t, d.process())
	count := &counting{fileSystem: s.fs}
	beResident(s)
	s.fs = count
	for i := range requests {
		must.Do(t, errOf(pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: pawl.AddNote{ID: pawl.ID(1 + i), Text: "x"}})))
		if i == 0 {
			count.looks = 0
		}
	}
	if count.looks > 3*requests || count.lists > 1 {
		t.Errorf("%d requests looked at %d files and listed the folder %d times", requests-1, count.looks, count.lists)
	}
	long := 2 * s.tracker.interval() // which a busy machine makes longer
	s.tracker.checked = time.Now().Add(-long)
	if _, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: pawl.AddNote{ID: 1, Text: "x"}}); err != nil || count.looks < tasks {
		t.Errorf("after %v only %d files were looked at", long, count.looks)
	}
}

// A store that runs on and loses its index finds everything again by itself.
func TestResidentLosesIndex(t *testing.T) {
	for _, name := range []string{indexName, logName} {
		d := newDisk()
		for i := range 5 { // from before the latest checkpoint
			d.put(taskName(pawl.ID(i+1)), fmt.Sprintf(`{"id": %d, "subject": "theirs"}`, i+1))
		}
		do(t, d, create("six"))
		s := simStore(t, d.process())
		beResident(s)
		want := state(t, s)
		d.drop(name)
		if now := state(t, s); now != want {
			t.Errorf("without %s the board is\n%sand not\n%s", name, now, want)
		}
		if r, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: create("four")}); err != nil || r.IDs[0] != 7 {
			t.Errorf("without %s: %+v", name, r)
		}
		if one, two := state(t, s), state(t, simStore(t, d.process())); one != two {
			t.Errorf("without %s the board is\n%sand to others\n%s", name, one, two)
		}
	}
}

// counting counts the files that are looked at.
type counting struct {
	fileSystem
	looks, lists int
}

func (c *counting) StatEach(count int, name func(int, []byte) []byte, got func(int, fileInfo)) error {
	c.looks += count
	return c.fileSystem.StatEach(count, name, got)
}

func (c *counting) List(dir string, got func([]byte)) error {
	if dir == "." {
		c.lists++
	}
	return c.fileSystem.List(dir, got)
}

// trusting is a file system that shows files as they were when they were first
// looked at.
type trusting struct {
	*simProcess
	texts map[string]text
}

func (f trusting) Read(name string, limit int64) ([]byte, fileInfo, error) {
	if was, ok := f.texts[name]; ok {
		return was.bytes, was.info, nil
	}
	bytes, info, err := f.simProcess.Read(name, limit)
	if err == nil && !strings.Contains(name, "/") {
		f.texts[name] = text{bytes: bytes, info: info}
	}
	return bytes, info, err
}

func (f trusting) Stat(name string) (fileInfo, error) {
	if was, ok := f.texts[name]; ok {
		return was.info, nil
	}
	return f.simProcess.Stat(name)
}
