package file

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// withMerging puts another branch's task into the file of one, as git's driver does.
func (d *disk) withMerging(t testing.TB, id pawl.ID, other string) {
	t.Helper()
	d.edit(t, id, "\n}\n", ",\n  \"merging\": ["+other+"]\n}\n")
}

const retryHooks = `{"id": 2, "subject": "Retry hooks", "description": "long", "status": "in_progress", "owner": "bob", "blockedBy": [], "createdAt": "2026-03-01T09:30:00Z"}`

// chosen returns the tasks that a query chooses, as a new process sees them, in full
// and in brief.
func chosen(t testing.TB, d *disk, q pawl.Query) (full, brief []pawl.Task) {
	t.Helper()
	d.now += 1e9
	must.Do(t, simStore(t, d.process()).View(context.Background(), func(r pawl.Reader) error {
		page, err := r.Select(q)
		full = page.Tasks
		q.Brief = true
		if err == nil {
			page, err = r.Select(q)
			brief = page.Tasks
		}
		return err
	}))
	return full, brief
}

// refused carries out an op that must fail because boards are not merged, and
// changes nothing.
func refused(t testing.TB, d *disk, op pawl.Op) {
	t.Helper()
	d.now += 1e9
	was := d.text(taskName(2))
	_, err := pawl.NewBoard(simStore(t, d.process())).Do(context.Background(), pawl.Request{By: by, Op: op})
	e, _ := errors.AsType[*pawl.Error](err)
	if e == nil || e.Kind != pawl.Conflict || e.Hint.Step != pawl.HintMerge || !strings.Contains(e.Message, "#2 cannot be changed before the boards are merged: ") || d.text(taskName(2)) != was {
		t.Errorf("%T: %v (%+v)\n%s", op, err, e, d.text(taskName(2)))
	}
}

// A file with another branch's task in it is its own task, and has the other beside
// it, read from the file or from the index. Nothing loses the other.
func TestMergingKey(t *testing.T) {
	d := board(t, chain("one", "two", "three"))
	d.withMerging(t, 2, retryHooks)
	for _, visit := range []func(){func() {}, func() { comeBy(t, d) }, func() { do(t, d, pawl.AddNote{ID: 2, Text: "seen"}) }} {
		visit()
		two := see(t, d)[2]
		if two.Damage != "" || two.Conflicted || two.Subject != "two" || len(two.Merging) != 1 || two.Merging[0].Subject != "Retry hooks" || two.Merging[0].Description != "long" {
			t.Fatalf("%+v", two)
		}
		full, brief := chosen(t, d, pawl.Query{Merging: true})
		if len(full) != 1 || full[0].ID != 2 || len(brief) != 1 {
			t.Fatalf("merging: %+v, %+v", full, brief)
		}
		expect(t, "in brief", brief[0].Merging, full[0].Brief().Merging)
		expect(t, "the other, in brief", brief[0].Merging[0], pawl.Task{
			ID: 2, Subject: "Retry hooks", Status: pawl.InProgress, Owner: "bob", CreatedAt: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC),
		})
	}
	if text := d.text(taskName(2)); !strings.Contains(text, retryHooks) || !strings.Contains(text, "seen") {
		t.Errorf("after a note the file is\n%s", text)
	}
	refused(t, d, pawl.Delete{IDs: []pawl.ID{2}, Force: true})
	do(t, d, pawl.Complete{IDs: []pawl.ID{1}})
	refused(t, d, pawl.Complete{IDs: []pawl.ID{2}})
	d.edit(t, 2, `"pending"`, `"completed"`)
	expect(t, "3 waits, as 2 is open on the other branch, for", see(t, d)[3].BlockedBy, []pawl.ID{2})
	d.edit(t, 2, `"in_progress"`, `"completed"`)
	expect(t, "3 waits for", see(t, d)[3].BlockedBy, []pawl.ID{})
}

// A task that a merge gave another number is found by the one that it had.
func TestWas(t *testing.T) {
	d := board(t, create("one", "two", "three"))
	d.edit(t, 3, "\n}\n", ",\n  \"was\": [2, 7]\n}\n")
	for range 2 {
		full, brief := chosen(t, d, pawl.Query{Was: 2})
		if len(full) != 1 || full[0].ID != 3 || len(brief) != 1 {
			t.Fatalf("was 2: %+v", full)
		}
		expect(t, "was", full[0].Was, []pawl.ID{2, 7})
		expect(t, "was, in brief", brief[0].Was, []pawl.ID{2, 7})
		if full, _ := chosen(t, d, pawl.Query{Was: 1}); len(full) != 0 {
			t.Errorf("was 1: %+v", full)
		}
		comeBy(t, d)
	}
}

const bothSides = `{
  "id": 2,
<<<<<<< HEAD
  "subject": "two",
  "status": "in_progress",
  "owner": "ada",
  "createdAt": "CREATED"
=======
  "subject": "Retry hooks",
  "status": "pending",
  "owner": "",
  "createdAt": "2026-03-01T09:30:00.000Z"
>>>>>>> origin/main
}
`

// conflict leaves git's conflict lines in the file of 2, which ada has claimed.
func conflict(t *testing.T) *disk {
	t.Helper()
	d := board(t, chain("one", "two", "three"), create("four"))
	do(t, d, pawl.Complete{IDs: []pawl.ID{1}}, pawl.ClaimTask{ID: 2, Lease: pawl.Duration(time.Minute)})
	created := see(t, d)[2].CreatedAt.Format("2006-01-02T15:04:05.000Z07:00")
	d.now += 1e9
	d.put(taskName(2), strings.ReplaceAll(strings.ReplaceAll(bothSides, "CREATED", created), `"ada"`, `"`+by.Name+`"`))
	return d
}

// Git's conflict lines in a file whose two sides are tasks are no damage: the file
// reads as this side, with the other beside it, and is not written.
func TestConflictLines(t *testing.T) {
	d := conflict(t)
	text := d.text(taskName(2))
	for range 2 {
		two := see(t, d)[2]
		if two.Damage != "" || !two.Conflicted || two.Subject != "two" || two.Status != pawl.InProgress || !two.Claim.Live() ||
			len(two.Merging) != 1 || two.Merging[0].Subject != "Retry hooks" {
			t.Fatalf("%+v", two)
		}
		if _, brief := chosen(t, d, pawl.Query{Merging: true}); len(brief) != 1 || !brief[0].Conflicted || len(brief[0].Merging) != 1 {
			t.Errorf("in brief: %+v", brief)
		}
		comeBy(t, d)
	}
	refused(t, d, pawl.Complete{IDs: []pawl.ID{2}, Force: true})
	refused(t, d, pawl.AddNote{ID: 2, Text: "seen"})
	refused(t, d, pawl.Delete{IDs: []pawl.ID{2}, Force: true})
	refused(t, d, pawl.Update{ID: 2, AddBlockedBy: []pawl.ID{4}})
	do(t, d, pawl.Renew{IDs: []pawl.ID{2}}) // which the file does not say
	do(t, d, pawl.Reopen{IDs: []pawl.ID{1}}, pawl.Complete{IDs: []pawl.ID{1}, Force: true}, pawl.AddNote{ID: 4, Text: "others go on"})
	d.now += 1e9
	late := simStore(t, d.process())
	late.clock = func() time.Time { return noon.Add(time.Hour) }
	if _, err := pawl.NewBoard(late).Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "bob"}, Op: pawl.AddNote{ID: 4, Text: "also when the lease has ended"}}); err != nil {
		t.Error(err)
	}
	if d.text(taskName(2)) != text {
		t.Errorf("the file has become\n%s", d.text(taskName(2)))
	}
	if got := mend(t, d, false); len(got) != 0 || d.text(taskName(2)) != text {
		t.Errorf("mended %+v\n%s", got, d.text(taskName(2)))
	}
	d.now += 1e9
	d.put(taskName(2), `{"id": 2, "subject": "resolved"}`)
	if two := see(t, d)[2]; two.Conflicted || len(two.Merging) != 0 || two.Subject != "resolved" {
		t.Errorf("resolved by hand: %+v", two)
	}
}

// What is no task on one of the two sides is damage, as before.
func TestConflictLinesTorn(t *testing.T) {
	for _, text := range []string{
		strings.Replace(bothSides, `"status": "pending"`, `"status": "pen`, 1),
		strings.Replace(bothSides, ">>>>>>> origin/main\n}\n", "", 1),
		strings.ReplaceAll(bothSides, `"id": 2`, `"id": 9`),
	} {
		d := board(t, create("one", "two"))
		d.now += 1e9
		d.put(taskName(2), text)
		if two := see(t, d)[2]; two.Damage == "" || two.Conflicted {
			t.Errorf("%s\nreads as %+v", text, two)
		}
	}
}

// Where git took a task of another number for this one, the side that fits is read.
func TestConflictLinesOtherNumber(t *testing.T) {
	d := board(t, create("one", "two"))
	d.now += 1e9
	d.put(taskName(2), "<<<<<<< HEAD\n{\"id\": 1, \"subject\": \"renamed\"}\n=======\n{\"id\": 2, \"subject\": \"here\"}\n>>>>>>> topic\n")
	if two := see(t, d)[2]; two.Subject != "here" || len(two.Merging) != 1 || two.Merging[0].Subject != "renamed" {
		t.Errorf("%+v", two)
	}
}

// A record of the index says without its blob that a task cannot be meant.
func TestMergingRecord(t *testing.T) {
	all := map[pawl.ID]*entry{
		1: {id: 1, status: pawl.Pending},
		2: {id: 2, status: pawl.Pending, was: []pawl.ID{7}},
		3: {id: 3, status: pawl.Pending, merging: []pawl.Task{{ID: 3, Subject: "a", Status: pawl.Completed}, {ID: 3, Subject: "b", Status: pawl.Pending, Owner: "bob"}}},
		4: {id: 4, status: pawl.Pending, conflicted: true},
	}
	base, _, err := parseSnapshot(appendSnapshot(1, newTable(&snapshot{}).with(all), nil, &mark{}))
	must.Do(t, err)
	for i := range base.len() {
		e := base.entry(i)
		want := all[e.id]
		expect(t, "former numbers", e.was, want.was)
		expect(t, "beside it", e.merging, want.merging)
		expect(t, "conflicted", e.conflicted, want.conflicted)
		expect(t, "was", glance(&pawl.Query{Was: 7}, base.record(i)), map[bool]answer{true: unsure, false: no}[e.id == 2])
		expect(t, "merging", glance(&pawl.Query{Merging: true}, base.record(i)), map[bool]answer{true: yes, false: no}[e.id > 2])
	}
}
