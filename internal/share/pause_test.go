package share

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestPause: clones that send without a break lose races against each other. Each still gets
// at least half of its share of the turns. A try succeeds if nobody else's did between its begin and its end; a clone that
// is through is back at once, and does not have to fetch.
func TestPause(t *testing.T) {
	for _, few := range []struct {
		clones      int
		took, fetch time.Duration // by a try, and more of one after a race that was lost
		within      time.Duration // what a claim waits for the network
		late        float64       // how many of a hundred may need longer than that
	}{
		{3, 150 * time.Millisecond, 0, 10 * time.Second, 0.5},
		{4, 100 * time.Millisecond, 200 * time.Millisecond, 10 * time.Second, 2},
		{8, 150 * time.Millisecond, 0, 10 * time.Second, 1},
		{8, 150 * time.Millisecond, 150 * time.Millisecond, 10 * time.Second, 6},
		{8, 400 * time.Millisecond, 0, 10 * time.Second, 12},
		{20, 150 * time.Millisecond, 0, 10 * time.Second, 8},
		{8, 2 * time.Second, 0, 2 * time.Minute, 1},
	} {
		rnd := rand.New(rand.NewPCG(1, 2))
		type clone struct {
			next, fetched, began time.Duration
			turn                 *Turn
			tries, turns         int
			busy                 bool
		}
		clones := make([]clone, few.clones)
		for i := range clones {
			clones[i].next = time.Duration(rnd.Float64() * float64(few.took))
		}
		accepted, pushes, late := time.Duration(-1), 0, 0
		for pushes+late < 2000 {
			c := &clones[0]
			for i := range clones {
				if clones[i].next < c.next {
					c = &clones[i]
				}
			}
			now := c.next
			if !c.busy {
				if c.tries == 0 {
					c.began = now
				}
				took := few.took
				if c.tries > 0 {
					took += few.fetch
				}
				c.busy, c.fetched = true, now
				c.next += time.Duration((0.7 + 0.6*rnd.Float64()) * float64(took))
				continue
			}
			c.busy = false
			if accepted <= c.fetched {
				c.turn = c.turn.next(Instant{Up: now}, now-c.fetched, c.tries == 0)
				accepted, c.tries, c.next = now, 0, now+few.took/2+c.turn.giveWay(Instant{Up: now + few.took/2}, rnd.Float64())
				c.turns++
				pushes++
				continue
			}
			c.next += pause(now-c.fetched, rnd.Float64())
			if c.tries++; c.next-c.began > few.within {
				c.tries, c.next = 0, now+few.took/2
				late++
			}
		}
		if got := 100 * float64(late) / float64(pushes+late); got > few.late {
			t.Errorf("%d clones, of which each try takes %v: %.1f%% wait longer than %v", few.clones, few.took, got, few.within)
		}
		least := slices.MinFunc(clones, func(a, b clone) int { return a.turns - b.turns }).turns
		if least < pushes/few.clones/2 {
			t.Errorf("%d clones, of which each try takes %v and %v: one has had %d of %d turns", few.clones, few.took, few.fetch, least, pushes)
		}
	}
}
