package team

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// indexed is a board in memory that finds ready tasks and claims as a database does,
// by an index, so that what is measured is not the search through all tasks.
type indexed struct {
	*memory.Store
	first   pawl.ID       // all before it are taken
	takes   time.Duration // a commit
	claimed map[string][]pawl.ID
}

func (s *indexed) View(ctx context.Context, fn func(pawl.Reader) error) error {
	return s.Store.View(ctx, func(r pawl.Reader) error { return fn(indexedReader{r, s}) })
}

func (s *indexed) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	return s.Store.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) {
		commit, err := fn(indexedReader{r, s})
		for _, set := range commit.Sets {
			for _, c := range set.Changes {
				if set.Verb == pawl.VerbClaim && c.After != nil {
					s.claimed[c.After.Claim.Session] = append(s.claimed[c.After.Claim.Session], c.ID)
				}
			}
		}
		if s.takes > 0 {
			<-time.After(s.takes)
		}
		return commit, err
	})
}

type indexedReader struct {
	pawl.Reader
	s *indexed
}

func (r indexedReader) Select(q pawl.Query) (pawl.Page, error) {
	page := pawl.Page{Revision: r.Revision()}
	switch {
	case q.Ready && q.Owner != "": // nothing is assigned
	case q.Ready:
		first := r.s.first
		if q.After != nil {
			first = q.After.Rank.ID + 1
		}
		for id := first; id <= r.LastID(); id++ {
			tasks, err := r.Get(id)
			if err != nil {
				return page, err
			}
			if !q.Match(&tasks[0], r.Now()) {
				if len(page.Tasks) == 0 && q.After == nil {
					r.s.first = id + 1
				}
				continue
			}
			if page.Tasks = append(page.Tasks, tasks[0]); len(page.Tasks) == q.PageSize() {
				c := tasks[0].Cursor()
				page.Next = &c
				break
			}
		}
	case !q.LeaseBefore.IsZero():
	case q.Session != "", q.Mine.Session != "":
		ids := r.s.claimed[max(q.Session, q.Mine.Session)]
		tasks, err := r.Get(ids...)
		page.Tasks = tasks
		return page, err
	default:
		return r.Reader.Select(q)
	}
	return page, nil
}

// crowded is a server whose board has so many ready tasks, and a token for it.
func crowded(b *testing.B, tasks int, takes time.Duration) (*world, string) {
	store := &indexed{Store: memory.New(), first: 1, claimed: map[string][]pawl.ID{}}
	board := pawl.NewBoard(store)
	w := newWorld(b, func(o *Options) {
		o.Limits.Requests = 1 << 30
		folder := o.Boards.(*Folder)
		folder.OpenBoard = func(string, func(string)) (query.Board, error) { return kept{query.Local(board)}, nil }
		audit, err := OpenAudit(access.Folder(folder.Dir), time.Now, func(text string) { b.Error(text) })
		if err != nil {
			b.Fatal(err)
		}
		o.Audit = audit
		b.Cleanup(func() { audit.Close() })
	})
	w.board("shop")
	for made := 0; made < tasks; {
		var op pawl.Create
		for len(op.Tasks) < pawl.MaxBatch && made < tasks {
			made++
			op.Tasks = append(op.Tasks, pawl.NewTask{Subject: fmt.Sprint("Step ", made, " of the plan"), Description: "What there is to do, in a sentence or two, as an agent would write it for another one."})
		}
		if _, err := board.Do(ctx, pawl.Request{Op: op}); err != nil {
			b.Fatal(err)
		}
	}
	store.takes = takes
	secret, _, err := w.tokens.Create(ctx, access.Token{Name: "ada", Role: access.Work, Boards: []string{"shop"}}, true)
	if err != nil {
		b.Fatal(err)
	}
	return w, secret
}

// claimText is the request of the n-th claim, each of a session of its own.
func claimText(secret string, n int64) []byte {
	body := fmt.Sprintf(`{"requests":[{"by":{"session":"s%d"},"op":{"op":"claim","lease":"1h0m0s"},"opId":"0198c1c0-5f2d-7000-8000-%012d"}]}`, n, n)
	return fmt.Appendf(nil, "POST /boards/shop/v1/do HTTP/1.1\r\nHost: pawl\r\nUser-Agent: pawl/1.2.3\r\nContent-Length: %d\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nPawl-Protocol: 1\r\n\r\n%s", len(body), secret, body)
}

// claimers is how many claim at once.
const claimers = 64

// BenchmarkServedClaim is what a claim costs a server, its store aside.
func BenchmarkServedClaim(b *testing.B) {
	run := func(b *testing.B, takes time.Duration, connect func(w *world) func(request []byte) error) {
		w, secret := crowded(b, b.N+1000, takes)
		var n atomic.Int64
		var group sync.WaitGroup
		b.ReportAllocs()
		b.ResetTimer()
		began := processorTime()
		for range claimers {
			do := connect(w)
			group.Go(func() {
				for i := n.Add(1); i <= int64(b.N); i = n.Add(1) {
					if err := do(claimText(secret, i)); err != nil {
						b.Errorf("%.500v", err)
						return
					}
				}
			})
		}
		group.Wait()
		b.ReportMetric(float64((processorTime()-began).Microseconds())/float64(b.N), "cpu-µs/op")
		_, orders, commits := w.boards.counts()
		b.ReportMetric(float64(orders)/float64(commits), "orders/commit")
	}
	handler := func(w *world) func([]byte) error {
		in := bufio.NewReader(nil)
		return func(text []byte) error {
			in.Reset(bytes.NewReader(text))
			request, err := http.ReadRequest(in)
			if err != nil {
				return err
			}
			request.RemoteAddr = "127.0.0.1:4242"
			answer := httptest.NewRecorder()
			w.ServeHTTP(answer, request)
			return claimed(answer.Code, answer.Body.Bytes())
		}
	}
	b.Run("handler", func(b *testing.B) { run(b, 0, handler) })
	b.Run("batched", func(b *testing.B) { run(b, 2*time.Millisecond, handler) })
	b.Run("http", func(b *testing.B) {
		run(b, 2*time.Millisecond, func(w *world) func([]byte) error {
			conn, err := net.Dial("tcp", w.http.Listener.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { conn.Close() })
			in, body := bufio.NewReader(conn), make([]byte, 0, 4096)
			return func(text []byte) error {
				if _, err := conn.Write(text); err != nil {
					return err
				}
				code, size := 0, 0
				for {
					line, err := in.ReadSlice('\n')
					if err != nil {
						return err
					}
					if rest, is := bytes.CutPrefix(line, []byte("Content-Length: ")); is {
						size, _ = strconv.Atoi(string(bytes.TrimSpace(rest)))
					}
					if code == 0 {
						code, _ = strconv.Atoi(string(line[9:12]))
					}
					if len(line) <= 2 {
						break
					}
				}
				body = body[:size]
				if _, err := io.ReadFull(in, body); err != nil {
					return err
				}
				return claimed(code, body)
			}
		})
	})
}

func claimed(code int, body []byte) error {
	if code != http.StatusOK || !bytes.Contains(body, []byte(`"in_progress"`)) || bytes.Contains(body, []byte(`"errors"`)) {
		return fmt.Errorf("%d %s", code, body)
	}
	return nil
}
