package file

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// A checkFor tells what goes wrong with stores on a disk, or nothing.
type checkFor func(t testing.TB, prepare func(*disk), configure func(*Store)) string

// A planted bug is a store with one safeguard taken out. For each there is a
// check that the real store passes, and that must not pass with the bug in it.
var planted = []struct {
	name   string
	check  checkFor
	clean  checkFor // the same without the bug, where the bug is in the check
	plant  func(*Store)
	onDisk func(*disk)
}{
	{name: "no lock", check: interleaved, plant: func(s *Store) {
		s.rules.lock = func(*Store, context.Context, bool) (func(), error) { return func() {}, nil }
	}},
	{name: "a lock around the writing only", check: interleaved, plant: func(s *Store) {
		s.rules.lock = func(*Store, context.Context, bool) (func(), error) { return func() {}, nil }
		s.rules.place = func(s *Store, tmp string, f *journalFile, saw fileInfo) error {
			unlock, err := s.takeLock(context.Background(), true)
			if err != nil {
				return err
			}
			defer unlock()
			return s.putInPlace(tmp, f, saw)
		}
	}},
	{name: "bare renames", check: displaced, plant: func(s *Store) {
		s.rules.place = func(s *Store, tmp string, f *journalFile, _ fileInfo) error { return s.fs.Rename(tmp, taskName(f.ID)) }
	}},
	{name: "no fsync", check: crashes, onDisk: func(d *disk) { d.noSync = true }},
	{name: "lost unblock", check: unblocked, plant: func(s *Store) {
		s.rules.merge = func(t *table, found []finding) map[pawl.ID]*entry {
			changes := merge(t, found)
			for id := range changes { // only what was found is taken over, nothing that follows
				if !slices.ContainsFunc(found, func(f finding) bool { return f.id == id }) {
					delete(changes, id)
				}
			}
			return changes
		}
	}},
	{name: "notice before commit", check: noticed, plant: func(s *Store) {
		s.rules.lock = func(s *Store, ctx context.Context, exclusive bool) (func(), error) {
			if exclusive {
				return s.takeLock(ctx, exclusive)
			}
			return func() {}, nil
		}
	}},
	{name: "healing that writes during a checkout", check: checkedOutBy(healing), clean: checkedOutBy((*Store).Update)},
	{name: "a checkout that is recorded half-way", check: checkedOutBy((*Store).Update), plant: func(s *Store) { s.fs = blindToGit{s.fs} }},
	{name: "nothing is told", check: told, plant: func(s *Store) { s.fs.(*simProcess).tell = nil }},
	{name: "what was told is forgotten when it was looked at", check: told, plant: func(s *Store) {
		s.rules.merge = func(t *table, found []finding) map[pawl.ID]*entry {
			clear(s.tracker.suspects)
			return merge(t, found)
		}
	}},
	{name: "files are not looked at before they are written", check: told, plant: func(s *Store) { s.fs = trusting{s.fs.(*simProcess), map[string]text{}} }},
	{name: "replay by known hash alone", check: checkedOut, plant: func(s *Store) {
		s.rules.decide = func(e fileState) action {
			if e.present && e.before {
				return write
			}
			return decide(e)
		}
	}},
}

type blindToGit struct{ fileSystem }

func (blindToGit) GitBusy() bool { return false }

func TestPlanted(t *testing.T) {
	for _, bug := range planted {
		t.Run(bug.name, func(t *testing.T) {
			clean := bug.clean
			if clean == nil {
				clean = bug.check
			}
			if problem := clean(t, sound, usual); problem != "" {
				t.Fatalf("without the bug: %s", problem)
			}
			prepare, configure := sound, usual
			if bug.onDisk != nil {
				prepare = bug.onDisk
			}
			if bug.plant != nil {
				configure = bug.plant
			}
			problem := bug.check(t, prepare, configure)
			if problem == "" {
				t.Fatal("the bug was not found")
			}
			t.Logf("found: %.200s", problem)
		})
	}
}

// interleaved lets a second process make a task at each call of a first one
// that does so too. A caller that is told that the task exists must find it.
func interleaved(t testing.TB, prepare func(*disk), configure func(*Store)) string {
	second := 0
	for at := 1; ; at++ {
		d := board(t, create("zero"))
		prepare(d)
		add := func(subject string) (pawl.ID, error) {
			s := simStore(t, d.process())
			configure(s)
			r, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: create(subject)})
			if err != nil {
				return 0, err
			}
			return r.IDs[0], nil
		}
		start := d.calls
		var b pawl.ID
		came := false
		d.before = func(call int, _, _ string) error {
			if call-start == at {
				came, d.before = true, nil
				b, _ = add("b")
			}
			return nil
		}
		a, err := add("a")
		d.before = nil
		if err != nil && !errors.Is(err, pawl.Unavailable) && !errors.Is(err, pawl.Conflict) {
			return err.Error()
		}
		if !came {
			if second == 0 {
				return "the second process never came through"
			}
			return ""
		}
		if b != 0 {
			second++
		}
		tasks := see(t, d)
		if a != 0 && tasks[a].Subject != "a" || b != 0 && tasks[b].Subject != "b" {
			return fmt.Sprintf("at call %d: %v is %q and not a, %v is %q and not b", at, a, tasks[a].Subject, b, tasks[b].Subject)
		}
	}
}

// displaced lets another program write at each call of an update. Its text is on the
// board, or under it in lost+found, or was seen by the update.
func displaced(t testing.TB, prepare func(*disk), configure func(*Store)) string {
	for at := 1; ; at++ {
		d := board(t, create("one"))
		prepare(d)
		theirs := strings.Replace(d.text("task_1.json"), `"description": ""`, `"description": "theirs"`, 1)
		came, start := false, d.calls
		d.before = func(call int, _, _ string) error {
			if call-start == at {
				came, d.before = true, nil
				d.swap("task_1.json", theirs)
			}
			return nil
		}
		s := simStore(t, d.process())
		configure(s)
		_, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: pawl.Update{ID: 1, Subject: ptr("ours")}})
		d.before = nil
		if err != nil {
			return err.Error()
		}
		if !came {
			return ""
		}
		kept := strings.Contains(d.text("task_1.json"), "theirs")
		for _, name := range lost(d) {
			kept = kept || d.text(lostDir+"/"+name) == theirs
		}
		if !kept {
			return fmt.Sprintf("an external edit at call %d is gone without a trace", at)
		}
	}
}

func crashes(t testing.TB, prepare func(*disk), configure func(*Store)) string {
	_, c, problem := hunt(t, 40, prepare, configure)
	if problem != "" {
		return fmt.Sprintf("%v: %s", c, problem)
	}
	return ""
}

// unblocked lets another program complete a task and nothing else.
func unblocked(t testing.TB, prepare func(*disk), configure func(*Store)) string {
	d := board(t, chain("one", "two"))
	prepare(d)
	d.put("task_1.json", strings.Replace(d.text("task_1.json"), `"pending"`, `"completed"`, 1))
	s := simStore(t, d.process())
	configure(s)
	_, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: pawl.ClaimTask{}})
	if err != nil {
		return err.Error()
	}
	return ""
}

// noticed reads the history at each call of an update, and then cuts the
// power: whatever could be read must still be there.
func noticed(t testing.TB, prepare func(*disk), configure func(*Store)) string {
	for at := 1; ; at++ {
		d := board(t, create("one"))
		prepare(d)
		last := func(configure func(*Store)) (rev pawl.Revision) {
			s := simStore(t, d.process())
			configure(s)
			for set, err := range s.Changes(context.Background(), pawl.Span{}) {
				if err != nil {
					return rev // the lock is taken: a reader would wait
				}
				rev = set.Revision
			}
			return rev
		}
		var seen pawl.Revision
		came, start := false, d.calls
		d.before = func(call int, _, _ string) error {
			if call-start == at {
				came, d.before = true, nil
				seen = last(configure)
				return errDead
			}
			return nil
		}
		func() {
			defer func() { _ = recover() }()
			do(t, d, create("two"))
		}()
		d.before = nil
		if !came {
			return ""
		}
		clear(d.holders) // with the process, its locks are gone
		for seed := range uint64(4) {
			d.powerCut(rand.New(rand.NewPCG(seed, 3)))
		}
		if now := last(usual); now < seen {
			return fmt.Sprintf("at call %d revision %d could be read, and was not kept", at, seen)
		}
	}
}

func checkedOutBy(how update) checkFor {
	return func(t testing.TB, _ func(*disk), configure func(*Store)) string { return checkout(t, configure, how) }
}

func checkedOut(t testing.TB, _ func(*disk), configure func(*Store)) string {
	return checkoutAfterPowerCut(t, configure)
}
