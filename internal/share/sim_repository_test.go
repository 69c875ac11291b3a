package share

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/merge"
)

// A simRemote is the commits of all clones, and the one reference.
type simRemote struct {
	w       *simWorld
	commits []*simCommit
	tip     string
}

// A simCommit is a commit, and all that are in its history.
type simCommit struct {
	Commit
	n   int
	anc []uint64
}

func (r *simRemote) at(id string) *simCommit {
	var n int
	if _, err := fmt.Sscanf(id, "c%d", &n); err != nil || n >= len(r.commits) {
		panic("no commit " + id)
	}
	return r.commits[n]
}

func (c *simCommit) has(n int) bool { return n>>6 < len(c.anc) && c.anc[n>>6]&(1<<(n&63)) != 0 }

func (c *simCommit) join(anc []uint64) {
	for i, bits := range anc {
		if i == len(c.anc) {
			c.anc = append(c.anc, 0)
		}
		c.anc[i] |= bits
	}
}

func (r *simRemote) write(c Commit) string {
	n := len(r.commits)
	c.ID = fmt.Sprintf("c%05d", n)
	made := &simCommit{Commit: c, n: n, anc: make([]uint64, n>>6+1)}
	made.anc[n>>6] = 1 << (n & 63)
	for _, p := range c.Parents {
		made.join(r.at(p).anc)
	}
	r.commits = append(r.commits, made)
	return c.ID
}

func (r *simRemote) isAncestor(old, of string) bool {
	return of != "" && old != "" && r.at(of).has(r.at(old).n)
}

// bases are the best commits that two have in common.
func (r *simRemote) bases(a, b string) (ids []string) {
	x, y := r.at(a), r.at(b)
	var covered simCommit
	for n := min(x.n, y.n); n >= 0; n-- {
		if x.has(n) && y.has(n) && !covered.has(n) {
			ids = append(ids, r.commits[n].ID)
			covered.join(r.commits[n].anc)
		}
	}
	slices.Sort(ids)
	return ids
}

// A simRepo is the repository as one sync of a clone sees it.
type simRepo struct{ *simSync }

func (r simRepo) Fetch(context.Context) (string, error) {
	r.step("fetch")
	if r.c.away > r.w.now && !r.final {
		return "", ErrAway
	}
	r.fetched = r.w.remote.tip
	return r.fetched, nil
}

func (r simRepo) Push(_ context.Context, old, tip string) error {
	r.step("push")
	w := r.w
	if r.c.away > w.now && !r.final {
		return ErrAway
	}
	if w.remote.tip != old {
		w.happen["lost races"]++
		return ErrRace
	}
	w.accept(r.simSync, old, tip)
	w.remote.tip, r.fetched = tip, tip
	if !r.final && w.chance(0.08) {
		w.happen["lost answers"]++
		w.say("clone %d: the answer is lost", r.c.i)
		return ErrAway
	}
	return nil
}

func (r simRepo) Own(context.Context) (string, error) {
	r.step("own")
	return r.c.own, nil
}

func (r simRepo) SetOwn(_ context.Context, old, own string) error {
	r.step("set own")
	if r.c.own != old {
		r.w.happen["stale syncs"]++
		return ErrRace
	}
	r.c.own = own
	return nil
}

func (r simRepo) Read(_ context.Context, ids ...string) ([]merge.Board, error) {
	r.step("read commits")
	var boards []merge.Board
	for _, id := range ids {
		boards = append(boards, r.w.remote.at(id).Board)
	}
	return boards, nil
}

func (r simRepo) Write(_ context.Context, c Commit, _ merge.Board) (string, error) {
	r.step("write commit")
	id := r.w.remote.write(c)
	r.w.truth.written(r.c, id)
	return id, nil
}

func (r simRepo) Bases(_ context.Context, a, b string) ([]string, error) {
	r.step("bases")
	return r.w.remote.bases(a, b), nil
}

func (r simRepo) IsAncestor(_ context.Context, old, of string) (bool, error) {
	r.step("is ancestor")
	return r.w.remote.isAncestor(old, of), nil
}

func (r simRepo) Line(_ context.Context, from, to string) (line []Commit, err error) {
	r.step("line")
	for id := to; id != "" && id != from; {
		c := r.w.remote.at(id).Commit
		id = ""
		if len(c.Parents) > 0 {
			id = c.Parents[0]
		}
		c.Board = merge.Board{}
		line = append(line, c)
	}
	slices.Reverse(line)
	return line, nil
}

func (r simRepo) Tidy(context.Context) error { return nil }

// rewind makes the remote forget its last commits, as a forced push does.
func (w *simWorld) rewind() {
	r := &w.remote
	if r.tip == "" {
		return
	}
	tip := r.tip
	for range 1 + w.rng.IntN(4) {
		c := r.at(tip)
		if len(c.Parents) == 0 {
			break
		}
		tip = c.Parents[0]
	}
	if tip != r.tip {
		w.thrown(r.tip, tip)
		w.say("the remote is rewound from %s to %s", r.tip, tip)
		r.tip = tip
		w.happen["rewinds"]++
	}
}

// remove deletes the remote's reference.
func (w *simWorld) remove() {
	if r := &w.remote; r.tip != "" {
		w.thrown(r.tip, "")
		w.say("the remote's reference is deleted")
		r.tip = ""
		w.happen["deletions"]++
	}
}

// jump sets the wall clock of a clone.
func (c *simClone) jump() {
	c.skew += []time.Duration{time.Hour, -time.Hour, time.Duration((2*c.w.rng.Float64() - 1) * 9000 * float64(time.Second))}[c.w.rng.IntN(3)]
	c.w.happen["clock jumps"]++
}
