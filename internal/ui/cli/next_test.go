package cli

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/wire"
)

// Whatever a task is called, next --json takes at most 600 bytes, says why the
// task comes first, and gives as much of the subject as there is room for.
func TestNextIsSmall(t *testing.T) {
	clipped := 0
	rapid.Check(t, func(t *rapid.T) {
		subject := rapid.OneOf(
			rapid.StringN(1, pawl.MaxSubject, -1),
			rapid.StringN(pawl.MaxSubject/2, pawl.MaxSubject, -1), // one of few letters is drawn more often than one of many
			rapid.StringOfN(rapid.SampledFrom([]rune{'x', '"', '\\', 'ä', '名', '👩', '\u202e', '\u2028', '\U000e0068', '\x1b', '<'}), 20, 2*pawl.MaxSubject, -1),
		).Draw(t, "subject")
		number := rapid.IntRange(0, 1<<53)
		answer := nextJSON{
			Envelope: wire.NewEnvelope("next"),
			Task:     &nextTask{ID: pawl.ID(number.Draw(t, "id")), Subject: subject, Priority: "medium"},
			Reason:   &reason{Urgency: "medium", Unblocks: number.Draw(t, "unblocks"), More: rapid.Bool().Draw(t, "more"), Chain: number.Draw(t, "chain")},
			Ready:    number.Draw(t, "ready"),
		}
		must.Do(t, answer.fit())
		size := func() int {
			var b bytes.Buffer
			must.Do(t, wire.WriteJSON(&b, answer))
			return b.Len()
		}
		got := answer.Task.Subject
		switch {
		case size() > 600:
			t.Fatalf("%d bytes", size())
		case !answer.Task.Clipped && got != subject:
			t.Fatalf("the subject became %q, and nothing says so", got)
		case !answer.Task.Clipped:
			return
		}
		clipped++
		begin, cut := strings.CutSuffix(got, "…")
		if !cut || !strings.HasPrefix(string([]rune(subject)), begin) {
			t.Fatalf("%q is no beginning of %q", got, subject)
		}
		rest := strings.TrimPrefix(string([]rune(subject)), begin)
		answer.Task.Subject = begin + string([]rune(rest)[0]) + "…"
		if size() <= 600 && len([]rune(rest)) > 1 {
			t.Fatalf("%q could have been one letter longer", got)
		}
	})
	if clipped < 10 {
		t.Errorf("only %d subjects were too long", clipped)
	}
}
