package host

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/internal/ui/team"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/memory"
)

// kept is what a server keeps boards and tokens in: a folder, or a database.
type kept struct {
	boards team.Source
	own    string // the server's own folder
	run    string // names this run of the only server; empty: there may be others
	tokens *access.Tokens
	keys   *access.PageKeys
	codes  access.Codes
	tell   func(context.Context, access.Where) error // keeps where the server is
	close  func() error
}

// serveTeam serves the boards in a folder or a database, with what the command line
// found out.
func serveTeam(ctx context.Context, s cli.Teaming) error {
	keep := keptInFolder
	if s.Dir == "" {
		keep = keptInDatabase
	}
	k, err := keep(ctx, s)
	if err != nil {
		return err
	}
	defer k.close()
	log := slog.New(cli.Warnings(s.Warn))
	audit, err := team.OpenAudit(filepath.Join(k.own, "audit"), time.Now, s.Warn)
	if err != nil {
		return err
	}
	defer audit.Close()
	faces := NewFaces(s.Version, k.keys, k.codes, filepath.Join(k.own, "todos"), log)
	defer faces.Close()
	l, at, proxies, err := team.Listen(ctx, team.Wanted{Addr: s.Addr, Host: s.Host, TLS: s.TLS, Cert: s.Cert, Key: s.Key, Proxies: s.Proxies, Own: k.own}, s.Warn)
	if err != nil {
		return err
	}
	server := team.New(team.Options{
		Proxies: proxies, Origin: at.Origin,
		Boards:  k.boards,
		Version: s.Version, RunName: k.run, Tokens: k.tokens, Keys: k.keys, Audit: audit,
		Empty: func() query.Board { return boards.Of(memory.New()) }, Faces: faces.Of,
		Log: log, Now: time.Now,
	})
	defer server.Close()
	defer l.Close()
	leaveRoom()
	if err := k.tell(ctx, at); err != nil {
		return err
	}
	all, err := k.tokens.All(ctx)
	if err != nil {
		return err
	}
	if err := s.Up(at, len(all)); err != nil {
		return err
	}
	return server.Serve(ctx, l)
}

// keptInFolder keeps all in the folder of the boards.
func keptInFolder(ctx context.Context, s cli.Teaming) (k kept, err error) {
	k.own = access.Folder(s.Dir)
	if err := os.Mkdir(k.own, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return k, err
	}
	if err := ignoreAll(k.own); err != nil {
		return k, err
	}
	if k.tokens, err = access.Open(k.own); err != nil {
		return k, err
	}
	if k.keys, err = access.OpenPageKeys(ctx, k.own); err != nil {
		return k, err
	}
	k.run = rand.Text()
	k.codes = &access.OwnCodes{}
	k.boards = &team.Folder{Dir: s.Dir, OpenBoard: openForTeam, MakeBoard: MakeBoard}
	k.tell = func(_ context.Context, at access.Where) error { return at.Tell(k.own) }
	k.close = func() error { return nil }
	return k, nil
}

// openForTeam opens a board whose callers are many.
func openForTeam(dir string, warn func(string)) (query.Board, error) {
	return boards.Watched(dir, warn, query.Bounded())
}

// ignoreAll keeps a folder out of git: the boards beside it may be versioned, and it has
// the key of a certificate.
func ignoreAll(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}

// MakeBoard makes a board in a folder of the server. Git sees it, if the folder is
// in a repository: that is how a server's boards are backed up.
func MakeBoard(_ context.Context, dir string) error {
	_, err := boards.Plainly(dir, file.Unchanged)
	return err
}
