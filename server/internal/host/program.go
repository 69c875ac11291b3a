// Package host is the program pawl-server: it serves the boards in a folder or a PostgreSQL
// database to a team, and has the commands of their administrators.
package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// Run runs one command of the program, and returns its exit code.
func Run(ctx context.Context, build cli.Build) int {
	pawl := beside()
	boards.Spawn = func(board string, keep bool) error { return boards.Sync(pawl, board, keep) }
	of, started := os.LookupEnv(cli.ServerOf)
	os.Unsetenv(cli.ServerOf)
	if own := build.Release(); started && of != own {
		fmt.Fprintf(os.Stderr, "pawl: the pawl-server found is of another release (%s) than pawl (%s): install both of one\n", own, of)
		return 2
	}
	dir, _ := os.Getwd()
	return cli.Run(ctx, cli.Env{
		Args: os.Args[1:], Program: func() string { return pawl }, Started: os.Args[0],
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Dir: dir, Build: build,
		Boards: cli.Boards{Open: opened, Init: boards.Init, Mend: mend, Empty: func() query.Board { return boards.Of(memory.New()) }},
		Host: &cli.Host{
			Serve: serveTeam, Migrate: migrateStore, Restored: restoredStore, RestoredIn: restoredFolder, Tokens: tokensOfStore, Health: healthAt,
		},
	})
}

// beside is the pawl in the folder of this program; empty: there is none.
func beside() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	path = filepath.Join(filepath.Dir(path), strings.Replace(filepath.Base(path), "pawl-server", "pawl", 1))
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}
