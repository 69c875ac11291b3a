package file

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// TestActiveIndex changes a table at random and compares the active index that came along
// with one that is made again, and the table with a plain map.
func TestActiveIndex(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var tab *table = newTable(&snapshot{})
	tab.buildActive()
	want := map[pawl.ID]*entry{}
	last, deepest := pawl.ID(0), 0
	for turn := range 3_000 {
		changes := map[pawl.ID]*entry{}
		for range 1 + rnd.IntN(4) {
			id := pawl.ID(1 + rnd.IntN(1_500))
			if rnd.IntN(8) == 0 {
				changes[id] = nil
				continue
			}
			e := &entry{id: id, status: statuses[rnd.IntN(3)], urgency: pawl.Priority(rnd.IntN(3) - 1), height: rnd.IntN(40)}
			if rnd.IntN(4) == 0 {
				e.owner = "ada"
			}
			if rnd.IntN(6) == 0 {
				e.claim.Token = 1
			}
			if rnd.IntN(6) == 0 {
				e.expired = 1
			}
			if rnd.IntN(6) == 0 {
				e.said.blocks = []pawl.ID{id + 1}
			}
			changes[id] = e
		}
		for id, e := range changes {
			if last = max(last, id); e != nil {
				last = max(last, e.named())
				want[id] = e
			} else {
				delete(want, id)
			}
		}
		tab = tab.with(changes)
		if turn%500 == 0 { // as when the index is written
			base, _, err := parseSnapshot(appendSnapshot(1, tab, nil, &mark{}))
			must.Do(t, err)
			kept := newTable(base)
			kept.active, kept.last = tab.active, tab.last
			tab = kept
		}
		depth := 0
		for u := tab; u != nil; u = u.under {
			depth++
		}
		deepest = max(deepest, depth)
		if turn%50 != 0 {
			continue
		}
		fresh := &table{base: tab.base, over: tab.over, under: tab.under}
		fresh.buildActive()
		for name, lists := range map[string][2][]pawl.Rank{"free": {tab.active.free.list(), fresh.active.free.list()}, "taken": {tab.active.taken.list(), fresh.active.taken.list()}} {
			if !slices.Equal(lists[0], lists[1]) {
				t.Fatalf("turn %d: %s has %d tasks, want %d", turn, name, len(lists[0]), len(lists[1]))
			}
		}
		if !slices.Equal(tab.active.busy, fresh.active.busy) {
			t.Fatalf("turn %d: %d tasks are busy, want %d", turn, len(tab.active.busy), len(fresh.active.busy))
		}
		var ids []pawl.ID
		tab.each(func(r row) bool {
			ids = append(ids, r.id())
			if e := want[r.id()]; e == nil || e.status != r.open().status || tab.get(r.id()).height != e.height {
				t.Fatalf("turn %d: %v is %+v, want %+v", turn, r.id(), r.open(), e)
			}
			return true
		})
		if !slices.Equal(ids, slices.Sorted(maps.Keys(want))) || tab.last != last {
			t.Fatalf("turn %d: %d tasks, last %v, want %d, last %v", turn, len(ids), tab.last, len(want), last)
		}
	}
	if deepest > 12 {
		t.Errorf("a look-up passes %d layers", deepest)
	}
}

func (l ranks) list() []pawl.Rank {
	var all []pawl.Rank
	l.after(nil, func(r pawl.Rank) bool { all = append(all, r); return true })
	if len(all) != l.n {
		panic("the count is wrong")
	}
	return all
}
