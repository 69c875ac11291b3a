package nudge

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/prose"
)

// maxSteps is how many steps of a prompt a suggestion names.
const maxSteps = 5

// suggestion is a word about making a todo list, at a prompt that deserves one.
func (s *State) suggestion(a prose.Analysis, f Facts, set Settings, now time.Time) string {
	complex := a.Score >= set.Threshold || a.Ordered && s.Ordered
	s.Ordered = a.Ordered
	if len(f.List.Items) > 0 || !complex {
		s.Complex = 0
		return ""
	}
	s.Complex = min(s.Complex+1, maxCount)
	if f.Tools.Write == "" || within(set.Cooldown, s.Suggested, now) {
		return ""
	}
	s.Suggested = now
	var text string
	if s.Complex >= set.EscalateAfter {
		text = fmt.Sprintf([...]string{
			"Use %s now, before anything else. %s came without a todo list, and steps get lost that way.",
			"Use %s now. %s came without a todo list; what is not written down is forgotten when the conversation is shortened.",
		}[s.other(suggestions)], f.Tools.Write, prompts(s.Complex))
	} else {
		text = fmt.Sprintf([...]string{
			"This is work of several steps. Make a todo list with %s before you begin, one todo for each step, and mark them as you go.",
			"There is more than one thing to do here. Write the steps down with %s first, and keep the list up to date while you work.",
		}[s.other(suggestions)], f.Tools.Write)
	}
	var b strings.Builder
	b.WriteString(text)
	if len(a.Steps) >= 2 {
		steps(&b, a.Steps)
	}
	b.WriteString("\n" + from(f.Tools.quiet()))
	return b.String()
}

func steps(b *strings.Builder, all []string) {
	b.WriteString(" As far as can be seen:")
	for i, step := range all[:min(len(all), maxSteps)] {
		fmt.Fprintf(b, "\n%d. %s", i+1, line(step, maxLine))
	}
	if more := len(all) - maxSteps; more > 0 {
		fmt.Fprintf(b, "\n… and %d more", more)
	}
}

func prompts(n int) string {
	if n == 1 {
		return "This prompt of several steps"
	}
	return fmt.Sprintf("%d prompts of several steps in a row", n)
}

// stale reports whether a call is one at which the list may be out of date.
func (s *State) stale(e Event, set Settings) bool {
	return set.Reminders && set.StaleAfter > 0 && !e.CannotDeliver && !e.Plans && !s.Asked && !e.Call.Own && s.Calls+1 >= set.StaleAfter
}

// reminder is a word about a list that is out of date. Said or not, it is due
// again only after as many calls.
func (s *State) reminder(f Facts, set Settings, now time.Time) string {
	calls := s.Calls
	s.Calls = 0
	l := remaining(f)
	if len(l.todos) == 0 || f.List.Pause != nil || s.suspended(f) || f.Tools.Write == "" || within(set.Cooldown, s.Stale, now) {
		return ""
	}
	s.Stale = now
	return fmt.Sprintf([...]string{
		"%s since your todo list was last updated, with %s open. Bring it up to date with %s: what is done, what you are at, what came up. First in it: %s",
		"Your todo list has not been touched for %s, and has %s open. If it is no longer true, update it with %s. First in it: %s",
	}[s.other(reminders)], count(calls, "tool call"), count(len(l.todos), "todo"), f.Tools.update(l.todos, f.List.Items), line(l.todos[0].Content, maxLine)) + "\n" + from(f.Tools.quiet())
}

// within reports whether less than a pause has gone by since a moment. A clock
// that was set back ends the pause.
func within(pause time.Duration, since, now time.Time) bool {
	gone := now.Sub(since)
	return !since.IsZero() && gone >= 0 && gone < pause
}
