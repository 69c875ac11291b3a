package share

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A simWorld is some clones of a board and one remote. Clones change their boards and
// sync. A sync stops before each thing that it asks of its surroundings, so that others
// go on between any two of its steps, and a crash drops it at any of them.
//
// All that happens follows from the seed.
type simWorld struct {
	timely bool // few tasks are claimed and renewed, and clocks go wrong
	seed   uint64
	rng    *rand.Rand
	now    time.Duration // true time, which no clone knows
	names  int           // counts tasks, notes, claims and other things that are told apart
	clones []*simClone
	remote simRemote
	truth  simTruth
	read   map[string]*simTask // texts that were read once
	happen map[string]int      // how often something happened
	bad    []string            // promises that were broken, the first one first
	trace  func(string, ...any)
}

const (
	simLease = 15 * time.Minute
	simDrift = 1e-3 // how much faster or slower a clock may run
	// unlocked says that two syncs of a clone may run at a time: nothing locks them out. In
	// proof/mutants they do.
	unlocked = false
)

var simStart = time.UnixMilli(1_800_000_000_000).UTC()

func newSimWorld(seed uint64) *simWorld {
	w := &simWorld{timely: seed%4 == 3, seed: seed, rng: rand.New(rand.NewPCG(seed, 18)), read: map[string]*simTask{}, happen: map[string]int{}}
	w.truth.init()
	w.remote.w = w
	for range []int{2, 3, 3, 4, 5}[w.rng.IntN(5)] {
		w.clones = append(w.clones, newSimClone(w, len(w.clones)))
	}
	if w.chance(0.2) && !w.timely { // clones that had the board before it was shared
		first := w.clones[0]
		for range 6 {
			first.add()
		}
		w.truth.older = maps.Clone(w.truth.tasks)
		for _, c := range w.clones[1:] {
			if w.chance(0.7) {
				c.board = first.board.copy()
			}
		}
	}
	return w
}

func (w *simWorld) chance(p float64) bool { return w.rng.Float64() < p }

func (w *simWorld) name() int { w.names++; return w.names }

func (w *simWorld) violate(format string, args ...any) {
	said := fmt.Sprintf(format, args...)
	w.say("VIOLATION %s", said)
	w.bad = append(w.bad, said)
}

func (w *simWorld) say(format string, args ...any) {
	if w.trace != nil {
		w.trace("%8.0fs "+format, append([]any{w.now.Seconds()}, args...)...)
	}
}

// A simTask is a text that was read.
type simTask struct {
	*pawl.Task
	uid   string
	nonce int // of the claim or completion, which is in the owner's name; zero: none
}

// task reads a text. Texts are few and stay, so each is read once.
func (w *simWorld) task(text []byte) *simTask {
	if t, ok := w.read[string(text)]; ok {
		return t
	}
	f, err := taskjson.Decode(text)
	if err != nil {
		panic(fmt.Sprintf("%v\n%s", err, text))
	}
	t := &simTask{Task: &f.Task}
	_ = json.Unmarshal(f.Task.Metadata["uid"], &t.uid)
	t.nonce = nonceOf(f.Task.Owner)
	w.read[string(text)] = t
	return t
}

// nonceOf reads what tells a claim from all others: "a1n0042".
func nonceOf(owner string) (n int) {
	if _, digits, ok := strings.Cut(owner, "n"); ok {
		_, _ = fmt.Sscanf(digits, "%d", &n)
	}
	return n
}

// nonceIn finds one in the note of a completion that yielded.
func nonceIn(note string) int {
	_, text, _ := strings.Cut(note, " by a")
	return nonceOf(text)
}

// A simClone is one machine with a copy of the board.
type simClone struct {
	w     *simWorld
	i     int
	board *simBoard
	own   string
	state *State // what Memory has; a crash loses what was not saved
	last  string // the newest commit of the remote that the board was written from
	seen  string // the remote's tip at the end of the last sync that succeeded

	rate   float64
	skew   time.Duration // of the wall clock
	boot   int
	booted time.Duration // when
	slept  time.Duration // by how much a clock would be late that stops meanwhile: see proof/mutants
	away   time.Duration // until then the remote cannot be reached
	asleep time.Duration // until then the machine sleeps

	saved    *simBoard // a backup of the board,
	savedAt  string    // which this commit has
	outdated nonces    // claims and completions that came back with it
	most     pawl.ID   // the highest number that it gave

	running []*simSync
	doubled bool              // two syncs ran at a time: what they tell may be told twice, or not
	edited  bool              // by hand, and the store has not seen it yet
	known   map[string]nonces // by task: the claims and completions that its board ever had
	made    nonces            // claims and completions of somebody in this clone
	foreign nonces            // those of the clone that it is a copy of
	lost    map[int]int       // of those that it made: how often a sync took it off the board
	told    map[int]int       // and how often a sync told so
}

func newSimClone(w *simWorld, i int) *simClone {
	return &simClone{
		w: w, i: i, board: newSimBoard(),
		rate:  1 + (2*w.rng.Float64()-1)*simDrift,
		skew:  []time.Duration{0, 0, time.Hour, -time.Hour, time.Duration((2*w.rng.Float64() - 1) * 90000 * float64(time.Second))}[w.rng.IntN(5)],
		state: &State{Clone: fmt.Sprint("clone", i)},
		known: map[string]nonces{}, lost: map[int]int{}, told: map[int]int{},
	}
}

// clock is the clock of the clone. The wall clock never stands still between two
// things that happen, as that of a store does not.
func (c *simClone) clock() Instant {
	t := time.Duration(float64(c.w.now) * c.rate)
	return Instant{Wall: simStart.Add(t + c.skew).Truncate(time.Millisecond), Up: t - c.booted, Boot: fmt.Sprint("boot", c.i, ".", c.boot)}
}

// Now makes the clone a Clock.
func (c *simClone) Now() Instant { return c.clock() }

// crash ends all that runs in a clone.
func (c *simClone) crash() {
	for _, y := range c.running {
		y.drop()
	}
	c.running = nil
}

// reboot starts the machine of a clone again.
func (c *simClone) reboot() {
	c.crash()
	c.boot++
	c.booted, c.slept = time.Duration(float64(c.w.now)*c.rate), 0
}

// nonces is a small set.
type nonces [8]uint64

func (s *nonces) add(n int)      { s[n>>6&7] |= 1 << (n & 63) }
func (s *nonces) has(n int) bool { return s[n>>6&7]&(1<<(n&63)) != 0 }
func (s *nonces) join(t nonces) {
	for i := range s {
		s[i] |= t[i]
	}
}
