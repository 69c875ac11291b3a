//go:build unix

package chaos

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	mathrand "math/rand/v2"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/proof/e2e/server"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// A Base is a database with Pawl's tables, and a network line to it.
type Base struct {
	testing.TB
	*pgtest.Cluster
	*Line
	Direct  string // its DSN
	Through string // the same by the line
}

// NewBase makes a database on a server of PostgreSQL.
func NewBase(t testing.TB, c *pgtest.Cluster) *Base {
	t.Helper()
	b := &Base{TB: t, Cluster: c}
	b.Direct = c.From(t, "pawl", func(dsn string) error {
		_, _, err := pg.Migrate(context.Background(), dsn)
		return err
	})
	u := must.Get(url.Parse(b.Direct))(t)
	b.Line = NewLine(t, u.Host)
	u.Host = strings.TrimPrefix(b.Line.Origin("tcp"), "tcp://")
	b.Through = u.String()
	return b
}

// Open opens the database as a server does, with connections of its own.
func (b *Base) Open(dsn string, options ...pg.Option) *postgres.Database {
	b.Helper()
	db := must.Get(pg.Open(context.Background(), dsn, options...))(b)
	b.Cleanup(func() { db.Close() })
	return postgres.Over(db)
}

// Board returns a board, and makes it if it is missing.
func (b *Base) Board(db *postgres.Database, name string) *postgres.Store {
	b.Helper()
	must.Do(b, db.Make(context.Background(), name))
	return db.Board(name)
}

// A stubborn client repeats an op, under its id, until it is told what came of it.
type stubborn struct {
	query.Board
	repeated *atomic.Int64
}

func (s stubborn) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	if request.ID == "" {
		request.ID = pawl.OpID(rand.Text())
	}
	for {
		o, err := s.Board.Do(ctx, request, want)
		if pawl.KindOf(err) != pawl.Unavailable || err == nil || ctx.Err() != nil {
			return o, err
		}
		s.repeated.Add(1)
	}
}

// hand gives the ops of a worker to one instance after another.
type hand struct {
	query.Board
	next func() query.Board
}

func (h hand) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	return h.next().Do(ctx, request, want)
}

// committed is PostgreSQL's message that a transaction is done.
var committed = []byte("COMMIT\x00Z")

// An uncommitted toxic ends the connection instead of passing on that a commit is done.
type uncommitted struct {
	Share float32 `json:"share"` // of the commits
}

// unsaid counts the commits whose acknowledgement was lost.
var unsaid atomic.Int64

func (u *uncommitted) Pipe(stub *toxics.ToxicStub) {
	pipe(stub, func(chunk *stream.StreamChunk) (ends bool) {
		at := bytes.Index(chunk.Data, committed)
		if at < 0 || mathrand.Float32() >= u.Share {
			stub.Output <- chunk
			return false
		}
		unsaid.Add(1)
		if mathrand.IntN(2) == 0 { // all that came before it is passed on
			chunk.Data = chunk.Data[:at]
			stub.Output <- chunk
		}
		return true
	})
}

// ours are the goroutines that work for a database.
func ours() string {
	text := make([]byte, 4<<20)
	var found []string
	for _, one := range strings.Split(string(text[:runtime.Stack(text, true)]), "\n\n") {
		if strings.Contains(one, "server/pg.") || strings.Contains(one, "store/postgres.") || strings.Contains(one, "jackc/") {
			found = append(found, one)
		}
	}
	return strings.Join(found, "\n\n")
}

// LeavesNothing checks at the test's end that closed databases leave nothing running.
// The test runs alone.
func LeavesNothing(t *testing.T) {
	t.Cleanup(func() {
		late := time.After(time.Minute)
		for {
			left := ours()
			if left == "" {
				return
			}
			select {
			case <-late:
				t.Errorf("goroutines are left:\n%s", left)
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	})
}

// crew is workers at boards.
func crew(n int, l *server.Ledger, board func(i int) query.Board) (all []*server.Worker) {
	for i := range n {
		all = append(all, &server.Worker{Name: "w" + string(rune('a'+i%26)) + strings.Repeat("x", i/26), Board: board(i), Ledger: l})
	}
	return all
}

// unavailable reports whether an error says to come back.
func unavailable(err error) bool { return errors.Is(err, pawl.Unavailable) }

func init() { toxics.Register("uncommitted", new(uncommitted)) }
