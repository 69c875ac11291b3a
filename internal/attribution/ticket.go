package attribution

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
)

// A Ticket is what a pre-tool hook leaves about a call of one of Pawl's tools,
// just before the client makes it.
type Ticket struct {
	Process string          // the agent's, as caller.Starter finds it from the hook
	Tool    string          // in any of the forms that clients show
	Args    json.RawMessage // of the call
	ToolUse string          // the client's number of the call; may be empty
	Session string          // of the main agent, also when a subagent calls
	Agent   string          // empty: the main one
}

const (
	// TicketLife is how long a ticket waits for a call that is known by its
	// arguments only: longer, and it might meet another one.
	TicketLife = 10 * time.Second
	// NumberedLife is how long a ticket waits for the one call that has its
	// number. The user may have to allow the call first, and be at lunch.
	NumberedLife = time.Hour
	// MaxTickets wait at a time, the newest. A call that was denied leaves one.
	MaxTickets = 256
)

type note struct {
	Session string `json:"session"`
	Agent   string `json:"agent,omitempty"`
}

// Leave leaves a ticket for the server of the same agent.
func (n Notes) Leave(t Ticket) error {
	switch {
	case !valid(t.Session) || t.Agent != "" && !valid(t.Agent):
		return pawl.Errorf(pawl.Invalid, "session %.200q and agent %.200q must be names of 1 to %d characters", t.Session, t.Agent, pawl.MaxName)
	case t.Process == "" && t.ToolUse == "":
		return pawl.Errorf(pawl.Invalid, "a ticket needs the agent's process or the number of the call, or it cannot be found")
	}
	text, err := json.Marshal(note{t.Session, t.Agent})
	if err != nil {
		return pawl.Errorf(pawl.Internal, "ticket: %w", err)
	}
	if n.Dir == "" {
		return nil
	}
	s := slip{process: short(t.Process), call: digest(t.Tool, t.Args), number: short(t.ToolUse), at: n.now(), random: random()}
	for _, other := range n.list() {
		if s.number != "" && other.number == s.number && other.process == s.process && other.call == s.call {
			return nil // the hook is installed twice
		}
	}
	return put(n.tickets(), s.String(), text)
}

// A slip is the name of a ticket's file, by which it is found.
type slip struct {
	process string // empty: not known
	call    string
	number  string // empty: the call has none
	at      time.Time
	random  string
	tied    bool // seen together with others that it could not be told from
}

func (s slip) String() string {
	name := strings.Join([]string{s.process, s.call, s.number, strconv.FormatInt(s.at.UnixMilli(), 10), s.random}, ",")
	if s.tied {
		name += tiedSuffix
	}
	return name
}

const tiedSuffix = ",tied"

func parseSlip(name string) (slip, bool) {
	plain, tied := strings.CutSuffix(name, tiedSuffix)
	parts := strings.Split(plain, ",")
	if len(parts) != 5 || len(parts[1]) != 32 {
		return slip{}, false
	}
	ms, err := strconv.ParseInt(parts[3], 10, 64)
	s := slip{parts[0], parts[1], parts[2], time.UnixMilli(ms), parts[4], tied}
	return s, err == nil && s.String() == name
}

// life is how long a ticket may still be found.
func (s slip) life() time.Duration {
	if s.number != "" {
		return NumberedLife
	}
	return TicketLife
}

// within reports whether a ticket is younger than life. A clock that was set
// back makes it look younger than nothing.
func (s slip) within(life time.Duration, now time.Time) bool {
	age := now.Sub(s.at)
	return age <= life && age >= -life
}

// list returns the tickets that wait, the oldest first, and removes the others.
func (n Notes) list() []slip {
	var slips []slip
	now := n.now()
	for _, entry := range names(n.tickets()) {
		s, ok := parseSlip(entry.Name())
		switch {
		case !ok:
			tidy(n.tickets(), entry, now)
		case !s.within(s.life(), now):
			n.drop(s)
		default:
			slips = append(slips, s)
		}
	}
	slices.SortFunc(slips, func(a, b slip) int {
		return cmp.Or(a.at.Compare(b.at), strings.Compare(a.random, b.random))
	})
	if over := len(slips) - MaxTickets; over > 0 {
		for _, s := range slips[:over] {
			n.drop(s)
		}
		slips = slips[over:]
	}
	return slips
}

// drop removes a ticket, and reports whether it was there: of several that try
// one succeeds.
func (n Notes) drop(s slip) bool { return removeOnce(filepath.Join(n.tickets(), s.String())) }

// take finds the ticket of a call and removes it, so that it is used once.
func (n Notes) take(process, toolUse string, call Call) (note, bool, error) {
	if n.Dir == "" || process == "" && toolUse == "" {
		return note{}, false, nil
	}
	key := digest(call.Tool, call.Args)
	now := n.now()
	for range MaxTickets { // again when another call took it first
		slips := slices.DeleteFunc(n.list(), func(s slip) bool {
			if toolUse != "" {
				return s.number != short(toolUse)
			}
			return s.process != short(process) || s.call != key || !s.within(TicketLife, now)
		})
		if len(slips) == 0 {
			return note{}, false, nil
		}
		said, tied := n.read(slips)
		switch {
		case tied:
			return note{}, false, n.tie(slips)
		case said != (note{}) && n.drop(slips[0]):
			return said, true, nil
		}
	}
	return note{}, false, nil
}

// read returns what tickets say, which are tied when they do not all say the
// same.
func (n Notes) read(slips []slip) (said note, tied bool) {
	for _, s := range slips {
		text, ok := get(filepath.Join(n.tickets(), s.String()))
		if !ok {
			continue // just taken
		}
		one, ok := decodeNote(text)
		if s.tied || ok && said != (note{}) && one != said {
			return note{}, true
		}
		if !ok {
			n.drop(s) // none of ours
			continue
		}
		said = one
	}
	return said, false
}

func decodeNote(text []byte) (note, bool) {
	var n note
	ok := json.Unmarshal(text, &n) == nil && valid(n.Session) && (n.Agent == "" || valid(n.Agent))
	return n, ok
}

// tie answers a call that any of several tickets may be about. One of them goes,
// as this call came; the others wait for theirs, and are known to be of no use:
// else the last one would be believed, though it may be the wrong one. The
// youngest goes, so that a call that never comes (it was denied) is in the way
// of others for the life of a ticket at most, however often they are made again.
func (n Notes) tie(slips []slip) error {
	gone := false
	for _, s := range slices.Backward(slips) {
		if !gone {
			gone = n.drop(s)
			continue
		}
		tied := s
		tied.tied = true
		filelock.Rename(filepath.Join(n.tickets(), s.String()), filepath.Join(n.tickets(), tied.String()))
	}
	return pawl.Errorf(pawl.Conflict, "two agents made this call at the same moment, and it cannot be told which of them you are: nothing was done, call again").
		Next(pawl.HintRetry)
}

// short makes an id of any length a part of a file's name.
func short(id string) string {
	if id == "" {
		return ""
	}
	sum := fnv.New64a()
	sum.Write([]byte(id))
	return hex.EncodeToString(sum.Sum(nil))
}

// random keeps apart what is left in the same millisecond.
func random() string { return strconv.FormatUint(rand.Uint64(), 36) }
