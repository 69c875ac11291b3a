package file

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/store/storetest"
)

// A recorder notes what a check finds, so that the moment can be told.
type recorder struct {
	testing.TB
	found []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.found = append(r.found, fmt.Sprintf(format, args...))
}
func (r *recorder) Failed() bool { return len(r.found) > 0 }

// TestStrangersAtRandom lets us and other programs work on one board in turns, the
// other programs on one side of an edge or the other, and holds the board to what
// always holds: both ends of each edge, the counts, the order, and a history
// that leads to the board as it is.
func TestStrangersAtRandom(t *testing.T) {
	edits := 0
	for seed := range uint64(*faults / 3) {
		rnd := rand.New(rand.NewPCG(seed, 4))
		d := board(t, create("1", "2", "3", "4", "5", "6", "7", "8"))
		var log []string
		for range 12 {
			for range 1 + rnd.IntN(3) {
				what := externalEdit(t, d, rnd)
				log = append(log, what)
				edits++
			}
			if rnd.IntN(2) == 0 {
				log = append(log, ours(d, rnd))
			}
			if rnd.IntN(4) == 0 {
				d.now += 1e9
			}
			if rnd.IntN(3) == 0 {
				log = append(log, rewriteAtRandom(t, d, rnd))
			}
			dropIn(t, d)
			r := &recorder{TB: t}
			storetest.CheckInvariants(r, simStore(t, d.process()))
			if r.Failed() {
				t.Fatalf("seed %d, after\n%s\n%s", seed, strings.Join(log, "\n"), strings.Join(r.found, "\n"))
			}
		}
	}
	t.Logf("%d external edits", edits)
}

// dropIn is comeBy without a pause, so that files may still be young.
func dropIn(t testing.TB, d *disk) {
	t.Helper()
	s := simStore(t, d.process())
	must.Do(t, errOf(s.Update(context.Background(), func(pawl.Reader) (pawl.Commit, error) { return pawl.Commit{}, nil })))
}

// external edits one file as another program would. It makes no cycle: edges lead from lower to higher
// ids, and so do children to their parents.
func externalEdit(t testing.TB, d *disk, rnd *rand.Rand) string {
	var ids []pawl.ID
	for name := range d.root.names {
		if id, ok := parseTaskName(name); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	id := ids[rnd.IntN(len(ids))]
	file, err := taskjson.Decode([]byte(d.text(taskName(id))))
	must.Do(t, err)
	task := &file.Task
	other := ids[rnd.IntN(len(ids))]
	toggle := func(list []pawl.ID) []pawl.ID {
		if i := slices.Index(list, other); i >= 0 {
			return slices.Delete(slices.Clone(list), i, i+1)
		}
		return append(slices.Clone(list), other)
	}
	what := "nothing"
	switch kind := rnd.IntN(9); {
	case kind == 0:
		what, task.Subject = "subject", task.Subject+"!"
	case kind == 1:
		task.Status = []pawl.Status{pawl.Pending, pawl.InProgress, pawl.Completed}[rnd.IntN(3)]
		what = string(task.Status)
	case kind == 2:
		task.Priority = pawl.Priority(rnd.IntN(3) - 1)
		what = task.Priority.String()
	case kind <= 4 && other < id:
		task.BlockedBy = toggle(task.BlockedBy)
		what = fmt.Sprint("blockedBy ", task.BlockedBy)
	case kind <= 4 && other > id:
		task.Blocks = toggle(task.Blocks)
		what = fmt.Sprint("blocks ", task.Blocks)
	case kind == 5 && other > id:
		task.Parent = other
		what = fmt.Sprint("parent ", other)
	case kind == 5:
		task.Parent = 0
		what = "no parent"
	case kind == 6 && len(ids) < 12:
		next := ids[len(ids)-1] + 1
		d.put(taskName(next), string(taskjson.Encode(&pawl.Task{ID: next, Subject: "new", BlockedBy: []pawl.ID{other}})))
		return fmt.Sprintf("%v comes and waits for %v", next, other)
	case kind == 7:
		what = askedAtRandom(task, rnd)
	case kind == 8: // as a version that knows more, or a slip of the pen
		key := []string{"checks", "accept", "evidence"}[rnd.IntN(3)]
		task.Checks, task.Accept, task.Evidence = nil, nil, nil
		task.Extra = map[string]json.RawMessage{key: json.RawMessage(`[{"new": 1}]`)}
		what = key + " cannot be read"
	}
	if rnd.IntN(2) == 0 {
		d.put(taskName(id), string(taskjson.Encode(task)))
	} else {
		d.swap(taskName(id), string(taskjson.Encode(task)))
	}
	return fmt.Sprintf("%v: %s", id, what)
}

// someChecks are two checks of one name, and one that is optional.
func someChecks() []pawl.Check {
	return []pawl.Check{{Name: "unit", Run: []string{"go", "test"}}, {Name: "unit", Run: []string{"make"}}, {Name: "lint", Run: []string{"lint"}, Optional: true}}
}

// runAtRandom is what a run of a check showed.
func runAtRandom(rnd *rand.Rand) pawl.Evidence {
	c := someChecks()[rnd.IntN(3)]
	e := pawl.Evidence{Check: c.Name, Sum: c.Sum(), At: noon, By: "eve", Tree: strings.Repeat("a", 40), Passed: rnd.IntN(3) > 0, Millis: 5}
	if !e.Passed {
		e.Exit = 1
	}
	return e
}

// askedAtRandom changes what a task asks for before it is done, or what runs have shown.
func askedAtRandom(task *pawl.Task, rnd *rand.Rand) string {
	delete(task.Extra, "checks")
	delete(task.Extra, "accept")
	delete(task.Extra, "evidence")
	task.Checks, task.Accept, task.Evidence = nil, nil, nil
	if rnd.IntN(3) > 0 {
		task.Checks = append(task.Checks, someChecks()[rnd.IntN(3)])
	}
	if rnd.IntN(3) == 0 {
		task.Accept = append(task.Accept, pawl.Criterion{Text: "safe"})
		if rnd.IntN(2) == 0 {
			task.Accept[0].By, task.Accept[0].At = "eve", noon
		}
	}
	if rnd.IntN(2) == 0 {
		task.Evidence = append(task.Evidence, runAtRandom(rnd))
	}
	return fmt.Sprintf("asks for %v, %v, shown %v", task.Checks, task.Accept, task.Evidence)
}

// rewriteAtRandom gives some files new texts, as a merge does: other tasks under
// the numbers of these, and other edges.
func rewriteAtRandom(t testing.TB, d *disk, rnd *rand.Rand) string {
	w := Rewriting{Tasks: map[pawl.ID][]byte{}}
	rev, err := simStore(t, d.process()).Rewrite(context.Background(), Why{By: by, Verb: pawl.VerbMerge}, func(f Files) (Rewriting, error) {
		clear(w.Tasks)
		for range 1 + rnd.IntN(4) {
			task := pawl.Task{ID: pawl.ID(1 + rnd.IntN(12)), Subject: "merged"}
			if old, ok := decodeTask(f.Tasks[task.ID]); ok && rnd.IntN(2) == 0 {
				task.CreatedAt, task.Status, task.Owner = old.CreatedAt, old.Status, old.Owner
			}
			for other := range pawl.ID(12) {
				if f.Tasks[other] == nil && w.Tasks[other] == nil {
					continue // the check of what always holds knows no tasks that are missing
				}
				if rnd.IntN(4) == 0 && other < task.ID {
					task.BlockedBy = append(task.BlockedBy, other)
				} else if rnd.IntN(4) == 0 && other > task.ID {
					task.Blocks = append(task.Blocks, other)
				}
			}
			if rnd.IntN(3) == 0 {
				askedAtRandom(&task, rnd)
			}
			w.Tasks[task.ID] = taskjson.Encode(&task)
		}
		return w, nil
	})
	must.Do(t, err)
	for id, text := range w.Tasks {
		if d.text(taskName(id)) != string(text) {
			t.Fatalf("%s is %s and not %s", id, d.text(taskName(id)), text)
		}
	}
	before := state(t, simStore(t, d.process()))
	d.now += 1e9
	if after := state(t, simStore(t, d.process())); after != before {
		t.Fatalf("revision %d: the board changes although nobody changes it:\n%sthen\n%s", rev, before, after)
	}
	return fmt.Sprintf("revision %d rewrites %s", rev, w.Tasks)
}

// ours asks for something, which may well be refused.
func ours(d *disk, rnd *rand.Rand) string {
	id, other := pawl.ID(1+rnd.IntN(8)), pawl.ID(1+rnd.IntN(8))
	op := []pawl.Op{
		pawl.Complete{IDs: []pawl.ID{id}, Force: rnd.IntN(2) == 0},
		pawl.Reopen{IDs: []pawl.ID{id}},
		pawl.ClaimTask{Lease: pawl.Duration(time.Hour)},
		pawl.Release{IDs: []pawl.ID{id}, Force: true},
		pawl.Update{ID: max(id, other), AddBlockedBy: []pawl.ID{min(id, other)}},
		pawl.Update{ID: max(id, other), RemoveBlockedBy: []pawl.ID{min(id, other)}},
		pawl.AddNote{ID: id, Text: "hm"},
		pawl.Complete{IDs: []pawl.ID{id}, Force: true, Tree: strings.Repeat("a", 40)},
		pawl.Complete{IDs: []pawl.ID{id}, Force: true, Unchecked: "hurry"},
		pawl.Update{ID: id, AddChecks: []pawl.Check{someChecks()[rnd.IntN(3)]}},
		pawl.Update{ID: id, AddAccept: []string{"safe"}},
		pawl.Update{ID: id, Tick: []string{"safe"}},
		pawl.AddEvidence{ID: id, Evidence: []pawl.Evidence{runAtRandom(rnd)}},
		pawl.Undo{},
	}[rnd.IntN(14)]
	s, _ := Open("sim", withFS(d.process()), WithClock(func() time.Time { return noon }))
	_, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: op})
	return fmt.Sprintf("ours: %T %+v: %v", op, op, err)
}

// TestGlance: what a record alone says to a query is what the task says.
func TestGlance(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	pick := func(s ...string) string { return s[rnd.IntN(len(s))] }
	answered := 0
	for range 50_000 {
		e := &entry{
			id: 1, status: statuses[rnd.IntN(3)], owner: pick("", "", "ada", "bob"), priority: pawl.Priority(rnd.IntN(3) - 1),
			open: rnd.IntN(2), parent: pawl.ID(rnd.IntN(2)), ref: pick("", "x"), subject: pick("a", "b"), createdAt: millis(noon),
		}
		if e.open > 0 {
			e.children = []pawl.ID{3}
		}
		if rnd.IntN(2) == 0 {
			e.blockedBy, e.blockers = []pawl.ID{2}, []pawl.ID{2}
		}
		if rnd.IntN(4) == 0 {
			e.hold = &pawl.Hold{Reason: "why"}
		}
		if rnd.IntN(6) == 0 {
			e.damage = "broken"
		}
		if rnd.IntN(2) == 0 {
			e.times = times{millis(noon), int64(rnd.IntN(2)), millis(noon) + int64(rnd.IntN(3)-1)}
		}
		if rnd.IntN(4) == 0 {
			e.labels, e.blocks, e.said.blocks, e.expired = []string{"x", "yz"}, []pawl.ID{7, 300}, []pawl.ID{300}, rnd.IntN(2)
		}
		if rnd.IntN(4) == 0 {
			e.createdAt, e.image = 0, position{segment: 3, offset: 1 << 20}
		}
		if e.status == pawl.InProgress && rnd.IntN(2) == 0 {
			e.claim = pawl.Claim{Token: 1, Session: pick("s1", "s2")}
			if rnd.IntN(2) == 0 {
				e.claim.Lease, e.claim.Until = pawl.Duration(time.Minute), noon.Add(time.Duration(rnd.IntN(3)-1)*time.Minute)
			}
		}
		q := pawl.Query{
			Ready: rnd.IntN(3) == 0, For: pick("", "ada"), Blocked: rnd.IntN(5) == 0, Held: rnd.IntN(5) == 0,
			Owner: pick("", "", "ada"), Owned: rnd.IntN(4) == 0, Session: pick("", "", "", "s1"), Text: pick("", "", "", "a"), Parent: pawl.ID(rnd.IntN(2)),
		}
		if rnd.IntN(3) == 0 {
			q.Status = []pawl.Status{statuses[rnd.IntN(3)]}
		}
		if rnd.IntN(4) == 0 {
			q.Priority = ptr(pawl.Priority(rnd.IntN(3) - 1))
		}
		if rnd.IntN(5) == 0 {
			q.LeaseBefore = noon
		}
		if rnd.IntN(5) == 0 {
			q.Refs = []string{"x"}
		}
		if rnd.IntN(5) == 0 {
			q.QuietBefore = noon.Add(time.Duration(rnd.IntN(3)-1) * time.Minute)
		}
		if rnd.IntN(5) == 0 {
			q.IDs = []pawl.ID{pawl.ID(rnd.IntN(3))}
		}
		blob := appendBlob(nil, e)
		rec := record(appendRecord(nil, e, 0, len(blob)))
		task := unpack(rec, blob).light()
		if got := completed(blob); got != e.times.completed {
			t.Fatalf("completed at %d, read alone %d\n%+v", e.times.completed, got, e)
		}
		match := q.Match(&task, noon)
		switch got := glance(&q, rec); {
		case got == unsure:
			continue
		case (got == yes) != match:
			t.Fatalf("a glance says %v and the task %v\nquery %+v\ntask %+v", got == yes, match, q, task)
		}
		answered++
	}
	if answered < 10_000 {
		t.Errorf("only %d queries were answered by a glance", answered)
	}
}
