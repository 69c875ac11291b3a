package replay_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/store/storetest"
)

// shown is how tasks stand at one revision.
type shown map[pawl.ID]replay.Standing

// Whatever happens on a board: its film shows at each revision what readers saw
// then, however much of history it is made of.
func TestFilmIsWhatReadersSaw(t *testing.T) {
	came := map[string]int{}
	for seed := range uint64(120) {
		ok := t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			p := player{Rand: rand.New(rand.NewPCG(seed, 7)), clock: storetest.NewClock()}
			history := memory.WithHistory([]int{12, 1000}[p.IntN(2)])
			p.board = pawl.NewBoard(memory.New(memory.WithClock(p.clock.Now), history))
			p.story(t, came)
		})
		if !ok {
			break
		}
	}
	often(t, came, 20,
		"ready", "blocked", "held", "in_progress", "completed", "assigned", "gone", "renamed", "undo",
		"compared", "a lease has ended", "only renewed", "cut",
	)
}

// often fails where a story never gets to what it is about.
func often(t *testing.T, came map[string]int, least int, what ...string) {
	t.Helper()
	t.Log(came)
	for _, what := range what {
		if came[what] < least {
			t.Errorf("%s: %d times", what, came[what])
		}
	}
}

// story makes random moves on a board, watches it, and compares that with what
// the film tells in the end.
func (p player) story(t *testing.T, came map[string]int) {
	seen := map[pawl.Revision]shown{0: {}}
	for range 120 {
		p.move(t)
		rev, tasks := look(t, p.board)
		if _, known := seen[rev]; !known { // else time has passed, and no more
			seen[rev] = tasks
		}
		for _, s := range tasks {
			came[string(s.State)]++
		}
	}
	if p.chance(2) {
		p.clock.Advance(2 * time.Hour)
	}
	for _, limit := range []int{0, 1 + p.IntN(20)} {
		film := load(t, p.board, limit)
		frames := play(t, film, came)
		frame := shown{}
		for rev := film.From; rev <= film.Revision; rev++ {
			if next, told := frames[rev]; told {
				frame = next
			} else {
				came["only renewed"]++
			}
			if want, known := seen[rev]; known {
				came["compared"]++
				if diff := cmp.Diff(want, frame); diff != "" {
					t.Fatalf("revision %d of %d to %d, - as it was, + in the film:\n%s", rev, film.From, film.Revision, diff)
				}
			}
		}
		_, present := look(t, p.board)
		if diff := cmp.Diff(present, frames[end]); diff != "" {
			t.Fatalf("now, - as it is, + in the film:\n%s", diff)
		}
		switch {
		case ended(t, p.board):
			came["a lease has ended"]++
		case len(film.Now) > 0:
			t.Fatalf("history does not tell of %v", film.Now)
		}
		switch {
		case limit > 0 && len(film.Steps) > limit:
			t.Fatalf("%d steps, and not more than %d were wanted", len(film.Steps), limit)
		case film.Cut != "":
			came["cut"]++
		case len(film.Start) > 0:
			t.Fatalf("it begins with %v, and does not say why", film.Start)
		}
	}
}

// end is the frame behind the last revision.
const end = pawl.Revision(-1)

// play shows a film as a page does, and holds it to its promises on the way.
func play(t *testing.T, film *replay.Film, came map[string]int) map[pawl.Revision]shown {
	t.Helper()
	subjects := map[pawl.ID]string{}
	for i, n := range film.Tasks {
		if i > 0 && film.Tasks[i-1].ID >= n.ID {
			t.Fatalf("the tasks are not by id: %v", film.Tasks)
		}
		subjects[n.ID] = n.Subject
	}
	now := shown{}
	turn := func(list []replay.Standing) shown {
		for i, s := range list {
			if i > 0 && list[i-1].ID >= s.ID {
				t.Fatalf("changes are not by id: %v", list)
			}
			if s.Subject == "" && !s.Gone {
				s.Subject = subjects[s.ID]
			} else if !s.Gone {
				came["renamed"]++
			}
			was, there := now[s.ID]
			if was == s || s.Gone && !there {
				t.Fatalf("nothing has changed in %v", s)
			}
			now[s.ID] = s
			if s.Gone {
				came["gone"]++
				delete(now, s.ID)
			}
		}
		return maps.Clone(now)
	}
	frames := map[pawl.Revision]shown{film.From: turn(film.Start)}
	last := film.From
	for _, step := range film.Steps {
		if step.Revision <= last || step.Line == "" || step.Verb == "" || step.At == "" {
			t.Fatalf("after revision %d came %+v", last, step)
		}
		last = step.Revision
		came[step.Verb]++
		frames[last] = turn(step.Changes)
	}
	if last > film.Revision {
		t.Fatalf("a film up to %d goes on to %d", film.Revision, last)
	}
	frames[end] = turn(film.Now)
	return frames
}

func load(t *testing.T, board *pawl.Board, limit int) *replay.Film {
	t.Helper()
	film := must.Get(replay.Load(t.Context(), board, "ada", limit))(t)
	return film
}

// look returns how all tasks stand now.
func look(t *testing.T, board *pawl.Board) (rev pawl.Revision, now shown) {
	t.Helper()
	now = shown{}
	must.Do(t, board.View(t.Context(), func(r pawl.Reader) error {
		rev = r.Revision()
		page, err := r.Select(pawl.Query{Limit: pawl.MaxPage})
		for _, task := range page.Tasks {
			now[task.ID] = replay.Standing{ID: task.ID, State: query.StateOf(&task, "ada").Name(), Owner: task.Owner, Subject: task.Subject}
		}
		return err
	}))
	return rev, now
}

// ended reports whether a lease has ended that nobody has recorded.
func ended(t *testing.T, board *pawl.Board) (yes bool) {
	t.Helper()
	must.Do(t, board.Recorded(t.Context(), func(r pawl.Reader) error {
		page, err := r.Select(pawl.Query{Limit: pawl.MaxPage, LeaseBefore: r.Now()})
		yes = len(page.Tasks) > 0
		return err
	}))
	return yes
}

// A player makes random moves. Many of them are refused.
type player struct {
	*rand.Rand
	board    *pawl.Board
	clock    *storetest.Clock
	external func() // edits the files of the board; nil: it has none
}

func (p player) chance(one int) bool   { return p.IntN(one) == 0 }
func (p player) id() pawl.ID           { return pawl.ID(1 + p.IntN(12)) }
func (p player) of(s ...string) string { return s[p.IntN(len(s))] }

func (p player) ids() (ids []pawl.ID) {
	for range 1 + p.IntN(2) {
		ids = append(ids, p.id())
	}
	return ids
}

func (p player) lease() time.Duration {
	return []time.Duration{0, time.Minute, time.Minute, time.Hour}[p.IntN(4)]
}

func (p player) move(t *testing.T) {
	by := pawl.Actor{Name: p.of("ada", "ada", "bob"), Session: p.of("s1", "s2")}
	switch n := p.IntN(16); {
	case p.external != nil && n < 5:
		p.external()
		record(t, p.board)
		return
	case n == 0:
		p.clock.Advance([]time.Duration{time.Second, 2 * time.Minute, 2 * time.Hour}[p.IntN(3)])
		return
	case n == 1:
		rev, _ := look(t, p.board)
		p.board.Undo(t.Context(), by, max(0, rev-pawl.Revision(p.IntN(5))))
		return
	}
	requests := []pawl.Request{{By: by, Op: p.op()}}
	if p.chance(8) {
		requests = append(requests, pawl.Request{By: by, Op: p.op()})
	}
	p.board.DoAll(t.Context(), requests...)
}

func (p player) op() pawl.Op {
	switch p.IntN(16) {
	case 0, 1, 2, 3:
		op := pawl.Create{}
		for i := range 1 + p.IntN(3) {
			n := pawl.NewTask{Ref: fmt.Sprint("t", i), Subject: p.of("Set up", "Write", "Test", "Ship"), Owner: p.of("", "", "ada", "bob")}
			if p.chance(2) {
				n.BlockedBy = []pawl.Ref{pawl.RefID(p.id())}
			}
			if p.chance(3) {
				n.Parent = pawl.RefID(p.id())
			}
			if i > 0 && p.chance(2) {
				n.Blocks = []pawl.Ref{pawl.RefName("t0")}
			}
			op.Tasks = append(op.Tasks, n)
		}
		return op
	case 4, 5:
		return pawl.ClaimTask{ID: p.id() * pawl.ID(p.IntN(2)), Lease: pawl.Duration(p.lease()), Force: p.chance(3)}
	case 6:
		return pawl.Start{IDs: p.ids(), Lease: pawl.Duration(p.lease())}
	case 7, 8:
		return pawl.Complete{IDs: p.ids(), Force: p.chance(3)}
	case 9:
		return pawl.Reopen{IDs: p.ids()[:1]}
	case 10:
		return pawl.Release{IDs: p.ids(), Hold: p.of("", "no key"), Force: p.chance(2)}
	case 11:
		return pawl.Assign{IDs: p.ids(), Owner: p.of("", "ada", "bob")}
	case 12:
		if p.chance(2) {
			return pawl.LiftHold{IDs: p.ids()[:1]}
		}
		return pawl.PutHold{IDs: p.ids(), Reason: "no budget"}
	case 13:
		return pawl.Delete{IDs: p.ids(), Force: p.chance(2)}
	case 14:
		if p.chance(2) {
			return pawl.Renew{}
		}
		return pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: p.id(), Text: "seen"}, pawl.Complete{IDs: p.ids()}}}
	}
	op := pawl.Update{ID: p.id()}
	switch p.IntN(5) {
	case 0:
		op.Subject = new(p.of("Set up", "Write it", "Test it"))
	case 1:
		op.Parent = new(p.id() * pawl.ID(p.IntN(2)))
	case 2:
		op.AddBlockedBy = p.ids()
	case 3:
		op.RemoveBlockedBy, op.AddBlocks = p.ids(), p.ids()
	default:
		op.RemoveBlocks, op.Priority = p.ids(), new(pawl.High)
	}
	return op
}
