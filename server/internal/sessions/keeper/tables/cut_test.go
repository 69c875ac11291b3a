package tables_test

import (
	"bytes"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/sessions/keeper"
	"github.com/pawl-dev/pawl/server/internal/sessions/keeper/tables"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/todo"
)

// A line passes on what a server and its database say to each other.
type line struct {
	net.Listener
	before, after atomic.Bool // cut the next commit before it is passed on, or its answer
	cuts          atomic.Int64
	open          sync.WaitGroup
}

func newLine(t *testing.T, to string) *line {
	t.Helper()
	in, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &line{Listener: in}
	l.open.Go(func() {
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
			l.open.Go(func() { l.pass(client, database) })
		}
	})
	t.Cleanup(func() { in.Close() })
	return l
}

func (l *line) pass(client, database net.Conn) {
	var deaf atomic.Bool
	l.open.Go(func() {
		defer client.Close()
		answer := make([]byte, 64<<10)
		for {
			n, err := database.Read(answer)
			if err != nil || deaf.Load() { // the commit has happened
				return
			}
			if _, err := client.Write(answer[:n]); err != nil {
				return
			}
		}
	})
	defer database.Close()
	asked := make([]byte, 64<<10)
	for {
		n, err := client.Read(asked)
		if err != nil {
			return
		}
		if bytes.Contains(asked[:n], []byte("commit\x00")) {
			if l.before.CompareAndSwap(true, false) {
				l.cuts.Add(1)
				client.Close()
				return
			}
			if l.after.CompareAndSwap(true, false) {
				l.cuts.Add(1)
				deaf.Store(true)
			}
		}
		if _, err := database.Write(asked[:n]); err != nil {
			return
		}
	}
}

// When the connection is cut between a commit and its answer, the update is found, and
// does not happen twice; when it is cut before the commit, it is done again.
func TestCutAtCommit(t *testing.T) {
	h := newHouse(t, pgtest.Start(t, pgtest.Options{}))
	l := newLine(t, h.Addr())
	// So that each statement is seen to pass, and not its name only.
	db, err := pg.Open(t.Context(), strings.Replace(h.dsn, h.Addr(), l.Addr().String(), 1)+"&default_query_exec_mode=exec")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	k := keeper.New(tables.Of(db), func(text string) { t.Log(text) })
	want := int64(0)
	for name, arm := range map[string]*atomic.Bool{"before": &l.before, "after": &l.after} {
		for range 3 {
			h.send(k, remote.Session{Session: "s1", Version: want + 1, List: listOf("x")})
			times := 0
			arm.Store(true)
			list, err := k.Store("shop", ada).Update(t.Context(), todo.Key{Session: "own"}, func(l *todo.List) error {
				times++
				return add(name)(l)
			})
			want++
			if err != nil || len(list.Items) != int(want) {
				t.Fatalf("%s: the list has %d todos, want %d: %v", name, len(list.Items), want, err)
			}
			if again := name == "before"; (times == 2) != again {
				t.Errorf("%s: the update ran %d times", name, times)
			}
			there, err := h.server().Store("shop", ada).Load(t.Context(), todo.Key{Session: "own"})
			if err != nil || len(there.Items) != int(want) {
				t.Errorf("%s: another server reads %d todos, want %d: %v", name, len(there.Items), want, err)
			}
		}
	}
	if got := l.cuts.Load(); got != want {
		t.Errorf("%d connections were cut, want %d", got, want)
	}
}
