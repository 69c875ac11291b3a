package nudge_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/nudge"
)

// A state that another version wrote is read as far as it is understood.
func TestStateOfAnotherVersion(t *testing.T) {
	var s nudge.State
	text := `{"later": {"a": [1]}, "notes": 2, "level": "two", "calls": -4, "helpers": [1, 2.5], "quiet": "yes", "complex": 3,
		"held": [{"id": 4, "createdAt": "2026-11-21T12:00:00Z", "more": true}]}`
	must.Do(t, json.Unmarshal([]byte(text), &s))
	if s.Notes != 2 || s.Complex != 3 || s.Level != 0 || s.Calls != 0 || s.Quiet || len(s.Claimed) != 1 || s.Claimed[0].ID != 4 {
		t.Errorf("read as %+v", s)
	}
	if err := json.Unmarshal([]byte(`{"notes": 2,`), &s); err == nil {
		t.Error("half a state is a state")
	}
	if got, err := json.Marshal(nudge.State{}); err != nil || string(got) != "{}" {
		t.Errorf("an empty state is %s, %v", got, err)
	}
}

// However much happens, a state stays small.
func TestStateIsSmall(t *testing.T) {
	s := newSession(t)
	s.settings.Threshold = 0
	many := make([]pawl.Task, 100)
	for i := range many {
		many[i] = pawl.Task{ID: math.MaxInt64 - pawl.ID(i), CreatedAt: time.Date(2026, 11, 21, 12, 0, 0, i*1e6, time.UTC)}
	}
	s.play("prompt Hm.")
	for i := range 50 {
		s.facts.Owned = many[i : i+50]
		s.decide(nudge.Event{Kind: nudge.Stop})
	}
	s.decide(nudge.Event{Kind: nudge.Start, Source: nudge.Resume})
	for i := range 50 {
		s.decide(nudge.Event{Kind: nudge.HelperStart, Helper: strings.Repeat("h", 1000) + fmt.Sprint(i)})
		s.play("call")
	}
	s.play("compaction")
	s.play("interrupt")
	text, err := json.Marshal(s.state)
	if err != nil || len(text) > 2<<10 || len(s.state.Claimed) != nudge.MaxClaimed || len(s.state.Helpers) != nudge.MaxHelpers {
		t.Errorf("%d bytes, %v: %s", len(text), err, text)
	}
}

// What an agent was seen to hold is known until a recovery has told of it.
func TestClaimed(t *testing.T) {
	s := newSession(t)
	held := func() string {
		var b strings.Builder
		for _, h := range s.state.Claimed {
			b.WriteString(h.ID.String())
		}
		return b.String()
	}
	for _, step := range []struct{ play, want string }{
		{"owned #12 A | #13 B", ""},
		{"call own", "#12#13"}, // it may have been a claim
		{"owned #13 B | #14 C", "#12#13"},
		{"call", "#12#13"},
		{"call updates", "#12#13"},
		{"stop Done.", "#13#14#12"}, // 12 is gone, and nobody was told
		{"owned", "#13#14#12"},
		{"end", "#13#14#12"},
		{"settings tokens=0", "#13#14#12"},
		{"start resume", "#13#14#12"},
		{"call own", "#13#14#12"},
		{"settings tokens=600", "#13#14#12"},
		{"start resume", ""},
	} {
		s.play(step.play)
		if got := held(); got != step.want {
			t.Errorf("after %q it holds %q, want %q", step.play, got, step.want)
		}
	}

	// A number alone is not a task: in another clone it is another one.
	s.play("owned #12 A")
	s.play("stop")
	s.facts.Owned[0].CreatedAt = time.Unix(1, 0)
	s.play("stop")
	if got := held(); got != "#12#12" {
		t.Errorf("it holds %q", got)
	}
}
