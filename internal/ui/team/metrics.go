package team

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// counts are what the server has done since it began.
type counts struct {
	began    time.Time
	now      atomic.Int64 // requests under way
	status   [6]atomic.Int64
	changes  atomic.Int64 // of boards
	refused  atomic.Int64 // for the token
	limited  atomic.Int64 // for a limit
	orders   atomic.Int64 // of boards that are closed
	commits  atomic.Int64
	received atomic.Int64 // bytes
}

// metrics are the server's numbers as Prometheus reads them.
func (s *Server) metrics() string {
	var b strings.Builder
	tell := func(name, kind, help string, value any) {
		fmt.Fprintf(&b, "# HELP pawl_%s %s\n# TYPE pawl_%s %s\npawl_%s %v\n", name, help, name, kind, name, value)
	}
	c := &s.counts
	fmt.Fprintf(&b, "# HELP pawl_info The server's program.\n# TYPE pawl_info gauge\npawl_info{version=%q} 1\n", s.Version)
	tell("start_time_seconds", "gauge", "When the server began.", c.began.Unix())
	tell("requests_in_flight", "gauge", "Requests under way, streams included.", c.now.Load())
	b.WriteString("# HELP pawl_requests_total Requests answered, by class of status.\n# TYPE pawl_requests_total counter\n")
	for class := 2; class <= 5; class++ {
		fmt.Fprintf(&b, "pawl_requests_total{status=\"%dxx\"} %d\n", class, c.status[class].Load())
	}
	tell("changes_total", "counter", "Changes of boards by holders of tokens.", c.changes.Load())
	tell("refusals_total", "counter", "Requests that their token did not allow.", c.refused.Load())
	tell("limited_total", "counter", "Requests that a limit refused.", c.limited.Load())
	tell("body_bytes_total", "counter", "Bytes of requests read.", c.received.Load())
	s.streams.mu.Lock()
	streams := s.streams.all
	s.streams.mu.Unlock()
	tell("streams", "gauge", "Streams that are open.", streams)
	open, orders, commits := s.boards.counts()
	tell("boards_open", "gauge", "Boards that are open.", open)
	tell("orders_total", "counter", "Calls that wrote to a board.", orders+c.orders.Load())
	tell("commits_total", "counter", "Commits that carried them out.", commits+c.commits.Load())
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	tell("heap_bytes", "gauge", "Bytes of memory in use by values.", m.HeapAlloc)
	tell("memory_bytes", "gauge", "Bytes of memory taken from the system.", m.Sys)
	tell("goroutines", "gauge", "Goroutines.", runtime.NumGoroutine())
	return b.String()
}
