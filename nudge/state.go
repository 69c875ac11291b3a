package nudge

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// State is the memory of one agent of one session between two events. The zero
// value is that of a session that begins. It is small, and its JSON is read by
// later versions: they ignore fields that they do not know.
type State struct {
	Claimed []Claimed `json:"held,omitempty"` // the tasks that it had claimed when the board was last read

	// Since the last prompt of a person:

	Notes       int    `json:"notes,omitempty"`       // continuations
	Level       int    `json:"level,omitempty"`       // stops without progress in a row
	Left        uint64 `json:"left,omitempty"`        // what was left at the last of them, as a sum
	Quiet       bool   `json:"quiet,omitempty"`       // stop sending notes until something changes; the person knows
	Spent       bool   `json:"spent,omitempty"`       // stop sending notes for good; the person knows
	Worked      bool   `json:"worked,omitempty"`      // it called a tool since the last note
	Interrupted bool   `json:"interrupted,omitempty"` // its turn was broken off
	Asked       bool   `json:"asked,omitempty"`       // the prompt only asks, and the agent has not updated its list since

	// Rest is when the user last told the agent to stop: what was planned before is
	// suspended. The zero time: nothing is.
	Rest    time.Time `json:"rest,omitzero"`
	Helpers []uint32  `json:"helpers,omitempty"` // the subagents that run, a sum of each name

	// Of the whole session:

	Echo      Echo      `json:"echo,omitzero"`       // the last continuation, which comes back as a prompt
	Wordings  uint8     `json:"wordings,omitempty"`  // which wording was last used, a bit for each kind of text
	Calls     int       `json:"calls,omitempty"`     // tool calls since the list was last updated
	Complex   int       `json:"complex,omitempty"`   // complex prompts in a row without a list
	Ordered   bool      `json:"ordered,omitempty"`   // the last prompt had words of a sequence
	Suggested time.Time `json:"suggested,omitzero"`  // when a list was last suggested
	Stale     time.Time `json:"stale,omitzero"`      // when a stale list was last spoken of
	Compacted bool      `json:"compacted,omitempty"` // the conversation was summarised, and nothing given back yet
	Given     uint64    `json:"given,omitempty"`     // what the last recovery was about, as a sum
	Commit    uint64    `json:"commit,omitempty"`    // the last that a note named, as a sum
	// Inherited is when list and tasks that an earlier conversation left were last
	// worked on. Until somebody works on them again, no agent is asked to continue
	// them.
	Inherited time.Time `json:"inherited,omitzero"`
}

// Claimed is a task that an agent had claimed when the board was last read. An id alone could be that of
// another task in another clone.
type Claimed struct {
	ID        pawl.ID   `json:"id"`
	CreatedAt time.Time `json:"createdAt"`
}

// Bounds of a State, so that it stays below 2 KiB.
const (
	MaxClaimed = 20 // as many as a glance at the board shows
	MaxHelpers = 16
	maxCount   = 1 << 20 // of what is only counted
)

// UnmarshalJSON reads the state of an older or a newer version, and ignores what it
// cannot use.
func (s *State) UnmarshalJSON(data []byte) error {
	type plain State
	*s = State{}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, (*plain)(s)); errors.As(err, &syntax) {
		return err
	}
	s.Claimed = s.Claimed[:min(len(s.Claimed), MaxClaimed)]
	s.Helpers = s.Helpers[:min(len(s.Helpers), MaxHelpers)]
	for _, n := range []*int{&s.Notes, &s.Level, &s.Calls, &s.Complex, &s.Echo.Size} {
		*n = min(max(*n, 0), maxCount)
	}
	return nil
}

// refill is what a prompt of a person does: all of it counts again.
func (s *State) refill() {
	s.Notes, s.Level, s.Left = 0, 0, 0
	s.Quiet, s.Spent, s.Worked, s.Interrupted = false, false, false, false
	s.Asked, s.Rest = false, time.Time{}
	s.Helpers = nil
}

// Kinds of texts that never say the same twice in a row.
const (
	notes = iota
	suggestions
	reminders
)

// other chooses one of two wordings, the one that a kind of text did not have
// the last time.
func (s *State) other(kind int) int {
	s.Wordings ^= 1 << kind
	return int(s.Wordings >> kind & 1)
}

// holds remembers the tasks that the agent has claimed. Unless these are known to be all
// of them, those that it had claimed before stay, so that recovery can
// tell what became of them.
func (s *State) holds(owned []pawl.Task, all bool) {
	before := s.Claimed
	s.Claimed = nil
	for i := range owned {
		s.Claimed = append(s.Claimed, Claimed{owned[i].ID, owned[i].CreatedAt})
	}
	if !all {
		for _, h := range before {
			if !slices.ContainsFunc(s.Claimed, h.is) {
				s.Claimed = append(s.Claimed, h)
			}
		}
	}
	s.Claimed = s.Claimed[:min(len(s.Claimed), MaxClaimed)]
}

func (h Claimed) is(other Claimed) bool {
	return h.ID == other.ID && h.CreatedAt.Equal(other.CreatedAt)
}

func (s *State) helper(name string, runs bool) {
	sum := uint32(sumOf(name))
	i := slices.Index(s.Helpers, sum)
	switch {
	case runs && len(s.Helpers) < MaxHelpers:
		s.Helpers = append(slices.Clone(s.Helpers), sum)
	case !runs && i >= 0:
		s.Helpers = slices.Delete(slices.Clone(s.Helpers), i, i+1)
	}
}
