package nudge

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/prose"
)

// Needs returns which facts [Decide] looks at for an event. Most events need
// none.
func Needs(s State, e Event, set Settings) Need {
	var n Need
	switch e.Kind {
	case Start:
		n.Board = set.ModelTokens > 0 && !e.CannotDeliver
		n.List = e.left()
	case Prompt:
		if !s.news(e) {
			return Need{}
		}
		n.Board = set.ModelTokens > 0 && !e.CannotDeliver && (s.Compacted || e.Silent)
		n.List = set.suggests() && !e.CannotDeliver && !e.Notice && !e.Plans
	case CallEnds:
		n.Board = set.ModelTokens > 0 && !e.CannotDeliver && s.Compacted
		n.List = s.stale(e, set)
		// One of Pawl's tools may have been a claim. Should the agent be killed
		// before it stops, this is how its next session knows.
		n.Tasks = set.ModelTokens > 0 && e.Call.Own && !e.Call.Updates && !e.Call.Failed
	case Stop:
		n.List = s.mayContinue(e, set)
		n.Tasks = n.List
	}
	n.List = n.List || n.Board
	n.Tasks = n.Tasks || n.Board
	return n
}

// Decide returns what to say at an event, and what to remember of it. It looks
// at those facts that [Needs] asks for, and leaves s as it is.
func Decide(s State, e Event, f Facts, set Settings, now time.Time) (State, Decision) {
	need := Needs(s, e, set)
	var d Decision
	switch e.Kind {
	case Start:
		if s.Compacted = s.Compacted && e.CannotDeliver; e.Source != Compact {
			s.Helpers, s.Complex, s.Ordered = nil, 0, false // they ended with the conversation
		}
		if e.left() {
			s.Inherited = f.touched()
		}
		if need.Board {
			d.Tell = s.recovery(e, f, set)
		}
	case Prompt:
		if s.news(e) {
			d.Spoke = !e.Notice
			d.Tell = s.prompt(e, f, set, need, now)
		}
	case CallEnds:
		d.Tell = s.callEnds(e, f, set, need, now)
	case Compaction:
		s.Compacted = s.Compacted || !e.Silent
	case Stop:
		if need.List {
			d = s.stop(e, f, set)
		}
	case Interrupt:
		s.Interrupted = true
	case HelperStart:
		s.helper(e.Helper, true)
	case HelperStop:
		s.helper(e.Helper, false)
	}
	if need.Tasks {
		s.holds(f.Owned, need.Board)
	}
	return s, d
}

// left reports whether a conversation begins that knows nothing of the one
// before, and yet has its list.
func (e *Event) left() bool { return e.Kind == Start && (e.Source == Clear || e.Source == Fork) }

// news reports whether a prompt says anything that did not come from here. Were
// continuation refilled by its own note, it would never end.
func (s *State) news(e Event) bool { return strings.TrimSpace(e.Text) != "" && !s.Echo.in(e.Text) }

// prompt is what the agent is told beside what somebody says to it.
func (s *State) prompt(e Event, f Facts, set Settings, need Need, now time.Time) string {
	if !e.Notice {
		s.refill()
		s.listen(e.Text, now)
	}
	var told []string
	if need.Board && (s.Compacted || e.Silent && s.newsFor(f)) {
		told = append(told, s.recovery(e, f, set))
	}
	if !e.Notice && !e.CannotDeliver && !e.Plans && set.suggests() {
		told = append(told, s.suggestion(prose.Analyze(e.Text), f, set, now))
	}
	return together(told)
}

// callEnds is what the agent is told after a tool call.
func (s *State) callEnds(e Event, f Facts, set Settings, need Need, now time.Time) string {
	due := s.stale(e, set)
	switch {
	case !e.Call.Own:
		s.Worked = true
		if set.Reminders && set.StaleAfter > 0 {
			s.Calls = min(s.Calls+1, maxCount)
		}
	case e.Call.Updates && !e.Call.Failed:
		s.Calls, s.Asked, s.Inherited = 0, false, time.Time{}
	}
	var told []string
	if need.Board {
		told = append(told, s.recovery(e, f, set))
	}
	if due {
		told = append(told, s.reminder(f, set, now))
	}
	return together(told)
}

// together is several texts as one, without those that are empty.
func together(texts []string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n\n")
}
