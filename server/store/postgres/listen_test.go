package postgres_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// While LISTEN does not work, one query asks for all boards that somebody watches, and who
// watches a board where nothing happens does not ask.
func TestWatchWithoutListen(t *testing.T) {
	pgtest.Need(t)
	dsn := pgtest.Server(t).Database(t)
	if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	polls := make(chan int, 100)
	db, err := pg.Open(t.Context(), withoutListen(t, dsn, "from pawl.board where id = any(", polls))
	must.Do(t, err)
	defer db.Close()
	boards := postgres.Over(db)
	other, err := pg.Open(t.Context(), dsn) // another server, which makes the changes
	must.Do(t, err)
	defer other.Close()

	const many = 30
	var hints []<-chan struct{}
	for n := range many {
		name := fmt.Sprint("b", n)
		must.Do(t, boards.Make(t.Context(), name))
		hint, err := boards.Board(name).Notify(t.Context())
		must.Do(t, err)
		hints = append(hints, hint)
	}
	for n, hint := range hints { // each board is new to who polls
		if _, open := <-hint; !open {
			t.Fatalf("the hints of b%d ended", n)
		}
	}
	count := func(polls <-chan int) (more int) {
		for {
			select {
			case n := <-polls:
				more += n
			default:
				return more
			}
		}
	}
	for round := range 3 {
		busy := postgres.Over(other).Board(fmt.Sprint("b", round))
		must.Do(t, errOf(pawl.NewBoard(busy).Do(t.Context(), pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}})))
		<-hints[round]
		count(polls)
		for range 3 { // the third begins after the first has told what it found
			if n := <-polls; n != 1 {
				t.Errorf("%d queries at once", n)
			}
		}
		for n, hint := range hints {
			select {
			case <-hint:
				t.Errorf("after a change of b%d b%d was hinted at", round, n)
			default:
			}
		}
	}
}

// withoutListen is the address of a line to a database that no LISTEN gets through. It
// tells how often each of the packets to the database has a part of a query.
func withoutListen(t *testing.T, dsn, part string, told chan<- int) string {
	t.Helper()
	at, err := url.Parse(dsn)
	must.Do(t, err)
	in, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	var open sync.WaitGroup
	pass := func(client, database net.Conn) {
		open.Go(func() {
			defer client.Close()
			_, _ = io.Copy(client, database)
		})
		defer database.Close()
		defer client.Close()
		said := make([]byte, 64<<10)
		for {
			n, err := client.Read(said)
			if err != nil || bytes.Contains(said[:n], []byte("listen pawl")) {
				return
			}
			if found := bytes.Count(said[:n], []byte(part)); found > 0 {
				select {
				case told <- found:
				default:
				}
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
	query.Set("default_query_exec_mode", "exec") // the text is sent each time
	query.Set("sslmode", "disable")
	at.RawQuery = query.Encode()
	return at.String()
}
