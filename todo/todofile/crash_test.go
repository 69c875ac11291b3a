package todofile

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

var cuts = flag.Int("todofile.cuts", 12, "power cuts at each call")

var (
	one = todo.Key{Session: "one"}
	two = todo.Key{Session: "one", Agent: "two"}
)

// A step of the workload, and what it means for the lists: the todos of one and
// two, joined.
type step struct {
	name string
	do   func(t testing.TB, s *Store) error
	then map[todo.Key]string
	lax  bool // it may pass over a list that it cannot read, and says so elsewhere
}

func appending(key todo.Key, content string) func(testing.TB, *Store) error {
	return func(t testing.TB, s *Store) error {
		_, err := s.Update(t.Context(), key, func(l *todo.List) error {
			l.Items = append(l.Items, todo.Item{ID: content, Content: content, Status: todo.Pending, Priority: todo.Medium, ActiveForm: content})
			l.UpdatedAt = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			return nil
		})
		return err
	}
}

var steps = []step{
	{name: "the first list", do: appending(one, "a"), then: map[todo.Key]string{one: "a"}},
	{name: "a call", do: noting(one, "1", todo.Running)},
	{name: "a longer one", do: appending(one, "b"), then: map[todo.Key]string{one: "a b"}},
	{name: "its end", do: noting(one, "1", todo.Failed)},
	{name: "another call", do: noting(one, "2", todo.Running)},
	{name: "another agent's", do: appending(two, "c"), then: map[todo.Key]string{two: "c"}},
	{name: "nothing changed", do: func(t testing.TB, s *Store) error {
		_, err := s.Update(t.Context(), one, func(*todo.List) error { return nil })
		return err
	}},
	{name: "emptied", do: func(t testing.TB, s *Store) error {
		_, err := s.Update(t.Context(), one, func(l *todo.List) error { l.Items = nil; return nil })
		return err
	}, then: map[todo.Key]string{one: ""}},
	{name: "begun again", do: appending(one, "d"), then: map[todo.Key]string{one: "d"}},
	{name: "another agent's call", do: noting(two, "1", todo.Running)},
	{name: "removed", do: func(t testing.TB, s *Store) error { return s.Remove(t.Context(), two) }, then: map[todo.Key]string{two: ""}},
	{name: "a panel", do: func(t testing.TB, s *Store) error {
		closed, err := s.OpenPanel(t.Context(), "one")
		if err != nil {
			return err
		}
		return closed()
	}},
	{name: "swept", do: func(t testing.TB, s *Store) error {
		_, err := s.Sweep(t.Context(), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
		return err
	}, then: map[todo.Key]string{one: ""}, lax: true},
	{name: "after that", do: appending(two, "e"), then: map[todo.Key]string{two: "e"}},
}

// state is what a new process finds.
func state(t testing.TB, d *simDisk) map[todo.Key]string {
	t.Helper()
	s, got := d.open(t), map[todo.Key]string{}
	for _, key := range []todo.Key{one, two} {
		list, err := s.Load(t.Context(), key)
		if err != nil {
			t.Fatalf("load %q: %v", key, err)
		}
		var words []string
		for _, item := range list.Items {
			words = append(words, item.Content)
		}
		got[key] = strings.Join(words, " ")
	}
	if problems := s.Problems(); len(problems) > 0 {
		got[todo.Key{Session: "problems"}] = strings.Join(problems, "; ")
	}
	return got
}

// possible reports whether got is before, or what the step makes of it, for each
// key by itself. Whether done, it must be the latter.
func possible(got, before map[todo.Key]string, st step, done bool) bool {
	if len(got) > 2 {
		return false // there were problems
	}
	for key, words := range got {
		then, changes := st.then[key]
		if !changes {
			then = before[key]
		}
		if words != then && (done || words != before[key]) {
			return false
		}
	}
	return true
}

func after(before map[todo.Key]string, st step) map[todo.Key]string {
	now := map[todo.Key]string{one: before[one], two: before[two]}
	for key, words := range st.then {
		now[key] = words
	}
	return now
}

// run plays the workload until a call stops it, and returns what was
// acknowledged and the step that was not.
func run(t testing.TB, d *simDisk) (acked map[todo.Key]string, at int, err error) {
	s := d.open(t)
	acked = map[todo.Key]string{}
	for i, st := range steps {
		if err := st.attempt(t, s); err != nil {
			return acked, i, err
		}
		now := after(acked, st)
		if st.lax {
			before := d.before
			d.before = nil
			if got := state(t, d); possible(got, acked, st, false) {
				now = got
			}
			d.before = before
		}
		acked = now
	}
	return acked, len(steps), nil
}

func (st step) attempt(t testing.TB, s *Store) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(crash); !ok {
				panic(p)
			}
			err = errDead
		}
	}()
	return st.do(t, s)
}

// workload is how many calls all steps make.
func workload(t *testing.T) int {
	d := newSimDisk()
	if _, _, err := run(t, d); err != nil {
		t.Fatal(err)
	}
	if d.calls < 50 {
		t.Fatalf("the workload makes only %d calls", d.calls)
	}
	return d.calls
}

// crashes kills the process before each call, and cuts the power, and returns
// what was wrong afterwards.
func crashes(t *testing.T, without string) (wrong []string) {
	for stop := 1; stop <= workload(t)+1; stop++ {
		for seed := range uint64(*cuts + 1) {
			d := newSimDisk()
			d.without = without
			d.before = func(call int, _, _ string) error {
				if call == stop {
					return errDead
				}
				return nil
			}
			acked, at, _ := run(t, d)
			d.before = nil
			if seed > 0 { // else the process is killed, and the machine goes on
				d.powerCut(rand.New(rand.NewPCG(seed, uint64(stop))))
			}
			in := step{name: "the end"}
			if at < len(steps) {
				in = steps[at]
			}
			got := state(t, d)
			if !possible(got, acked, in, false) {
				wrong = append(wrong, fmt.Sprintf("stopped before call %d, in %q, seed %d: there is %v, acknowledged was %v", stop, in.name, seed, got, acked))
				continue
			}
			if err := appending(one, "z")(t, d.open(t)); err != nil || state(t, d)[one] != strings.TrimSpace(got[one]+" z") {
				wrong = append(wrong, fmt.Sprintf("stopped before call %d, in %q, seed %d: afterwards %v, %v", stop, in.name, seed, state(t, d), err))
			}
		}
	}
	return wrong
}

// Whenever a process dies or the power is cut, each list is as it was or as it
// should become, and what was acknowledged is there.
func TestCrash(t *testing.T) {
	for _, w := range crashes(t, "") {
		t.Error(w)
	}
}

// The crashes above must see a sync that is left out.
func TestCrashSeesMissingSyncs(t *testing.T) {
	for _, without := range []string{"file", "folder"} {
		if wrong := crashes(t, without); len(wrong) == 0 {
			t.Errorf("without syncing a %s nothing was lost", without)
		}
	}
}

// Whichever call fails, once or from then on, the step says so in the words of
// storage errors or was done, each list is old or new, and all goes on when
// the disk works again.
func TestFaults(t *testing.T) {
	causes := map[error]todo.Why{
		syscall.EIO: todo.Other, syscall.EACCES: todo.Denied, syscall.EPERM: todo.Denied, syscall.EROFS: todo.Denied,
		syscall.ENOSPC: todo.Full, syscall.EDQUOT: todo.Full, errShort: todo.Full,
	}
	fired, total := 0, workload(t)
	for cause, why := range causes {
		for _, sticky := range []bool{false, true} {
			for stop := 1; stop <= total; stop++ {
				d := newSimDisk()
				d.before = func(call int, op, _ string) error {
					if call == stop || sticky && call > stop {
						if cause == errShort && op != "create" {
							return nil
						}
						fired++
						return cause
					}
					return nil
				}
				acked, at, err := run(t, d)
				d.before = nil
				name := fmt.Sprintf("%v at call %d, sticky %v, step %d", cause, stop, sticky, at)
				in := step{}
				if err != nil {
					in = steps[at]
					storage, ok := errors.AsType[*todo.StorageError](err)
					if !ok || storage.Why != why {
						t.Errorf("%s: the error is %#v", name, err)
					}
				}
				got := state(t, d)
				if !possible(got, acked, in, err == nil) {
					t.Errorf("%s: %v; there is %v, acknowledged was %v", name, err, got, acked)
				}
				if err := appending(one, "z")(t, d.open(t)); err != nil || state(t, d)[one] != strings.TrimSpace(got[one]+" z") {
					t.Errorf("%s: afterwards %v, %v", name, state(t, d), err)
				}
			}
		}
	}
	if fired < 1000 {
		t.Errorf("only %d faults fired", fired)
	}
	t.Logf("%d faults fired", fired)
}

// What cannot be read is set aside whole, whatever fails while that is done.
func TestFaultsWhileSettingAside(t *testing.T) {
	for stop := 1; ; stop++ {
		d := newSimDisk()
		must.Do(t, appending(one, "a")(t, d.open(t)))
		d.put(fileName(one), `{"version":1,"todos":[{"content`)
		d.calls = 0
		d.before = func(call int, _, _ string) error {
			if call == stop {
				return syscall.EIO
			}
			return nil
		}
		s := d.open(t)
		list, err := s.Load(t.Context(), one)
		fired := d.calls >= stop
		d.before = nil
		if _, ok := errors.AsType[*todo.StorageError](err); err != nil && !ok || len(list.Items) > 0 {
			t.Errorf("call %d: %v, %v", stop, list, err)
		}
		if problems := s.Problems(); err == nil && len(problems) != 1 {
			t.Errorf("call %d: the problems are %q", stop, problems)
		}
		if err := appending(one, "b")(t, d.open(t)); err != nil || state(t, d)[one] != "b" {
			t.Errorf("call %d: afterwards %v, %v", stop, state(t, d), err)
		}
		kept := 0
		for _, file := range d.folders[lostDir].names {
			if strings.Contains(string(file.text), `"content`) {
				kept++
			}
		}
		if kept != 1 {
			t.Errorf("call %d: the text is kept %d times", stop, kept)
		}
		if !fired {
			break
		}
	}
}

// What was set aside survives a power cut as soon as the list is written again.
func TestCrashAfterSettingAside(t *testing.T) {
	torn := `{"version":1,"todos":[{"content`
	for seed := range uint64(20) {
		d := newSimDisk()
		must.Do(t, appending(one, "a")(t, d.open(t)))
		d.put(fileName(one), torn)
		must.Do(t, appending(one, "b")(t, d.open(t)))
		d.powerCut(rand.New(rand.NewPCG(seed, 1)))
		if got := state(t, d)[one]; got != "b" {
			t.Errorf("seed %d: there is %q", seed, got)
		}
		if lost := d.folders[lostDir].names; len(lost) != 1 {
			t.Errorf("seed %d: kept are %v", seed, lost)
		}
	}
}
