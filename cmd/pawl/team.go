package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/face/cli"
	"github.com/pawl-dev/pawl/internal/face/team"
	"github.com/pawl-dev/pawl/internal/sessions/keeper"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/memory"
)

// serveTeam serves the boards in a folder, with what the command line found out.
func serveTeam(ctx context.Context, s cli.Teaming) error {
	own := access.Folder(s.Dir)
	if err := os.Mkdir(own, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	if err := ignoreAll(own); err != nil {
		return err
	}
	tokens, err := access.Open(own)
	if err != nil {
		return err
	}
	keys, err := access.OpenPageKeys(ctx, own)
	if err != nil {
		return err
	}
	log := slog.New(warnings{s.Warn})
	lists := keeper.Open(filepath.Join(own, "lists"), time.Now, s.Warn)
	audit, err := team.OpenAudit(filepath.Join(own, "audit"), time.Now, s.Warn)
	if err != nil {
		return err
	}
	defer audit.Close()
	faces := newTeamFaces(s.Version, keys, lists, log)
	defer faces.Close()
	l, at, proxies, err := team.Listen(ctx, team.Wanted{Addr: s.Addr, Host: s.Host, TLS: s.TLS, Cert: s.Cert, Key: s.Key, Proxies: s.Proxies, Own: own}, s.Warn)
	if err != nil {
		return err
	}
	server := team.New(team.Options{
		Proxies: proxies,
		Boards:  &team.Folder{Dir: s.Dir, OpenBoard: openForTeam, MakeBoard: makeTeamBoard},
		Version: s.Version, Tokens: tokens, Keys: keys, Lists: lists, Audit: audit,
		Empty: func() ask.Board { return boardOf(memory.New()) }, Faces: faces.of,
		Log: log, Now: time.Now,
	})
	defer server.Close()
	defer l.Close()
	if err := at.Tell(own); err != nil {
		return err
	}
	all, err := tokens.All(ctx)
	if err != nil {
		return err
	}
	if err := s.Up(at, len(all)); err != nil {
		return err
	}
	return server.Serve(ctx, l)
}

// openForTeam opens a board whose callers are many.
func openForTeam(dir string, warn func(string)) (ask.Board, error) {
	return openLong(dir, warn, ask.Bounded())
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

// makeTeamBoard makes a board in a folder of the server. Git sees it, if the folder is
// in a repository: that is how a server's boards are backed up.
func makeTeamBoard(_ context.Context, dir string) error {
	_, err := plainly(dir, file.Unchanged)
	return err
}
