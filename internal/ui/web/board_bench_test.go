package web

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// What a page costs that shows a board of 10,000 tasks, half of them done.
func BenchmarkRead(b *testing.B) {
	board := pawl.NewBoard(memory.New())
	for batch := range 10_000 / pawl.MaxBatch {
		var tasks []pawl.NewTask
		var done []pawl.ID
		for i := range pawl.MaxBatch {
			task := pawl.NewTask{Ref: fmt.Sprint(i), Subject: fmt.Sprint("Task ", i), Labels: []string{"core"}}
			if i%4 > 0 {
				task.BlockedBy = []pawl.Ref{pawl.RefName(fmt.Sprint(i - 1))}
			}
			tasks = append(tasks, task)
			if i%8 < 4 {
				done = append(done, pawl.ID(batch*pawl.MaxBatch+i+1))
			}
		}
		add(b, board, "ada", tasks...)
		do(b, board, "ada", pawl.Complete{IDs: done})
	}
	s := New(showing(board))
	for _, path := range []string{"lanes", "graph", "lanes?asDone=5", "tasks/5", "log"} {
		b.Run(path, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				r := httptest.NewRequestWithContext(context.Background(), "GET", "/api/v1/"+path, nil)
				if s.mux.ServeHTTP(w, r); w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
			}
		})
	}
}
