package team

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/query"
)

// BenchmarkClaims has 50 clients claim tasks at once, over HTTP to a board in memory.
func BenchmarkClaims(b *testing.B) {
	w := newWorld(b, func(o *Options) { o.Limits.Requests = 1 << 30 })
	w.board("shop")
	secret, _ := w.token("ada", access.Work, "shop")
	const clients = 50
	var mu sync.Mutex
	var took []time.Duration
	boards := make([]query.Board, clients)
	for i := range boards {
		boards[i] = w.client(secret, "shop")
		if _, err := boards[i].Do(ctx, create(fmt.Sprint("warm", i)), 0); err != nil {
			b.Fatal(err)
		}
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			for n := range next {
				begin := time.Now()
				_, err := boards[i].DoAll(ctx, query.WantNames, create(fmt.Sprint(n)), pawl.Request{By: pawl.Actor{Session: fmt.Sprint(i)}, Op: pawl.ClaimTask{}})
				mu.Lock()
				took = append(took, time.Since(begin))
				mu.Unlock()
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	for n := 0; b.Loop(); n++ {
		next <- n
	}
	close(next)
	wg.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	_, orders, commits := w.boards.counts()
	b.ReportMetric(float64(orders)/float64(commits), "orders/commit")
}

// BenchmarkWatchers has a change reach 1,000 streams, over HTTP.
func BenchmarkWatchers(b *testing.B) {
	w := newWorld(b, nil)
	w.board("shop")
	secret, _ := w.token("ada", access.Work, "shop")
	board := w.client(secret, "shop")
	const streams = 1000
	got := make(chan time.Time, streams)
	for range streams {
		news, _ := heard(b.Context(), w.client(secret, "shop"), query.From{Now: true})
		<-news
		go func() {
			for range news {
				got <- time.Now()
			}
		}()
	}
	var took []time.Duration
	for n := 0; b.Loop(); n++ {
		if _, err := board.Do(ctx, create(fmt.Sprint(n)), 0); err != nil {
			b.Fatal(err)
		}
		done := time.Now()
		for range streams {
			took = append(took, max(0, (<-got).Sub(done)))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
