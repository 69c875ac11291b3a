package replay_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/store/storetest"
)

// Each step is told in words, with the names that the tasks had then. An undo
// says what it took back, and an undo of that what is in effect again.
func TestLines(t *testing.T) {
	clock := storetest.NewClock()
	board := pawl.NewBoard(memory.New(memory.WithClock(clock.Now)))
	ada, bob := pawl.Actor{Name: "ada", Session: "s"}, pawl.Actor{Name: "bob", Session: "t"}
	req := func(by pawl.Actor, op pawl.Op) {
		t.Helper()
		if _, err := board.Do(t.Context(), pawl.Request{By: by, Op: op}); err != nil {
			t.Fatal(err)
		}
	}
	undo := func(by pawl.Actor, rev pawl.Revision) {
		t.Helper()
		if _, err := board.Undo(t.Context(), by, rev); err != nil {
			t.Fatal(err)
		}
	}
	req(ada, chain("Set up", "Write"))
	req(ada, pawl.Complete{IDs: []pawl.ID{1}})
	req(ada, pawl.Update{ID: 2, Subject: new("Write it")})
	undo(bob, 2)
	undo(bob, 4)
	undo(ada, 5)
	undo(ada, 6)
	req(ada, pawl.ClaimTask{ID: 2, Lease: pawl.Duration(time.Minute)})
	clock.Advance(time.Second)
	req(ada, pawl.Renew{}) // is not a step
	clock.Advance(time.Hour)
	req(bob, pawl.Delete{IDs: []pawl.ID{1}})
	var got []string
	for _, step := range load(t, board, 0).Steps {
		got = append(got, fmt.Sprint(step.Revision, " ", step.Verb, ": ", step.Line))
	}
	want := []string{
		"1 create: ada added #1 Set up, #2 Write",
		"2 complete: ada completed #1 Set up; ready now: #2 Write",
		"3 update: ada updated #2 Write it (was called Write)",
		"4 undo: bob undid what ada did: completed #1 Set up",
		"5 undo: bob redid what ada did: completed #1 Set up; ready now: #2 Write it",
		"6 undo: ada undid: completed #1 Set up",
		"7 undo: ada redid: completed #1 Set up; ready now: #2 Write it",
		"8 claim: ada claimed #2 Write it",
		"10 expire: pawl took back #2 Write it from ada, whose lease ran out",
		"11 delete: bob removed #1 Set up",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// What was taken back may be older than the film.
	const older = "bob undid an earlier change: edited #1 Set up (status pending → completed); ready now: #2 Write it"
	if got := load(t, board, 6).Steps[0].Line; got != older {
		t.Errorf("%q, want %q", got, older)
	}
}
