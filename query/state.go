package query

import "github.com/pawl-dev/pawl"

// State is the state of a task, for one caller.
type State uint8

// The states. A task has the first one that fits.
const (
	Damaged State = iota // its file cannot be read
	Done
	Working // in progress
	Held
	Waiting // for a blocker or a child
	Taken   // assigned to somebody else
	Ready
	Missing // another task names it, and it is not there
)

// StateOf returns how t looks to the one called name.
func StateOf(t *pawl.Task, name string) State {
	switch {
	case t.Damage != "":
		return Damaged
	case t.Status == pawl.Completed:
		return Done
	case t.Status == pawl.InProgress:
		return Working
	case t.Hold != nil:
		return Held
	case len(t.BlockedBy) > 0 || t.OpenChildren > 0:
		return Waiting
	case !t.Ready(name):
		return Taken
	}
	return Ready
}

// A StateName is a state in an envelope: ready, in_progress, blocked, held (on hold),
// assigned, completed, damaged or missing.
type StateName string

// String is the state in an envelope.
func (s State) String() string { return string(s.Name()) }

// Name is the state in an envelope.
func (s State) Name() StateName {
	return [...]StateName{
		Damaged: "damaged", Done: "completed", Working: "in_progress", Held: "held", Waiting: "blocked", Taken: "assigned",
		Ready: "ready", Missing: "missing",
	}[s]
}

// MarshalText is [State.Name].
func (s State) MarshalText() ([]byte, error) {
	if s > Missing {
		return nil, pawl.Errorf(pawl.Internal, "%d is not a state", uint8(s))
	}
	return []byte(s.Name()), nil
}

// UnmarshalText reads what MarshalText writes.
func (s *State) UnmarshalText(text []byte) error {
	for *s = range Missing + 1 {
		if s.String() == string(text) {
			return nil
		}
	}
	return pawl.Errorf(pawl.Invalid, "%q is not a state", clip(string(text)))
}

// Glyph is the one character for the state. Without Unicode it is ASCII, and
// neither an arrow (>) nor a cross.
func (s State) Glyph(unicode bool) string {
	if unicode {
		return [...]string{Damaged: "!", Done: "✔", Working: "→", Held: "⊘", Waiting: "○", Taken: "○", Ready: "◆", Missing: "!"}[s]
	}
	return [...]string{Damaged: "!", Done: "v", Working: "/", Held: "=", Waiting: "o", Taken: "o", Ready: "*", Missing: "!"}[s]
}
