package query_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
)

func questions(n int) []query.Question {
	var names []string
	for id := range n {
		names = append(names, strconv.Itoa(id+1))
	}
	return []query.Question{
		query.GlanceQuery{GlanceQuery: pawl.GlanceQuery{Session: "s-ada", IDs: []pawl.ID{1, 2}, Ready: 5, For: "ada"}},
		query.OverviewQuery{Working: 3, Ready: 4, Edges: true, Unblocks: true}, query.OverviewQuery{},
		query.TasksQuery{Query: pawl.Query{Limit: 10, Order: pawl.ByUrgency}, Edges: true, Unblocks: true},
		query.TasksQuery{Query: pawl.Query{Ready: true, For: "bob", Brief: true}},
		query.TasksQuery{Query: pawl.Query{Limit: 3}, Totals: true, Open: true},
		query.TasksQuery{Query: pawl.Query{Ready: true, For: "ada", Labels: []string{"no such label"}}, Why: true, Quiet: pawl.Duration(time.Hour)},
		query.TasksQuery{Since: new(pawl.Revision(20))}, query.TasksQuery{Since: new(pawl.Revision(0)), Query: pawl.Query{Limit: 2}},
		query.PagesQuery{Queries: []pawl.Query{{Ready: true, Order: pawl.ByUrgency, Limit: 2}, {Owned: true, Brief: true}}},
		query.TaskQuery{Names: append(names, "no such name", "9999")},
		query.TaskQuery{Names: append(names, "1", "9999"), History: 5, Back: 30}, query.TaskQuery{Names: names[:1], History: 100},
		query.TaskQuery{Names: []string{"1", "2"}, Around: true},
		query.ResolveQuery{Names: append(names, "no such name", "")},
		query.LanesQuery{Done: 3}, query.LanesQuery{Tasks: pawl.Query{Labels: []string{"core"}}},
		query.GraphQuery{Alone: true, All: true, Waits: true}, query.GraphQuery{Around: 1}, query.GraphQuery{Around: 2, Fit: []query.Fit{{Most: 1}, {Depth: 1, Most: 500}}, Detail: 1}, query.GraphQuery{Around: 1, Fit: []query.Fit{{Most: 1}}, Depth: 1, Most: 1, Detail: 99},
		query.AgentsQuery{},
		query.FindQuery{}, query.FindQuery{Begun: "#1", Limit: 3}, query.FindQuery{Begun: "task", Done: true}, query.FindQuery{Verb: pawl.VerbComplete},
		query.FacetsQuery{}, query.FacetsQuery{Tasks: pawl.Query{Labels: []string{"core"}, Text: "1"}, Texts: []string{"Task"}, Most: 2},
		query.HistoryQuery{Limit: 10}, query.HistoryQuery{Task: 1, Limit: 100, Renewals: true},
		query.HistoryQuery{At: 2}, query.HistoryQuery{At: 9_999}, query.HistoryQuery{Forward: true, After: 3, Limit: 4, Undid: true},
		query.HistoryQuery{Before: 12, Limit: 3}, query.HistoryQuery{Task: 9_999},
		query.ProblemsQuery{},
	}
}

// Whatever board it is asked of, an answer arrives over JSON as it was given.
func TestAnswersTravel(t *testing.T) {
	told := 0
	for seed := range uint64(long.Of(20)) {
		w := randomly(t, seed)
		near := query.Local(w.board)
		far := querytest.Loop(near)
		for _, who := range []query.Asker{{By: pawl.Actor{Name: "ada"}}, {By: pawl.Actor{Name: "bob"}, AsDone: []pawl.ID{1}}} {
			for _, q := range questions(20) {
				want, refused := near.Ask(t.Context(), who, q)
				got, err := far.Ask(t.Context(), who, q)
				if (err == nil) != (refused == nil) || err != nil && err.Error() != refused.Error() {
					t.Fatalf("seed %d, %#v: far %v, near %v", seed, q, err, refused)
				}
				if err == nil {
					told++
				}
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("seed %d, %#v (-near +far):\n%s", seed, q, diff)
				}
			}
		}
	}
	if told < 50 {
		t.Errorf("only %d answers were compared", told)
	}
}

// A question is one access, however many tasks it names; so is a request with
// all that is told of it.
func TestOneAccess(t *testing.T) {
	store := &querytest.Counted{Store: memory.New()}
	board := query.Local(pawl.NewBoard(store))
	who := query.Asker{By: pawl.Actor{Name: "ada"}}
	var tasks []pawl.NewTask
	for range 20 {
		tasks = append(tasks, pawl.NewTask{Subject: "Work", BlockedBy: nil})
	}
	o, err := board.Do(t.Context(), pawl.Request{By: who.By, Op: pawl.Create{Tasks: tasks}}, ^query.Want(0))
	if err != nil || store.N != 1 || o.Open != 20 || len(o.Names) != 20 || o.Detail == nil {
		t.Fatalf("%d accesses, %v, %d open, %d names", store.N, err, o.Open, len(o.Names))
	}
	for _, q := range questions(20) {
		if h, ok := q.(query.HistoryQuery); ok && h.At != 0 {
			continue // which is not there
		}
		if tasks, ok := q.(query.TasksQuery); ok && tasks.Since != nil {
			continue // the store records first what others did
		}
		store.N = 0
		if _, err := board.Ask(t.Context(), who, q); err != nil || store.N != 1 {
			t.Errorf("%T: %d accesses, %v", q, store.N, err)
		}
	}
}

// Requests and refusals arrive as they were sent, each at its place.
func TestRequestsTravel(t *testing.T) {
	w := newWorld(t)
	far := querytest.Loop(query.Local(w.board))
	me := pawl.Actor{Name: "ada", Session: "s1"}
	must.Do(t, errOf(far.Do(t.Context(), pawl.Request{By: me, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}, {Subject: "Two"}}}}, 0)))
	outcomes, err := far.DoAll(t.Context(), query.WantNames,
		pawl.Request{By: me, Op: pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}},
		pawl.Request{By: me, Op: pawl.Complete{IDs: []pawl.ID{9}}},
		pawl.Request{By: me, Op: pawl.Complete{IDs: []pawl.ID{2}}})
	if pawl.ErrorAt(err, 0) != nil || !errors.Is(pawl.ErrorAt(err, 1), pawl.NotFound) || pawl.ErrorAt(err, 2) != nil {
		t.Fatal(err)
	}
	if near := outcomes[0].Names[1]; near != (query.Near{Subject: "One", State: query.Working, Owner: "ada"}) || !outcomes[2].Result.Changed {
		t.Errorf("%+v, %+v", near, outcomes[2].Result)
	}
	other := pawl.Request{By: pawl.Actor{Name: "ada", Session: "s2"}, Op: pawl.Complete{IDs: []pawl.ID{1}}}
	if _, err := far.Do(t.Context(), other, 0); !errors.Is(err, pawl.Conflict) {
		t.Fatalf("another session: %v", err)
	}
	other.Same = func(session string) bool { return session == "s1" }
	if _, err := far.Do(t.Context(), other, 0); err != nil {
		t.Errorf("its own session: %v", err)
	}
	tried, err := far.Try(t.Context(), 0, pawl.Request{By: me, Op: pawl.Reopen{IDs: []pawl.ID{1}}})
	if err != nil || !tried[0].Result.Changed {
		t.Errorf("%+v, %v", tried, err)
	}
	outcomes, err = far.DoAll(t.Context(), query.WantTasks,
		pawl.Request{By: me, Op: pawl.Reopen{IDs: []pawl.ID{2}}},
		pawl.Request{By: me, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "Three", Blocks: []pawl.Ref{pawl.RefID(2)}}}}},
		pawl.Request{By: me, Op: pawl.Delete{IDs: []pawl.ID{3}}})
	must.Do(t, err)
	if waits := outcomes[1].Waits; len(waits) != 1 || waits[0].ID != 2 || waits[0].Subject != "Two" {
		t.Errorf("waits now: %+v", waits)
	}
	if ready := outcomes[2].Ready; len(ready) != 1 || ready[0].ID != 2 {
		t.Errorf("ready now: %+v", ready)
	}
}

// A watch begins with where the board is, and goes on with each set.
func TestNewsTravel(t *testing.T) {
	w := randomly(t, 3)
	far := querytest.Loop(query.Local(w.board))
	var first, last pawl.Revision
	sets := 0
	for news, err := range far.Watch(t.Context(), query.Asker{}, query.From{}) {
		must.Do(t, err)
		if news.Set == nil {
			first = news.Revision
			continue
		}
		sets++
		if last = news.Set.Revision; last == first {
			break
		}
	}
	if sets < 20 || first != last {
		t.Errorf("%d sets, from %d to %d", sets, first, last)
	}
	whole := 0
	for task, err := range far.Export(t.Context(), query.Asker{}, pawl.Query{Limit: 7}) {
		if err != nil || task.ID == 0 {
			t.Fatal(task, err)
		}
		whole++
	}
	if page, err := w.board.Select(t.Context(), pawl.Query{}); err != nil || whole != page.Total || whole < 8 {
		t.Errorf("%d exported of %d, %v", whole, page.Total, err)
	}
}

func TestStrict(t *testing.T) {
	for _, text := range []string{
		"", "null", "{}", `{"ask":"lanes"}`, `{"ask":"magic","data":{}}`, `{"ask":"tasks","data":{"query":{},"extra":1}}`,
		`{"ask":"tasks","data":{"query":{},"since":"1"}}`, `{"ask":"tasks","data":{"query":{},"quiet":"2d"}}`, `{"ask":"overview","data":{"first":3}}`,
		`{"ask":"history","data":{"limit":1,"from":{}}}`, `{"ask":"problems","data":{"mend":true}}`,
		`{"ask":"agents","data":{},"more":1}`, `{"ask":"agents","data":{}} x`, `{"ask":"resolve","data":{"names":"1"}}`,
	} {
		if q, err := query.DecodeQuestion([]byte(text)); !errors.Is(err, pawl.Invalid) {
			t.Errorf("%s: %v, %v", text, q, err)
		}
	}
	board := query.Local(pawl.NewBoard(memory.New()))
	many := strings.Split(strings.Repeat("1,", query.MostNames), ",")
	for _, q := range []query.Question{
		query.ResolveQuery{Names: many}, query.TaskQuery{Names: many}, query.PagesQuery{Queries: make([]pawl.Query, query.MostPages+1)},
		query.GraphQuery{Fit: make([]query.Fit, query.MostFits+1)},
	} {
		if _, err := board.Ask(t.Context(), query.Asker{}, q); !errors.Is(err, pawl.Invalid) {
			t.Errorf("%T with too much: %v", q, err)
		}
	}
}

// A task in full, or one of a graph, makes the same card as the board has of it.
func TestCardsAgree(t *testing.T) {
	waits := 0
	for seed := range uint64(long.Of(60)) {
		w := randomly(t, seed)
		board := query.Local(w.board)
		who := query.Asker{By: pawl.Actor{Name: "ada"}}
		lanes, err := query.Of(t.Context(), board, who, query.LanesQuery{Done: 100})
		must.Do(t, err)
		graph, err := query.Of(t.Context(), board, who, query.GraphQuery{All: true, Alone: true, Waits: true})
		must.Do(t, err)
		inGraph := map[pawl.ID]*query.Card{}
		for i := range graph.Tasks {
			inGraph[graph.Tasks[i].ID] = graph.Card(&graph.Tasks[i], "ada")
		}
		for _, cards := range lanes.Cards {
			for i := range cards {
				want := cards[i]
				details, err := query.Of(t.Context(), board, who, query.TaskQuery{Names: []string{want.Task.ID.String()}})
				if err != nil || details.Tasks[0].Fault != nil {
					t.Fatal(err, details)
				}
				waits += want.Waits
				got := details.Tasks[0].Detail.Card("ada")
				got.Task, inGraph[want.Task.ID].Notes = want.Task, want.Notes // which has more of it, and less
				if diff := cmp.Diff(&want, got); diff != "" {
					t.Errorf("seed %d, in full (-board +task):\n%s", seed, diff)
				}
				if diff := cmp.Diff(&want, inGraph[want.Task.ID]); diff != "" {
					t.Errorf("seed %d, in the graph (-board +graph):\n%s", seed, diff)
				}
			}
		}
	}
	if waits < 10 {
		t.Errorf("only %d tasks are waited for", waits)
	}
}

// A what-if says what it only supposes, whichever question it answers.
func TestSupposed(t *testing.T) {
	board := querytest.Loop(query.Local(pawl.NewBoard(memory.New())))
	who := query.Asker{By: pawl.Actor{Name: "ada"}}
	made, err := board.Do(t.Context(), pawl.Request{By: who.By, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}, {Subject: "Two"}}}}, 0)
	must.Do(t, err)
	must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: who.By, Op: pawl.Complete{IDs: made.Result.IDs[:1]}}, 0)))
	who.AsDone = []pawl.ID{1, 2, 2}
	lanes, err := query.Of(t.Context(), board, who, query.LanesQuery{Done: 5})
	if err != nil || len(lanes.AsDone) != 1 || lanes.AsDone[0] != 2 {
		t.Errorf("%v, %v", lanes.AsDone, err)
	}
	tasks, err := query.Of(t.Context(), board, who, query.TasksQuery{})
	if err != nil || len(tasks.AsDone) != 1 || tasks.AsDone[0] != 2 {
		t.Errorf("%v, %v", tasks.AsDone, err)
	}
}

// History says what was taken back, also by a set that its page does not have;
// and of one set alone what it took back, with the names of both.
func TestHistoryOfUndo(t *testing.T) {
	w := newWorld(t)
	board := querytest.Loop(query.Local(w.board))
	me := pawl.Actor{Name: "ada"}
	do := func(op pawl.Op) query.Outcome {
		t.Helper()
		o, err := board.Do(t.Context(), pawl.Request{By: me, Op: op}, query.WantNames|query.WantEdges)
		must.Do(t, err)
		return o
	}
	made := do(pawl.Create{Tasks: []pawl.NewTask{{Ref: "a", Subject: "One"}, {Subject: "Two", BlockedBy: []pawl.Ref{pawl.RefName("a")}}}})
	if len(made.Waiting) != 1 || made.Waiting[0] != 2 || made.Subjects()[2] != "Two" {
		t.Errorf("%+v", made)
	}
	done := do(pawl.Complete{IDs: []pawl.ID{1}})
	undone := do(pawl.Undo{})
	page, err := query.Of(t.Context(), board, query.Asker{By: me}, query.HistoryQuery{Limit: 5, Before: undone.Result.Revision})
	if err != nil || len(page.Undone) != 1 || page.Undone[0] != done.Result.Revision {
		t.Errorf("%+v, %v", page.Undone, err)
	}
	one, err := query.Of(t.Context(), board, query.Asker{By: me}, query.HistoryQuery{At: undone.Result.Revision})
	if undid := one.Undid[undone.Result.Revision]; err != nil || len(one.Sets) != 1 || undid.Set == nil || undid.Set.Revision != done.Result.Revision || one.Names[1] != "One" {
		t.Errorf("%+v, %v", one, err)
	}
	if _, err := query.Of(t.Context(), board, query.Asker{By: me}, query.HistoryQuery{At: 99}); !errors.Is(err, pawl.NotFound) {
		t.Errorf("a revision that is not there: %v", err)
	}
}

// errOf is the error of a call of which nothing else matters.
func errOf[T any](_ T, err error) error { return err }
