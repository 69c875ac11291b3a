package gitshare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/share"
)

// BoardBranch is the branch that a board is offered on where a host refuses other
// references.
const BoardBranch = "pawl-board"

// A Wish is how a board is to be shared.
type Wish struct {
	By     pawl.Actor
	Remote string // a remote's name or an address; empty: the one that is meant
	From   string // the folder that a relative path in Remote begins at; empty: as git takes it
	Branch string // of the remote; empty: a reference that no branch shows
	// Unasked says that no person has asked for the remote: it is not asked where the
	// clone's own configuration names a program on the way to it.
	Unasked bool
}

// A Joined is the result of sharing a board.
type Joined struct {
	Report    share.Report
	Published bool // the remote had no board there
}

// Aim returns the target of a wish, from the clone alone.
func Aim(ctx context.Context, board string, w Wish) (share.Target, error) {
	p := siteOf(board)
	_, remote, _, done, err := p.aim(ctx, w)
	done()
	return share.Target{Remote: cmp.Or(remote.Name, remote.URL), Address: remote.Real, Ref: p.ref(w.Branch), Programs: remote.Programs}, err
}

// aim opens a repository that lasts until done is called, to read the user's
// configuration through it. It returns the remote, and what to call it from now on.
func (p site) aim(ctx context.Context, w Wish) (repo *git.Repo, remote git.Remote, name string, done func(), err error) {
	done = func() {}
	if w.Branch != "" {
		if err := git.CheckBranch(w.Branch); err != nil {
			return nil, remote, "", done, invalid(err)
		}
	}
	tmp, err := os.MkdirTemp("", "pawl-remote-")
	if err != nil {
		return nil, remote, "", done, err
	}
	done = func() { os.RemoveAll(tmp) }
	if repo, err = git.OpenRepo(ctx, filepath.Join(tmp, "repo"), p.project()); err != nil {
		return nil, remote, "", done, err
	}
	if name, err = p.remoteOf(ctx, repo, w.Remote); err == nil {
		remote, err = repo.Remote(ctx, name)
	}
	if err == nil && remote.Name == "" {
		if path := git.PathFrom(w.From, name); path != name {
			name = path
			remote, err = repo.Remote(ctx, name)
		}
	}
	return repo, remote, name, done, invalid(err)
}

// project is the folder whose remotes and credentials are meant.
func (p site) project() string {
	if p.Tree.Root != "" {
		return p.Tree.Root
	}
	return filepath.Dir(p.Board)
}

// remoteOf is the remote that is meant: the one that was named, else that which the
// checked-out branch follows, else origin, else the only one.
func (p site) remoteOf(ctx context.Context, repo *git.Repo, named string) (string, error) {
	if named != "" {
		return named, nil
	}
	remotes, err := repo.Remotes(ctx)
	if err != nil {
		return "", err
	}
	if len(remotes) == 0 {
		return "", pawl.Errorf(pawl.NotFound, "git has no remote here").Say("git remote add origin ADDRESS, or pawl share ADDRESS")
	}
	if tree, err := git.Find(ctx, p.Tree.Root); err == nil && tree != nil {
		up, err := tree.Upstream(ctx)
		if err == nil && slices.ContainsFunc(remotes, func(r git.Remote) bool { return r.Name == up }) {
			return up, nil
		}
	}
	if remotes[0].Name == "origin" || len(remotes) == 1 {
		return remotes[0].Name, nil
	}
	var names []string
	for _, r := range remotes {
		names = append(names, r.Name)
	}
	return "", pawl.Errorf(pawl.Invalid, "git has several remotes here: %s", strings.Join(names, ", ")).Say("pawl share " + names[0])
}

func invalid(err error) error {
	if err == nil {
		return nil
	}
	if _, told := errors.AsType[*pawl.Error](err); told || errors.Is(err, context.Canceled) || git.KindOf(err) != git.Odd {
		return err
	}
	return pawl.Errorf(pawl.Invalid, "%w", err)
}

// Join shares the board in a folder, or joins the one that the remote has: it syncs
// once. If that fails, the board is not shared, and the next call resumes. settle is
// called when the remote has the board, before any background sync.
func Join(ctx context.Context, board string, w Wish, o Options, settle func() error) (*Sharing, Joined, error) {
	var out Joined
	s := open(siteOf(board), o)
	if _, err := os.Lstat(s.File(stateName)); err == nil {
		return s, out, pawl.Errorf(pawl.Conflict, "this board is shared already")
	}
	repository, remote, name, done, err := s.aim(ctx, w)
	if err == nil && w.Branch == "" {
		w.Branch, err = s.branchOf(ctx, repository, remote)
	}
	done()
	if err != nil {
		return nil, out, err
	}
	if err := s.makeHome(); err != nil {
		return nil, out, err
	}
	unlock, err := s.lock(ctx, lockName)
	if err != nil {
		return nil, out, err
	}
	defer unlock()
	r, err := s.read(joiningName)
	if err != nil || r.Remote != name || r.Ref != s.ref(w.Branch) || s.other(r, false) { // begun for another one, or never
		if err := os.RemoveAll(s.File(repoName)); err != nil {
			return nil, out, unwritable(err)
		}
		r = &record{Remote: name, Ref: s.ref(w.Branch), State: share.State{Clone: newName()}}
	}
	r.joining = true
	if err := s.save(r); err != nil {
		return nil, out, err
	}
	repo, err := s.repository(ctx, r, s.o.Agree)
	if err != nil {
		return nil, out, err
	}
	had, err := repo.Fetch(ctx)
	if err != nil {
		return nil, out, err
	}
	out.Published = had == ""
	report, err := s.locking(ctx, r, request{Options: share.Options{By: w.By, Resume: true}, person: true})
	if report != nil {
		out.Report = *report
	}
	if err == nil {
		err = settle()
	}
	if err != nil {
		return nil, out, err
	}
	r.joining = false
	if err := s.save(r); err != nil {
		return nil, out, err
	}
	_ = os.Remove(s.File(joiningName)) // it counts for nothing beside the state
	return s, out, nil
}

// Through moves sharing to a remote of another name, which must have the board's last
// state that this clone saw: the name of the clone and its claims stay.
func (s *Sharing) Through(ctx context.Context, w Wish) error {
	_, _, name, done, err := s.aim(ctx, w)
	done()
	if err != nil {
		return err
	}
	r, unlock, err := s.loadLocked(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	r.Remote = name
	repo, err := s.repository(ctx, r, s.o.Agree)
	if err != nil {
		return err
	}
	tip, err := repo.Fetch(ctx)
	if err != nil {
		return err
	}
	kept := tip == r.State.Tip
	if !kept && tip != "" && r.State.Tip != "" {
		if kept, err = repo.IsAncestor(ctx, r.State.Tip, tip); err != nil {
			return err
		}
	}
	if !kept || tip == "" {
		return pawl.Errorf(pawl.Conflict, "%s does not have this board at %s", git.Display(name), r.Ref).
			Say("to share it there as another board: pawl share --stop, then pawl share")
	}
	return s.save(r)
}

// branchOf is the branch of a remote that keeps the board where no reference of
// Pawl's own does: the person who began had to ask for it, and nobody else need know.
func (s *Sharing) branchOf(ctx context.Context, repo *git.Repo, remote git.Remote) (string, error) {
	refs, err := repo.Advertised(ctx, remote, s.ref(""), s.ref(BoardBranch))
	if err != nil || refs[s.ref("")] != "" || refs[s.ref(BoardBranch)] == "" {
		return "", told(err)
	}
	return BoardBranch, nil
}

// makeHome makes the folder of a place, for the user alone.
func (p site) makeHome() error {
	if err := errors.Join(p.plain(), p.led()); err != nil {
		return err
	}
	for _, dir := range []string{filepath.Dir(p.Home), p.Home} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return unwritable(err)
		}
		filelock.HandOver(dir)
	}
	return nil
}

// Stop ends the sharing of a board. All files of the board stay, and so does the
// clone's name: if it shares the board through the same remote again, its claims there
// are its own.
func (s *Sharing) Stop(ctx context.Context) error {
	if err := s.makeHome(); err != nil {
		return err
	}
	unlock, err := s.lock(ctx, lockName)
	if err != nil {
		return err
	}
	defer unlock()
	s.forbid(s.o.Getenv)
	if r, err := s.load(); err == nil {
		r.joining, r.State.Stopped, r.State.Notices = true, "", nil
		if err := s.save(r); err != nil {
			return err
		}
	}
	for _, path := range []string{s.relays().File(clone.SharedMark), s.File(stateName)} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unwritable(err)
		}
	}
	return nil
}

// An Offer is what a remote has for a board that is not shared here.
type Offer struct {
	share.Target
	Found bool // the remote has a board on Ref; it was not asked if Unasked was, and there are Programs
}

// Offered asks a remote what it has. A project may have no remote.
func Offered(ctx context.Context, board string, w Wish) (Offer, error) {
	p := siteOf(board)
	repo, remote, _, done, err := p.aim(ctx, w)
	defer done()
	if err != nil {
		if pawl.KindOf(err) == pawl.NotFound || errors.Is(err, git.ErrMissing) {
			return Offer{}, nil
		}
		return Offer{}, err
	}
	o := Offer{Target: share.Target{Remote: cmp.Or(remote.Name, remote.URL), Address: remote.Real, Programs: remote.Programs}}
	if w.Unasked && len(o.Programs) > 0 {
		return o, nil
	}
	wanted := []string{p.ref(""), p.ref(BoardBranch)}
	if w.Branch != "" {
		wanted = []string{p.ref(w.Branch)}
	}
	refs, err := repo.Advertised(ctx, remote, wanted...)
	if err != nil {
		return o, told(err)
	}
	for _, ref := range wanted {
		if refs[ref] != "" {
			o.Ref, o.Found = ref, true
			break
		}
	}
	return o, nil
}

// repository opens the repository of a record, and makes it if it is missing. It fails unless
// a person has agreed to sync through its remote, or agrees now; see agreed.
func (s *Sharing) repository(ctx context.Context, r *record, ask func(share.Target) error) (*Repository, error) {
	repo, err := git.OpenRepo(ctx, s.File(repoName), s.project())
	if err != nil {
		return nil, err
	}
	remote, err := repo.Remote(ctx, r.Remote)
	if unknown, ok := errors.AsType[*git.UnknownRemote](err); ok && len(unknown.Has) > 0 {
		now := "NAME"
		if len(unknown.Has) == 1 {
			now = unknown.Has[0]
		}
		return nil, &share.RenamedError{Why: err, Now: now}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", share.ErrAway, err)
	}
	is := NewRepository(repo, remote, r.Ref)
	return is, s.agreed(ctx, r, is, ask)
}
