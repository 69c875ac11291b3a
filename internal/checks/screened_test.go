package checks

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// sends carries out an op as an interface does that runs no checks.
func (s *stage) sends(person bool, op pawl.Op) error {
	s.Helper()
	r, err := s.Screened(s.Context(), s.board, person, pawl.Request{By: ada, Op: op})
	if err == nil {
		_, err = s.board.Do(s.Context(), r, 0)
	}
	return err
}

// completing is an import that completes a task.
func (s *stage) completing(id pawl.ID) pawl.Import {
	t := s.task(id)
	return pawl.Import{Tasks: []pawl.ImportTask{
		{NewTask: pawl.NewTask{Subject: "another"}, Status: pawl.Completed},
		{ID: id, CreatedAt: t.CreatedAt, Status: pawl.Completed, CompletedAt: t.CreatedAt, NewTask: pawl.NewTask{Subject: "renamed"}},
	}}
}

// An op that can complete a task is held to what the project asks, and to what this clone
// remembers of the task.
func TestScreenedCompletes(t *testing.T) {
	for name, less := range map[string]func(s *stage, id pawl.ID){
		"the project": func(*stage, pawl.ID) {},
		"removed":     func(s *stage, id pawl.ID) { s.Rules = nil; s.do(pawl.Update{ID: id, RemoveChecks: []string{"unit"}}) },
		"optional": func(s *stage, id pawl.ID) {
			c := unit.Clone()
			c.Optional = true
			s.Rules = nil
			s.do(pawl.Update{ID: id, RemoveChecks: []string{"unit"}, AddChecks: []pawl.Check{c}})
		},
	} {
		for _, person := range []bool{true, false} {
			s := newStage(t)
			id, other := s.make(), s.make()
			s.do(pawl.Release{IDs: []pawl.ID{id, other}})
			s.do(pawl.Complete{IDs: []pawl.ID{id, other}})
			s.do(pawl.Reopen{IDs: []pawl.ID{id}})
			reopened := s.do(pawl.Reopen{IDs: []pawl.ID{other}}).Revision
			if name == "the project" {
				s.Rules = []pawl.CheckRule{{Check: unit}}
			} else {
				s.do(pawl.Update{ID: id, AddChecks: []pawl.Check{unit}})
				s.do(pawl.Update{ID: other, AddChecks: []pawl.Check{unit}})
			}
			s.trust(unit)
			less(s, id)
			less(s, other)
			if err := s.sends(person, s.completing(id)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if got := s.task(id); !got.Open() || got.Subject != "renamed" || !got.CompletedAt.IsZero() {
				t.Errorf("%s: completed by an import: %+v", name, got)
			}
			if err := s.sends(person, pawl.Undo{Revision: reopened}); pawl.KindOf(err) != pawl.Unmet {
				t.Errorf("%s: completed by an undo: %v", name, err)
			}
			if err := s.sends(person, pawl.All{Ops: []pawl.Op{pawl.Complete{IDs: []pawl.ID{other}}}}); pawl.KindOf(err) != pawl.Unmet {
				t.Errorf("%s: completed: %v", name, err)
			}
			s.Broken = "pawl.jsonc:1:1: no JSON"
			if err := s.sends(person, pawl.Undo{Revision: reopened}); pawl.KindOf(err) != pawl.Unmet {
				t.Errorf("%s: completed by an undo where the checks cannot be read: %v", name, err)
			}
			if err := s.sends(person, pawl.Undo{}); err != nil && pawl.KindOf(err) != pawl.Unmet {
				t.Error(err)
			}
		}
	}
}

// What nothing holds is completed as before, also where something is trusted.
func TestScreenedPasses(t *testing.T) {
	s := newStage(t)
	s.make(unit)
	s.trust(unit)
	id := s.make()
	s.do(pawl.Release{IDs: []pawl.ID{id}})
	s.do(pawl.Complete{IDs: []pawl.ID{id}})
	reopened := s.do(pawl.Reopen{IDs: []pawl.ID{id}}).Revision
	if err := s.sends(false, pawl.Undo{Revision: reopened}); err != nil || s.task(id).Open() {
		t.Error(err)
	}
	s.do(pawl.Reopen{IDs: []pawl.ID{id}})
	if err := s.sends(false, s.completing(id)); err != nil || s.task(id).Open() {
		t.Error(err)
	}
	s.do(pawl.Reopen{IDs: []pawl.ID{id}})
	must.Do(t, s.sends(false, pawl.Delete{IDs: []pawl.ID{id}}))
}

// An agent cannot put another task in the place of one that a trusted check holds. A
// person can.
func TestAgentRemovesNoCheckedTask(t *testing.T) {
	vetted := pawl.CheckRule{Check: vet, Labels: []string{"go"}}
	for name, test := range map[string]struct {
		rules []pawl.CheckRule
		less  func(s *stage, id pawl.ID)
	}{
		"its own":          {nil, func(*stage, pawl.ID) {}},
		"that it had":      {nil, func(s *stage, id pawl.ID) { s.do(pawl.Update{ID: id, RemoveChecks: []string{"unit"}}) }},
		"of its label":     {[]pawl.CheckRule{vetted}, func(s *stage, id pawl.ID) { s.do(pawl.Update{ID: id, RemoveChecks: []string{"unit"}}); s.forget() }},
		"of its old label": {[]pawl.CheckRule{vetted}, func(s *stage, id pawl.ID) { s.do(pawl.Update{ID: id, RemoveLabels: []string{"go"}}) }},
	} {
		s := newStage(t)
		s.Rules = test.rules
		s.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "before"}}})
		made := s.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "task", Labels: []string{"go"}, Checks: []pawl.Check{unit}}}})
		id := made.IDs[0]
		s.trust(unit, vet)
		test.less(s, id)
		for _, op := range []pawl.Op{
			pawl.Delete{IDs: []pawl.ID{1, id}},
			pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: 1, Text: "x"}, pawl.Delete{IDs: []pawl.ID{id}, Force: true}}},
			pawl.Undo{Revision: made.Revision},
		} {
			err := s.sends(false, op)
			if name != "its own" && op.Verb() == pawl.VerbUndo {
				continue // the board refuses it: the task has changed
			}
			if pawl.KindOf(err) != pawl.Invalid || !strings.Contains(err.Error(), "only a person may remove #2") {
				t.Errorf("%s: an agent's %s: %v", name, op.Verb(), err)
			}
		}
		if err := s.sends(true, pawl.Delete{IDs: []pawl.ID{id}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What the project asks of every task, it asks of the next one too; and a task that is
	// done is done.
	s := newStage(t)
	s.Rules = []pawl.CheckRule{{Check: vet}}
	s.trust(vet, unit)
	id, done := s.make(), s.make(unit)
	must.Do(t, s.done(done))
	must.Do(t, s.sends(false, pawl.Delete{IDs: []pawl.ID{id, done}}))
}

// An agent takes no required check from a task, trusted here or not, by no op: the task was
// completed as if nothing had been asked, here or where nobody had trusted the check.
func TestAgentTakesNoCheck(t *testing.T) {
	optional := pawl.Check{Name: "unit ", Run: unit.Run, Optional: true}
	for name, op := range map[string]func(s *stage, id pawl.ID, added pawl.Revision) pawl.Op{
		"removed": func(_ *stage, id pawl.ID, _ pawl.Revision) pawl.Op {
			return pawl.Update{ID: id, RemoveChecks: []string{"unit"}}
		},
		"removed, spaced": func(_ *stage, id pawl.ID, _ pawl.Revision) pawl.Op {
			return pawl.Update{ID: id, RemoveChecks: []string{" unit "}}
		},
		"optional, spaced": func(_ *stage, id pawl.ID, _ pawl.Revision) pawl.Op {
			return pawl.Update{ID: id, AddChecks: []pawl.Check{optional}}
		},
		"replaced": func(_ *stage, id pawl.ID, _ pawl.Revision) pawl.Op {
			return pawl.Update{ID: id, AddChecks: []pawl.Check{{Name: "unit", Run: []string{"true"}}}}
		},
		"by its label": func(_ *stage, id pawl.ID, _ pawl.Revision) pawl.Op {
			return pawl.Update{ID: id, RemoveLabels: []string{"go"}}
		},
		"undone": func(_ *stage, _ pawl.ID, added pawl.Revision) pawl.Op { return pawl.Undo{Revision: added} },
		"rm":     func(_ *stage, id pawl.ID, _ pawl.Revision) pawl.Op { return pawl.Delete{IDs: []pawl.ID{id}} },
		"imported": func(s *stage, id pawl.ID, _ pawl.Revision) pawl.Op {
			return pawl.Import{Tasks: []pawl.ImportTask{{ID: id, CreatedAt: s.task(id).CreatedAt, NewTask: pawl.NewTask{Subject: "task", Labels: []string{"go"}, Checks: []pawl.Check{vet}}}}}
		},
		"rm of another's, once released": func(_ *stage, id pawl.ID, _ pawl.Revision) pawl.Op {
			return pawl.All{Ops: []pawl.Op{pawl.Release{IDs: []pawl.ID{id}, Force: true}, pawl.Delete{IDs: []pawl.ID{id}}}}
		},
	} {
		for _, trusted := range []bool{false, true} {
			s := newStage(t)
			s.Rules = []pawl.CheckRule{{Check: vet, Labels: []string{"go"}}}
			id := s.make()
			s.do(pawl.Update{ID: id, AddLabels: []string{"go"}})
			added := s.do(pawl.Update{ID: id, AddChecks: []pawl.Check{unit}}).Revision
			if trusted {
				s.trust(unit, vet)
			}
			if strings.HasSuffix(name, "once released") {
				s.do(pawl.Release{IDs: []pawl.ID{id}})
				bob := pawl.Request{By: pawl.Actor{Name: "bob", Session: "b"}, Op: pawl.Start{IDs: []pawl.ID{id}}}
				must.Get(s.board.Do(t.Context(), bob, 0))(t)
			}
			before := *s.task(id)
			err := s.sends(false, op(s, id, added))
			if got := s.task(id); pawl.KindOf(err) != pawl.Invalid || !strings.Contains(err.Error(), "only a person may ") || len(pawl.Diff(&before, got)) > 0 {
				t.Errorf("%s, trusted %v: %v, changed %v", name, trusted, err, pawl.Diff(&before, got))
			}
			if err := s.sends(true, op(s, id, added)); err != nil {
				t.Errorf("%s, by a person: %v", name, err)
			}
		}
	}
	// The same command under another name is the same check, and one more takes nothing.
	s := newStage(t)
	id := s.make(unit)
	renamed := unit.Clone()
	renamed.Name = "all"
	must.Do(t, s.sends(false, pawl.Update{ID: id, RemoveChecks: []string{"unit"}, AddChecks: []pawl.Check{renamed, vet}}))
}

// What a step before makes possible is looked at with it, and what one after puts back was
// taken: an undo that conflicted alone was sent, and a check was gone while a task was completed.
func TestAgentTakesNoCheckInSteps(t *testing.T) {
	s := newStage(t)
	id := s.make()
	added := s.do(pawl.Update{ID: id, AddChecks: []pawl.Check{unit}}).Revision
	optional := vet.Clone()
	optional.Optional = true
	then := s.do(pawl.Update{ID: id, AddChecks: []pawl.Check{optional}}).Revision
	var requests []pawl.Request
	for _, rev := range []pawl.Revision{then, added} {
		r, err := s.Screened(t.Context(), s.board, false, pawl.Request{By: ada, Op: pawl.Undo{Revision: rev}}, requests...)
		if refused := pawl.KindOf(err) == pawl.Invalid; refused != (rev == added) {
			t.Errorf("undo of @%d: %v", rev, err)
		}
		requests = append(requests, r)
	}
	for name, ops := range map[string][]pawl.Op{
		"taken and put back": {
			pawl.Update{ID: id, RemoveChecks: []string{"unit"}}, pawl.Complete{IDs: []pawl.ID{id}}, pawl.Update{ID: id, AddChecks: []pawl.Check{unit}},
		},
		"after what made it possible": {
			pawl.Release{IDs: []pawl.ID{id}}, pawl.Delete{IDs: []pawl.ID{id}},
		},
	} {
		if err := s.sends(false, pawl.All{Ops: ops}); pawl.KindOf(err) != pawl.Invalid || !s.task(id).Open() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An undo that is sent again, because its answer was lost, has been done: it was judged as the
// undo of the change before, which only a person may take back.
func TestUndoSentAgain(t *testing.T) {
	s := newStage(t)
	id := s.make()
	s.do(pawl.Update{ID: id, AddChecks: []pawl.Check{unit}})
	subject := "another"
	s.do(pawl.Update{ID: id, Subject: &subject})
	undo := pawl.Request{By: ada, Op: pawl.Undo{}, ID: "undo-1", Bound: true}
	var first pawl.Result
	for _, again := range []bool{false, true} {
		r, err := s.Screened(t.Context(), s.board, false, undo)
		if err != nil {
			t.Fatalf("again: %v: %v", again, err)
		}
		o, err := s.board.Do(t.Context(), r, 0)
		if err != nil || o.Result.Repeated != again || again && o.Result.Undoes != first.Undoes {
			t.Fatalf("again: %v: %+v, %v", again, o.Result, err)
		}
		first = o.Result
	}
	if is := s.task(id); is.Subject == subject || len(is.Checks) != 1 {
		t.Errorf("it is %q with %d checks", is.Subject, len(is.Checks))
	}
	undo.ID = "undo-2"
	if _, err := s.Screened(t.Context(), s.board, false, undo); pawl.KindOf(err) != pawl.Invalid {
		t.Errorf("another undo: %v", err)
	}
}

// forget has a person agree to what the tasks need now.
func (s *stage) forget() { s.Helper(); s.trust() }

// Where the user has no home nothing runs, and the board keeps the rule.
func TestHomeless(t *testing.T) {
	s := newStage(t)
	s.Service = Open(Options{Root: t.TempDir(), Board: "https://tasks.example.org/boards/shop", Rules: []pawl.CheckRule{{Check: vet}}, Getenv: func(string) string { return "" }})
	id := s.make()
	if err := s.sends(false, pawl.Complete{IDs: []pawl.ID{id}}); pawl.KindOf(err) != pawl.Unmet {
		t.Errorf("completed: %v", err)
	}
	if err := s.done(id); err == nil {
		t.Error("completed")
	}
	if err := s.Trust(t.Context(), []pawl.Check{vet}, nil); err == nil {
		t.Error("trusted, and nowhere to note it")
	}
	must.Do(t, s.sends(false, pawl.Delete{IDs: []pawl.ID{id}}))
}

// An undo of a reopening runs no check: it completes nothing that nobody here has trusted,
// whatever passed before, and whoever asks.
func TestUndoCompletesNothingUntrusted(t *testing.T) {
	for _, person := range []bool{false, true} {
		s := newStage(t)
		s.Refuse = true
		id := s.make(unit)
		passed := pawl.Evidence{Check: "unit", Sum: unit.Sum(), Tree: s.now.Tree, Passed: true}
		s.do(pawl.All{Ops: []pawl.Op{pawl.AddEvidence{ID: id, Evidence: []pawl.Evidence{passed}}, pawl.Complete{IDs: []pawl.ID{id}, Tree: s.now.Tree}}})
		reopened := s.do(pawl.Reopen{IDs: []pawl.ID{id}}).Revision
		s.unmet(s.sends(person, pawl.Undo{Revision: reopened}), "unit: go test ./... is not trusted")
		if !s.task(id).Open() {
			t.Errorf("person %v: it is completed", person)
		}
		s.trust(unit)
		if err := s.sends(person, pawl.Undo{Revision: reopened}); err != nil || s.task(id).Open() {
			t.Errorf("person %v: %v", person, err)
		}
	}
}

// A hold that a person has put is ended by a person, in whatever way an agent tries.
func TestAgentEndsNoHold(t *testing.T) {
	for name, op := range map[string]func(id pawl.ID) pawl.Op{
		"lift":            func(id pawl.ID) pawl.Op { return pawl.LiftHold{IDs: []pawl.ID{id}} },
		"another hold":    func(id pawl.ID) pawl.Op { return pawl.PutHold{IDs: []pawl.ID{id}, Reason: "mine"} },
		"forced start":    func(id pawl.ID) pawl.Op { return pawl.Start{IDs: []pawl.ID{id}, Force: true} },
		"forced claim":    func(id pawl.ID) pawl.Op { return pawl.ClaimTask{ID: id, Force: true} },
		"forced complete": func(id pawl.ID) pawl.Op { return pawl.Complete{IDs: []pawl.ID{id}, Force: true} },
		"among others": func(id pawl.ID) pawl.Op {
			return pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: id, Text: "x"}, pawl.LiftHold{IDs: []pawl.ID{id}}}}
		},
		"undo":   func(pawl.ID) pawl.Op { return pawl.Undo{} },
		"delete": func(id pawl.ID) pawl.Op { return pawl.Delete{IDs: []pawl.ID{id}} },
	} {
		s := newStage(t)
		id := s.make()
		s.do(pawl.Release{IDs: []pawl.ID{id}})
		bob := pawl.Request{By: pawl.Actor{Name: "bob"}, Op: pawl.PutHold{IDs: []pawl.ID{id}, Reason: "only after Ann agrees"}}
		o := must.Get(s.board.Do(t.Context(), bob, 0))(t)
		is := op(id)
		if _, undo := is.(pawl.Undo); undo {
			is = pawl.Undo{Revision: o.Result.Revision}
		}
		if err := s.sends(false, is); pawl.KindOf(err) != pawl.Blocked || !strings.Contains(err.Error(), "only after Ann agrees") {
			t.Errorf("%s: %v", name, err)
		}
		if got := s.task(id); got.Hold == nil || got.Hold.By != "bob" || got.Status != pawl.Pending {
			t.Errorf("%s: %+v", name, got)
		}
		if err := s.sends(true, is); err != nil {
			t.Errorf("a person, %s: %v", name, err)
		}
	}
	s := newStage(t)
	id := s.make()
	s.do(pawl.Release{IDs: []pawl.ID{id}, Hold: "no key"})
	if err := s.sends(false, pawl.LiftHold{IDs: []pawl.ID{id}}); err != nil {
		t.Errorf("its own hold: %v", err)
	}
}

// No op of an agent brings a task that a person has put on hold back into work: done beside
// the hold, it was completed.
func TestAgentGoesOnBesideNoHold(t *testing.T) {
	s := newStage(t)
	id := s.make()
	undo := pawl.Undo{Revision: s.do(pawl.Release{IDs: []pawl.ID{id}}).Revision}
	hold := pawl.Request{By: pawl.Actor{Name: "bob"}, Op: pawl.PutHold{IDs: []pawl.ID{id}, Reason: "legal"}}
	must.Get(s.board.Do(t.Context(), hold, 0))(t)
	was := s.task(id)
	for name, op := range map[string]pawl.Op{
		"undo of its own release": undo,
		"import":                  pawl.Import{Tasks: []pawl.ImportTask{{ID: id, CreatedAt: was.CreatedAt, UpdatedAt: time.Now().Add(time.Hour), NewTask: pawl.NewTask{Subject: "task", Owner: "ada"}, Status: pawl.InProgress}}},
	} {
		if err := s.sends(false, op); s.task(id).Status != pawl.Pending || name != "import" && pawl.KindOf(err) != pawl.Blocked {
			t.Errorf("%s: %v, %s", name, err, s.task(id).Status)
		}
	}
	if err := s.sends(true, undo); err != nil || s.task(id).Status != pawl.InProgress {
		t.Errorf("by a person: %v", err)
	}
}

// A name does not make a hold one's own: anybody can give it. Its session does, or another one of
// the same agent process.
func TestNameEndsNoHold(t *testing.T) {
	put := pawl.Actor{Name: "ann", Session: "terminal-1"}
	mine := pawl.Actor{Name: "ann", Session: "s9"}
	ref := map[string]json.RawMessage{pawl.RefKey: json.RawMessage(`"A"`)}
	for name, op := range map[string]func(id pawl.ID) pawl.Op{
		"lift":         func(id pawl.ID) pawl.Op { return pawl.LiftHold{IDs: []pawl.ID{id}} },
		"another hold": func(id pawl.ID) pawl.Op { return pawl.PutHold{IDs: []pawl.ID{id}, Reason: "mine"} },
		"release":      func(id pawl.ID) pawl.Op { return pawl.Release{IDs: []pawl.ID{id}, Hold: "mine"} },
		"delete":       func(id pawl.ID) pawl.Op { return pawl.Delete{IDs: []pawl.ID{id}} },
		"import of a hold": func(pawl.ID) pawl.Op {
			return pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "one", Metadata: ref}, Hold: &pawl.Hold{Reason: "mine", By: "ann"}}}}
		},
		"import as completed": func(pawl.ID) pawl.Op {
			return pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "one", Metadata: ref}, Status: pawl.Completed}}}
		},
	} {
		s := newStage(t)
		id := s.make()
		s.do(pawl.Release{IDs: []pawl.ID{id}})
		s.do(pawl.Update{ID: id, Metadata: ref})
		as := func(by pawl.Actor, op pawl.Op) error {
			r := pawl.Request{By: by, Op: op}
			if by == mine {
				r.Same = func(session string) bool { return session == "s8" } // as of one agent process
			}
			r, err := s.Screened(t.Context(), s.board, false, r)
			if err == nil {
				_, err = s.board.Do(t.Context(), r, 0)
			}
			return err
		}
		must.Do(t, as(put, pawl.PutHold{IDs: []pawl.ID{id}, Reason: "only after Ann agrees"}))
		err := as(mine, op(id))
		if _, isImport := op(id).(pawl.Import); !isImport && (pawl.KindOf(err) != pawl.Blocked || !strings.Contains(err.Error(), "only after Ann agrees")) || isImport && err != nil { // the board leaves it
			t.Errorf("%s: %v", name, err)
		}
		if got := s.task(id); got.Hold == nil || got.Hold.Reason != "only after Ann agrees" || !got.Open() {
			t.Errorf("%s: %+v", name, got)
		}
		if err := as(put, pawl.LiftHold{IDs: []pawl.ID{id}}); err != nil {
			t.Errorf("%s: the session that put it: %v", name, err)
		}
		must.Do(t, as(pawl.Actor{Name: "ann", Session: "s8"}, pawl.PutHold{IDs: []pawl.ID{id}, Reason: "no key"}))
		if err := as(mine, op(id)); err != nil {
			t.Errorf("%s: a hold of another session of its process: %v", name, err)
		}
	}
}

// What a sync brought in the caller's name is not what the caller put on hold.
func TestSyncedHold(t *testing.T) {
	hold := &pawl.Hold{Reason: "wait", By: "ada", At: time.Now()}
	put := pawl.ChangeSet{By: ada, Verb: pawl.VerbHold, Changes: []pawl.Change{{ID: 1, Before: &pawl.Task{}, After: &pawl.Task{Hold: hold}}}}
	for _, verb := range []string{pawl.VerbHold, pawl.VerbSync, pawl.VerbMerge} {
		set := put
		set.Verb = verb
		if got := putBy(pawl.Request{By: ada}, []pawl.ChangeSet{set}, 1, func(t *pawl.Task) bool { return sameHold(t, hold) }); got != (verb == pawl.VerbHold) {
			t.Errorf("%s: %v", verb, got)
		}
	}
}

// Beside a hold an agent completes its own work, and no other's.
func TestCompletesBesideHold(t *testing.T) {
	for _, own := range []bool{true, false} {
		s := newStage(t)
		id := s.make()
		for _, r := range []pawl.Request{
			{By: ada, Op: pawl.Release{IDs: []pawl.ID{id}}},
			{By: map[bool]pawl.Actor{true: ada, false: {Name: "bot", Session: "s2"}}[own], Op: pawl.ClaimTask{ID: id, Lease: pawl.Duration(time.Hour)}},
			{By: pawl.Actor{Name: "bob"}, Op: pawl.PutHold{IDs: []pawl.ID{id}, Reason: "wait"}},
		} {
			must.Get(s.board.Do(t.Context(), r, 0))(t)
		}
		if err := s.sends(false, pawl.Complete{IDs: []pawl.ID{id}, Force: !own}); (err == nil) != own {
			t.Errorf("own %v: %v", own, err)
		}
	}
}

// What is too much to be tried is not taken for what the board refuses: it may carry it out in
// several commits.
func TestScreenedTooMuch(t *testing.T) {
	s := newStage(t)
	o := must.Get(s.board.Do(t.Context(), pawl.Request{By: ada, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}}, 0))(t)
	remove := pawl.Request{By: ada, Op: pawl.Delete{IDs: o.Result.IDs}}
	if _, err := s.Screened(pawl.Within(t.Context(), 1), s.board, false, remove); !errors.Is(err, pawl.ErrTooMuch) {
		t.Errorf("got %v", err)
	}
}

// A known agent takes no criterion away that another session wrote, unless it is ticked. Its own
// session's criteria it may reword. A person's script may, too.
func TestAgentTakesNoCriterion(t *testing.T) {
	ann := pawl.Actor{Name: "ann", Session: "s9"}
	for name, op := range map[string]func(t *pawl.Task, written pawl.Revision) pawl.Op{
		"removed": func(t *pawl.Task, _ pawl.Revision) pawl.Op {
			return pawl.Update{ID: t.ID, RemoveAccept: []string{"it works"}}
		},
		"reworded": func(t *pawl.Task, _ pawl.Revision) pawl.Op {
			return pawl.Update{ID: t.ID, RemoveAccept: []string{"it works"}, AddAccept: []string{"it may work"}}
		},
		"rm":     func(t *pawl.Task, _ pawl.Revision) pawl.Op { return pawl.Delete{IDs: []pawl.ID{t.ID}} },
		"undone": func(_ *pawl.Task, written pawl.Revision) pawl.Op { return pawl.Undo{Revision: written} },
		"imported": func(t *pawl.Task, _ pawl.Revision) pawl.Op {
			return pawl.Import{Tasks: []pawl.ImportTask{{ID: t.ID, CreatedAt: t.CreatedAt, NewTask: pawl.NewTask{Subject: "one", Accept: []string{}}}}}
		},
		"among others": func(t *pawl.Task, _ pawl.Revision) pawl.Op {
			return pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: t.ID, Text: "x"}, pawl.Update{ID: t.ID, RemoveAccept: []string{"it works"}}}}
		},
	} {
		for _, c := range []struct {
			who    string
			writer pawl.Actor
			agent  bool
			tick   bool
			may    bool
		}{
			{"an agent", ann, true, false, false},
			{"the agent that wrote it", ada, true, false, true},
			{"an agent, of a ticked one", ann, true, true, false},
			{"the agent that wrote it, of a ticked one", ada, true, true, true},
			{"a person's script", ann, false, false, true},
		} {
			s := newStage(t)
			do := func(op pawl.Op) pawl.Result {
				o := must.Get(s.board.Do(t.Context(), pawl.Request{By: c.writer, Op: op}, 0))(t)
				return o.Result
			}
			id := do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}).IDs[0]
			written := do(pawl.Update{ID: id, AddAccept: []string{"it works"}}).Revision
			if c.tick {
				do(pawl.Update{ID: id, Tick: []string{"it works"}})
			}
			if name == "undone" && c.tick {
				continue // the board refuses it for the tick
			}
			r := pawl.Request{By: ada, Op: op(s.task(id), written), Agent: c.agent}
			_, err := s.Screened(t.Context(), s.board, false, r)
			if c.may && err != nil || !c.may && (pawl.KindOf(err) != pawl.Invalid || !strings.Contains(err.Error(), `the criterion "it works"`)) {
				t.Errorf("%s, %s: %v", name, c.who, err)
			}
		}
	}
}

// Without a terminal nobody overrides the claim of another person. A claim with a lease is an
// agent's, and a person's scripts may end it, as they may end their own.
func TestForceNeedsATerminal(t *testing.T) {
	for name, test := range map[string]struct {
		owner           string
		lease           time.Duration
		person, refused bool
	}{
		"another person's":                {"bob", 0, false, true},
		"another person's, at a terminal": {"bob", 0, true, false},
		"an agent's":                      {"claude", time.Hour, false, false},
		"one's own":                       {ada.Name, 0, false, false},
	} {
		s := newStage(t)
		id := s.make()
		s.do(pawl.Release{IDs: []pawl.ID{id}})
		other := pawl.Request{By: pawl.Actor{Name: test.owner, Session: "other"}, Op: pawl.Start{IDs: []pawl.ID{id}, Lease: pawl.Duration(test.lease)}}
		must.Get(s.board.Do(t.Context(), other, 0))(t)
		if err := s.sends(test.person, pawl.Release{IDs: []pawl.ID{id}, Force: true}); (err != nil) != test.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A merge takes what a file says of its task, also that it is completed without the check that
// it needed here under its old number.
func TestMergedIsNotShown(t *testing.T) {
	for name, trusted := range map[string]bool{"trusted": true, "not trusted": false} {
		s := newStage(t)
		id := s.make(unit)
		if trusted {
			s.trust(unit)
		}
		merged := pawl.ImportTask{ID: 50, Was: []pawl.ID{id}, CreatedAt: s.task(id).CreatedAt, Status: pawl.Completed, NewTask: pawl.NewTask{Subject: "x"}}
		s.do(pawl.Import{Tasks: []pawl.ImportTask{merged}})
		must.Do(t, s.Merged(t.Context(), s.request(), []pawl.ID{50}))
		if got := s.task(50); got.Unshown() != trusted {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// An agent took a task that a person had assigned to somebody else in two steps: it assigned it to
// nobody, or to another agent, and that one claimed it.
func TestAgentEndsNoAssignment(t *testing.T) {
	ann := pawl.Actor{Name: "ann", Session: "s9"}
	for name, op := range map[string]func(id pawl.ID, assigned pawl.Revision) pawl.Op{
		"to nobody":  func(id pawl.ID, _ pawl.Revision) pawl.Op { return pawl.Assign{IDs: []pawl.ID{id}} },
		"to a third": func(id pawl.ID, _ pawl.Revision) pawl.Op { return pawl.Assign{IDs: []pawl.ID{id}, Owner: "codex"} },
		"to itself": func(id pawl.ID, _ pawl.Revision) pawl.Op {
			return pawl.Assign{IDs: []pawl.ID{id}, Owner: ada.Name, Force: true}
		},
		"claimed":  func(id pawl.ID, _ pawl.Revision) pawl.Op { return pawl.ClaimTask{ID: id, Force: true} },
		"started":  func(id pawl.ID, _ pawl.Revision) pawl.Op { return pawl.Start{IDs: []pawl.ID{id}, Force: true} },
		"released": func(id pawl.ID, _ pawl.Revision) pawl.Op { return pawl.Release{IDs: []pawl.ID{id}, Force: true} },
		"undone":   func(_ pawl.ID, assigned pawl.Revision) pawl.Op { return pawl.Undo{Revision: assigned} },
		"among others": func(id pawl.ID, _ pawl.Revision) pawl.Op {
			return pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: id, Text: "x"}, pawl.Assign{IDs: []pawl.ID{id}}}}
		},
	} {
		for _, c := range []struct {
			who    string
			by     pawl.Actor
			owner  string
			agent  bool
			person bool
			may    bool
		}{
			{"an agent", ann, "bob", true, false, false},
			{"the agent that assigned it", ada, "bob", true, false, true},
			{"the agent whose it is", ann, ada.Name, true, false, true},
			{"a person's script", ann, "bob", false, false, true},
			{"a person", ann, "bob", false, true, true},
		} {
			s := newStage(t)
			do := func(op pawl.Op) pawl.Result {
				o := must.Get(s.board.Do(t.Context(), pawl.Request{By: c.by, Op: op}, 0))(t)
				return o.Result
			}
			id := do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}).IDs[0]
			assigned := do(pawl.Assign{IDs: []pawl.ID{id}, Owner: c.owner}).Revision
			_, err := s.Screened(t.Context(), s.board, c.person, pawl.Request{By: ada, Op: op(id, assigned), Agent: c.agent})
			if c.may && err != nil || !c.may && pawl.KindOf(err) != pawl.Conflict {
				t.Errorf("%s, %s: %v", name, c.who, err)
			}
		}
	}
}
