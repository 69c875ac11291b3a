package served_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/served"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// A board that is served is asked, changed and watched as one at hand, where time
// stands still, too.
func TestBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := served.Board(t, query.Local(pawl.NewBoard(memory.New())))
		by := pawl.Actor{Name: "bob"}
		if _, err := board.Do(t.Context(), pawl.Request{By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}}, 0); err != nil {
			t.Fatal(err)
		}
		page, err := query.Of(t.Context(), board, query.Asker{By: by}, query.TasksQuery{})
		if err != nil || len(page.Page.Tasks) != 1 {
			t.Fatalf("%+v, %v", page, err)
		}
		began := time.Now()
		seen := 0
		for news, err := range board.Watch(t.Context(), query.Asker{By: by}, query.From{}) {
			if err != nil {
				t.Fatal(err)
			}
			if seen++; seen == 2 {
				if by := news.Set.By.Name; by != "bob" {
					t.Errorf("it was done by %q", by)
				}
				time.Sleep(time.Hour) // the server beats meanwhile
				break
			}
		}
		if seen != 2 || time.Since(began) < time.Hour {
			t.Errorf("%d news in %s", seen, time.Since(began))
		}
	})
}
