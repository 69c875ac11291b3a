package nudge

import (
	"time"

	"github.com/pawl-dev/pawl/internal/prose"
)

// suspended reports whether the remaining work is not for the agent to continue
// now, without a todo_pause: its user told it to stop, and it has planned nothing
// since; or the conversation before left all of it, and nobody has taken it up.
func (s *State) suspended(f Facts) bool {
	if !s.Inherited.IsZero() && !f.touched().After(s.Inherited) {
		return true
	}
	if s.Rest.IsZero() {
		return false
	}
	for i := range f.List.Items {
		if it := &f.List.Items[i]; it.Open() && it.CreatedAt.After(s.Rest) {
			return false
		}
	}
	return true
}

// touched is when what is left was last worked with; zero: nothing is left. That
// another session took over a claim counts for nothing.
func (f *Facts) touched() (last time.Time) {
	if f.List.Open() > 0 || f.List.AwaitsCheck() {
		last = f.List.UpdatedAt
	}
	for i := range f.Owned {
		if at := f.Owned[i].UpdatedAt; at.After(last) {
			last = at
		}
	}
	return last
}

// listen notes what a prompt of a person means for the work that is planned.
func (s *State) listen(prompt string, now time.Time) {
	switch prose.IntentOf(prompt) {
	case prose.Question:
		s.Asked = true
	case prose.Stop:
		s.Rest = now
	}
}
