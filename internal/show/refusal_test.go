package show

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// A person is told who has a task in words for people, however long the session
// is called, and of a namesake that it is not them.
func TestToPerson(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, session := range []string{"s1", strings.Repeat("ä", 60), strings.Repeat("ä", 61), strings.Repeat("ä", 80)} {
		board := pawl.NewBoard(memory.New(memory.WithClock(func() time.Time { return at })))
		bob := pawl.Actor{Name: "bob", Session: session}
		board.Do(t.Context(), pawl.Request{By: bob, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}}}})
		board.Do(t.Context(), pawl.Request{By: bob, Op: pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}})
		for name, want := range map[string]string{"ada": "#1 is claimed by bob until 13:00 UTC", "bob": "#1 is claimed by bob in another session until 13:00 UTC"} {
			_, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: name, Session: "mine"}, Op: pawl.ClaimTask{ID: 1}})
			e, ok := errors.AsType[*pawl.Error](err)
			if !ok {
				t.Fatal(err)
			}
			if got := ToPerson(e, e.Message, name, Clock{Now: at, Zone: time.UTC}); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	}
}
