package query_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// A server's answers stay small, whatever is on the board: pages end early, and all
// of it still comes, once each.
func TestBounded(t *testing.T) {
	w := newWorld(t)
	const tasks = 700
	text := strings.Repeat("x", 8<<10)
	for n := range tasks {
		w.do(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: fmt.Sprint("task ", n), Description: text, Priority: pawl.Priority(n%3 - 1)}}})
	}
	board := query.Local(w.board, query.Bounded())
	for _, order := range []pawl.Order{pawl.ByUrgency, pawl.ByID} {
		seen := map[pawl.ID]int{}
		pages := 0
		selection := pawl.Query{Order: order}
		for {
			got, err := query.Of(t.Context(), board, query.Asker{By: ada}, query.TasksQuery{Query: selection})
			must.Do(t, err)
			bytes := 0
			for _, task := range got.Page.Tasks {
				seen[task.ID]++
				bytes += len(task.Description)
			}
			if bytes > query.MostBytes || got.Page.Total != tasks {
				t.Errorf("a page of %d bytes, of %d tasks in all", bytes, got.Page.Total)
			}
			pages++
			if selection.After = got.Page.Next; selection.After == nil {
				break
			}
		}
		if len(seen) != tasks || pages != 2 {
			t.Errorf("%d tasks on %d pages", len(seen), pages)
		}
		for id, n := range seen {
			if n != 1 {
				t.Errorf("%v comes %d times", id, n)
			}
		}
	}
	brief, err := query.Of(t.Context(), board, query.Asker{By: ada}, query.TasksQuery{Query: pawl.Query{Brief: true}})
	if err != nil || len(brief.Page.Tasks) != tasks {
		t.Errorf("brief tasks: %d, %v", len(brief.Page.Tasks), err)
	}
	var names []string
	for id := range 500 {
		names = append(names, fmt.Sprint(id+1))
	}
	if got, err := query.Of(t.Context(), board, query.Asker{By: ada}, query.TaskQuery{Names: names}); err != nil || len(got.Tasks) != 500 {
		t.Errorf("named tasks: %d, %v", len(got.Tasks), err)
	}
	history, err := query.Of(t.Context(), board, query.Asker{By: ada}, query.HistoryQuery{Limit: query.MostSets})
	if err != nil || !history.More || len(history.Sets) == 0 || len(history.Sets) >= tasks {
		t.Errorf("history: %d sets, more is %v, %v", len(history.Sets), history.More, err)
	}
	note := strings.Repeat("y", 16<<10)
	for id := range 500 {
		add := pawl.Request{By: ada, Op: pawl.AddNote{ID: pawl.ID(id + 1), Text: note}}
		must.Do(t, errOf(w.board.DoAll(t.Context(), slices.Repeat([]pawl.Request{add}, 6)...)))
	}
	_, err = query.Of(t.Context(), board, query.Asker{By: ada}, query.TaskQuery{Names: names})
	if !errors.Is(err, pawl.Invalid) || !strings.Contains(err.Error(), "fewer") {
		t.Errorf("too many named tasks: %v", err)
	}
	if _, err := query.Of(t.Context(), query.Local(w.board), query.Asker{By: ada}, query.TaskQuery{Names: names}); err != nil {
		t.Errorf("without bounds: %v", err)
	}
}
