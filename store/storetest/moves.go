package storetest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// A move is a step of a random sequence: requests in one batch, or time that passes; without
// either, a restart. Revisions and tokens in it count from the first change of the board.
type move struct {
	requests []pawl.Request
	wait     time.Duration
}

// String is the move as a line: its requests as JSON.
func (m move) String() string {
	if len(m.requests) == 0 && m.wait == 0 {
		return "restart"
	} else if m.wait != 0 {
		return "wait " + m.wait.String()
	}
	text, err := pawl.Encode(m.requests)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// from returns the requests for a board whose first change has the revision after base.
func (m move) from(base pawl.Revision) []pawl.Request {
	requests := make([]pawl.Request, len(m.requests))
	for i, req := range m.requests {
		op := reflect.New(reflect.TypeOf(req.Op)).Elem()
		op.Set(reflect.ValueOf(req.Op))
		for _, name := range []string{"Token", "Revision"} {
			if rev := op.FieldByName(name); rev.IsValid() && rev.Int() != 0 {
				rev.SetInt(rev.Int() + int64(base))
			}
		}
		req.Op = op.Interface().(pawl.Op)
		requests[i] = req
	}
	return requests
}

// A writer makes up moves.
type writer struct {
	*rand.Rand
	last pawl.ID        // the highest id on the board
	rev  pawl.Revision  // how many change sets it has
	sent []pawl.Request // with an op id
	made int            // refs given so far
}

func newWriter(seed uint64) *writer { return &writer{Rand: rand.New(rand.NewPCG(seed, 120))} }

func oneOf[T any](g *writer, all ...T) T { return all[g.IntN(len(all))] }

// in reports one of n times that it is so.
func (g *writer) in(n int) bool { return g.IntN(n) == 0 }

// next returns a move for a board with this last id and this many sets.
func (g *writer) next(last pawl.ID, rev pawl.Revision) move {
	g.last, g.rev = last, rev
	switch n := g.IntN(20); {
	case last == 0 || last < 3 && n < 10:
		return move{requests: []pawl.Request{g.by(g.create())}}
	case n < 3:
		return move{wait: time.Minute * oneOf[time.Duration](g, 1, 5, 9, 10, 10, 30, -3)}
	case n < 4: // by itself: a trial cannot say what in its batch is in the way
		req := g.by(pawl.Undo{Revision: max(1, g.rev+1-pawl.Revision(g.IntN(5)))})
		req.ID = oneOf[pawl.OpID](g, "", "", "", "back1", "back2")
		return move{requests: []pawl.Request{req}}
	case n < 5 && g.in(2):
		return move{}
	case n < 8:
		requests := []pawl.Request{g.request()}
		for range 1 + g.IntN(3) {
			requests = append(requests, g.request())
		}
		return move{requests: requests}
	case n < 10:
		shown, done := g.shownAndDone()
		return move{requests: []pawl.Request{g.by(shown), g.by(done)}}
	}
	return move{requests: []pawl.Request{g.request()}}
}

// by is a request by somebody.
func (g *writer) by(op pawl.Op) pawl.Request {
	return pawl.Request{Op: op, By: oneOf(g,
		pawl.Actor{Name: "ada", Session: "s1"}, pawl.Actor{Name: "ada", Session: "s2"}, pawl.Actor{Name: "bob", Session: "s3"},
		pawl.Actor{Name: "bob", Session: "s1"}, pawl.Actor{Name: "eve", Session: "s4", Agent: "explore"},
	)}
}

func (g *writer) request() pawl.Request {
	if !g.in(8) {
		return g.by(g.op())
	}
	// A request with an op id: a new one, one sent before, or another one under
	// an id that was given.
	kind, n := g.IntN(5), len(g.sent)
	if kind < 2 && n > 0 {
		return oneOf(g, g.sent...)
	}
	if kind == 2 && n > 0 {
		n = g.IntN(n)
	}
	req := g.by(g.op())
	req.ID = pawl.OpID(fmt.Sprint("op", n))
	g.sent = append(g.sent, req)
	return req
}

// id is mostly one that was given, sometimes one that was not.
func (g *writer) id() pawl.ID { return 1 + pawl.ID(g.IntN(int(g.last)+1)) }

func (g *writer) ids() []pawl.ID {
	ids := []pawl.ID{g.id()}
	for g.in(4) && len(ids) < 3 {
		ids = append(ids, g.id())
	}
	return ids
}

func (g *writer) lease() pawl.Duration {
	return pawl.Duration(time.Minute) * oneOf[pawl.Duration](g, 0, 10, 20)
}

func (g *writer) token() pawl.Revision {
	if !g.in(5) {
		return 0
	}
	return 1 + pawl.Revision(g.IntN(int(g.rev)+1))
}

func (g *writer) op() pawl.Op {
	switch g.IntN(18) {
	case 0:
		if g.last < 12 {
			return g.create()
		}
		return pawl.Renew{}
	case 1, 2:
		return g.update()
	case 3, 4:
		return pawl.ClaimTask{ID: g.id(), Lease: g.lease(), Token: g.token(), Force: g.in(5)}
	case 5, 6:
		high := pawl.High
		filter := oneOf(g, pawl.ClaimFilter{Priority: &high}, pawl.ClaimFilter{Labels: []string{"backend"}}, pawl.ClaimFilter{Owner: "ada"}, pawl.ClaimFilter{Parent: g.id()})
		if !g.in(4) {
			filter = pawl.ClaimFilter{}
		}
		return pawl.ClaimTask{Lease: g.lease(), Filter: filter}
	case 7:
		return pawl.Start{IDs: g.ids(), Lease: g.lease(), Force: g.in(5)}
	case 8, 9, 10:
		op := pawl.Complete{IDs: g.ids(), Token: g.token(), Force: g.in(5), Tree: oneOf(g, "", g.tree())}
		if g.in(6) {
			op.Rules = []pawl.CheckRule{{Check: g.check(), Labels: oneOf(g, nil, []string{"backend"})}}
		}
		if g.in(8) {
			op.Unchecked = "hurry"
		}
		return op
	case 11:
		return pawl.Reopen{IDs: g.ids()}
	case 12:
		return pawl.Release{IDs: g.ids(), Token: g.token(), Force: g.in(5), Hold: oneOf(g, "", "", "", "why")}
	case 13:
		return oneOf[pawl.Op](g, pawl.PutHold{IDs: g.ids(), Reason: "because"}, pawl.LiftHold{IDs: g.ids()}, pawl.AddNote{ID: g.id(), Text: "noted"})
	case 14:
		return oneOf[pawl.Op](g, pawl.Renew{Lease: g.lease()}, pawl.Renew{IDs: g.ids(), Token: g.token()}, pawl.Assign{IDs: g.ids(), Owner: oneOf(g, "ada", "bob", "")})
	case 15:
		return g.shown(g.id(), g.tree())
	case 16:
		shown, done := g.shownAndDone()
		return pawl.All{Ops: []pawl.Op{shown, done}}
	default:
		if g.in(2) {
			return pawl.LiftHold{IDs: g.ids()}
		}
		return pawl.Delete{IDs: g.ids(), Force: g.in(5)}
	}
}

// shownAndDone are evidence of a task, and its completion on perhaps other files.
func (g *writer) shownAndDone() (shown, done pawl.Op) {
	id, tree := g.id(), g.tree()
	return g.shown(id, tree), pawl.Complete{IDs: []pawl.ID{id}, Force: true, Tree: oneOf(g, tree, tree, g.tree())}
}

// check is one of a few checks: two of a name, and two that run the same.
func (g *writer) check() pawl.Check {
	return oneOf(g,
		pawl.Check{Name: "unit", Run: []string{"go", "test"}}, pawl.Check{Name: "unit", Run: []string{"make"}},
		pawl.Check{Name: "vet", Run: []string{"make"}}, pawl.Check{Name: "lint", Run: []string{"lint"}, Optional: true},
	)
}

// tree is what a check ran on.
func (g *writer) tree() string {
	return oneOf(g, strings.Repeat("a", 40), strings.Repeat("b", 40), pawl.NoTree)
}

// shown is a run of a check.
func (g *writer) shown(id pawl.ID, tree string) pawl.Op {
	c := g.check()
	e := pawl.Evidence{Check: c.Name, Sum: c.Sum(), Tree: tree, Passed: true}
	if g.in(3) {
		e.Passed, e.Exit = false, 1
	}
	return pawl.AddEvidence{ID: id, Evidence: []pawl.Evidence{e}}
}

// update is edits of one task. It never adds back what the same op removes, because
// then only the order of edges would tell.
func (g *writer) update() pawl.Op {
	op := pawl.Update{ID: g.id(), Token: g.token()}
	one := func() []pawl.ID { return []pawl.ID{g.id()} }
	switch g.IntN(10) {
	case 0:
		subject := oneOf(g, "a_b", "500 of it")
		op.Subject = &subject
	case 1, 2:
		priority := oneOf(g, pawl.High, pawl.Medium, pawl.Low)
		op.Priority = &priority
	case 3:
		parent := oneOf(g, 0, g.id(), g.id())
		op.Parent = &parent
	case 4:
		op.RemoveBlockedBy = one()
	case 5:
		op.RemoveBlocks = one()
	case 6:
		op.AddBlockedBy = one()
	case 7:
		op.AddBlocks = one()
		if g.in(2) {
			op.AddBlockedBy = one()
		}
	case 8:
		op.AddChecks = []pawl.Check{g.check()}
		if g.in(4) {
			op.RemoveChecks = []string{oneOf(g, "unit", "vet")}
		}
	case 9:
		*oneOf(g, &op.AddAccept, &op.AddAccept, &op.Tick, &op.Tick, &op.Untick, &op.RemoveAccept) = []string{oneOf(g, "safe", "fast")}
	}
	if g.in(5) {
		op.AddLabels = []string{oneOf(g, "backend", "50%")}
	}
	return op
}

func (g *writer) create() pawl.Op {
	tasks := make([]pawl.NewTask, 1+g.IntN(4))
	first := g.made
	g.made += len(tasks)
	for i := range tasks {
		one := func() pawl.Ref { // mostly one made here before it, or one that was there
			if n := g.IntN(6); n > 3 || i == 0 && n > 0 {
				return pawl.RefID(g.id())
			} else if n > 0 {
				return pawl.RefName(fmt.Sprint("r", first+g.IntN(i)))
			}
			return pawl.RefName(fmt.Sprint("r", first+g.IntN(len(tasks))))
		}
		t := &tasks[i]
		t.Subject, t.Ref = fmt.Sprint("Parse ", first+i), fmt.Sprint("r", first+i)
		if g.in(3) {
			t.Priority = oneOf(g, pawl.High, pawl.Low)
		}
		if g.in(3) {
			t.BlockedBy = []pawl.Ref{one()}
		}
		if g.in(8) {
			t.Blocks = []pawl.Ref{one()}
		}
		if g.in(5) {
			t.Parent = one()
		}
		if g.in(8) {
			t.Owner = oneOf(g, "ada", "bob")
		}
		if g.in(5) {
			t.Labels = []string{"backend"}
		}
		if g.in(2) {
			t.Checks = []pawl.Check{g.check()}
		}
		if g.in(12) {
			t.Accept = []string{"safe"}
		}
	}
	return pawl.Create{Tasks: tasks}
}
