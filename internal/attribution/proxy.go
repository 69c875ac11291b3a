package attribution

import (
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/userdir"
)

func (n Notes) proxies() string { return filepath.Join(n.Dir, "callers", "proxies") }

// NewTicket returns a value of PAWL_ACP for the server of a session whose name is not known
// yet: an agent's program starts the server before it answers how it calls the session. With
// inherited it is for all that the program starts, which may be another agent: what that one
// says counts first.
func NewTicket(inherited bool) string {
	if inherited {
		return inheritedTicket + random()
	}
	return random() + random()
}

const inheritedTicket = "program-"

// Hand says which session a ticket stands for. Without one it stands for none, as when a
// process that was given the ticket has several sessions.
func (n Notes) Hand(ticket, session string) error {
	switch {
	case n.Dir == "" || ticket == "":
		return nil
	case session == "":
		return os.RemoveAll(filepath.Join(n.proxies(), userdir.Escape(ticket)))
	case !valid(session):
		return pawl.Errorf(pawl.Invalid, "session %.200q must be a name of 1 to %d characters", session, pawl.MaxName)
	}
	n.sweep(n.proxies())
	return put(n.proxies(), userdir.Escape(ticket), []byte(session))
}

// Handed returns the session that a ticket stands for; empty: none is known.
func (n Notes) Handed(ticket string) string {
	if n.Dir == "" || ticket == "" {
		return ""
	}
	session, _ := get(filepath.Join(n.proxies(), userdir.Escape(ticket)))
	if !valid(string(session)) {
		return ""
	}
	return string(session)
}
