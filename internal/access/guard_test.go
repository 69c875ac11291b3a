package access

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// yard is a board with a few tasks, and tokens for it.
type yard struct {
	*testing.T
	board query.Board
	now   time.Time
}

func newYard(t *testing.T) *yard {
	y := &yard{T: t, now: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)}
	y.board = query.Local(pawl.NewBoard(memory.New(memory.WithClock(func() time.Time { return y.now }))))
	var tasks []pawl.NewTask
	for n := range 9 {
		tasks = append(tasks, pawl.NewTask{Subject: fmt.Sprintf("task %d", n+1)})
	}
	y.must(y.board, pawl.Create{Tasks: tasks})
	return y
}

func (y *yard) guard(t Token) query.Board {
	return Guard(y.board, t, func() time.Time { return y.now })
}

func (y *yard) do(b query.Board, op pawl.Op) (pawl.Result, error) {
	o, err := b.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "mallory", Session: "s"}, Op: op}, 0)
	return o.Result, err
}

func (y *yard) must(b query.Board, op pawl.Op) pawl.Result {
	y.Helper()
	r, err := y.do(b, op)
	if err != nil {
		y.Fatalf("%T: %v", op, err)
	}
	return r
}

func (y *yard) task(id pawl.ID) pawl.Task {
	y.Helper()
	d, err := query.Of(context.Background(), y.board, query.Asker{}, query.TaskQuery{Names: []string{id.String()}})
	if err != nil || d.Tasks[0].Detail == nil {
		y.Fatal(err)
	}
	return d.Tasks[0].Detail.Task
}

func (y *yard) history() []pawl.ChangeSet {
	y.Helper()
	h := must.Get(query.Of(context.Background(), y.board, query.Asker{}, query.HistoryQuery{Limit: 100, Renewals: true}))(y)
	return h.Sets
}

func token(id, name string, role Role, person bool) Token {
	return Token{ID: id, Name: name, Role: role, Person: person, Boards: []string{"shop"}}
}

var (
	adas = token("aaaaaaaa", "ada", Work, true)
	bots = token("bbbbbbbb", "bot", Work, false)
)

// ripe are ops that work on a new yard, one of each kind.
var ripe = map[string]pawl.Op{
	"create": pawl.Create{Tasks: []pawl.NewTask{{Subject: "s"}}}, "import": pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "s"}}}},
	"update": pawl.Update{ID: 1, AddLabels: []string{"l"}}, "claim": pawl.ClaimTask{ID: 1}, "start": pawl.Start{IDs: []pawl.ID{1}},
	"complete": pawl.Complete{IDs: []pawl.ID{1}}, "reopen": pawl.Reopen{IDs: []pawl.ID{1}}, "release": pawl.Release{IDs: []pawl.ID{1}},
	"assign": pawl.Assign{IDs: []pawl.ID{1}, Owner: "ada"}, "hold": pawl.PutHold{IDs: []pawl.ID{1}, Reason: "r"}, "lift": pawl.LiftHold{IDs: []pawl.ID{1}},
	"note": pawl.AddNote{ID: 1, Text: "n"}, "check": pawl.AddEvidence{ID: 1, Evidence: []pawl.Evidence{{Check: "c", Sum: strings.Repeat("a", 64), Tree: pawl.NoTree, Passed: true}}}, "delete": pawl.Delete{IDs: []pawl.ID{1}}, "renew": pawl.Renew{}, "undo": pawl.Undo{},
	"all": pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: 1, Text: "n"}}},
}

// Each op, plain and with force where it has that, as a value, by a pointer and in an
// All, in each role, of a person and of an agent: done or tried, it ends as the table
// of Guard says.
func TestRoles(t *testing.T) {
	seen := 0
	for _, zero := range pawl.Ops() {
		name := nameOf(zero)
		plain := ripe[name]
		if plain == nil || reflect.TypeOf(plain) != reflect.TypeOf(zero) {
			t.Fatalf("the op %s, %T, has no row in ripe", name, zero)
		}
		forms := map[string]pawl.Op{name: plain}
		forced, can := force(plain)
		if can {
			forms["forced "+name] = forced
			forms["forced "+name+" in all"] = pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: 2, Text: "n"}, forced}}
		}
		if name == "import" {
			forms["import in all"] = pawl.All{Ops: []pawl.Op{plain}}
		}
		for form, op := range forms {
			for _, role := range []Role{Read, Work, Admin, "", "root"} {
				for _, person := range []bool{false, true} {
					y := newYard(t)
					holder := token("cccccccc", "carl", role, person)
					guarded := y.guard(holder)
					if name == "undo" {
						y.must(y.guard(token("dddddddd", "carl", Work, true)), pawl.AddNote{ID: 1, Text: "n"})
					}
					may := (role == Work || role == Admin) && (person || !strings.HasPrefix(form, "forced") && !strings.HasPrefix(form, "import"))
					before := len(y.history())
					by := pawl.Actor{Name: "mallory", Session: "s"}
					for i, carry := range []func(context.Context, query.Want, ...pawl.Request) ([]query.Outcome, error){guarded.Try, guarded.DoAll} {
						how := []string{"try", "do"}[i]
						_, err := carry(context.Background(), 0, pawl.Request{By: by, Op: op})
						err = pawl.ErrorAt(err, 0)
						seen++
						if may == errors.Is(err, ErrRefused) || may && err != nil {
							t.Errorf("%s %s, role %q, person %v: got error %v, want it allowed: %v", how, form, role, person, err, may)
						}
						if e, ok := err.(*pawl.Error); !may && (!ok || e.Kind != pawl.Invalid || !strings.Contains(e.Message, "carl")) {
							t.Errorf("%s %s: the refusal is %v", how, form, err)
						}
					}
					sets := y.history()
					if !may && len(sets) != before {
						t.Errorf("%s, role %q, person %v: it was refused, and there is a change %+v", form, role, person, sets[0])
					}
					for _, set := range sets[:len(sets)-before] {
						if set.By != (pawl.Actor{Name: "carl", Session: "s"}) {
							t.Errorf("%s: the change is by %+v", form, set.By)
						}
					}
				}
			}
		}
	}
	if seen < 500 {
		t.Errorf("only %d requests were looked at", seen)
	}
}

func nameOf(op pawl.Op) string {
	if _, is := op.(pawl.All); is {
		return "all"
	}
	return op.Verb()
}

// force returns the op with its Force set, if it has such a field.
func force(op pawl.Op) (pawl.Op, bool) {
	v := reflect.New(reflect.TypeOf(op)).Elem()
	v.Set(reflect.ValueOf(op))
	f := v.FieldByName("Force")
	if !f.IsValid() {
		return nil, false
	}
	f.SetBool(true)
	return v.Interface().(pawl.Op), true
}

// An op that has a field which lets it override others must not pass by unknown: each
// bool of an op is one that this test knows.
func TestPowersAreKnown(t *testing.T) {
	known := map[string]bool{
		"Force": true, "Undo.Everywhere": true, "NewTask.Done": true,
		"Import.Exact":   true,                                                  // an agent's token imports nothing
		"Check.Optional": true, "Evidence.Dirty": true, "Evidence.Passed": true, // what runs showed is the sender's word, an agent's too
	}
	var walk func(at string, of reflect.Type)
	walk = func(at string, of reflect.Type) {
		switch of.Kind() {
		case reflect.Slice, reflect.Pointer:
			walk(at, of.Elem())
		case reflect.Struct:
			for i := range of.NumField() {
				f := of.Field(i)
				if f.Type.Kind() == reflect.Bool && !known[f.Name] && !known[of.Name()+"."+f.Name] {
					t.Errorf("%s has the switch %s: may an agent's token use it? Say so in Guard, then here", of.Name(), f.Name)
				}
				if f.Type.PkgPath() != "time" {
					walk(at+"."+f.Name, f.Type)
				}
			}
		}
	}
	for _, op := range pawl.Ops() {
		walk("", reflect.TypeOf(op))
	}
}

// What an agent may do with what is another's follows from requests being bound,
// which the core's tests prove; here, that an agent's are and a person's are not.
func TestOthers(t *testing.T) {
	for _, person := range []bool{false, true} {
		y := newYard(t)
		ada, other := y.guard(adas), y.guard(token("cccccccc", "carl", Work, person))
		claim := y.must(ada, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}).Tasks[0].Claim.Token
		hold := y.must(ada, pawl.PutHold{IDs: []pawl.ID{2}, Reason: "wait"}).Revision
		y.must(ada, pawl.Assign{IDs: []pawl.ID{3}, Owner: "ada"})
		for _, op := range []pawl.Op{
			pawl.Complete{IDs: []pawl.ID{1}, Token: claim}, pawl.Undo{Revision: hold}, pawl.LiftHold{IDs: []pawl.ID{2}},
			pawl.Assign{IDs: []pawl.ID{3}}, pawl.Undo{Revision: query.Nth(3)},
		} {
			_, err := other.Try(context.Background(), 0, pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op})
			if err = pawl.ErrorAt(err, 0); (err == nil) != person {
				t.Errorf("%T of what is another's, by a person %v: %v", op, person, err)
			}
		}
	}
}

// An agent takes away nothing that another asked of a task, nor another session's hold, alone
// or in an All, done or tried. A person does, and each its own session's.
func TestAsked(t *testing.T) {
	check := pawl.Check{Name: "own", Run: []string{"test", "-e", "proof"}}
	for _, person := range []bool{false, true} {
		y := newYard(t)
		ada, carl := y.guard(adas), y.guard(token("cccccccc", "carl", Work, person))
		y.must(ada, pawl.Update{ID: 1, AddChecks: []pawl.Check{check}, AddAccept: []string{"seen"}})
		y.must(ada, pawl.PutHold{IDs: []pawl.ID{2}, Reason: "wait"})
		y.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "below", Parent: pawl.Ref{ID: 1}}}})
		y.must(carl, pawl.Update{ID: 3, AddAccept: []string{"mine"}})
		y.must(carl, pawl.PutHold{IDs: []pawl.ID{4}, Reason: "mine"})
		for _, session := range []string{"s2", pawl.PageSession} {
			for _, op := range []pawl.Op{
				pawl.Update{ID: 1, RemoveChecks: []string{"own"}}, pawl.Update{ID: 1, RemoveAccept: []string{"seen"}}, pawl.Update{ID: 3, RemoveAccept: []string{"mine"}},
				pawl.Delete{IDs: []pawl.ID{2}}, pawl.PutHold{IDs: []pawl.ID{2}, Reason: "another"}, pawl.LiftHold{IDs: []pawl.ID{2}}, pawl.LiftHold{IDs: []pawl.ID{4}}, pawl.Release{IDs: []pawl.ID{4}, Hold: "another"},
				pawl.All{Ops: []pawl.Op{pawl.Delete{IDs: []pawl.ID{10}}, pawl.Delete{IDs: []pawl.ID{1}}}},
			} {
				forms := []pawl.Op{op}
				if nameOf(op) != "all" {
					forms = append(forms, pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: 5, Text: "n"}, op}})
				}
				for _, op := range forms {
					request := pawl.Request{By: pawl.Actor{Name: "ada", Session: session}, Op: op}
					_, err := carl.Try(t.Context(), 0, request)
					if err = pawl.ErrorAt(err, 0); (err == nil) != person {
						t.Errorf("trying %+v, by a person %v: %v", op, person, err)
					}
					if _, err := carl.Do(t.Context(), request, 0); err == nil && !person {
						t.Errorf("%+v was done", op)
					} else if person {
						y.must(ada, pawl.Undo{Revision: y.history()[0].Revision})
					}
				}
			}
		}
		y.must(carl, pawl.Update{ID: 3, RemoveAccept: []string{"mine"}})
		y.must(carl, pawl.LiftHold{IDs: []pawl.ID{4}})
	}
}

// In a call of several requests each is looked at as it would be after those before it, and one
// that is refused fails no other.
func TestAskedInSteps(t *testing.T) {
	y := newYard(t)
	ada, bot := y.guard(adas), y.guard(bots)
	y.must(ada, pawl.Update{ID: 1, AddAccept: []string{"seen"}})
	y.must(bot, pawl.Update{ID: 1, Tick: []string{"seen"}})
	var requests []pawl.Request
	for _, op := range []pawl.Op{pawl.Update{ID: 1, Untick: []string{"seen"}}, pawl.Update{ID: 1, RemoveAccept: []string{"seen"}}, pawl.AddNote{ID: 3, Text: "n"}} {
		requests = append(requests, pawl.Request{Op: op})
	}
	_, err := bot.DoAll(t.Context(), 0, requests...)
	if pawl.ErrorAt(err, 0) != nil || pawl.ErrorAt(err, 2) != nil || !errors.Is(pawl.ErrorAt(err, 1), pawl.Invalid) || len(y.task(1).Accept) != 1 {
		t.Errorf("got %v, and task 1 is %+v", err, y.task(1))
	}
}

// A call in which too much would have to be tried is refused, from the request on that passes
// the bound, however its ops are packed.
func TestManySteps(t *testing.T) {
	y := newYard(t)
	all := func(n int, op pawl.Op) pawl.Op { return pawl.All{Ops: slices.Repeat([]pawl.Op{op}, n)} }
	note := pawl.AddNote{ID: 1, Text: "n"}
	for n, ops := range map[int][]pawl.Op{0: {all(501, note)}, 1: {all(500, note), note, note}, 2: {note, all(400, note), all(100, note)}, 3: {note, note, note, all(1, all(498, note))}} {
		var requests []pawl.Request
		for _, op := range ops {
			requests = append(requests, pawl.Request{Op: op})
		}
		_, err := y.guard(bots).DoAll(t.Context(), 0, requests...)
		for i := range requests {
			if errors.Is(pawl.ErrorAt(err, i), pawl.ErrTooMuch) != (i >= n) {
				t.Errorf("request %d of %d: %v", i, n, pawl.ErrorAt(err, i))
			}
		}
	}
}

// The checks that a client's project asks stay in the request of an agent.
func TestProjectsChecks(t *testing.T) {
	y := newYard(t)
	rules := []pawl.CheckRule{{Check: pawl.Check{Name: "vet", Run: []string{"go", "vet"}}}}
	for _, op := range []pawl.Op{pawl.Complete{IDs: []pawl.ID{1}, Rules: rules}, pawl.All{Ops: []pawl.Op{pawl.Complete{IDs: []pawl.ID{1}, Rules: rules}}}} {
		if _, err := y.do(y.guard(bots), op); !errors.Is(err, pawl.Unmet) {
			t.Errorf("got %v", err)
		}
	}
}

func TestLease(t *testing.T) {
	if usual, err := settings.Find("lease").Parse(settings.Find("lease").Default); err != nil || usual != any(Lease) {
		t.Errorf("the setting lease is %v by default (%v), Lease is %v", usual, err, Lease)
	}
	y := newYard(t)
	bot, ada := y.guard(bots), y.guard(adas)
	y.must(bot, pawl.ClaimTask{ID: 1})
	y.must(bot, pawl.Start{IDs: []pawl.ID{2}})
	y.must(bot, pawl.All{Ops: []pawl.Op{pawl.ClaimTask{ID: 3}, pawl.AddNote{ID: 3, Text: "n"}}})
	y.must(bot, pawl.ClaimTask{ID: 4, Lease: pawl.Duration(time.Hour)})
	y.must(bot, pawl.ClaimTask{ID: 5})
	y.must(ada, pawl.ClaimTask{ID: 6})
	for id, want := range map[pawl.ID]time.Duration{1: Lease, 2: Lease, 3: Lease, 4: time.Hour, 5: Lease, 6: 0} {
		if got := y.task(id).Claim.Lease; time.Duration(got) != want {
			t.Errorf("the lease of %v is %v, want %v", id, got, want)
		}
	}
	y.must(bot, pawl.ClaimTask{ID: 4}) // a repeated claim
	if got := y.task(4).Claim.Lease; time.Duration(got) != Lease {
		t.Errorf("the lease is %v", got)
	}
	// What an undo gives back has a lease, too: it never ended, and only force freed the task.
	for id, op := range map[pawl.ID]pawl.Op{
		1: pawl.Release{IDs: []pawl.ID{1}}, 2: pawl.Complete{IDs: []pawl.ID{2}}, 3: pawl.Delete{IDs: []pawl.ID{3}},
		4: pawl.Undo{Revision: y.task(4).Claim.Token}, 5: pawl.ClaimTask{ID: 5, Force: true},
	} {
		by, was := bot, y.task(id).Claim
		if id == 5 {
			by = ada
		}
		res := y.must(by, op)
		y.must(by, pawl.Undo{Revision: res.Revision})
		if is := y.task(id); is.Owner != "bot" || is.Claim.Lease != pawl.Duration(Lease) || is.Claim.Token <= was.Token || is.Claim.Until.IsZero() {
			t.Errorf("after the undo of %#v: %s's, with %+v", op, is.Owner, is.Claim)
		}
	}
}

// One request that is refused fails no other, and each gets its own answer.
func TestNeighbours(t *testing.T) {
	y := newYard(t)
	request := func(op pawl.Op) pawl.Request { return pawl.Request{Op: op} }
	outcomes, err := y.guard(bots).DoAll(context.Background(), 0,
		request(pawl.Complete{IDs: []pawl.ID{1}, Force: true}), request(pawl.AddNote{ID: 2, Text: "n"}),
		request(pawl.AddNote{ID: 99, Text: "n"}), request(pawl.Delete{IDs: []pawl.ID{3}, Force: true}), request(nil), request(pawl.AddNote{ID: 4, Text: "n"}))
	if len(outcomes) != 6 {
		t.Fatalf("got %d outcomes, %v", len(outcomes), err)
	}
	if !errors.Is(pawl.ErrorAt(err, 0), ErrRefused) || pawl.ErrorAt(err, 1) != nil || !errors.Is(pawl.ErrorAt(err, 2), pawl.NotFound) ||
		!errors.Is(pawl.ErrorAt(err, 3), ErrRefused) || !errors.Is(pawl.ErrorAt(err, 4), pawl.Invalid) || pawl.ErrorAt(err, 5) != nil {
		t.Errorf("got %v", err)
	}
	if outcomes[1].Result.Tasks[0].ID != 2 || outcomes[5].Result.Tasks[0].ID != 4 || outcomes[0].Result.Changed {
		t.Errorf("got %+v", outcomes)
	}
	outcomes, err = y.guard(token("cccccccc", "carl", Read, true)).DoAll(context.Background(), 0, request(pawl.AddNote{ID: 2, Text: "n"}))
	if len(outcomes) != 1 || !errors.Is(pawl.ErrorAt(err, 0), ErrRefused) {
		t.Errorf("got %v, %v", outcomes, err)
	}
	if _, err := y.guard(bots).DoAll(context.Background(), 0); err != nil {
		t.Errorf("nothing is asked for: %v", err)
	}
}

// All who may look get answers in their own name, and nobody after the token's end.
func TestLooking(t *testing.T) {
	for _, role := range []Role{Read, Work, Admin} {
		y := newYard(t)
		holder := token("cccccccc", "carl", role, false)
		holder.Expires = y.now.Add(time.Minute)
		b := y.guard(holder)
		y.must(y.board, pawl.Assign{IDs: []pawl.ID{1}, Owner: "mallory"})
		who := query.Asker{By: pawl.Actor{Name: "mallory"}, AsDone: []pawl.ID{2}}
		lanes, err := query.Of(t.Context(), b, who, query.LanesQuery{Done: 20})
		if err != nil || len(lanes.AsDone) != 1 {
			t.Fatalf("role %s: %v", role, err)
		}
		exported := 0
		for _, err := range b.Export(t.Context(), query.Asker{}, pawl.Query{}) {
			if exported++; err != nil {
				t.Fatal(err)
			}
		}
		if exported != 9 {
			t.Errorf("got %d tasks", exported)
		}
		news, ended := 0, error(nil)
		for _, err := range b.Watch(t.Context(), query.Asker{}, query.From{}) {
			news++
			if ended = err; err != nil || news == 2 {
				break
			}
			y.now = holder.Expires
			y.must(y.board, pawl.AddNote{ID: 3, Text: "the next news"})
		}
		if news != 2 || !errors.Is(ended, ErrUnknown) {
			t.Errorf("the watch had %d news, and ended with %v", news, ended)
		}
		if _, err := b.Ask(t.Context(), query.Asker{}, query.AgentsQuery{}); !errors.Is(err, ErrUnknown) {
			t.Errorf("a question after the end: %v", err)
		}
		if _, err := y.do(b, pawl.AddNote{ID: 1, Text: "n"}); !errors.Is(err, ErrUnknown) {
			t.Errorf("a change after the end: %v", err)
		}
		for _, err := range b.Export(t.Context(), query.Asker{}, pawl.Query{}) {
			if !errors.Is(err, ErrUnknown) {
				t.Errorf("an export after the end: %v", err)
			}
		}
		for _, err := range b.Watch(t.Context(), query.Asker{}, query.From{}) {
			if !errors.Is(err, ErrUnknown) {
				t.Errorf("a watch after the end: %v", err)
			}
		}
	}
}

// spy notes who asks.
type spy struct {
	query.Board
	asked []query.Asker
}

func (s *spy) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	s.asked = append(s.asked, who)
	return s.Board.Ask(ctx, who, q)
}

func (s *spy) Watch(ctx context.Context, who query.Asker, from query.From) iter.Seq2[query.News, error] {
	s.asked = append(s.asked, who)
	return s.Board.Watch(ctx, who, from)
}

func (s *spy) Export(ctx context.Context, who query.Asker, q pawl.Query) iter.Seq2[pawl.Task, error] {
	s.asked = append(s.asked, who)
	return s.Board.Export(ctx, who, q)
}

func TestAsker(t *testing.T) {
	y := newYard(t)
	seen := &spy{Board: y.board}
	b := Guard(seen, bots, func() time.Time { return y.now })
	who := query.Asker{By: pawl.Actor{Name: "mallory", Session: "s"}, Archive: time.Hour}
	must.Get(b.Ask(t.Context(), who, query.AgentsQuery{}))(t)
	for range b.Watch(t.Context(), who, query.From{}) {
		break
	}
	for range b.Export(t.Context(), who, pawl.Query{}) {
		break
	}
	if len(seen.asked) != 3 {
		t.Fatalf("asked %v", seen.asked)
	}
	for _, got := range seen.asked {
		if got.By != (pawl.Actor{Name: "bot", Session: "s"}) || got.Archive != time.Hour {
			t.Errorf("the board is asked by %+v", got)
		}
	}
}

// A meddled board has something happen after each try, before the request is carried out.
type meddled struct {
	query.Board
	after func()
}

func (b meddled) Try(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	defer b.after()
	return b.Board.Try(ctx, want, requests...)
}

// What another asks for between the screening of an agent's request and its commit stays.
func TestAskedMeanwhile(t *testing.T) {
	y := newYard(t)
	ada, board := y.guard(adas), y.board
	y.board = meddled{board, func() {
		if d := y.task(2); d.Hold == nil {
			y.must(ada, pawl.PutHold{IDs: []pawl.ID{2}, Reason: "wait"})
		}
	}}
	bot := y.guard(bots)
	for _, op := range []pawl.Op{pawl.PutHold{IDs: []pawl.ID{2}, Reason: "own"}, pawl.Delete{IDs: []pawl.ID{2}}} {
		if _, err := y.do(bot, op); !errors.Is(err, pawl.Blocked) || y.task(2).Hold.Reason != "wait" {
			t.Errorf("%T: %v", op, err)
		}
		y.must(ada, pawl.LiftHold{IDs: []pawl.ID{2}})
	}
}
