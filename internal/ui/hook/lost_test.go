package hook

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
)

// gaveAway lets a background sync have found out some lost claims of the session.
func (w *world) gaveAway(lost ...merge.Yielded) *int {
	var wait []share.Notice
	for _, y := range lost {
		wait = append(wait, share.Notice{Session: "s1", At: w.now, Lost: y})
	}
	asked := 0
	w.lost = func(_, session string) []share.Notice {
		if asked++; session != "s1" {
			return nil
		}
		told := wait
		wait = nil
		return told
	}
	return &asked
}

func yielded(id pawl.ID, was, now pawl.Status, by string) merge.Yielded {
	return merge.Yielded{
		Named: merge.Named{ID: id, Subject: "Cart"}, Was: was, Owner: "claude", Now: now, By: by,
		Winner: &merge.Held{Clone: "mac-mini-3f2a9c1d"},
	}
}

// An agent hears of a claim that it lost after whatever it does next, once.
func TestLostClaimIsHeard(t *testing.T) {
	w := newWorld(t)
	edit := func(id string) string {
		return w.claude("PostToolUse", obj{"tool_name": "Edit", "tool_use_id": id, "tool_input": obj{}, "tool_response": obj{}})
	}
	edit("t1")
	w.gaveAway(yielded(12, pawl.InProgress, pawl.InProgress, "bob"), yielded(13, pawl.InProgress, pawl.InProgress, "claude"), yielded(14, pawl.Completed, pawl.Completed, "bob"))
	answer := edit("t2")
	for _, want := range []string{
		"Pawl: #12 Cart: bob has claimed it, on mac-mini. Stop working on it; next: pawl claim",
		"#13 Cart: another claude has claimed it, on mac-mini. Stop",
		"#14 Cart: bob completed it, on mac-mini; your completion is a note of it now.",
	} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer lacks %q: %s", want, answer)
		}
	}
	if answer := edit("t3"); strings.Contains(answer, "#12") {
		t.Errorf("told again: %s", answer)
	}
}

// It waits for an event at which the agent hears anything, and a long list is cut.
func TestLostClaimWaits(t *testing.T) {
	w := newWorld(t)
	var many []merge.Yielded
	for id := range pawl.ID(7) {
		many = append(many, yielded(id+1, pawl.InProgress, pawl.InProgress, "bob"))
	}
	asked := w.gaveAway(many...)
	w.claude("PreToolUse", obj{"tool_name": "Edit", "tool_use_id": "t1", "tool_input": obj{}})
	w.claude("Stop", obj{"stop_hook_active": false})
	if *asked != 0 {
		t.Fatalf("asked %d times where the agent hears nothing", *asked)
	}
	answer := w.claude("UserPromptSubmit", obj{"prompt": "Go on."})
	if !strings.Contains(answer, "#5 Cart") || strings.Contains(answer, "#6 Cart") || !strings.Contains(answer, "More of your claims are lost") {
		t.Errorf("the answer is %s", answer)
	}
}
