package share

import (
	"flag"
	"testing"
	"time"
)

var (
	histories = flag.Int("histories", 100, "how many random histories the simulation goes through")
	from      = flag.Uint64("from", 0, "the first of them")
	history   = flag.Int("history", -1, "tell what happens in this one only")
)

// go on with a history for some steps, and then end it.
func (w *simWorld) live() {
	r := w.rng
	for range 40 + r.IntN(121) {
		w.now += time.Duration([]float64{1, 1, 2, 5, 20, 60}[r.IntN(6)] * r.Float64() * 2 * float64(time.Second))
		if w.chance(0.06) && (!w.timely || w.chance(0.6)) {
			w.now += time.Duration([]int{300, 600, 890, 950}[r.IntN(4)]) * time.Second
		}
		if w.chance(0.004) {
			w.now += simLease
		}
		c := w.clones[r.IntN(len(w.clones))]
		if c.asleep > w.now {
			continue
		}
		w.turn(c)
		w.believers()
		if len(w.bad) > 0 {
			break
		}
	}
	if len(w.bad) == 0 {
		w.finish()
	}
	for _, c := range w.clones {
		c.crash()
	}
}

// turn lets something happen in a clone, or to it.
func (w *simWorld) turn(c *simClone) {
	r := w.rng
	x := r.Float64()
	if w.timely && w.chance(0.12) {
		x = 0.945 + 0.03*r.Float64()
	}
	switch {
	case x < 0.42:
		c.act()
	case x < 0.90:
		c.goOn()
	case x < 0.93:
		w.happen["crashes"]++
		w.say("clone %d crashes", c.i)
		c.crash()
	case x < 0.945:
		c.away = w.now + time.Duration([]int{60, 600, 2000}[r.IntN(3)])*time.Second
	case x < 0.96:
		c.jump()
	case x < 0.97:
		d := time.Duration([]int{100, 1000}[r.IntN(2)]) * time.Second
		c.asleep = w.now + d
		c.slept += time.Duration(float64(d) * c.rate)
		w.happen["sleeps"]++
	case x < 0.975:
		w.happen["restarts of a machine"]++
		c.reboot()
	case x < 0.983:
		c.byHand()
	case x < 0.990 && w.seed%4 == 0:
		w.rewind()
	case x < 0.993 && w.seed%8 == 0:
		w.remove()
	case x < 0.994 && w.seed%4 == 1 && len(w.clones) < 6:
		c.duplicate()
	}
}

// goOn goes on with a sync of a clone, or begins one.
func (c *simClone) goOn() {
	w := c.w
	if len(c.running) == 0 || unlocked && w.chance(0.2) {
		c.doubled = c.doubled || len(c.running) > 0
		c.sync(w.chance(0.2))
	}
	i := w.rng.IntN(len(c.running))
	y := c.running[i]
	steps := 100
	if w.chance(0.5) {
		steps = 1 + w.rng.IntN(16)
	}
	for range steps {
		if _, on := y.next(); !on {
			c.running = append(c.running[:i:i], c.running[i+1:]...)
			return
		}
	}
}

// simulate makes one history.
func simulate(seed uint64) *simWorld {
	w := newSimWorld(seed)
	w.live()
	return w
}

func TestSimulation(t *testing.T) {
	if *history >= 0 {
		w := newSimWorld(uint64(*history))
		w.trace = t.Logf
		w.live()
		if len(w.bad) > 0 {
			t.Errorf("history %d: %v", *history, w.bad)
		}
		return
	}
	happen := map[string]int{}
	failed := 0
	for seed := range uint64(*histories) {
		seed += *from
		w := simulate(seed)
		for what, n := range w.happen {
			happen[what] += n
		}
		if len(w.bad) > 0 {
			t.Errorf("history %d: %v", seed, w.bad)
			if failed++; failed == 10 {
				break
			}
		}
	}
	t.Log(happen)
}
