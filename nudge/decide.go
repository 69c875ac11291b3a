package nudge

import "time"

// Needs returns which facts [Decide] looks at for an event.
func Needs(s State, e Event, set Settings) Need { return Need{} }

// Decide returns what to say at an event, and what to remember of it.
func Decide(s State, e Event, f Facts, set Settings, now time.Time) (State, Decision) {
	return s, Decision{}
}
