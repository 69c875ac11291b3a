// Storyserver is the server of the stories of cmd/pawl at an address. It prints its origin
// and the fingerprint of its certificate, and serves until its input ends:
//
//	storyserver [-store DSN] BOARDS KEYS NAME…
//
// BOARDS is a folder of boards, or with a database for the files outside of it; in
// KEYS it writes a token for each name.
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/ui/team"
	"github.com/pawl-dev/pawl/query"
	accesstables "github.com/pawl-dev/pawl/server/internal/access/tables"
	"github.com/pawl-dev/pawl/server/internal/host"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/memory"
)

func main() {
	store := flag.String("store", "", "`DSN` of a database")
	flag.Parse()
	if err := serve(context.Background(), *store, flag.Arg(0), flag.Arg(1), flag.Args()[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// kept is what the server keeps boards and tokens in.
type kept struct {
	boards team.Source
	tokens *access.Tokens
	keys   *access.PageKeys
	codes  access.Codes
}

// inFolder keeps all in a folder.
func inFolder(ctx context.Context, dir string, warn func(string)) (k kept, err error) {
	own := access.Folder(dir)
	if err := os.Mkdir(own, 0o700); err != nil {
		return k, err
	}
	if k.tokens, err = access.Open(own); err != nil {
		return k, err
	}
	k.codes = &access.OwnCodes{}
	k.boards = &team.Folder{Dir: dir, OpenBoard: openChecked, MakeBoard: host.MakeBoard}
	k.keys, err = access.OpenPageKeys(ctx, own)
	return k, err
}

// inDatabase keeps all in a database.
func inDatabase(ctx context.Context, dsn string, warn func(string)) (k kept, err error) {
	if _, _, err := pg.Migrate(ctx, dsn); err != nil {
		return k, err
	}
	db, err := pg.Open(ctx, dsn)
	if err != nil {
		return k, err
	}
	if k.tokens, err = access.New(accesstables.In(db)); err != nil {
		return k, err
	}
	k.codes = accesstables.Codes(db)
	k.boards = host.InDatabase(postgres.Over(db))
	k.keys, err = accesstables.PageKeys(ctx, db)
	return k, err
}

// openChecked opens a board that looks at all its files at each request. A story edits a
// file and runs the next command at once: a watcher would be told a moment later.
func openChecked(dir string, _ func(string)) (query.Board, error) { return boards.Open(dir) }

func serve(ctx context.Context, dsn, dir, keys string, names []string) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	warn := func(text string) { log.Warn(text) }
	k, err := inFolder(ctx, dir, warn)
	if dsn != "" {
		k, err = inDatabase(ctx, dsn, warn)
	}
	if err != nil {
		return err
	}
	for _, name := range names {
		secret, _, err := k.tokens.Create(ctx, access.Token{Name: name, Person: true, Role: access.Admin, Boards: []string{access.All}}, false)
		if err == nil {
			err = os.WriteFile(filepath.Join(keys, name), []byte(secret), 0o600)
		}
		if err != nil {
			return err
		}
	}
	faces := host.NewFaces("story", k.keys, k.codes, "", log)
	handler := team.New(team.Options{
		Boards: k.boards, Version: "story", Tokens: k.tokens, Keys: k.keys,
		Empty: func() query.Board { return boards.Of(memory.New()) }, Faces: faces.Of, Log: log, Now: time.Now,
	})
	server := httptest.NewTLSServer(handler)
	fmt.Printf("%s %x\n", server.URL, sha256.Sum256(server.Certificate().Raw))
	io.Copy(io.Discard, os.Stdin)
	return nil
}
