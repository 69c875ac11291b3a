package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// What a Reader returns. Queries are compared with [pawl.Query.Match] over
// every task, pages with one page that holds them all.
func readChecks() []check {
	checks := []check{
		{name: "reader Get returns tasks in the order asked for", run: func(w *world) {
			workload(w)
			w.view(func(r pawl.Reader) {
				for _, ids := range [][]pawl.ID{{}, {3}, {5, 1, 3}, {1, 1}, {4, 3, 4}} {
					tasks, err := r.Get(ids...)
					if err != nil {
						w.Fatalf("Get(%v): %v", ids, err)
					}
					same(w, fmt.Sprint("Get", ids), w.want.tasks.pick(ids), tasks)
				}
			})
		}},
		{name: "reader Get names all that are missing", run: func(w *world) {
			workload(w)
			w.view(func(r pawl.Reader) {
				tasks, err := r.Get(99, 1, 2, 77)
				wantKind(w, pawl.NotFound, err)
				if tasks != nil {
					w.Errorf("%d tasks with an error", len(tasks))
				}
				if e, ok := errors.AsType[*pawl.Error](err); ok {
					slices.Sort(e.IDs)
					same(w, "missing", []pawl.ID{2, 77, 99}, e.IDs)
				}
				for _, id := range []pawl.ID{0, -1, pawl.MaxID} {
					_, err := r.Get(id)
					wantKind(w, pawl.NotFound, err)
				}
			})
		}},
		{name: "reader Nodes returns the shape of tasks", run: func(w *world) {
			workload(w)
			w.view(func(r pawl.Reader) {
				ids := []pawl.ID{5, 2, 1, 1, 3, 99, 4}
				nodes, err := r.Nodes(ids...)
				if err != nil {
					w.Fatalf("Nodes: %v", err)
				}
				same(w, "nodes", w.want.tasks.nodes(ids), nodes)
				none, err := r.Nodes()
				if len(none) != 0 || err != nil {
					w.Errorf("Nodes(): %v, %v", none, err)
				}
			})
		}},
		{name: "reader derived fields follow from edges, parents and status", run: func(w *world) {
			w.commit(func(d draft) {
				for id := range pawl.ID(6) {
					d.add(pawl.Task{ID: id + 1})
				}
				d[1].Blocks = []pawl.ID{4, 2} // in no order
				d[3].Blocks = []pawl.ID{2}
				d[5].Parent, d[6].Parent = 2, 2
			})
			w.commit(func(d draft) { d[3].Status = pawl.Completed })
			w.commit(func(d draft) { d[5].Status = pawl.Completed })
			w.commit(func(d draft) { d[1].Blocks = []pawl.ID{4} })
			w.commit(func(d draft) { d[6].Parent = 1 })
			w.commit(func(d draft) { d[3].Status, d[5].Status = pawl.Pending, pawl.InProgress })
			w.commit(func(d draft) { d.remove(3); d.remove(6) })
			w.reopen()
			w.agree()
		}},
		{name: "reader Select counts what was cut off", run: func(w *world) {
			large(w, pawl.MaxPage+5)
			w.view(func(r pawl.Reader) {
				for limit, want := range map[int]int{0: pawl.MaxPage, pawl.MaxPage + 1: pawl.MaxPage, -1: pawl.MaxPage, 7: 7} {
					page, err := r.Select(pawl.Query{Limit: limit})
					if err != nil || len(page.Tasks) != want || page.Total != pawl.MaxPage+5 || page.Next == nil {
						w.Errorf("limit %d: %d of %d tasks, next %v, %v", limit, len(page.Tasks), page.Total, page.Next, err)
					}
				}
			})
		}},
		{name: "reader pages follow one another by key", run: pagesByKey},
		{name: "reader pages keep their place while the board moves", run: pagesWhileMoving},
		{name: "reader a page says whether the board moved", run: func(w *world) {
			workload(w)
			next := func(cursor *pawl.Cursor) pawl.Page {
				var page pawl.Page
				w.view(func(r pawl.Reader) {
					var err error
					if page, err = r.Select(pawl.Query{Limit: 1, After: cursor}); err != nil {
						w.Fatalf("Select: %v", err)
					}
				})
				return page
			}
			first := next(nil)
			second := next(first.Next)
			w.commit(func(d draft) { d[1].Description = "moved" })
			third := next(second.Next)
			fourth := next(third.Next)
			same(w, "moved", []bool{false, false, true, true}, []bool{first.Moved, second.Moved, third.Moved, fourth.Moved})
			if fourth.Next != nil || fourth.Revision != w.want.revision {
				w.Errorf("last page: %+v", fourth)
			}
		}},
		{name: "reader Reach walks edges and parents, by id", run: reach},
		{name: "reader Reach follows a long chain", run: func(w *world) {
			const n = 1_000
			w.commit(func(d draft) {
				for id := range pawl.ID(n) {
					d.add(pawl.Task{ID: n - id})
				}
				for id := range pawl.ID(n - 1) {
					d[n-id].Blocks = []pawl.ID{n - id - 1} // against the numbers
				}
			})
			w.view(func(r pawl.Reader) {
				for dir, from := range map[pawl.Direction]pawl.ID{pawl.Dependents: n, pawl.Dependencies: 1} {
					nodes, err := r.Reach(dir, from)
					if err != nil || len(nodes) != n {
						w.Errorf("Reach(%v, %v): %d nodes, %v", dir, from, len(nodes), err)
					}
				}
			})
		}},
	}
	for _, q := range queries() {
		checks = append(checks, check{name: "reader Select " + q.name, run: func(w *world) { selects(w, q.query) }})
	}
	for _, v := range values() {
		checks = append(checks, check{name: "value " + v.name, run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1}); d.add(pawl.Task{ID: 2}) })
			w.commit(func(d draft) { v.set(d[1]) })
			w.commit(func(d draft) { d.add(pawl.Task{ID: 3}); v.set(d[3]) })
			w.commit(func(d draft) { d[1].UpdatedAt = w.clock.stored(); d.block(1, 2) })
			w.reopen()
			w.agree()
		}})
	}
	return checks
}

func (d draft) pick(ids []pawl.ID) []pawl.Task {
	tasks := []pawl.Task{}
	for _, id := range ids {
		tasks = append(tasks, d[id].Clone())
	}
	return tasks
}

func (d draft) nodes(ids []pawl.ID) []pawl.Node {
	nodes := []pawl.Node{}
	for _, id := range ids {
		if t := d[id]; t != nil {
			nodes = append(nodes, t.Node())
		} else {
			nodes = append(nodes, pawl.Node{ID: id, Missing: true})
		}
	}
	return nodes
}

// large makes a board of n tasks in commits of a size that Board makes too.
func large(w *world, n int) {
	w.Helper()
	w.commit(func(d draft) {
		for id := range pawl.ID(n) {
			d.add(pawl.Task{ID: id + 1})
		}
	})
}

// queries are the questions that every store answers alike.
func queries() []struct {
	name  string
	query func(w *world) pawl.Query
} {
	type q = pawl.Query
	high, low := pawl.High, pawl.Low
	fixed := func(query q) func(*world) q { return func(*world) q { return query } }
	at := func(d time.Duration) func(*world) q {
		return func(w *world) q { return q{LeaseBefore: w.clock.stored().Add(d)} }
	}
	return []struct {
		name  string
		query func(w *world) q
	}{
		{"everything", fixed(q{})},
		{"pending", fixed(q{Status: []pawl.Status{pawl.Pending}})},
		{"two states", fixed(q{Status: []pawl.Status{pawl.Completed, pawl.InProgress}})},
		{"ready", fixed(q{Ready: true})},
		{"ready for ada", fixed(q{Ready: true, For: "ada"})},
		{"ready for somebody unknown", fixed(q{Ready: true, For: "zoe"})},
		{"blocked", fixed(q{Blocked: true})},
		{"held", fixed(q{Held: true})},
		{"of an owner", fixed(q{Owner: "ada"})},
		{"of an owner in another case", fixed(q{Owner: "ADA"})},
		{"of a session", fixed(q{Session: "s2"})},
		{"with a label", fixed(q{Labels: []string{"backend"}})},
		{"with two labels", fixed(q{Labels: []string{"backend", "50%"}})},
		{"with part of a label", fixed(q{Labels: []string{"back"}})},
		{"children", fixed(q{Parent: 2})},
		{"of high priority", fixed(q{Priority: &high})},
		{"of low priority", fixed(q{Priority: &low})},
		{"text in the subject", fixed(q{Text: "pArSe"})},
		{"text in the description", fixed(q{Text: "second line"})},
		{"text in other letters", fixed(q{Text: "ÄRGER"})},
		{"text with a percent sign", fixed(q{Text: "50%"})},
		{"text with an underscore", fixed(q{Text: "a_b"})},
		{"text with a backslash", fixed(q{Text: `\`})},
		{"text with a quote", fixed(q{Text: `'`})},
		{"text with a bracket", fixed(q{Text: `[`})},
		{"a ref", fixed(q{Refs: []string{"bv-1"}})},
		{"several refs", fixed(q{Refs: []string{"bv-1", "bv-3", "none"}})},
		{"leases that ended", at(0)},
		{"leases that will have ended", at(20 * time.Minute)},
		{"leases that ended long ago", at(-24 * time.Hour)},
		{"several things at once", fixed(q{Status: []pawl.Status{pawl.Pending}, Ready: true, Labels: []string{"backend"}, Text: "parse"})},
		{"nothing", fixed(q{Text: "nobody wrote this"})},
	}
}

// crowd is a board with something for every query.
func crowd(w *world) {
	w.Helper()
	now := w.clock.stored()
	lease := func(session string, d time.Duration) pawl.Claim {
		return pawl.Claim{Session: session, Token: 1, Lease: 15 * time.Minute, Until: now.Add(d)}
	}
	w.commit(func(d draft) {
		d.add(pawl.Task{ID: 1, Subject: "Parse the input", Priority: pawl.High, Labels: []string{"backend"}})
		d.add(pawl.Task{ID: 2, Subject: "Refactoring", Description: "first line\nSecond LINE"})
		d.add(pawl.Task{ID: 3, Subject: "transform", Parent: 2, Priority: pawl.Low, Labels: []string{"backend", "50%"}})
		d.add(pawl.Task{ID: 4, Subject: "emit 50% of it", Parent: 2})
		d.add(pawl.Task{ID: 5, Subject: "großer Ärger", Status: pawl.Completed, Owner: "ada", Labels: []string{"50%"}})
		d.add(pawl.Task{ID: 6, Subject: "a_b", Status: pawl.InProgress, Owner: "ada", Claim: lease("s1", time.Minute)})
		d.add(pawl.Task{ID: 7, Subject: "axb", Status: pawl.InProgress, Owner: "bob", Claim: lease("s2", -time.Second)})
		d.add(pawl.Task{ID: 8, Subject: `C:\dir`, Status: pawl.InProgress, Owner: "bob", Claim: lease("s2", 0), Priority: pawl.High})
		d.add(pawl.Task{ID: 9, Subject: "500 of it's parts [draft]", Owner: "ada", Labels: []string{"backend"}})
		d.add(pawl.Task{ID: 10, Subject: "held", Hold: &pawl.Hold{Reason: "why", By: "ada", At: now}})
		d.add(pawl.Task{ID: 11, Subject: "third time", Status: pawl.InProgress, Owner: "bob", Expired: pawl.MaxExpired - 1, Claim: lease("s3", -time.Hour)})
		d.add(pawl.Task{ID: 12, Subject: "a person's", Status: pawl.InProgress, Owner: "eve", Claim: pawl.Claim{Session: "tty", Token: 1}})
		d.add(pawl.Task{ID: 13, Subject: "by hand", Status: pawl.InProgress, Owner: "eve"})
		for id, ref := range map[pawl.ID]string{1: `"bv-1"`, 4: `"bv-3"`, 5: `17`} {
			d[id].Metadata = map[string]json.RawMessage{pawl.RefKey: json.RawMessage(ref)}
		}
		d.block(1, 3)
		d.block(3, 4)
		d.block(5, 9)
		d.block(7, 10)
	})
}

func selects(w *world, query func(*world) pawl.Query) {
	crowd(w)
	// At this time one lease has ended, one ends, one runs; an hour later, all have ended.
	for range 2 {
		q := query(w)
		for _, order := range []pawl.Order{pawl.ByID, pawl.ByUrgency} {
			q.Order = order
			var want []pawl.Task
			for _, t := range w.want.tasks.list() {
				if q.Match(&t, w.clock.stored()) {
					want = append(want, t)
				}
			}
			slices.SortFunc(want, func(a, b pawl.Task) int { return order.Compare(a.Rank(), b.Rank()) })
			w.view(func(r pawl.Reader) {
				page, err := r.Select(q)
				if err != nil {
					w.Fatalf("Select(%+v): %v", q, err)
				}
				same(w, fmt.Sprintf("Select(%+v)", q), pawl.Page{Tasks: want, Total: len(want), Revision: w.want.revision}, page)
			})
		}
		w.clock.Advance(time.Hour)
	}
}

func pagesByKey(w *world) {
	crowd(w)
	for _, order := range []pawl.Order{pawl.ByID, pawl.ByUrgency} {
		for _, q := range []pawl.Query{{}, {Ready: true}, {Status: []pawl.Status{pawl.InProgress}}} {
			q.Order = order
			w.view(func(r pawl.Reader) {
				all, err := r.Select(q)
				if err != nil || all.Next != nil {
					w.Fatalf("Select: next %v, %v", all.Next, err)
				}
				for limit := 1; limit <= len(all.Tasks)+1; limit++ {
					q.Limit, q.After = limit, nil
					var got []pawl.Task
					for pages := 1; ; pages++ {
						page, err := r.Select(q)
						if err != nil || page.Total != all.Total || page.Moved || len(page.Tasks) > limit {
							w.Fatalf("page %d of %d: %d of %d tasks, moved %v, %v", pages, limit, len(page.Tasks), page.Total, page.Moved, err)
						}
						got = append(got, page.Tasks...)
						if page.Next == nil {
							if want := max(1, (len(all.Tasks)+limit-1)/limit); pages != want {
								w.Errorf("%d pages of %d, want %d", pages, limit, want)
							}
							break
						}
						q.After = page.Next
					}
					same(w, fmt.Sprint("all pages of ", limit), all.Tasks, got)
				}
			})
		}
	}
}

// pagesWhileMoving changes the board between pages. What did not move comes
// exactly once; what appears behind the cursor is seen, before it is not.
func pagesWhileMoving(w *world) {
	w.commit(func(d draft) {
		for id := range pawl.ID(9) {
			d.add(pawl.Task{ID: 10 * (id + 1)})
		}
	})
	var seen []pawl.ID
	page := pawl.Page{Next: nil}
	read := func() {
		w.Helper()
		w.view(func(r pawl.Reader) {
			w.Helper()
			var err error
			if page, err = r.Select(pawl.Query{Limit: 3, After: page.Next}); err != nil {
				w.Fatalf("Select: %v", err)
			}
		})
		for _, t := range page.Tasks {
			seen = append(seen, t.ID)
		}
	}
	read() // 10 20 30
	w.commit(func(d draft) {
		d.remove(30) // where the cursor stands
		d.remove(50)
		d.add(pawl.Task{ID: 25})
		d.add(pawl.Task{ID: 35})
	})
	read() // 35 40 60
	w.commit(func(d draft) { d.remove(10) })
	read()
	same(w, "seen", []pawl.ID{10, 20, 30, 35, 40, 60, 70, 80, 90}, seen)
	if page.Next != nil || page.Total != 8 || !page.Moved {
		w.Errorf("last page: next %v, total %d, moved %v", page.Next, page.Total, page.Moved)
	}
}

func reach(w *world) {
	w.commit(func(d draft) {
		for id := range pawl.ID(9) {
			d.add(pawl.Task{ID: id + 1})
		}
		d.block(9, 2) // 9 → 2 → 4 → 6, 9 → 3 → 4, and 5 is a child of 4, 7 of 5
		d.block(9, 3)
		d.block(2, 4)
		d.block(3, 4)
		d.block(4, 6)
		d[5].Parent, d[7].Parent = 4, 5
		d[2].Status = pawl.Completed
	})
	for _, tt := range []struct {
		dir  pawl.Direction
		from []pawl.ID
		want []pawl.ID
	}{
		{pawl.Dependents, []pawl.ID{9}, []pawl.ID{2, 3, 4, 6, 9}},
		{pawl.Dependents, []pawl.ID{7}, []pawl.ID{4, 5, 6, 7}},
		{pawl.Dependents, []pawl.ID{1}, []pawl.ID{1}},
		{pawl.Dependents, []pawl.ID{6, 1, 6}, []pawl.ID{1, 6}},
		{pawl.Dependencies, []pawl.ID{6}, []pawl.ID{2, 3, 4, 5, 6, 7, 9}},
		{pawl.Dependencies, []pawl.ID{5}, []pawl.ID{5, 7}},
		{pawl.Dependencies, []pawl.ID{2, 8}, []pawl.ID{2, 8, 9}},
		{pawl.Dependencies, []pawl.ID{77, 2}, []pawl.ID{2, 9, 77}},
		{pawl.Dependents, nil, nil},
	} {
		w.view(func(r pawl.Reader) {
			nodes, err := r.Reach(tt.dir, tt.from...)
			if err != nil {
				w.Fatalf("Reach(%v, %v): %v", tt.dir, tt.from, err)
			}
			same(w, fmt.Sprintf("Reach(%v, %v)", tt.dir, tt.from), w.want.tasks.nodes(tt.want), nodes)
		})
	}
}

// values are what a store has to carry without a scratch. JSON is compact, the
// form in which it is compared.
func values() []struct {
	name string
	set  func(t *pawl.Task)
} {
	texts := func(s string) func(*pawl.Task) {
		return func(t *pawl.Task) {
			t.Subject, t.Description, t.ActiveForm, t.Owner = "S"+s, s, s, "O"+s
			t.Labels, t.Notes = []string{"L" + s}, []pawl.Note{{Text: s, By: s}}
			t.Hold = &pawl.Hold{Reason: "H" + s, By: s}
		}
	}
	raw := func(value string) func(*pawl.Task) {
		return func(t *pawl.Task) {
			t.Metadata = map[string]json.RawMessage{"key": json.RawMessage(value)}
			t.Extra = map[string]json.RawMessage{"theirs": json.RawMessage(value)}
		}
	}
	return []struct {
		name string
		set  func(t *pawl.Task)
	}{
		{"plain text", texts("plain")},
		{"text with quotes and backslashes", texts(`"'` + "`" + `\ \\ \n \u0041 ${x} $1 %s %%`)},
		{"text with line ends and tabs", texts("a\nb\r\nc\rd\te\n")},
		{"text with spaces around", texts("  a  ")},
		{"text in many scripts", texts("ä é ß 漢字 кириллица עברית 🙂👩‍👩‍👧 e\u0301")},
		{"text like markup", texts("<b>&amp;</b> <!-- --> ]]> </script>")},
		{"text with line separators", texts("a\u2028b\u2029c\u0085d\ufeff")},
		{"text with control characters", texts("\x01\x1b[31m\x7f\u009b")},
		{"text with the replacement character", texts("\ufffd")},
		{"text like JSON", texts(`{"a":[1,null]}`)},
		{"a long description", func(t *pawl.Task) { t.Description = strings.Repeat("0123456789abcde\n", pawl.MaxDescription/16) }},
		{"many labels", func(t *pawl.Task) {
			for i := range pawl.MaxLabels {
				t.Labels = append(t.Labels, fmt.Sprint("label ", i))
			}
		}},
		{"many notes", func(t *pawl.Task) {
			for i := range 100 {
				t.Notes = append(t.Notes, pawl.Note{By: "ada", Text: fmt.Sprint("note ", i)})
			}
		}},
		{"JSON that is null", raw(`null`)},
		{"JSON that is empty", raw(`{}`)},
		{"JSON numbers as they were spelt", raw(`[1.50,1e3,-0,1E+2,0.1,123456789012345678901234567890]`)},
		{"JSON strings as they were escaped", raw(`["\u00e9","é","\/","/","\u2028","<&>","\ud83d\ude42"]`)},
		{"JSON keys in their order", raw(`{"z":1,"a":{"y":2,"b":3},"":4}`)},
		{"JSON with one key twice", raw(`{"a":1,"a":2}`)},
		{"JSON that is deep", raw(strings.Repeat("[", 30) + strings.Repeat("]", 30))},
		{"keys of all sorts", func(t *pawl.Task) {
			t.Metadata = map[string]json.RawMessage{"": json.RawMessage(`1`), "ä \"\n": json.RawMessage(`2`), "<": json.RawMessage(`3`), "id": json.RawMessage(`4`)}
			t.Extra = map[string]json.RawMessage{"": json.RawMessage(`1`), "ä \"\n": json.RawMessage(`2`), "<": json.RawMessage(`3`), "Subject": json.RawMessage(`4`)}
		}},
		{"times to the millisecond", func(t *pawl.Task) {
			at := time.Date(1999, 12, 31, 23, 59, 59, 999_000_000, time.UTC)
			t.CreatedAt, t.UpdatedAt, t.StartedAt, t.CompletedAt = at, at.Add(time.Millisecond), at.AddDate(50, 0, 0), time.Unix(0, 1_000_000).UTC()
			t.Notes = []pawl.Note{{At: at}}
		}},
		{"a claim with a lease", func(t *pawl.Task) {
			t.Status, t.Owner = pawl.InProgress, "ada"
			t.Claim = pawl.Claim{Session: "s/1 ü", Agent: "a", Token: 1, Lease: 90*time.Second + time.Millisecond, Until: time.Date(2026, 3, 1, 1, 2, 3, 4_000_000, time.UTC)}
		}},
		{"a person's claim", func(t *pawl.Task) {
			t.Status, t.Owner, t.Claim = pawl.InProgress, "eve", pawl.Claim{Session: "tty", Token: 1}
		}},
		{"leases that ran out", func(t *pawl.Task) { t.Expired = 2 }},
		{"a hold without words", func(t *pawl.Task) { t.Hold = &pawl.Hold{} }},
		{"nothing but a subject", func(t *pawl.Task) { *t = pawl.Task{ID: t.ID, Subject: "s", Status: pawl.Pending} }},
		{"everything", func(t *pawl.Task) { next := full(t.ID); next.Blocks = t.Blocks; *t = next }},
	}
}
