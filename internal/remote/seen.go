package remote

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/epoch"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// A client tells how far it has seen the board, so that a server on which a backup was
// restored carries out nothing for it: what it calls #2 may be another task there.
const (
	SeenHeader = "Pawl-Seen" // of requests: a Seen
	RunHeader  = "Pawl-Run"  // of responses: the run of the server, if a restart of it may be a restored backup
	LostHeader = "Pawl-Lost" // of answers to questions: the board has lost something that the client has seen
)

// Seen is how far a client has seen a board, and in which run of its server.
type Seen struct {
	epoch.High
	Run string
}

func (s Seen) String() string {
	return fmt.Sprintf("%d %d %d %s", s.Epoch, int64(s.Revision), int64(s.LastID), s.Run)
}

// ParseSeen reads what String wrote.
func ParseSeen(text string) (s Seen, ok bool) {
	n, _ := fmt.Sscan(text, &s.Epoch, (*int64)(&s.Revision), (*int64)(&s.LastID), &s.Run)
	return s, n >= 3
}

// LostError is the refusal of changes by a board that has lost what the client has seen.
func LostError(board string) *pawl.Error {
	return pawl.Errorf(pawl.Conflict, "the board %s has lost changes that this machine has seen: a backup of it was restored", board).
		Say("ask who runs the server to run pawl serve restored; to work on the board as it is now, join it again with pawl join")
}

func (b *Board) seenFile() string { return filepath.Join(b.o.State, "seen") }

// seen is how far this machine has seen the board; known: it has.
func (b *Board) seen() (s Seen, known bool) {
	if b.o.State == "" {
		return s, false
	}
	text, err := os.ReadFile(b.seenFile())
	if err != nil {
		return s, false
	}
	return ParseSeen(string(text))
}

// note remembers how far an answer shows the board. If that has lost something, what was
// lost stays known.
func (b *Board) note(reply http.Header, head interface{ High() epoch.High }) {
	if reply.Get(LostHeader) != "" {
		b.lost.Store(true)
		return
	}
	was, _ := b.seen()
	now := Seen{was.And(head.High()), reply.Get(RunHeader)}
	if now != was && b.o.State != "" && head.High().Revision > 0 && userdir.Make(b.o.State) == nil {
		_ = rewrite.Swap(b.seenFile(), []byte(now.String())) // at worst it is not noticed
	}
}

// Lost says why answers may be about other tasks than this machine knows; nil: they are not.
func (b *Board) Lost() error {
	if !b.lost.Load() {
		return nil
	}
	return LostError(b.o.Address.Board)
}

// Forget accepts the board as it is, and drops what was seen of it; state is
// [Options.State].
func Forget(state string) error {
	err := os.Remove(filepath.Join(state, "seen"))
	if state == "" || os.IsNotExist(err) {
		return nil
	}
	return err
}
