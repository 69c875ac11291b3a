package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// queries are the questions that every store answers alike, at this time.
func queries(now time.Time) []struct {
	name  string
	query pawl.Query
} {
	type q = pawl.Query
	high, low, at := pawl.High, pawl.Low, now.Add(-time.Minute)
	return []struct {
		name  string
		query q
	}{
		{"everything", q{}},
		{"pending", q{Status: []pawl.Status{pawl.Pending}}},
		{"two states", q{Status: []pawl.Status{pawl.Completed, pawl.InProgress}}},
		{"ready", q{Ready: true}},
		{"ready for ada", q{Ready: true, For: "ada"}},
		{"ready and assigned", q{Ready: true, For: "ada", Owner: "ada"}},
		{"ready and assigned to somebody else", q{Ready: true, For: "ada", Owner: "bob"}},
		{"ready and assigned, for nobody", q{Ready: true, Owner: "ada"}},
		{"ready for somebody unknown", q{Ready: true, For: "zoe"}},
		{"blocked", q{Blocked: true}},
		{"held", q{Held: true}},
		{"damaged", q{Damaged: true}},
		{"not shown to be done", q{Unshown: true}},
		{"not shown to be done, of a status", q{Unshown: true, Status: []pawl.Status{pawl.Pending, pawl.InProgress}}},
		{"not shown to be done, with a label", q{Unshown: true, Labels: []string{"backend"}}},
		{"not shown to be done, with a text", q{Unshown: true, Text: "done"}},
		{"of an owner", q{Owner: "ada"}},
		{"of an owner in another case", q{Owner: "ADA"}},
		{"of a name in its session", q{Mine: pawl.Actor{Name: "ada", Session: "s1"}}},
		{"of a name in another session", q{Mine: pawl.Actor{Name: "ada", Session: "s2"}}},
		{"of a name without a session", q{Mine: pawl.Actor{Name: "eve"}}},
		{"of a name that works in one session of two", q{Mine: pawl.Actor{Name: "bob", Session: "s2"}, Status: []pawl.Status{pawl.InProgress}}},
		{"of any owner", q{Owned: true}},
		{"pending with an owner", q{Owned: true, Status: []pawl.Status{pawl.Pending}}},
		{"some ids", q{IDs: []pawl.ID{2, 5, 7, 99}}},
		{"ids that are not there", q{IDs: []pawl.ID{98, 99}}},
		{"ids and more", q{IDs: []pawl.ID{1, 3, 4, 7, 9}, Labels: []string{"backend"}, Text: "r"}},
		{"quiet for ten minutes", q{QuietBefore: now.Add(-10 * time.Minute)}},
		{"quiet for an hour", q{QuietBefore: now.Add(-time.Hour)}},
		{"quiet and open", q{QuietBefore: now.Add(-10 * time.Minute), Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Text: "a"}},
		{"without what was done long ago", q{DoneSince: at}},
		{"done long ago", q{DoneBefore: at}},
		{"completed, without what was done long ago", q{DoneSince: at, Status: []pawl.Status{pawl.Completed}}},
		{"done between two times", q{DoneSince: at.Add(-time.Hour), DoneBefore: at}},
		{"of an owner, done long ago", q{DoneBefore: at.Add(time.Hour), Owner: "ada"}},
		{"damaged, without what was done long ago", q{DoneSince: at.Add(time.Hour), Damaged: true}},
		{"of a session", q{Session: "s2"}},
		{"with a label", q{Labels: []string{"backend"}}},
		{"with two labels", q{Labels: []string{"backend", "50%"}}},
		{"with part of a label", q{Labels: []string{"back"}}},
		{"children", q{Parent: 2}},
		{"of high priority", q{Priority: &high}},
		{"of low priority", q{Priority: &low}},
		{"text in the subject", q{Text: "pArSe"}},
		{"text in the description", q{Text: "second line"}},
		{"text in other letters", q{Text: "ÄRGER"}},
		{"text in a note of a completed task", q{Text: "use a scanner"}},
		{"text across two notes", q{Text: "scannertwice"}},
		{"text with a percent sign", q{Text: "50%"}},
		{"text with an underscore", q{Text: "a_b"}},
		{"text with a backslash", q{Text: `\`}},
		{"text with a quote", q{Text: `'`}},
		{"text with a bracket", q{Text: `[`}},
		{"a ref", q{Refs: []string{"bv-1"}}},
		{"several refs", q{Refs: []string{"bv-1", "bv-3", "none"}}},
		{"leases that ended", q{LeaseBefore: now}},
		{"leases that will have ended", q{LeaseBefore: now.Add(20 * time.Minute)}},
		{"leases that ended long ago", q{LeaseBefore: now.Add(-24 * time.Hour)}},
		{"several things at once", q{Status: []pawl.Status{pawl.Pending}, Ready: true, Labels: []string{"backend"}, Text: "parse"}},
		{"nothing", q{Text: "nobody wrote this"}},
		{"with numbers from before", q{Was: pawl.AnyNumber}},
	}
}

// crowd is a board with something for every query.
func crowd(w *world) {
	w.Helper()
	now := w.clock.stored()
	lease := func(session string, d time.Duration) pawl.Claim {
		return pawl.Claim{Session: session, Token: 1, Lease: pawl.Duration(15 * time.Minute), Until: now.Add(d)}
	}
	w.commit(func(d draft) {
		d.add(pawl.Task{ID: 1, Subject: "Parse the input", Priority: pawl.High, Labels: []string{"backend"}})
		d.add(pawl.Task{ID: 2, Subject: "Refactoring", Was: []pawl.ID{20}, Description: "first line\nSecond LINE"})
		d.add(pawl.Task{ID: 3, Subject: "transform", Parent: 2, Priority: pawl.Low, Labels: []string{"backend", "50%"}})
		d.add(pawl.Task{ID: 4, Subject: "emit 50% of it", Parent: 2})
		d.add(pawl.Task{ID: 5, Subject: "großer Ärger", Status: pawl.Completed, Owner: "ada", Labels: []string{"50%"}, Notes: []pawl.Note{{Text: "Use a SCANNER"}, {Text: "twice"}}})
		d.add(pawl.Task{ID: 6, Subject: "a_b", Status: pawl.InProgress, Owner: "ada", Claim: lease("s1", time.Minute)})
		d.add(pawl.Task{ID: 7, Subject: "axb", Status: pawl.InProgress, Owner: "bob", Claim: lease("s2", -time.Second)})
		d.add(pawl.Task{ID: 8, Subject: `C:\dir`, Status: pawl.InProgress, Owner: "bob", Claim: lease("s2", 0), Priority: pawl.High})
		d.add(pawl.Task{ID: 9, Subject: "500 of it's parts [draft]", Owner: "ada", Labels: []string{"backend"}})
		d.add(pawl.Task{ID: 10, Subject: "held", Hold: &pawl.Hold{Reason: "why", By: "ada", At: now}})
		d.add(pawl.Task{ID: 11, Subject: "third time", Status: pawl.InProgress, Owner: "bob", Expired: pawl.MaxExpired - 1, Claim: lease("s3", -time.Hour)})
		d.add(pawl.Task{ID: 12, Subject: "a person's", Status: pawl.InProgress, Owner: "eve", Claim: pawl.Claim{Session: "tty", Token: 1}})
		apart := lease("s1", time.Minute)
		apart.Clone = "mac-mini-3f2a9c1d"
		d.add(pawl.Task{ID: 20, Subject: "elsewhere", Status: pawl.InProgress, Owner: "ada", Claim: apart})
		d.add(pawl.Task{ID: 13, Subject: "by hand", Status: pawl.InProgress, Owner: "eve"})
		for id, age := range map[pawl.ID]time.Duration{1: 0, 3: 10 * time.Minute, 4: 10*time.Minute + time.Millisecond, 5: time.Hour, 8: 2 * time.Hour, 9: 30 * time.Minute} {
			d[id].UpdatedAt = now.Add(-age)
		}
		d[2].CreatedAt, d[12].StartedAt = now.Add(-5*time.Minute), now.Add(-3*time.Hour)
		for id, ref := range map[pawl.ID]string{1: `"bv-1"`, 4: `"bv-3"`, 5: `17`} {
			d[id].Metadata = map[string]json.RawMessage{pawl.RefKey: json.RawMessage(ref)}
		}
		for id, age := range map[pawl.ID]time.Duration{14: time.Minute, 15: 0, 16: time.Hour, 17: time.Minute} {
			d.add(pawl.Task{ID: id, Subject: "done", Status: pawl.Completed, CompletedAt: now.Add(-age)})
		}
		unit, soft := unitCheck, unitCheck
		soft.Optional = true
		failed, passed := []pawl.Evidence{ranCheck(unit, now, false)}, []pawl.Evidence{ranCheck(unit, now, true)}
		ticked, open := []pawl.Criterion{{Text: "it is so", At: now}}, []pawl.Criterion{{Text: "it is so"}}
		for id, t := range map[pawl.ID]pawl.Task{
			21: {Checks: []pawl.Check{unit}, Labels: []string{"backend"}},
			22: {Checks: []pawl.Check{unit}, Evidence: failed, CompletedAt: now},
			23: {Checks: []pawl.Check{unit}, Evidence: passed, Accept: ticked, CompletedAt: now, Labels: []string{"backend"}},
			24: {Accept: open, CompletedAt: now.Add(-time.Hour), Owner: "ada"},
			25: {Evidence: failed, CompletedAt: now.Add(-time.Hour)},
			26: {Checks: []pawl.Check{soft}, Evidence: failed, CompletedAt: now},
			27: {Checks: []pawl.Check{unit}, Status: pawl.Pending},
			28: {Checks: []pawl.Check{unit}, Evidence: failed, Status: pawl.InProgress, Owner: "eve"},
		} {
			if t.ID, t.Subject = id, fmt.Sprint("done ", id); t.Status == "" {
				t.Status = pawl.Completed
			}
			d.add(t)
		}
		d[4].CompletedAt = now // another program's file may say so of a task that is open
		d.block(1, 3)
		d.block(3, 4)
		d.block(5, 9)
		d.block(7, 10)
	})
}

// selects asks the nth query.
func selects(w *world, n int) {
	crowd(w)
	// At this time one lease has ended, one ends, one runs; an hour later, all have ended.
	for range 2 {
		q := queries(w.clock.stored())[n].query
		for _, order := range []pawl.Order{pawl.ByID, pawl.ByUrgency, pawl.ByCompletion} {
			q.Order = order
			var want []pawl.Task
			for _, t := range w.want.tasks.list() {
				if q.Match(&t, w.clock.stored()) {
					want = append(want, t)
				}
			}
			slices.SortFunc(want, func(a, b pawl.Task) int { return a.Cursor().Compare(order, b.Cursor()) })
			look := func(r pawl.Reader) {
				page, err := r.Select(q)
				if err != nil {
					w.Fatalf("Select(%+v): %v", q, err)
				}
				same(w, fmt.Sprint("the page by ", order), pawl.Page{Tasks: want, Total: len(want), Revision: w.want.revision}, page)
				q.Uncounted = true
				if page, err = r.Select(q); err != nil {
					w.Fatalf("Select(%+v): %v", q, err)
				}
				same(w, fmt.Sprint("the uncounted page by ", order), pawl.Page{Tasks: want, Revision: w.want.revision}, page)
				q.Uncounted = false
			}
			w.view(look)
			w.inUpdate(look)
		}
		w.clock.Advance(time.Hour)
	}
}
