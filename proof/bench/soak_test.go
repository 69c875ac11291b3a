package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A listener notes when each revision came to it, whatever stands beside the
// ids, and what comes twice or too early.
func TestListener(t *testing.T) {
	const text = "id: 7\nevent: hello\ndata: {\"revision\":7}\n\n" +
		"id: 8\nevent: change\ndata: {\"line\":\"id: 99\"}\n\n:\n\nevent: todos\ndata: {}\n\nid: 9\n\n" +
		"id: 11\nevent: change\ndata: LONG\n\nid: 11\nevent: change\ndata: {}\n\nid: 10\n\n"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, strings.Replace(text, "LONG", strings.Repeat("id: 5 ", 10_000), 1))
	}))
	defer server.Close()
	if _, err := (&site{address: server.URL, client: server.Client()}).listen(t.Context(), 4); err == nil {
		t.Error("it listens without a token")
	}
	l, err := (&site{server.URL, "secret", server.Client()}).listen(context.Background(), 4)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	l.follow(time.Now().Add(-time.Second))
	if l.first != 7 || l.last.Load() != 11 || l.twice != 2 {
		t.Errorf("after %d to %d, %d twice", l.first, l.last.Load(), l.twice)
	}
	if l.came[0] < 1e9 || l.came[1] == 0 || l.came[2] != 0 || l.came[3] == 0 {
		t.Errorf("they came at %v", l.came)
	}

	s := &soaked{soak: soak{streams: 1, rate: 4}, Took: time.Second, CPU: 12, Memory: []int64{20 << 20, 21 << 20, 22 << 20, 30 << 20}, Machine: "here"}
	l.came = []int64{15e6, 120e6, 0, 44e6}
	s.count([]*listener{l}, []*writer{
		{by: "one way", all: []made{{8, 10e6, 16e6}, {10, 20e6, 21e6}}},
		{by: "another", all: []made{{9, 10e6, 20e6}, {11, 40e6, 41e6}}},
	})
	const want = `here

| ` + "`pawl serve`" + `, 1,000 tasks, 1 streams, 4 changes/s for 1 s | measured | limit | |
|---|---:|---:|---|
| events that should have come: 4 for each stream | 4 | | |
| missed | 1 | 0 | **over** |
| twice or out of order | 2 | 0 | **over** |
| one way, from its beginning until it is known to be durable: median / 99 % / worst | 1.0 / 1.0 / 6.0 ms | | |
| from then until it is at a page | 0.0 / 0.0 / 0.0 ms | 99 %: 100 ms | green |
| both together | 5.0 / 5.0 / 5.0 ms | | |
| another, from its beginning until it is known to be durable: median / 99 % / worst | 1.0 / 1.0 / 10.0 ms | | |
| from then until it is at a page | 3.0 / 3.0 / 100.0 ms | 99 %: 100 ms | green |
| both together | 4.0 / 4.0 / 110.0 ms | | |
| memory at the beginning / at the end | 20.0 / 30.0 MiB | | |
| memory of the last quarter of the time above that of the second | 9.0 MiB | 4 MiB | **over** |
| processor of the server | 12 % | | |
`
	if got := s.String(); got != want {
		t.Errorf("%s", got)
	}
	if s.lost() == nil {
		t.Error("that is no error")
	}
}
