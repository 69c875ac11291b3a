package web

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/store/memory"
)

// TestWhatIfIsWhatHappens completes random tasks of random boards, first as a
// what-if and then really: both show the same, or are refused for the same
// reason, and the what-if wrote nothing.
func TestWhatIfIsWhatHappens(t *testing.T) {
	shown, refused := 0, 0
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		s := newSite(t, randomBoard(t, rnd))
		before := get[wire.GraphJSON](s, "graph?all=true&alone=true")
		var ids []pawl.ID
		var asked string
		for range 1 + rnd.IntN(6) {
			id := before.Nodes[rnd.IntN(len(before.Nodes))].ID
			ids = append(ids, id)
			asked += fmt.Sprintf("&asDone=%d", int64(id))
		}
		what := s.send("GET", "graph?all=true&alone=true"+asked, "")
		lanes := s.send("GET", "lanes?done=100"+asked, "")
		if now := get[wire.GraphJSON](s, "graph?all=true&alone=true"); now.Revision != before.Revision {
			t.Fatalf("seed %d: the what-if wrote", seed)
		}
		if err := completeEach(t, s.board, ids); err != nil {
			if refused++; what.Code == http.StatusOK || lanes.Code != what.Code || !strings.Contains(what.Body.String(), `"kind":"`+pawl.KindOf(err).Error()+`"`) {
				t.Fatalf("seed %d: %v is refused with %v, and asking what if %v answers %d %s", seed, ids, err, ids, what.Code, what.Body)
			}
			continue
		}
		shown++
		var then wire.GraphJSON
		s.into(what, &then)
		is := get[wire.GraphJSON](s, "graph?all=true&alone=true")
		for i := range is.Nodes {
			a, b := then.Nodes[i], is.Nodes[i]
			a.AsDone = false
			if fmt.Sprint(a) != fmt.Sprint(b) {
				t.Fatalf("seed %d: what if %v are completed: %+v; really %+v", seed, ids, a, b)
			}
		}
		if fmt.Sprint(then.Edges) != fmt.Sprint(is.Edges) || fmt.Sprint(then.Chain) != fmt.Sprint(is.Chain) {
			t.Fatalf("seed %d: edges or chain differ", seed)
		}
		sameLanes(t, s, lanes.Body.Bytes())
	}
	if shown < 30 || refused < 30 {
		t.Errorf("%d were shown, %d refused: the boards prove little", shown, refused)
	}
}

// sameLanes holds the lanes of a what-if to those that there are now.
func sameLanes(t *testing.T, s *site, text []byte) {
	t.Helper()
	whatIf := decoded[lanesJSON](t, text)
	is := get[lanesJSON](s, "lanes?done=100")
	for l := range is.Lanes {
		a, b := map[pawl.ID]string{}, map[pawl.ID]string{}
		for _, c := range whatIf.Lanes[l].Cards {
			c.AsDone, c.CompletedAt = false, ""
			a[c.ID] = fmt.Sprint(c)
		}
		for _, c := range is.Lanes[l].Cards {
			c.CompletedAt = ""
			b[c.ID] = fmt.Sprint(c)
		}
		if fmt.Sprint(a) != fmt.Sprint(b) || whatIf.Lanes[l].Total != is.Lanes[l].Total {
			t.Fatalf("%s: what if %v, really %v", is.Lanes[l].Title, a, b)
		}
	}
}

// completeEach completes tasks one after the other, each as who works on it.
func completeEach(t *testing.T, board *pawl.Board, ids []pawl.ID) error {
	t.Helper()
	var first error
	for _, id := range ids {
		tasks := must.Get(board.Get(t.Context(), id))(t)
		by := pawl.Actor{Name: "ada"}
		if tasks[0].Status == pawl.InProgress {
			by = pawl.Actor{Name: tasks[0].Owner, Session: tasks[0].Claim.Session}
		}
		if _, err := board.Do(t.Context(), pawl.Request{By: by, Op: pawl.Complete{IDs: []pawl.ID{id}}}); first == nil {
			first = err
		}
	}
	return first
}

// randomBoard has some tasks with edges, parents, owners and holds.
func randomBoard(t *testing.T, rnd *rand.Rand) *pawl.Board {
	t.Helper()
	board := pawl.NewBoard(memory.New())
	n := 4 + rnd.IntN(8)
	var create pawl.Create
	for i := range n {
		task := pawl.NewTask{Ref: fmt.Sprint("t", i), Subject: fmt.Sprint("Task ", i), Priority: pawl.Priority(rnd.IntN(3) - 1)}
		for j := range i {
			switch rnd.IntN(5) {
			case 0:
				task.BlockedBy = append(task.BlockedBy, pawl.RefName(fmt.Sprint("t", j)))
			case 1:
				if rnd.IntN(3) == 0 {
					task.Parent = pawl.RefName(fmt.Sprint("t", j))
				}
			}
		}
		create.Tasks = append(create.Tasks, task)
	}
	random := func() pawl.ID { return pawl.ID(1 + rnd.IntN(n)) }
	ops := []pawl.Op{create}
	for range n {
		switch id := random(); rnd.IntN(5) {
		case 0:
			ops = append(ops, pawl.ClaimTask{ID: id})
		case 1:
			ops = append(ops, pawl.Complete{IDs: []pawl.ID{id}})
		case 2:
			ops = append(ops, pawl.PutHold{IDs: []pawl.ID{id}, Reason: "later"})
		case 3:
			ops = append(ops, pawl.Assign{IDs: []pawl.ID{id}, Owner: "carol"})
		}
	}
	for i, op := range ops { // some are refused, as it comes
		who := []string{"ada", "bob"}[rnd.IntN(2)]
		if _, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: who, Session: who}, Op: op}); err != nil && i == 0 {
			create.Tasks = slicesWithoutParents(create.Tasks)
			must.Get(board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: who}, Op: create}))(t)
		}
	}
	return board
}

// slicesWithoutParents are the tasks without what can make a cycle of them.
func slicesWithoutParents(tasks []pawl.NewTask) []pawl.NewTask {
	for i := range tasks {
		tasks[i].Parent = pawl.Ref{}
	}
	return tasks
}

func TestWhatIfOfNobodysTask(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(chain)
	if e := s.fails(http.StatusNotFound, "GET", "lanes?asDone=77", ""); len(e.IDs) != 1 {
		t.Errorf("%+v", e)
	}
	s.do(`{"op":"complete","ids":[1]}`)
	if done := get[lanesJSON](s, "lanes?asDone=2").Lanes[3].Cards; len(done) != 2 || !done[0].AsDone || done[1].AsDone {
		t.Errorf("%+v", done)
	}
	g := get[wire.GraphJSON](s, "graph?asDone=1&asDone=2")
	for _, n := range g.Nodes {
		if n.AsDone != (n.ID == 2) {
			t.Errorf("%+v", n)
		}
	}
}
