package query_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// The past of several tasks, read in one pass, is what a pass for each task
// reads, and its names are those that the board has.
func TestPastOfTasks(t *testing.T) {
	sets, more := 0, 0
	for seed := range uint64(long.Of(20)) {
		w := randomly(t, seed)
		board := query.Local(w.board)
		for _, most := range []int{1, 4, 100} {
			for _, back := range []pawl.Revision{0, 20} {
				q := query.TaskQuery{Names: []string{"9999"}, History: most, Back: back}
				for id := range 20 {
					q.Names = append(q.Names, strconv.Itoa(id+1))
				}
				together, err := query.Of(t.Context(), board, query.Asker{}, q)
				must.Do(t, err)
				for i, name := range q.Names {
					alone, err := query.Of(t.Context(), board, query.Asker{}, query.TaskQuery{Names: []string{name}, History: most, Back: back})
					must.Do(t, err)
					past := together.Tasks[i].Past
					if diff := cmp.Diff(alone.Tasks[0].Past, past, cmpopts.EquateEmpty()); diff != "" {
						t.Errorf("seed %d, #%s, %d of %d (-alone +together):\n%s", seed, name, most, back, diff)
					}
					if past == nil {
						continue
					}
					if sets += len(past.Sets); past.More {
						more++
					}
					var want query.Subjects
					must.Do(t, w.board.View(t.Context(), func(r pawl.Reader) (err error) {
						want, err = query.LoadSubjects(r, past.Sets...)
						return err
					}))
					if diff := cmp.Diff(want, past.Names, cmpopts.EquateEmpty()); diff != "" {
						t.Errorf("seed %d, #%s (-board +answer):\n%s", seed, name, diff)
					}
				}
			}
		}
	}
	if sets < 100 || more < 20 {
		t.Errorf("%d sets, %d times more", sets, more)
	}
}

// A task that was deleted and brought back has the history of the first one too.
func TestPastOfOneBroughtBack(t *testing.T) {
	board := query.Local(pawl.NewBoard(memory.New()))
	ada := pawl.Actor{Name: "ada"}
	note := func(text string) pawl.Op { return pawl.AddNote{ID: 1, Text: text} }
	for _, op := range []pawl.Op{pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}, note("before"), pawl.Delete{IDs: []pawl.ID{1}}, pawl.Undo{}, note("after")} {
		must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: ada, Op: op}, 0)))
	}
	found, err := query.Of(t.Context(), board, query.Asker{}, query.TaskQuery{Names: []string{"1"}, History: 10})
	must.Do(t, err)
	var verbs []string
	for _, set := range found.Tasks[0].Past.Sets {
		verbs = append(verbs, set.Verb)
	}
	if diff := cmp.Diff([]string{"note", "undo", "delete", "note", "create"}, verbs); diff != "" {
		t.Error(diff)
	}
}

// A page of open tasks stands in for one that has not all of them.
func TestOpenPage(t *testing.T) {
	w := newWorld(t)
	w.do(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}, {Subject: "Two"}, {Subject: "Three"}}})
	w.do(ada, pawl.Complete{IDs: []pawl.ID{1}})
	for limit, want := range map[int]struct {
		open  bool
		total int
	}{3: {false, 3}, 2: {true, 2}} {
		a, err := query.Of(t.Context(), query.Local(w.board), query.Asker{}, query.TasksQuery{Query: pawl.Query{Limit: limit}, Open: true, Totals: true})
		if err != nil || a.Open != want.open || a.Page.Total != want.total || *a.Totals != (query.Totals{Pending: 2, Completed: 1, Ready: 2}) {
			t.Errorf("at most %d: %+v, %v", limit, a, err)
		}
	}
}
