package merge

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Any files, with anything beside them, come onto any others: what was made can be
// read, what theirs has keeps its number, and every clone has the same in the end.
func TestOntoOddFiles(t *testing.T) {
	for seed := range uint64(6 * *histories) {
		seed += uint64(6 * *from)
		rng := rand.New(rand.NewPCG(seed, 11))
		bases, o, th := oddBoards(rng)
		for _, b := range append(slices.Clone(bases), o, th) {
			if rng.IntN(6) == 0 {
				for id, text := range b.Tasks {
					if rng.IntN(3) == 0 {
						b.Tasks[id] = text[:rng.IntN(len(text))]
					}
				}
			}
		}
		about := func() Beside {
			b := Beside{Turn: rng.IntN(3)}
			if rng.IntN(2) == 0 {
				b.Held = &Held{Clone: fmt.Sprint("c", rng.IntN(2)), Token: pawl.Revision(rng.IntN(2)), Renewal: rng.IntN(2)}
			}
			return b
		}
		for _, b := range []*Board{&o, &th} {
			for range rng.IntN(4) {
				if b.Beside == nil {
					b.Beside = map[pawl.ID]Beside{}
				}
				b.Beside[pawl.ID(1+rng.IntN(6))] = about()
			}
			for range rng.IntN(3) {
				id := pawl.ID(1 + rng.IntN(6))
				b.Gone = append(b.Gone, Gone{ID: id, Text: oddFile(rng, id), Beside: about()})
			}
		}
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("%d: %s\nours\n%s\ntheirs\n%s\nbases %d", seed, fmt.Sprintf(format, args...), all(o), all(th), len(bases))
		}
		m, _ := Onto(bases, o, th)
		for id, text := range m.Tasks {
			if bytes.Equal(text, o.Tasks[id]) || bytes.Equal(text, th.Tasks[id]) {
				continue
			}
			if file, err := taskjson.Decode(text); err != nil && !contains(o, text) && !contains(th, text) || err == nil && file.Task.ID != id && !contains(o, text) {
				fail("%v: %v\n%s", id, err, text)
			}
		}
		for id := range m.Beside {
			if m.Tasks[id] == nil {
				fail("%v is said to be held, and is not there", id)
			}
		}
		if m.Mark < max(o.Mark, th.Mark) {
			fail("the mark goes down")
		}
		for name, is := range map[string]Board{"ours": o, "theirs": th} {
			if again, _ := Onto([]Board{is}, is, m); !sameBoard(again, m) && len(bases) < 2 {
				fail("onto the result, %s:\n%s%s\ngone\n%sagain\n%sat first\n%s%v %v", name, differ(m, again), all(m), graves(m), graves(again), graves(th), m.Beside, again.Beside)
			}
		}
	}
}

func contains(b Board, text []byte) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(b.Tasks)), func(t []byte) bool { return bytes.Equal(t, text) })
}
