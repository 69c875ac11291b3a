package nudge

import (
	"time"

	"github.com/pawl-dev/pawl"
)

// State is what is remembered of one agent of one session between two events.
// The zero value is that of a session that begins. It is small, and its JSON is
// read by later versions: a field that one of them does not know is nothing.
type State struct {
	Held []Held `json:"held,omitempty"` // the tasks that it held when that was last looked at
}

// A Held is a task that an agent was seen to hold. An id alone could be that of
// another task in another clone.
type Held struct {
	ID        pawl.ID   `json:"id"`
	CreatedAt time.Time `json:"createdAt"`
}
