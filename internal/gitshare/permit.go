package gitshare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/project/consent"
	"github.com/pawl-dev/pawl/internal/share"
)

// A clone may come with an archive, its state file and all, and a board's settings may
// come from anybody. So Pawl uses the network by itself only where this user has
// agreed to sync the board of this very clone, through this remote and reference, or has
// set PAWL_SYNC. The consent is of what the way there uses, too: if the address or a program
// that the clone's own configuration names has changed, it counts no more.

// through begins what is consented to. It is known without git.
func (r *record) through() string { return r.Remote + " " + r.Ref + " " }

// place is where the consent holds.
func (p site) place() consent.Place { return consent.At(filepath.Dir(p.Board), p.Board) }

// target is what a person agrees to.
func (r *record) target(remote *git.Remote) share.Target {
	return share.Target{Remote: git.Display(r.Remote), Address: remote.Real, Ref: r.Ref, Programs: remote.Programs}
}

// agreed fails unless a person has agreed to sync through exactly this remote, or does so
// now. Ask is nil where nobody can be asked.
func (s *Sharing) agreed(ctx context.Context, r *record, repo *Repository, ask func(share.Target) error) error {
	if AllowedBy(s.o.Getenv) {
		return nil
	}
	given := func() consent.Given {
		uses := sha256.Sum256([]byte(strings.Join(append([]string{repo.remote.Real}, repo.remote.Programs...), "\x00")))
		return consent.Given{Kind: consent.Share, Thing: r.through() + hex.EncodeToString(uses[:]), Shown: git.Display(r.Remote) + " " + r.Ref}
	}
	list, unknown := consent.Of(s.o.Getenv)
	if unknown == nil {
		if has, err := list.Has(s.place(), consent.Share, given().Thing); has || err != nil {
			return err
		}
	}
	if ask == nil {
		return notAllowed(" as git is set up in it now")
	}
	repo.Repo.Forget() // what it remembers may have come with the clone
	now, err := repo.Repo.Remote(ctx, r.Remote)
	if err == nil {
		repo.remote = now
		err = ask(r.target(&now))
	}
	if err != nil || unknown != nil { // without a home nothing runs by itself
		return err
	}
	_, err = list.Add(context.WithoutCancel(ctx), s.place(), time.Now(), given())
	return err
}

// notAllowed says that a sync waits for a person. It names no variable: an agent would set it.
func notAllowed(how string) error {
	return pawl.Errorf(pawl.Unavailable, "nobody has allowed this user to sync this clone%s; docs/git.md says how in a container", how).
		Say("ask a person at a terminal to run: pawl sync")
}

// AllowVar is a variable that a person sets for a container, where the state folder of the
// user is another one.
const AllowVar = "PAWL_SYNC"

const allowWord = "allow"

// AllowedBy reports whether that variable allows syncs.
func AllowedBy(getenv func(string) string) bool { return getenv(AllowVar) == allowWord }

// allowed reports whether a person has agreed to sync here, perhaps in another way: only git
// knows how it would be now.
func (p site) allowed(r *record, getenv func(string) string) bool {
	if AllowedBy(getenv) {
		return true
	}
	list, err := consent.Of(getenv)
	if err != nil {
		return false
	}
	all, err := list.In(p.place(), consent.Share)
	return err == nil && slices.ContainsFunc(all, func(e consent.Entry) bool { return strings.HasPrefix(e.Thing, r.through()) })
}

// forbid takes that back.
func (p site) forbid(getenv func(string) string) {
	if list, err := consent.Of(getenv); err == nil {
		_, _ = list.Here(context.Background(), p.place(), consent.Share) // it ends with the sharing in any case
	}
}
