package storetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// What is made up has to get everywhere: every op accepted and refused, by
// every kind of refusal that it has, leases that end, results that come again.
// The model alone says what would come of each move.
func TestMovesGetEverywhere(t *testing.T) {
	came := map[string]int{}
	for seed := range uint64(40) {
		m, clock, g, c := newModel(), NewClock(), writer{}, dice{rand.New(rand.NewPCG(seed, 120))}
		for range 120 {
			g.last, g.rev = m.last, m.rev()
			lines := g.write(c)
			if d, ok := strings.CutPrefix(lines[0], "wait "); ok {
				wait, err := time.ParseDuration(d)
				if err != nil {
					t.Fatal(err)
				}
				clock.Advance(wait)
				continue
			}
			mv, ok, err := parseMove(lines, 0)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				came[lines[0]]++
				continue
			}
			for i, e := range m.carryOut(mv, clock.stored()) {
				what := "undo"
				if op := mv.requests[i].Op; op != nil {
					what = strings.TrimPrefix(fmt.Sprintf("%T", op), "pawl.")
				}
				switch {
				case e.Kind != nil:
					what = fmt.Sprint(what, " ", e.Kind)
				case e.Again:
					what = "again"
				case e.Rev == 0:
					what += " changes nothing"
				}
				came[what]++
			}
		}
		for _, past := range m.past {
			came["set "+past.verb]++
			for _, task := range past.after {
				if task.Hold != nil && task.Hold.By == "pawl" {
					came["held after expiries"]++
				}
			}
		}
	}
	for _, what := range []string{
		"Create", "Create invalid", "Create not_found", "Create conflict",
		"Update", "Update invalid", "Update not_found", "Update conflict", "Update changes nothing",
		"ClaimTask", "ClaimTask not_found", "ClaimTask conflict", "ClaimTask blocked", "ClaimTask idle", "ClaimTask busy",
		"Start", "Start not_found", "Start conflict", "Start blocked", "Start changes nothing",
		"Complete", "Complete not_found", "Complete conflict", "Complete blocked", "Complete changes nothing",
		"Reopen", "Reopen not_found", "Reopen conflict", "Reopen changes nothing",
		"Release", "Release not_found", "Release conflict",
		"Assign", "Assign conflict", "PutHold", "PutHold conflict", "LiftHold", "AddNote",
		"Delete", "Delete conflict", "Delete not_found", "Renew", "Renew conflict", "Renew changes nothing",
		"undo", "undo conflict", "undo not_found", "again", "restart", "set expire", "held after expiries",
	} {
		if came[what] < 3 {
			t.Errorf("%s: %d times", what, came[what])
		}
	}
	t.Log(came)
}
