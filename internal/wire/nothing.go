package wire

import (
	"slices"

	"github.com/pawl-dev/pawl"
)

// Nothing is why no task is ready.
type Nothing struct {
	Kind    Failure   `json:"kind"`              // idle: all is done; busy: somebody works on what is in the way; blocked: nobody does
	Message string    `json:"message,omitempty"` // one sentence, for people
	Hint    string    `json:"hint,omitempty"`    // the next step
	Until   Moment    `json:"until,omitempty"`   // with busy: when the first of the others' leases expires; absent: none does
	By      []string  `json:"by,omitempty"`      // with busy: who works, the caller too
	IDs     []pawl.ID `json:"ids,omitempty"`     // the tasks in the way
}

// NewNothing is what a [pawl.NothingReady] error says, as the reader would take it.
func NewNothing(e *pawl.Error, message, hint string) *Nothing {
	const most = 50 // tasks to look at: the list has them all
	return &Nothing{
		Kind: Failure(e.Kind.Error()), Message: message, Hint: hint, Until: Time(e.Until), By: workers(e), IDs: e.IDs[:min(most, len(e.IDs))],
	}
}

// workers are the names of those at work, each once.
func workers(e *pawl.Error) (names []string) {
	for i := range e.Workers {
		if name := e.Workers[i].Name; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
