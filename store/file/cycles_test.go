package file

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	boardmerge "github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

func cyclesOf(t *testing.T, d *disk) (cycles [][]pawl.ID) {
	t.Helper()
	must.Do(t, pawl.NewBoard(simStore(t, d.process())).View(context.Background(), func(r pawl.Reader) (err error) {
		cycles, err = pawl.Cycles(r)
		return err
	}))
	return cycles
}

// Git of two branches made a cycle, which stayed. The next change cuts it, whatever that
// is, and it cuts the edges that a merge of boards would: in every clone the same ones.
func TestCyclesAreCut(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[bool]int{}
	for range 200 {
		const n = 6
		files := map[pawl.ID][]byte{}
		for id := pawl.ID(1); id <= n; id++ {
			task := pawl.Task{ID: id, Subject: fmt.Sprint(id), Status: []pawl.Status{pawl.Pending, pawl.Completed}[random.IntN(5)/4], CreatedAt: noon.Add(time.Duration(random.IntN(4)) * time.Second)}
			for range random.IntN(3) {
				if other := pawl.ID(random.IntN(n) + 1); other != id && !slices.Contains(task.Blocks, other) {
					task.Blocks = append(task.Blocks, other)
				}
			}
			if parent := pawl.ID(random.IntN(3*n) + 1); parent <= n && parent != id {
				task.Parent = parent
			}
			files[id] = taskjson.Encode(&task)
		}
		other := boardmerge.Board{Tasks: map[pawl.ID][]byte{}}
		for id, text := range files {
			other.Tasks[id] = text
		}
		other.Tasks[n+1] = taskjson.Encode(&pawl.Task{ID: n + 1, Subject: "other", Status: pawl.Pending, CreatedAt: noon})
		_, report := boardmerge.Boards(nil, boardmerge.Board{Tasks: files}, other)

		var left []map[pawl.ID]string
		for clone := range 2 {
			d := board(t, create("a"))
			for id, text := range files { // in some order, and looked at or not in between
				d.now += 1e9
				d.put(taskName(id), string(text))
				if clone == 1 && id%3 == 0 {
					comeBy(t, d)
				}
			}
			before := cyclesOf(t, d)
			for id, text := range files {
				if d.text(taskName(id)) != string(text) {
					t.Fatalf("a reader wrote the file of %v", id)
				}
			}
			cut := do(t, d, create("next"))[0].Cut
			if (len(before) > 0) != (len(cut) > 0) || len(cyclesOf(t, d)) > 0 {
				t.Fatalf("of the cycles %v were cut %v, and left are %v", before, cut, cyclesOf(t, d))
			}
			if !reflect.DeepEqual(sortedEdges(cut), sortedEdges(report.Cut)) {
				t.Fatalf("a clone cuts %v, a merge of boards %v", cut, report.Cut)
			}
			texts := map[pawl.ID]string{}
			for id := range files {
				texts[id] = d.text(taskName(id))
			}
			left = append(left, texts)
			seen[len(cut) > 0]++
			if again := do(t, d, create("after"))[0].Cut; again != nil {
				t.Fatalf("a second change cuts %v", again)
			}
		}
		if !reflect.DeepEqual(left[0], left[1]) {
			t.Fatalf("two clones have\n%v\nand\n%v", left[0], left[1])
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Fatalf("boards with and without cycles: %v", seen)
	}
}

func sortedEdges(edges []pawl.Edge) []string {
	all := []string{}
	for _, e := range edges {
		all = append(all, fmt.Sprint(e))
	}
	slices.Sort(all)
	return all
}

// What is known of cycles ends with an edge that another program adds, and with a crash
// after that edge was recorded.
func TestCyclesAreLookedForAgain(t *testing.T) {
	d := board(t, chain("a", "b"), create("c"))
	do(t, d, create("d"))
	d.edit(t, 1, `"blockedBy": []`, `"blockedBy": [2]`)
	dieBefore(t, d, "write", logName, oneMore()) // the edit is in the journal, and not in the index
	expect(t, "cycles", cyclesOf(t, d), [][]pawl.ID{{1, 2}})
	expect(t, "cut", do(t, d, oneMore())[0].Cut, []pawl.Edge{{Task: 2, For: 1}})
	expect(t, "cut later", len(do(t, d, oneMore())[0].Cut), 0)

	// It is a change as any other: history has it, and it can be undone once that closes
	// no cycle.
	var set pawl.ChangeSet
	b := pawl.NewBoard(simStore(t, d.process()))
	for s, err := range b.Changes(context.Background(), pawl.Span{}) {
		must.Do(t, err)
		if s.By.Name == "pawl" {
			set = s
		}
	}
	expect(t, "changed", len(set.Changes), 2)
	undo := pawl.Request{By: by, Op: pawl.Undo{Revision: set.Revision}}
	if _, err := b.Do(context.Background(), undo); pawl.KindOf(err) != pawl.Conflict && pawl.KindOf(err) != pawl.Invalid {
		t.Errorf("an undo that closes the cycle again: %v", err)
	}
	do(t, d, pawl.Update{ID: 1, RemoveBlockedBy: []pawl.ID{2}})
	if _, err := b.Do(context.Background(), pawl.Request{By: by, Op: pawl.Undo{Revision: set.Revision}}); err != nil {
		t.Errorf("an undo that closes no cycle: %v", err)
	}
}

func oneMore() pawl.Op { return create("one more") }

// A cycle with a file that cannot be written stays, and keeps nobody from working.
func TestCyclesOfUnmergedFilesStay(t *testing.T) {
	d := board(t, chain("a", "b"), create("c"))
	d.edit(t, 1, `"blockedBy": []`, `"merging": [{"id": 1, "subject": "x", "status": "pending"}], "blockedBy": [2]`)
	expect(t, "cut", len(do(t, d, create("next"))[0].Cut), 0)
	expect(t, "cycles", cyclesOf(t, d), [][]pawl.ID{{1, 2}})
}
