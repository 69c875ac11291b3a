package pg

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
)

func opened(t *testing.T) (d *Database, server *pgtest.Cluster, dsn string) {
	t.Helper()
	server = pgtest.Server(t)
	dsn = server.Database(t)
	if _, _, err := Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	d = must.Get(Open(t.Context(), dsn))(t)
	t.Cleanup(func() { d.Close() })
	return d, server, dsn
}

// A host that was left behind answers as before, but nobody rings there: who listens goes
// where the others go.
func TestListenMovesOn(t *testing.T) {
	d, server, dsn := opened(t)
	d.Listen(t.Context(), "shop")
	listener := func(other string) string {
		t.Helper()
		for t.Context().Err() == nil {
			pid := must.Get(server.Query(dsn, "select pid from pg_stat_activity where datname = current_database() and query in ('listen pawl', 'select 1') and application_name = 'pawl'"))(t)
			if pid != "" && pid != other {
				return pid
			}
		}
		return ""
	}
	before := listener("")
	d.lost.Store(time.Now().UnixNano())
	if after := listener(before); after == "" {
		t.Error("the old connection is kept")
	}
}

// Health ends though the database falls silent while it says good-bye.
func TestHealthOfSilentDatabase(t *testing.T) {
	_, _, dsn := opened(t)
	d := must.Get(Open(t.Context(), silentAfter(t, dsn, "unlisten")))(t)
	defer d.Close()
	if _, err := d.Health(t.Context()); err != nil {
		t.Error(err)
	}
}

// silentAfter is the address of a line to a database that passes on nothing from a word on.
func silentAfter(t *testing.T, dsn, word string) string {
	t.Helper()
	at := must.Get(url.Parse(dsn))(t)
	in := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	var open sync.WaitGroup
	pass := func(client, database net.Conn) {
		open.Go(func() {
			defer client.Close()
			_, _ = io.Copy(client, database)
		})
		defer database.Close()
		said := make([]byte, 64<<10)
		for silent := false; ; {
			n, err := client.Read(said)
			if err != nil {
				return
			}
			if silent = silent || bytes.Contains(said[:n], []byte(word)); silent {
				continue
			}
			if _, err := database.Write(said[:n]); err != nil {
				return
			}
		}
	}
	to := at.Host
	open.Go(func() {
		for {
			client, err := in.Accept()
			if err != nil {
				return
			}
			database, err := net.Dial("tcp", to)
			if err != nil {
				client.Close()
				continue
			}
			open.Go(func() { pass(client, database) })
		}
	})
	t.Cleanup(func() {
		in.Close()
		open.Wait()
	})
	at.Host = in.Addr().String()
	query := at.Query()
	query.Set("sslmode", "disable")
	at.RawQuery = query.Encode()
	return at.String()
}
