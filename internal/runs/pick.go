package runs

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// A Pick is a ready task that is to begin, and how.
type Pick struct {
	Task  pawl.Task
	N     int  // the number of the attempt
	Again bool // in the work tree of the one before
	Slot  int
}

// A Choice is the tasks that begin next, or why none does.
type Choice struct {
	Picks []Pick
	Why   string    // if ready tasks do not begin: one sentence
	Until time.Time // when it may have changed though nothing happens; zero: not known
}

// Pick chooses among ready tasks, which are in the order of `pawl ready`. A task begins
// when a slot is free, its last failure was long enough ago, no person has taken it over,
// and no attempt that is not over changes the same files.
func (s *State) Pick(ready []pawl.Task, slots int, l Limits, agent string, now time.Time) Choice {
	taken, touched, waiting := map[int]bool{}, map[pawl.ID][]string{}, 0
	for _, a := range s.Live() {
		if a.Phase.Works() {
			taken[a.Slot] = true
		}
		if a.Phase == Waiting || a.Phase == Checked { // the latter is about to wait
			waiting++
		}
		touched[a.ID] = s.touches(a.Task, nil)
	}
	var c Choice
	because := func(why string, until time.Time) {
		if c.Why == "" {
			c.Why = why
		}
		if !until.IsZero() && (c.Until.IsZero() || until.Before(c.Until)) {
			c.Until = until
		}
	}
	if p, paused := s.Paused[agent]; paused && agent != "" && (p.Until.IsZero() || now.Before(p.Until)) {
		because(fmt.Sprintf("%s pauses until %s: %s", agent, p.Until.Local().Format("15:04"), p.Why), p.Until)
		return c
	}
	if waiting >= reviewsEach*slots {
		because(fmt.Sprintf("%d attempts wait for approval, and no more begin before a person decides: pawl run approve", waiting), time.Time{})
		return c
	}
	for _, t := range ready {
		id := IdentityOf(&t)
		w := s.Tasks[id]
		last := w.Last()
		if last != nil && !last.Phase.Over() {
			continue // it is at work, or what came of it is being recorded
		}
		if last != nil && last.Phase == Taken {
			because(fmt.Sprintf("a person goes on with %v; pawl run retry %d gives it back to agents", t.ID, t.ID), time.Time{})
			continue
		}
		if last != nil && now.Before(last.Until) {
			because(fmt.Sprintf("the next attempt at %v begins at %s", t.ID, last.Until.Local().Format("15:04:05")), last.Until)
			continue
		}
		files := s.touches(id, &t)
		if other, p, q := clash(touched, files); other != 0 {
			because(fmt.Sprintf("%v waits for %v, which changes the same files (%s, %s)", t.ID, other, p, q), time.Time{})
			continue
		}
		slot := free(taken, slots)
		if slot == 0 {
			break
		}
		taken[slot] = true
		touched[t.ID] = files
		p := Pick{Task: t, N: 1, Slot: slot}
		if last != nil {
			p.N = last.N + 1
			if last.Phase == Dropped {
				p.N = last.N // it did not begin
			}
			p.Again = last.Phase == Released && After(w, l, now).Again && last.Tree != "" && !last.Cleaned
		}
		c.Picks = append(c.Picks, p)
	}
	if len(c.Picks) > 0 {
		c.Why = ""
	}
	return c
}

// touches are the files that a task says it changes, and those that its last attempt did.
func (s *State) touches(id Identity, t *pawl.Task) []string {
	var files []string
	if t != nil {
		files = Touches(t)
	}
	w := s.Tasks[id]
	if w == nil {
		return files
	}
	for i := range w.Attempts {
		files = append(files, w.Attempts[i].Globs...)
	}
	if last := w.Last(); last != nil {
		files = append(files, last.Files...)
	}
	return files
}

func clash(touched map[pawl.ID][]string, files []string) (other pawl.ID, p, q string) {
	for _, id := range slices.Sorted(maps.Keys(touched)) {
		if p, q, may := Overlap(files, touched[id]); may {
			return id, p, q
		}
	}
	return 0, "", ""
}

func free(taken map[int]bool, slots int) int {
	for n := 1; n <= slots; n++ {
		if !taken[n] {
			return n
		}
	}
	return 0
}
