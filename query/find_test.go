package query_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// Find offers what begins so, and for a verb all of one's own that it is not
// refused for: that is tried for each task.
func TestFind(t *testing.T) {
	found := map[string]int{}
	for seed := range uint64(long.Of(30)) {
		w := randomly(t, seed)
		board := query.Local(w.board)
		who := query.Asker{By: pawl.Actor{Name: "ada"}}
		must.Do(t, errOf(w.board.Do(t.Context(), pawl.Request{By: who.By, Op: pawl.ClaimTask{}})))
		page, err := w.board.Select(t.Context(), pawl.Query{Order: pawl.ByUrgency})
		must.Do(t, err)
		for _, verb := range []struct {
			name string
			op   func(id pawl.ID) pawl.Op
		}{
			{"", nil},
			{"done", nil},
			{pawl.VerbClaim, func(id pawl.ID) pawl.Op { return pawl.ClaimTask{ID: id} }},
			{pawl.VerbComplete, func(id pawl.ID) pawl.Op { return pawl.Complete{IDs: []pawl.ID{id}} }},
			{pawl.VerbRelease, func(id pawl.ID) pawl.Op { return pawl.Release{IDs: []pawl.ID{id}} }},
			{pawl.VerbReopen, func(id pawl.ID) pawl.Op { return pawl.Reopen{IDs: []pawl.ID{id}} }},
		} {
			for _, begun := range []string{"", "1", "#1", " 12 ", "task 1", "no such task"} {
				var want []pawl.ID
				for i := range page.Tasks {
					task := &page.Tasks[i]
					fits := task.Open() || verb.name == "done"
					if verb.op != nil {
						tried, err := w.board.Try(t.Context(), pawl.Request{By: who.By, Op: verb.op(task.ID)})
						fits = err == nil && tried.Changed
						switch verb.name {
						case pawl.VerbClaim:
							fits = fits && task.Ready("ada") // neither again, nor what others were given
						case pawl.VerbComplete: // not what others have
							fits = fits && (task.Owner == "" || task.Owner == "ada")
						case pawl.VerbRelease:
							fits = fits && task.Status == pawl.InProgress && task.Owner == "ada"
						}
					}
					id := strconv.Itoa(int(task.ID))
					switch sought := strings.TrimPrefix(strings.TrimSpace(begun), "#"); {
					case !fits:
					case id == sought:
						want = slices.Insert(want, 0, task.ID)
					case strings.HasPrefix(id, sought), strings.HasPrefix(sought, "task") && strings.Contains(strings.ToLower(task.Subject), sought):
						want = append(want, task.ID)
					}
				}
				for _, limit := range []int{0, 2} {
					q := query.FindQuery{Begun: begun, Verb: verb.name, Limit: limit}
					if verb.name == "done" {
						q.Verb, q.Done = "", true
					}
					rows, err := query.Of(t.Context(), board, who, q)
					must.Do(t, err)
					var got []pawl.ID
					for _, row := range rows.Rows {
						got = append(got, row.ID)
					}
					found[verb.name] += len(got)
					first := want
					if limit > 0 {
						first = want[:min(len(want), limit)]
					}
					if diff := cmp.Diff(first, got, cmpopts.EquateEmpty()); diff != "" || rows.More != (len(first) < len(want)) {
						t.Errorf("seed %d, %+v, more %v (-want +got):\n%s", seed, q, rows.More, diff)
					}
				}
			}
		}
	}
	if len(found) != 6 {
		t.Errorf("found: %v", found)
	}
	for verb, n := range found {
		if n < 5 {
			t.Errorf("%q found only %d", verb, n)
		}
	}
}

// Each choice says how many tasks the query chooses with it.
func TestFacets(t *testing.T) {
	high := pawl.High
	counted := 0
	for seed := range uint64(long.Of(30)) {
		w := randomly(t, seed)
		board := query.Local(w.board)
		who := query.Asker{By: pawl.Actor{Name: "ada"}}
		count := func(q pawl.Query) int {
			page, err := w.board.Select(t.Context(), q)
			must.Do(t, err)
			counted += page.Total
			return page.Total
		}
		for _, q := range []pawl.Query{
			{}, {Owner: "bob"}, {Labels: []string{"core"}}, {Priority: &high, Text: "task 1"}, {Ready: true, For: "ada"}, {Blocked: true, Parent: 1},
			{Status: []pawl.Status{pawl.Pending, pawl.InProgress}},
		} {
			f, err := query.Of(t.Context(), board, who, query.FacetsQuery{Tasks: q, Texts: []string{"Task 2"}})
			must.Do(t, err)
			if len(f.Owners) == 0 || f.Owners[0].Value != "ada" {
				t.Fatalf("owners %v", f.Owners)
			}
			same := func(what string, all, with int, choose func(*pawl.Query)) {
				var whole pawl.Query
				if choose(&whole); count(whole) != all {
					t.Errorf("seed %d, %s: %d in all", seed, what, all)
				}
				some := q
				if choose(&some); count(some) != with {
					t.Errorf("seed %d, %+v, %s: %d with it", seed, q, what, with)
				}
			}
			for _, o := range f.Owners {
				same("@"+o.Value, o.All, o.With, func(q *pawl.Query) { q.Owner = o.Value })
			}
			for _, l := range f.Labels {
				same("+"+l.Value, l.All, l.With, func(q *pawl.Query) { q.Labels = append(q.Labels[:len(q.Labels):len(q.Labels)], l.Value) })
			}
			for _, p := range f.Parents {
				same("part of "+p.Value.Subject, p.All, p.With, func(q *pawl.Query) { q.Parent = p.Value.ID })
			}
			for _, p := range f.Priorities {
				same(p.Value.String(), p.All, p.With, func(q *pawl.Query) { q.Priority = &p.Value })
			}
			for _, s := range f.States {
				same(s.Value.String(), s.All, s.With, func(q *pawl.Query) {
					q.Ready, q.Blocked, q.Held, q.For = s.Value == query.Ready, s.Value == query.Waiting, s.Value == query.Held, "ada"
				})
			}
			with := q
			if with.Text = "Task 2"; f.Texts[0] != count(with) {
				t.Errorf("seed %d, %+v: %v with the text", seed, q, f.Texts)
			}
		}
	}
	if counted < 500 {
		t.Errorf("only %d were counted", counted)
	}
}

// What is bounded is the most frequent.
func TestFacetsAreBounded(t *testing.T) {
	board := query.Local(pawl.NewBoard(memory.New()))
	var tasks []pawl.NewTask
	for i := range 30 {
		for n := range i + 1 {
			tasks = append(tasks, pawl.NewTask{Subject: "Work", Labels: []string{"l" + strconv.Itoa(i)}, Owner: "o" + strconv.Itoa(n)})
		}
	}
	must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "eve"}, Op: pawl.Create{Tasks: tasks}}, 0)))
	f, err := query.Of(t.Context(), board, query.Asker{By: pawl.Actor{Name: "o29"}}, query.FacetsQuery{Most: 2})
	want := []query.Facet[string]{{Value: "o29", All: 1, With: 1}, {Value: "o0", All: 30, With: 30}, {Value: "o1", All: 29, With: 29}}
	if diff := cmp.Diff(want, f.Owners); err != nil || diff != "" {
		t.Error(err, diff)
	}
	want = []query.Facet[string]{{Value: "l29", All: 30, With: 30}, {Value: "l28", All: 29, With: 29}}
	if diff := cmp.Diff(want, f.Labels); diff != "" {
		t.Error(diff)
	}
}
