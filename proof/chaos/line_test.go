//go:build unix

package chaos

import (
	"context"
	"flag"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/proof/e2e/server"
	"github.com/pawl-dev/pawl/query"
)

var (
	clients = flag.Int("clients", 8, "how many clients work at once")
	tasks   = flag.Int("tasks", 48, "how many tasks they claim and complete on each line")
)

// patience is that of the clients: half of it passes before one asks again over
// another connection.
const patience = 20 * time.Second

func TestMain(m *testing.M) { server.Main(m) }

// A weather is what happens to a line, again and again while clients work.
type weather struct {
	name   string
	plain  bool // without TLS, so that the line can tell an answer from the rest
	faults []Fault
	cut    bool          // all connections break
	freeze bool          // all connections there are become half-open once
	bad    time.Duration // for so long, and then all is well for as long; 0: it is bad all the time
	again  bool          // the clients must have been told of repetitions: else it did not happen
}

var weathers = []weather{
	{name: "latency", faults: []Fault{{Type: "latency", Toxicity: 1, Attributes: map[string]any{"latency": 40}}}},
	{name: "jitter", faults: []Fault{{Type: "latency", Toxicity: 1, Attributes: map[string]any{"latency": 30, "jitter": 30}}, {Type: "latency", Stream: "upstream", Toxicity: 0.5, Attributes: map[string]any{"latency": 20, "jitter": 20}}}},
	{name: "narrow", faults: []Fault{{Type: "bandwidth", Toxicity: 1, Attributes: map[string]any{"rate": 200}}, {Type: "bandwidth", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"rate": 200}}}},
	{name: "sliced", faults: []Fault{{Type: "slicer", Toxicity: 1, Attributes: map[string]any{"average_size": 60, "size_variation": 50, "delay": 100}}, {Type: "slicer", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"average_size": 60, "size_variation": 50, "delay": 100}}}},
	{name: "resets", bad: 40 * time.Millisecond, faults: []Fault{{Type: "reset_peer", Toxicity: 0.5, Attributes: map[string]any{"timeout": 5}}}},
	{name: "resets of requests", bad: 40 * time.Millisecond, faults: []Fault{{Type: "reset_peer", Stream: "upstream", Toxicity: 0.5, Attributes: map[string]any{"timeout": 5}}}},
	{name: "cuts", cut: true, bad: 30 * time.Millisecond},
	{name: "few bytes", faults: []Fault{{Type: "limit_data", Toxicity: 0.7, Attributes: map[string]any{"bytes": 6000}}}},
	{name: "answers lost after the commit", plain: true, again: true, faults: []Fault{{Type: "unanswered", Toxicity: 1, Attributes: map[string]any{"share": 0.4}}}},
	{name: "silence", bad: 30 * time.Millisecond, faults: []Fault{{Type: "timeout", Toxicity: 0.4, Attributes: map[string]any{"timeout": 0}}}},
	{name: "silence upstream", bad: 30 * time.Millisecond, faults: []Fault{{Type: "timeout", Stream: "upstream", Toxicity: 0.4, Attributes: map[string]any{"timeout": 0}}}},
	{name: "half-open", freeze: true},
}

// blow spoils the line until the context ends, and returns how often. It waits each time
// until more than half of the clients have got on, and so some of each of two servers: on a
// busy machine the time between two faults may be too short to connect in.
func (w *weather) blow(ctx context.Context, l *Line, ledger *server.Ledger) (times int) {
	pause := func() bool {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(w.bad):
			return true
		}
	}
	if w.freeze {
		<-time.After(50 * time.Millisecond)
		l.Freeze()
		<-ctx.Done()
		return 1
	}
	if w.bad == 0 {
		defer l.Spoil(w.faults...)()
		<-ctx.Done()
		return 1
	}
	for {
		if !pause() {
			return times
		}
		times++
		if w.cut {
			l.Cut()
		} else {
			mend := l.Spoil(w.faults...)
			pause()
			mend()
		}
		if !ledger.Goes(ctx, *clients/2+1) {
			return times
		}
	}
}

// TestWeather: clients work off a board over a bad line, and one looks on. Nothing that
// was acknowledged is lost, nothing ran twice, each task had one owner, and who looked
// on was told of each change once.
func TestWeather(t *testing.T) {
	t.Parallel()
	for _, w := range weathers {
		t.Run(w.name, func(t *testing.T) {
			long.Seldom(t, 3)
			t.Parallel() // they wait, most of the time
			s := server.Start(t, server.Options{TLS: !w.plain})
			scheme, _, _ := strings.Cut(s.Origin, "://")
			l := NewLine(t, s.Addr)
			boss := s.Token("boss", "--board", "shop", "--role", "admin")
			good := s.Client(boss, "shop")
			server.Fill(t, good, *tasks)
			ledger := server.NewLedger()
			var workers []*server.Worker
			for i := range *clients {
				token := s.Token(fmt.Sprint("w", i), "--board", "shop", "--role", "work", "--agent")
				workers = append(workers, &server.Worker{Name: token.Name, Board: s.ClientAt(l.Origin(scheme), token, "shop", patience), Ledger: ledger})
			}
			over := l.Origin(scheme)
			if w.freeze && !*long.Asked { // a stream counts as dead after half a minute
				over = s.Origin
			}
			lookout := newLookout(s.ClientAt(over, boss, "shop", patience))
			before := dropped.Load()
			ctx, still := context.WithCancel(context.Background())
			var blew sync.WaitGroup
			times := 0
			blew.Go(func() { times = w.blow(ctx, l, ledger) })
			server.Crowd(t, workers, *tasks)
			still()
			blew.Wait()
			server.AllDone(t, good, *tasks)
			seen := lookout.until(t, good)
			s.Stop()
			ledger.Check(t, s.Kept("shop"))
			all, again, unknown := ledger.Acknowledged()
			t.Logf("%d clients, %d tasks: %d ops acknowledged, %d of them on being repeated, %d not known; the line was bad %d times; one who looked on saw %d changes", *clients, *tasks, all, again, unknown, times, seen)
			if w.again {
				t.Logf("%d answers were lost after the commit", dropped.Load()-before)
			}
			if all < 2**tasks || w.again && (again == 0 || dropped.Load() == before) || w.bad > 0 && times == 0 {
				t.Error("the test did not test what it means to")
			}
		})
	}
}

// A lookout watches a board over a bad line.
type lookout struct {
	mu     sync.Mutex
	first  pawl.Revision
	last   pawl.Revision
	sets   int
	faults []string
	err    error
	stop   context.CancelFunc
	moved  chan struct{} // has a token after each change
	begun  chan struct{}
}

func newLookout(b query.Board) *lookout {
	ctx, stop := context.WithCancel(context.Background())
	o := &lookout{stop: stop, moved: make(chan struct{}, 1), begun: make(chan struct{})}
	go func() {
		for news, err := range b.Watch(ctx, query.Asker{}, query.From{Now: true}) {
			o.see(news, err)
		}
	}()
	<-o.begun
	return o
}

func (o *lookout) see(news query.News, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case err != nil:
		o.err = err
	case news.Set == nil && o.first == 0:
		o.first, o.last = news.Revision, news.Revision
	case news.Set == nil:
		o.faults = append(o.faults, fmt.Sprintf("news without a change after %d: %+v", o.last, news))
	default:
		if news.Set.Revision != o.last+1 {
			o.faults = append(o.faults, fmt.Sprintf("revision %d came after %d", news.Set.Revision, o.last))
		}
		o.last = news.Set.Revision
		o.sets++
	}
	if o.first != 0 || o.err != nil {
		select {
		case <-o.begun:
		default:
			close(o.begun)
		}
	}
	select {
	case o.moved <- struct{}{}:
	default:
	}
}

// until waits until the lookout has seen all that there is, and returns how much.
func (o *lookout) until(t *testing.T, b query.Board) int {
	t.Helper()
	defer o.stop()
	head := must.Get(query.Of(context.Background(), b, query.Asker{}, query.OverviewQuery{}))(t)
	late := time.After(time.Minute)
	for {
		o.mu.Lock()
		last, sets, faults, err := o.last, o.sets, o.faults, o.err
		o.mu.Unlock()
		if len(faults) > 0 || err != nil {
			t.Errorf("who looked on was told %v, %v", faults, err)
		}
		if last >= head.Revision || len(faults) > 0 || err != nil {
			return sets
		}
		select {
		case <-o.moved:
		case <-late:
			t.Errorf("who looked on has seen revision %d of %d", last, head.Revision)
			return sets
		}
	}
}

// TestCut: a line is there again after each cut, while programs are started beside it.
func TestCut(t *testing.T) {
	l := NewLine(t, "127.0.0.1:1")
	ctx, done := context.WithCancel(t.Context())
	var others sync.WaitGroup
	others.Go(func() {
		for ctx.Err() == nil {
			_ = exec.CommandContext(ctx, "true").Run()
		}
	})
	for range 200 {
		l.Cut()
	}
	done()
	others.Wait()
}
