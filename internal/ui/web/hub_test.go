package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// busy makes n changes from several sides, some of them mere renewals.
func busy(t testing.TB, board *pawl.Board, n int) {
	var sides sync.WaitGroup
	for side := range 3 {
		sides.Go(func() {
			name := fmt.Sprint("agent-", side)
			made := add(t, board, name, pawl.NewTask{Subject: "Step of " + name}).Tasks[0].ID
			do(t, board, name, pawl.Start{IDs: []pawl.ID{made}})
			for i := 2; i < n/3; i++ {
				if subject := fmt.Sprint("Step ", i); i%5 > 0 {
					do(t, board, name, pawl.Update{ID: made, Subject: &subject})
				} else {
					do(t, board, name, pawl.AddNote{ID: made, Text: subject})
				}
			}
		})
	}
	sides.Wait()
}

// whole is what streams have seen of a history, each revision once.
type whole struct{ last int64 }

func (w *whole) see(e event) error {
	rev, err := strconv.ParseInt(e.id, 10, 64)
	if err != nil || rev != w.last+1 {
		return fmt.Errorf("after revision %d came %+v", w.last, e)
	}
	w.last = rev
	return nil
}

// Many streams begin anywhere while the board changes, and some come again with
// the id of the last event that they had. Each sees every set after its
// beginning once, and in order.
func TestStreamsMissNothing(t *testing.T) {
	const changes, streams = 600, 15
	board := pawl.NewBoard(memory.New())
	busy(t, board, 90)
	s := listen(t, showing(board))
	at := revision(t, board)
	var all sync.WaitGroup
	for i := range streams {
		all.Go(func() {
			r := rand.New(rand.NewPCG(7, uint64(i)))
			seen := whole{last: r.Int64N(int64(at) + 1)}
			selection, last := fmt.Sprint("?after=", seen.last), ""
			for seen.last < int64(at)+changes {
				body, err := s.begin(t.Context(), selection, last)
				if err != nil {
					t.Error(err)
					return
				}
				l := newListener(t, body)
				if hello, err := l.read(); err != nil || hello.kind != "hello" || hello.id != fmt.Sprint(seen.last) {
					t.Errorf("hello after %d is %+v, %v", seen.last, hello, err)
				}
				for until := r.Int64N(changes); until > 0 && seen.last < int64(at)+changes; until-- {
					e, err := l.read()
					if err == nil {
						err = seen.see(e)
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
				body.Close()
				last = fmt.Sprint(seen.last)
			}
		})
	}
	busy(t, board, changes)
	all.Wait()
}

func revision(t testing.TB, board *pawl.Board) (rev pawl.Revision) {
	t.Helper()
	must.Do(t, board.View(context.Background(), func(r pawl.Reader) error { rev = r.Revision(); return nil }))
	return rev
}

// follow runs a feed without a server around it.
func follow(t *testing.T, board *pawl.Board) (f *feed, s *Server) {
	s = New(showing(board))
	f, leave, err := s.join()
	must.Do(t, err)
	t.Cleanup(leave)
	return f, s
}

// frames splits what was taken into events.
func frames(t *testing.T, text []byte) (all []event) {
	l := newListener(t, io.NopCloser(bytes.NewReader(text)))
	for {
		e, err := l.read()
		if err != nil {
			return all
		}
		all = append(all, e)
	}
}

// A stream that takes nothing for so long that it falls out of the ring reads
// what it missed from the board, and then joins the others again.
func TestSlowStreamsFallOutAndComeBack(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	add(t, board, "ada", pawl.NewTask{Subject: "Begin"})
	f, _ := follow(t, board)
	p, wait := f.start(0, true)
	for wait != nil {
		<-wait
		p, wait = f.start(0, true)
	}
	seen, left := whole{}, 0
	take := func() (wait <-chan struct{}) {
		text, wait, behind := f.take(&p, "ada", nil)
		if behind != nil {
			var err error
			if text, err = p.catchUp(t.Context(), behind, "", text); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range frames(t, text) {
			if e.kind == "todos" {
				left++
			} else if err := seen.see(e); err != nil {
				t.Fatal(err)
			}
		}
		return wait
	}
	for round := 1; round <= 3; round++ {
		to := int64(1 + round*(ringFrames+200))
		for n := 0; int64(revision(t, board)) < to; n++ {
			subject := fmt.Sprint("Again ", n)
			do(t, board, "ada", pawl.Update{ID: 1, Subject: &subject})
		}
		for seen.last < to { // all of it has come to the ring first
			f.mu.Lock()
			head, more := f.head, f.more
			f.mu.Unlock()
			if int64(head) < to {
				<-more
			} else if wait := take(); wait != nil && seen.last < to {
				<-wait
			}
		}
	}
	if left != 2 { // in the first round it had not joined yet
		t.Errorf("%d times it was told that todos may have changed", left)
	}
	if f.size > ringBytes || f.next-f.first > ringFrames {
		t.Errorf("the ring holds %d frames of %d bytes", f.next-f.first, f.size)
	}
}

// What history no longer has is told as gone, wherever it is noticed.
func TestEventsTellThatHistoryIsGone(t *testing.T) {
	board := pawl.NewBoard(memory.New(memory.WithHistory(5)))
	for range 10 {
		add(t, board, "ada", pawl.NewTask{Subject: "One"})
	}
	s := listen(t, showing(board))
	for _, c := range []struct {
		after string
		gone  string
		next  []string
	}{{"0", "5", []string{"6", "7"}}, {"99", "10", nil}, {"10", "", nil}} {
		l := s.stream(t, "?after="+c.after, "")
		if e, _ := l.want("hello"); e.id != c.after {
			t.Errorf("%+v", e)
		}
		if c.gone != "" {
			if e, says := l.want("gone"); e.id != c.gone || fmt.Sprint(says["revision"]) != c.gone {
				t.Errorf("%+v, want %s", e, c.gone)
			}
		}
		for _, rev := range c.next {
			if e, _ := l.want("change"); e.id != rev {
				t.Errorf("%+v, want %s", e, rev)
			}
		}
	}
}

// Another board in the same place: those who follow are told, and those who are
// so late that they missed it, too.
func TestAnotherBoardInThePlace(t *testing.T) {
	f := &feed{more: make(chan struct{}), lists: true}
	f.opened(query.Local(pawl.NewBoard(memory.New())), 100)
	there, _ := f.start(100, true)
	f.take(&there, "ada", nil)
	late := there
	for rev := pawl.Revision(101); rev <= 103; rev++ {
		f.add(frame{text: fmt.Appendf(nil, "id: %d\nevent: change\ndata: {}\n\n", rev), rev: rev})
	}
	if text, _, _ := f.take(&late, "ada", nil); len(frames(t, text)) != 3 {
		t.Fatalf("%s", text)
	}
	f.add(goneFrame(7))
	for rev := pawl.Revision(8); rev <= 8+ringFrames; rev++ {
		f.add(frame{text: fmt.Appendf(nil, "id: %d\nevent: change\ndata: {}\n\n", rev), rev: rev})
		if rev > 10 {
			continue
		}
		text, _, _ := f.take(&there, "ada", nil)
		if all := frames(t, text); all[len(all)-1].id != fmt.Sprint(rev) || rev == 8 && len(all) != 5 {
			t.Errorf("%d: %s", rev, text)
		}
	}
	text, _, behind := f.take(&late, "ada", nil)
	if all := frames(t, text); behind == nil || late.after != 7 || len(all) != 1 || all[0].kind != "gone" || all[0].id != "7" {
		t.Errorf("%s, %+v", text, late)
	}
}

func TestStreamWaitsForABoard(t *testing.T) {
	var board *pawl.Board
	made := make(chan struct{})
	o := Options{Live: show.Live{
		Open: func(context.Context, bool) (query.Board, string, error) {
			select {
			case <-made:
				return query.Local(board), "", nil
			default:
				return nil, "", nil
			}
		},
		Await: func(ctx context.Context) (query.Board, error) {
			select {
			case <-made:
				return query.Local(board), nil
			case <-ctx.Done():
				return nil, nil
			}
		},
	}}
	s := listen(t, o)
	first, resumed := s.stream(t, "", ""), s.stream(t, "", "12")
	if e, _ := first.want("hello"); e.id != "0" {
		t.Errorf("%+v", e)
	}
	resumed.want("hello")
	if e, _ := resumed.want("gone"); e.id != "0" {
		t.Errorf("%+v", e)
	}
	board = pawl.NewBoard(memory.New())
	add(t, board, "ada", pawl.NewTask{Subject: "First"})
	close(made)
	add(t, board, "ada", pawl.NewTask{Subject: "Second"})
	for _, l := range []*listener{first, resumed} {
		for _, rev := range []string{"1", "2"} {
			if e, _ := l.want("change"); e.id != rev {
				t.Errorf("%+v, want %s", e, rev)
			}
		}
	}
}

// A renewal moves the place of a stream on, and says nothing.
func TestRenewalsAreNoEvents(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	add(t, board, "ada", pawl.NewTask{Subject: "One"})
	agent := pawl.Actor{Name: "agent", Session: "s"}
	for _, op := range []pawl.Op{pawl.ClaimTask{Lease: pawl.Duration(time.Minute)}, pawl.Renew{IDs: []pawl.ID{1}, Lease: pawl.Duration(time.Hour)}} {
		must.Get(board.Do(t.Context(), pawl.Request{By: agent, Op: op}))(t)
	}
	l := listen(t, showing(board)).stream(t, "?after=1", "")
	l.want("hello")
	l.want("change")
	if e := l.next(); e != (event{id: "3"}) {
		t.Errorf("%+v", e)
	}
}

// A change of many long tasks is a hint like any other.
func TestLargeChangesAreCut(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	var tasks []pawl.NewTask
	for range 100 {
		tasks = append(tasks, pawl.NewTask{Subject: "Long", Description: strings.Repeat("<b>\u2028", 500)})
	}
	add(t, board, "ada", tasks...)
	l := listen(t, showing(board)).stream(t, "?after=0", "")
	l.want("hello")
	e, says := l.want("change")
	if says["cut"] != true || len(e.data) > maxFrame {
		t.Errorf("%d bytes, cut %v", len(e.data), says["cut"])
	}
}

func TestOnlySoManyStreams(t *testing.T) {
	s := listen(t, showing(pawl.NewBoard(memory.New())))
	var leaves []func()
	for range maxStreams {
		_, leave, err := s.join()
		must.Do(t, err)
		leaves = append(leaves, leave)
	}
	e := askFor[wire.ErrorJSON](t, s, "/api/v1/events", http.StatusServiceUnavailable)
	if e.Error.Kind != "unavailable" || !strings.Contains(e.Error.Hint, "close a page") {
		t.Errorf("%+v", e)
	}
	for _, leave := range leaves {
		leave()
	}
	s.stream(t, "", "").want("hello")
}

// Streams that were dropped leave nothing behind, and neither do those that are
// open when the server ends.
func TestStreamsLeaveNothingBehind(t *testing.T) {
	before := running()
	board := pawl.NewBoard(memory.New())
	o, _, _ := withLists(t, showing(board))
	s := listen(t, o)
	for range 3 {
		var open []*listener
		for range 100 {
			l := s.stream(t, "", "")
			l.want("hello")
			open = append(open, l)
		}
		add(t, board, "ada", pawl.NewTask{Subject: "One"})
		for i, l := range open {
			if i%2 == 0 {
				l.want("change")
			}
			l.body.Close()
		}
	}
	settle(t, func() bool { return s.listening() == 0 })
	last := s.stream(t, "", "")
	last.want("hello")
	s.stop()
	if _, err := last.read(); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("at the end of the server the stream says %v", err)
	}
	last.body.Close()
	settle(t, func() bool { return running() <= before })
}

func (s *Server) listening() int {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return s.hub.streams
}

// running counts goroutines that run code of this package or of a server.
func running() (n int) {
	var text bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&text, 2)
	for stack := range strings.SplitSeq(text.String(), "\n\n") {
		if strings.Contains(stack, "net/http.(*") || strings.Contains(stack, "web.(*feed)") || strings.Contains(stack, "web.(*stream)") {
			n++
		}
	}
	return n
}

// settle waits for something that happens by itself.
func settle(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); runtime.Gosched() {
		if time.Now().After(end) {
			var text bytes.Buffer
			pprof.Lookup("goroutine").WriteTo(&text, 1)
			t.Fatalf("it never came about\n%s", text.String())
		}
	}
}

func FuzzResume(f *testing.F) {
	f.Add("", "after=0")
	f.Add("12", "after=3")
	f.Add("1\n\nevent: gone", "after=1&after=2")
	f.Add("-1", "after=9223372036854775807")
	f.Add("٣", "%zz")
	at := slices.IndexFunc(routes, func(r *route) bool { return r.path == "/api/v1/events" })
	f.Fuzz(func(t *testing.T, last, selection string) {
		r := &http.Request{Header: http.Header{"Last-Event-Id": {last}}}
		r.URL = &url.URL{RawQuery: selection}
		what, err := routes[at].ask(r)
		if err != nil {
			return
		}
		r = r.WithContext(context.WithValue(t.Context(), askedKey{}, what))
		after, resumes, err := resumesAfter(r)
		if err == nil && (after < 0 || int64(after) > int64(pawl.MaxID) || !resumes && after != 0) {
			t.Errorf("%q and %q are %d, %v", last, selection, after, resumes)
		}
		if err == nil && last != "" && fmt.Sprint(int64(after)) != last {
			t.Errorf("%q is %d", last, after)
		}
	})
}
