package gitshare

import (
	"context"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/consent"
)

// A clone may come with an archive, its state file and all, and a board's settings may
// come from anybody. So Pawl uses the network by itself only where this user has
// shared or synced the board of this very clone, through this remote and reference, or a
// person has set PAWL_SYNC.

// permit is that consent, as the user's list keeps it.
func (p site) permit(r *record) (consent.Place, consent.Given) {
	through := r.Remote + " " + r.Ref
	return consent.At(filepath.Dir(p.board), p.board), consent.Given{Kind: consent.Share, Thing: through, Shown: through}
}

// agreed lets syncs of this clone run by themselves: a person at a terminal asks for one, or
// the user has allowed it before.
func (s *Sharing) agreed(r *record) error {
	if s.allowed(r, s.o.Getenv) {
		return nil
	}
	if s.o.Person == nil || !s.o.Person() {
		e := pawl.Errorf(pawl.Invalid, "only a person at a terminal may allow the first sync of a clone with %s", display(r.Remote))
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "ask a person at a terminal to run: pawl sync"}
		return e
	}
	list, err := consent.Of(s.o.Getenv)
	if err != nil {
		return nil // without a home nothing runs by itself
	}
	at, given := s.permit(r)
	_, err = list.Add(context.Background(), at, time.Now(), given)
	return err
}

// AllowVar is a variable that a person sets for a container, where the state folder of the
// user is another one.
const AllowVar = "PAWL_SYNC"

const allowWord = "allow"

// AllowedBy reports whether that variable allows syncs.
func AllowedBy(getenv func(string) string) bool { return getenv(AllowVar) == allowWord }

// allowed reports whether the user has asked for a sync here.
func (p site) allowed(r *record, getenv func(string) string) bool {
	if AllowedBy(getenv) {
		return true
	}
	list, err := consent.Of(getenv)
	if err != nil {
		return false
	}
	at, given := p.permit(r)
	has, err := list.Has(at, given.Kind, given.Thing)
	return err == nil && has
}

// forbid takes that back.
func (p site) forbid(getenv func(string) string) {
	if list, err := consent.Of(getenv); err == nil {
		_, _ = list.Here(context.Background(), consent.At(filepath.Dir(p.board), p.board), consent.Share) // it ends with the sharing in any case
	}
}
