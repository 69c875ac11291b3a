package query_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/memory"
)

// A world is a board whose time stands still unless it is told to pass.
type world struct {
	t     testing.TB
	now   time.Time
	store pawl.Store
	board *pawl.Board
}

func newWorld(t testing.TB) *world {
	w := &world{t: t, now: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}
	w.store = memory.New(memory.WithClock(func() time.Time { return w.now }))
	w.board = pawl.NewBoard(w.store)
	return w
}

func (w *world) do(by pawl.Actor, op pawl.Op) {
	w.t.Helper()
	w.now = w.now.Add(time.Second)
	must.Do(w.t, w.try(by, op))
}

func (w *world) try(by pawl.Actor, op pawl.Op) error {
	_, err := w.board.Do(context.Background(), pawl.Request{By: by, Op: op})
	return err
}

func lanes(t testing.TB, board *pawl.Board, name string, q query.LanesQuery) *query.Lanes {
	t.Helper()
	l, err := query.Of(context.Background(), query.Local(board), query.Asker{By: pawl.Actor{Name: name}}, q)
	must.Do(t, err)
	return &l
}

// tell is all that lanes say.
func tell(l *query.Lanes) string {
	var b strings.Builder
	for lane, cards := range l.Cards {
		fmt.Fprintf(&b, "%s %d\n", query.Lane(lane), l.Total[lane])
		for i := range cards {
			c := &cards[i]
			fmt.Fprintf(&b, "  %s %s\n", c.State.Glyph(true), show.Name(&c.Task))
			put := func(what, words string) {
				if words != "" {
					fmt.Fprintf(&b, "      %s: %s\n", what, words)
				}
			}
			put("why", show.Why(c))
			put("doing", show.Doing(c))
			put("who", show.Who(c, &l.Facts))
			put("unblocks", show.Unblocks(&l.Facts, c.Task.ID))
			if done, total := c.Progress(); total > 0 {
				put("progress", fmt.Sprintf("%d/%d", done, total))
			}
			put("priority", show.Priority(&c.Task))
			put("labels", show.Labels(&c.Task))
		}
	}
	if !l.Until.IsZero() {
		fmt.Fprintf(&b, "until %s\n", l.Until.Format(time.TimeOnly))
	}
	return b.String()
}

func names(names ...string) (refs []pawl.Ref) {
	for _, name := range names {
		refs = append(refs, pawl.RefName(name))
	}
	return refs
}

var (
	ada = pawl.Actor{Name: "ada", Session: "s1"}
	bob = pawl.Actor{Name: "bob", Session: "s2"}
)

// full is a board with one of everything that Pawl itself can make.
func full(t testing.TB) *world {
	w := newWorld(t)
	w.do(ada, pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "db", Subject: "Set up the database"},
		{Ref: "api", Subject: "API routes", BlockedBy: names("db"), ActiveForm: "Writing\nroutes", Labels: []string{"core", "api"}},
		{Ref: "auth", Subject: "Auth module", BlockedBy: names("db"), Priority: pawl.Low},
		{Ref: "all", Subject: "Integration", BlockedBy: names("api", "auth", "rel", "doc", "key")},
		{Subject: "Deploy", Priority: pawl.High, BlockedBy: names("all")},
		{Ref: "rel", Subject: "Release"},
		{Ref: "doc", Subject: "Docs", Parent: pawl.RefName("rel"), Owner: "bob"},
		{Subject: "Changelog", Parent: pawl.RefName("rel")},
		{Ref: "key", Subject: "Get a key", Owner: "ada"},
		{Subject: "Wait for spring"},
		{Subject: "Old one"},
		{Subject: "Later", BlockedBy: names("doc"), Owner: "bob"},
	}})
	w.do(ada, pawl.PutHold{IDs: []pawl.ID{10}, Reason: "it is winter\n[x] #1 fake"})
	w.do(ada, pawl.Complete{IDs: []pawl.ID{11}})
	w.do(ada, pawl.Complete{IDs: []pawl.ID{1}})
	w.do(ada, pawl.Complete{IDs: []pawl.ID{8}})
	w.do(bob, pawl.Start{IDs: []pawl.ID{3}})
	w.do(ada, pawl.ClaimTask{ID: 2, Lease: pawl.Duration(15 * time.Minute)})
	return w
}

func TestLanes(t *testing.T) {
	w := full(t)
	var b strings.Builder
	b.WriteString("# at once\n\n" + tell(lanes(t, w.board, "ada", query.LanesQuery{Done: 10})))
	w.now = w.now.Add(11 * time.Minute)
	b.WriteString("\n# eleven minutes later, as bob, two of what is done\n\n" + tell(lanes(t, w.board, "bob", query.LanesQuery{Done: 2})))
	w.now = w.now.Add(time.Hour)
	b.WriteString("\n# when the lease has ended, only core\n\n" + tell(lanes(t, w.board, "ada", query.LanesQuery{Tasks: pawl.Query{Labels: []string{"core"}}, Done: 10})))
	sample.Golden(t, "lanes.txt", b.String())
}

// What others wrote into the files may name tasks that are not there, or be
// unreadable; both stand where somebody sees it.
func TestLanesOfStrangeFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tasks")
	must.Do(t, os.MkdirAll(dir, 0o755))
	write := func(id int, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("task_%d.json", id)), []byte(text), 0o644))
	}
	write(1, `{"id":1,"subject":"Lost its blocker","status":"pending","blockedBy":[77]}`)
	write(2, `{"id":2,"subject":"Finished once","status":"completed","completedAt":"2026-01-01T00:00:00Z"}`)
	write(3, `{"id":3,"subject":"Waits for a broken one","status":"pending","blockedBy":[2]}`)
	store, err := file.Open(dir, file.WithClock(func() time.Time { return time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC) }))
	must.Do(t, err)
	board := pawl.NewBoard(store)
	defer board.Close()
	before := lanes(t, board, "ada", query.LanesQuery{Done: 10})
	must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: ada, Op: pawl.AddNote{ID: 1, Text: "#2 is known to be completed"}})))
	write(2, `{"id":2,"subject":"Finished on`)
	after := lanes(t, board, "ada", query.LanesQuery{Done: 10})
	sample.Golden(t, "lanes-strange.txt", tell(before)+"\n# when the file of #2 is cut off\n\n"+tell(after))
}

// The filters of a query, and what a filter says about a task.
var filters = []pawl.Query{
	{},
	{Labels: []string{"core"}},
	{Owner: "bob"},
	{Owned: true},
	{Text: "task 1"},
	{Ready: true, For: "ada"},
	{Blocked: true},
	{Held: true},
	{Parent: 1},
	{Priority: new(pawl.Priority)},
	{Session: "s1"},
	{Mine: ada},
	{Status: []pawl.Status{pawl.Completed}},
	{Status: []pawl.Status{pawl.Pending, pawl.Completed}, Labels: []string{"core"}},
}

// randomly makes a board by ops; some are refused.
func randomly(t testing.TB, seed uint64) *world {
	rng := rand.New(rand.NewPCG(seed, 11))
	w := newWorld(t)
	n := pawl.ID(0)
	for range 60 {
		w.now = w.now.Add(time.Duration(rng.IntN(4)) * time.Minute)
		by := []pawl.Actor{ada, bob}[rng.IntN(2)]
		some := func() pawl.ID { return 1 + pawl.ID(rng.IntN(max(1, int(n)))) }
		var op pawl.Op
		switch rng.IntN(9) {
		case 0, 1, 2, 3:
			t := pawl.NewTask{Subject: fmt.Sprintf("Task %d", n+1), Priority: []pawl.Priority{pawl.Low, pawl.Medium, pawl.High}[rng.IntN(3)]}
			for range rng.IntN(3) {
				if n > 0 {
					t.BlockedBy = append(t.BlockedBy, pawl.RefID(some()))
				}
			}
			if n > 0 && rng.IntN(4) == 0 {
				t.Parent = pawl.RefID(some())
			}
			if rng.IntN(3) == 0 {
				t.Labels = []string{"core"}
			}
			if rng.IntN(5) == 0 {
				t.Owner = "bob"
			}
			op = pawl.Create{Tasks: []pawl.NewTask{t}}
		case 4, 5:
			op = pawl.Complete{IDs: []pawl.ID{some()}}
		case 6:
			op = pawl.ClaimTask{ID: some(), Lease: pawl.Duration(time.Duration(1+rng.IntN(20)) * time.Minute)}
		case 7:
			op = pawl.PutHold{IDs: []pawl.ID{some()}, Reason: "no"}
		case 8:
			op = pawl.Reopen{IDs: []pawl.ID{some()}}
		}
		if w.try(by, op) == nil && reflect.TypeOf(op) == reflect.TypeOf(pawl.Create{}) {
			n++
		}
	}
	return w
}

// Every task that a filter chooses is on exactly one lane, each lane counts its
// own, cards are in the order of their lane, and the words about them agree with
// the board.
func TestLanesOfAnyBoard(t *testing.T) {
	var seen [query.NumLanes]int
	named := 0
	for seed := range uint64(long.Of(60)) {
		w := randomly(t, seed)
		for _, q := range filters {
			var all []pawl.Task
			err := w.board.View(context.Background(), func(r pawl.Reader) error {
				page, err := r.Select(q)
				all = page.Tasks
				return err
			})
			must.Do(t, err)
			l := lanes(t, w.board, "ada", query.LanesQuery{Tasks: q, Done: 1_000})
			var want, got [query.NumLanes][]pawl.ID
			for i := range all {
				lane := query.LaneOf(query.StateOf(&all[i], "ada"))
				want[lane] = append(want[lane], all[i].ID)
			}
			for lane, cards := range l.Cards {
				for i := range cards {
					got[lane] = append(got[lane], cards[i].Task.ID)
					if i > 0 && inOrder(query.Lane(lane), &cards[i-1].Task, &cards[i].Task) > 0 {
						t.Errorf("seed %d: in %s, %v comes before %v", seed, query.Lane(lane), cards[i-1].Task.ID, cards[i].Task.ID)
					}
				}
				if l.Total[lane] != len(want[lane]) {
					t.Errorf("seed %d: %s says %d, there are %d", seed, query.Lane(lane), l.Total[lane], len(want[lane]))
				}
				seen[lane] += len(cards)
				slices.Sort(got[lane])
				if !slices.Equal(got[lane], want[lane]) {
					t.Errorf("seed %d, %+v: %s has %v, want %v", seed, q, query.Lane(lane), got[lane], want[lane])
				}
			}
			few := lanes(t, w.board, "ada", query.LanesQuery{Tasks: q, Done: 2})
			if few.Total != l.Total {
				t.Errorf("seed %d: %v cards where two of what is done are read, %v where all are", seed, few.Total, l.Total)
			}
			done := l.Cards[query.Finished]
			if !reflect.DeepEqual(few.Cards[query.Finished], done[:min(2, len(done))]) {
				t.Errorf("seed %d: the newest two of what is done are others when only they are read", seed)
			}
			named += agrees(t, w, l)
		}
	}
	if slices.Min(seen[:]) < 10 || named < 50 {
		t.Errorf("hardly anything was looked at: %v cards, %d that wait", seen, named)
	}
}

// inOrder is how two cards of a lane follow one another.
func inOrder(lane query.Lane, a, b *pawl.Task) int {
	switch lane {
	case query.Doing:
		return a.StartedAt.Compare(b.StartedAt)
	case query.Finished:
		return b.CompletedAt.Compare(a.CompletedAt)
	}
	return pawl.ByUrgency.Compare(a.Rank(), b.Rank())
}

// agrees checks what cards wait for against the tasks, and until when all stays
// as it is. It returns how many cards wait.
func agrees(t *testing.T, w *world, l *query.Lanes) (waiting int) {
	t.Helper()
	page, err := w.board.Select(context.Background(), pawl.Query{})
	must.Do(t, err)
	tasks := map[pawl.ID]pawl.Task{}
	var until time.Time
	for _, task := range page.Tasks {
		tasks[task.ID] = task
		if c := task.Claim; task.Status == pawl.InProgress && c.Lease > 0 && (until.IsZero() || c.Until.Before(until)) {
			until = c.Until
		}
	}
	if !until.Equal(l.Until) {
		t.Errorf("all stays as it is until %v, want %v", l.Until, until)
	}
	for lane, cards := range l.Cards {
		for i := range cards {
			c := &cards[i]
			open := map[pawl.ID]bool{}
			if query.Lane(lane) == query.Blocked {
				for _, id := range append(slices.Clone(c.Task.BlockedBy), c.Task.Children...) {
					if other := tasks[id]; other.Open() {
						open[id] = true
					}
				}
			}
			if c.Waits != len(open) || len(c.WaitFor) != min(3, len(open)) {
				t.Errorf("%v names %d of %d tasks that it waits for, there are %d", c.Task.ID, len(c.WaitFor), c.Waits, len(open))
			}
			for _, wait := range c.WaitFor {
				other := tasks[wait.ID]
				if !open[wait.ID] || wait.Subject != other.Subject || wait.State != query.StateOf(&other, "ada") {
					t.Errorf("%v waits for %+v, which is not so", c.Task.ID, wait)
				}
			}
			if (show.Why(c) == "") == (query.Lane(lane) == query.Blocked) && c.State != query.Taken && !(c.State == query.Working && c.Task.Hold != nil) {
				t.Errorf("%v in %s: the reason is %q", c.Task.ID, query.Lane(lane), show.Why(c))
			}
			if c.Waits > 0 {
				waiting++
			}
		}
	}
	return waiting
}
