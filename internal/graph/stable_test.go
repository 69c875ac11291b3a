package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A change is what happens to one task of a plan: where what was node i is then,
// or -1, and the nodes behind which layers may change.
type change struct {
	next    [][]int32
	place   func(i int) int
	affects []int32
}

func stays(i int) int { return i }

// changes are what happens to a plan most often.
var changes = []struct {
	name string
	of   func(rng *rand.Rand, next [][]int32) change
	most int // of a hundred pairs of neighbours in a layer, so many may change sides
}{
	{"a task is added behind one", func(rng *rand.Rand, next [][]int32) change {
		at := rng.IntN(len(next))
		next[at] = append(next[at], int32(len(next)))
		return change{append(next, nil), stays, nil}
	}, 4},
	{"a task is added that stands alone", func(rng *rand.Rand, next [][]int32) change {
		return change{append(next, nil), stays, nil}
	}, 0},
	{"a task waits for one more", func(rng *rand.Rand, next [][]int32) change {
		from := rng.IntN(len(next) - 1)
		to := from + 1 + rng.IntN(min(12, len(next)-from-1))
		next[from] = append(next[from], int32(to))
		return change{next, stays, []int32{int32(to)}}
	}, 6},
	{"a task waits for one less", func(rng *rand.Rand, next [][]int32) change {
		from := rng.IntN(len(next))
		for len(next[from]) == 0 {
			from = rng.IntN(len(next))
		}
		to := next[from][0]
		next[from] = slices.DeleteFunc(next[from], func(j int32) bool { return j == to })
		return change{next, stays, []int32{to}}
	}, 6},
	{"a task that nothing keeps is done, and is not shown any more", func(rng *rand.Rand, next [][]int32) change {
		waits := make([]bool, len(next))
		for _, out := range next {
			for _, j := range out {
				waits[j] = true
			}
		}
		gone := rng.IntN(len(next))
		for waits[gone] {
			gone = rng.IntN(len(next))
		}
		affects := next[gone]
		next = slices.Delete(next, gone, gone+1)
		for i := range next {
			next[i] = slices.Clone(next[i])
			for k := range next[i] {
				if int(next[i][k]) > gone {
					next[i][k]--
				}
			}
		}
		return change{next, func(i int) int {
			switch {
			case i == gone:
				return -1
			case i > gone:
				return i - 1
			}
			return i
		}, affects}
	}, 5},
}

// What changes one task leaves alone the layers of all that do not wait for it,
// and nearly all of the order in layers.
func TestStable(t *testing.T) {
	for _, c := range changes {
		moved, pairs, shifted, nodes := 0, 0, 0, 0
		for seed := range uint64(100) {
			rng := rand.New(rand.NewPCG(seed, 3))
			next := random(rng, 50, 70, 12, false)
			before := LayOut(next)
			behind := make([]bool, len(next)) // by the places before
			changed := c.of(rng, cloned(next))
			for way := slices.Clone(changed.affects); len(way) > 0; way = way[1:] {
				if !behind[way[0]] {
					behind[way[0]] = true
					way = append(way, next[way[0]]...)
				}
			}
			after := LayOut(changed.next)
			for i := range next {
				if changed.place(i) < 0 {
					continue
				}
				was, is := before.Spots[i], after.Spots[changed.place(i)]
				nodes++
				if was.Layer != is.Layer {
					shifted++
					if !behind[i] {
						t.Fatalf("%s: seed %d: node %d moved from layer %d to %d", c.name, seed, i, was.Layer, is.Layer)
					}
					continue
				}
				for j := range i {
					if changed.place(j) < 0 || before.Spots[j].Layer != was.Layer || after.Spots[changed.place(j)].Layer != is.Layer {
						continue
					}
					pairs++
					if (before.Spots[j].Row < was.Row) != (after.Spots[changed.place(j)].Row < is.Row) {
						moved++
					}
				}
			}
		}
		told := fmt.Sprintf("%s: %d of %d pairs in a layer changed sides, %d of %d nodes changed their layer", c.name, moved, pairs, shifted, nodes)
		t.Log(told)
		if moved*100 > c.most*pairs || pairs < 10_000 || shifted*20 > nodes {
			t.Error(told)
		}
	}
}

func cloned(next [][]int32) [][]int32 {
	next = slices.Clone(next)
	for i := range next {
		next[i] = slices.Clone(next[i])
	}
	return next
}
