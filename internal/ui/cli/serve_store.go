package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// storeVariable names the database of a server where no flag does. Other users of the
// machine see the arguments of a process, but not its environment: only here it may have
// a password in it.
const storeVariable = "PAWL_STORE"

// A Store names a database that keeps boards, as PostgreSQL's own tools name it.
type Store struct {
	DSN   string
	Typed bool // on the command line
}

// Named reports whether a database was named.
func (s Store) Named() bool { return s.DSN != "" }

// flag is how a command for the same database says so.
func (s Store) flag() string {
	if !s.Typed {
		return ""
	}
	return " --store " + quote(s.DSN)
}

// Host is pawl-server: it serves boards to a team, and does what the administrators of a
// database need.
type Host struct {
	Serve func(context.Context, Teaming) error // serves the boards in a folder or a database until the context ends
	// Migrate makes the tables, or brings them up to what this program needs. The texts
	// and errors name the database without secrets.
	Migrate func(context.Context, Store) (Migrated, error)
	// Restored lets revisions and ids jump ahead, after a backup was restored; RestoredIn
	// does that for the boards in a folder.
	Restored   func(context.Context, Store) ([]Jumped, error)
	RestoredIn func(ctx context.Context, dir string) ([]Jumped, error)
	// Tokens opens the tokens of the database's servers, and says how those are reached.
	Tokens func(context.Context, Store) (tokens *access.Tokens, at access.Where, done func() error, err error)
	// Health asks how the database of a board is set up.
	Health func(context.Context, address.Address) (DatabaseHealth, error)
}

// Migrated is what became of the tables of a database.
type Migrated struct {
	Database string // as texts name it
	From, To int64  // levels
}

// Jumped is where a board goes on after its revisions and ids jumped ahead.
type Jumped struct {
	Board    string        `json:"board"`    // its name
	Revision pawl.Revision `json:"revision"` // its revision now
	LastID   pawl.ID       `json:"lastId"`   // the next task gets a larger id
}

// databaseJSON is the envelope of serve migrate and serve restored.
type databaseJSON struct {
	wire.Envelope
	Database string   `json:"database,omitempty"` // with migrate: its hosts and its name
	From     int64    `json:"from"`               // with migrate: the level of its tables before; 0: it had none
	Level    int64    `json:"level"`              // with migrate: their level now
	Boards   []Jumped `json:"boards,omitempty"`   // with restored: those whose numbers jumped ahead
}

// storeFlags are those of a server whose boards are in a database.
type storeFlags struct {
	*app
	dsn    string
	state  string
	boards *string // the folder of boards that is meant; empty: a database is
}

func (a *app) storeFlags(cmd *cobra.Command, boards *string) *storeFlags {
	s := &storeFlags{app: a, boards: boards}
	flags := cmd.Flags()
	flags.StringVar(&s.dsn, "store", "", "`ADDRESS` serve all boards in this PostgreSQL database to a team, postgres://HOST/DATABASE: each caller needs a token; with an action: the database to use (PAWL_STORE)")
	flags.StringVar(&s.state, "state", "", "`DIR` with --store: the server's own folder, for its audit and certificate; each server has one of its own (default in the user's state folder)")
	return s
}

// store is the database that is meant, if one is.
func (s *storeFlags) store() Store {
	if s.dsn != "" {
		return Store{s.dsn, true}
	}
	return Store{s.env.Getenv(storeVariable), false}
}

// named is store, which must be named here.
func (s *storeFlags) named(action string) (Store, error) {
	store := s.store()
	if !store.Named() {
		if action == "restored" {
			action = "restored, without --boards DIR,"
		}
		return store, usage("serve", "%s is for a database: name it with --store postgres://HOST/DATABASE, or PAWL_STORE", action)
	}
	return store, nil
}

var serverActions = actions[*storeFlags]{
	{"migrate", "", "create or upgrade the tables of a database, while servers of the previous version go on", 0, 0, nil, (*storeFlags).migrate},
	{"restored", "", "after a backup was restored: skip ids and revisions ahead, so that none is used twice. Name the database, or with --boards the folder. A server of a database does so by itself when it sees that the database is behind", 0, 0, []string{"boards"}, (*storeFlags).restored},
}

// act carries out an action.
func (s *storeFlags) act(cmd *cobra.Command, ctx context.Context, args []string) error {
	do := serverActions.find(args[0])
	if do == nil {
		return usage("serve", "unknown action %q of serve: use token, migrate or restored", text.Clip(args[0], 40))
	}
	if len(args) > 1 {
		return usage("serve", "usage: pawl serve %s --store ADDRESS%s", do.name, map[bool]string{true: ", or --boards DIR"}[do.flags != nil])
	}
	if typed := beside(cmd, append([]string{"store"}, do.flags...)...); typed != "" {
		return usage("serve", "%s has no --%s", do.name, typed)
	}
	return do.run(s, ctx, nil)
}

// meant reports whether PAWL_STORE says what to serve: not where a flag asks for a page
// for this machine, or another board.
func (s *storeFlags) meant(cmd *cobra.Command) bool {
	return s.store().Named() && anyOf(cmd, append([]string{"board"}, pageOnly...)...) == ""
}

// storeTopic explains them.
func storeTopic() manual.Section {
	return serverActions.section("Databases and backups: pawl serve ACTION --store ADDRESS")
}

func (s *storeFlags) migrate(ctx context.Context, _ []string) error {
	store, err := s.named("migrate")
	if err != nil {
		return err
	}
	done, err := s.env.Host.Migrate(ctx, store)
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(databaseJSON{Envelope: wire.NewEnvelope("database"), Database: done.Database, From: done.From, Level: done.To})
	}
	switch done.From {
	case done.To:
		s.print("Unchanged: %s has tables of level %d\n", done.Database, done.To)
	case 0:
		s.print("Made the tables in %s, level %d\n", done.Database, done.To)
	default:
		s.print("Migrated %s from level %d to %d\n", done.Database, done.From, done.To)
	}
	if err := s.flush(); err != nil {
		return err
	}
	if done.From == 0 {
		s.say("next, with the address of the role that serves: pawl serve --store ADDRESS")
	}
	return nil
}

func (s *storeFlags) restored(ctx context.Context, _ []string) error {
	what, where, knows := "the database", "", " where no server knows better"
	var boards []Jumped
	if *s.boards != "" {
		dir, err := access.Boards(*s.boards, s.env.Dir)
		if err != nil {
			return err
		}
		what, where, knows = dir, " --boards "+quote(*s.boards), ""
		if boards, err = s.env.Host.RestoredIn(ctx, dir); err != nil {
			return err
		}
	} else {
		store, err := s.named("restored")
		if err != nil {
			return err
		}
		where = store.flag()
		if boards, err = s.env.Host.Restored(ctx, store); err != nil {
			return err
		}
	}
	if s.json {
		return s.printJSON(databaseJSON{Envelope: wire.NewEnvelope("database"), Boards: boards})
	}
	for _, b := range boards {
		s.print("%s goes on after revision %d and #%d\n", b.Board, b.Revision, b.LastID)
	}
	if len(boards) == 0 {
		s.print("Unchanged: %s has no boards\n", text.Line(what))
	}
	if err := s.flush(); err != nil {
		return err
	}
	s.say("tokens that were revoked after the backup are valid again%s: pawl serve token list%s", knows, where)
	return nil
}
