package tables_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/sessions/keeper"
	"github.com/pawl-dev/pawl/server/internal/sessions/keeper/tables"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/todo"
)

var ada = access.Token{ID: "a1", Name: "ada", Role: access.Work}

// A house has several servers before one database.
type house struct {
	*testing.T
	*pgtest.Cluster
	dsn   string
	mu    sync.Mutex
	warns []string
}

func newHouse(t *testing.T, c *pgtest.Cluster) *house {
	return &house{T: t, Cluster: c, dsn: c.From(t, "sessions", func(dsn string) error {
		_, _, err := pg.Migrate(t.Context(), dsn)
		return err
	})}
}

// server is one more instance.
func (h *house) server() *keeper.Keeper {
	h.T.Helper()
	return keeper.New(tables.Of(h.open()), func(text string) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.warns = append(h.warns, text)
	})
}

func (h *house) open() *pg.Database {
	h.T.Helper()
	db, err := pg.Open(h.Context(), h.dsn)
	if err != nil {
		h.T.Fatal(err)
	}
	h.T.Cleanup(func() { db.Close() })
	return db
}

func listOf(texts ...string) *remote.List {
	l := &remote.List{UpdatedAt: time.Now()}
	for _, text := range texts {
		l.Items = append(l.Items, todo.Item{ID: text, Content: text, Status: todo.Pending})
	}
	return l
}

func (h *house) send(k *keeper.Keeper, s remote.Session) int64 {
	h.T.Helper()
	sent, err := k.Send(h.Context(), "shop", ada, remote.Send{Home: "m1", Now: time.Now(), Sessions: []remote.Session{s}})
	if err != nil {
		h.T.Fatal(err)
	}
	return sent.Versions[0]
}

func (h *house) lists(k *keeper.Keeper, since string) remote.Lists {
	h.T.Helper()
	lists, err := k.Lists(h.Context(), "shop", since, 0)
	if err != nil {
		h.T.Fatal(err)
	}
	return lists
}

// What one server was told, the others know at once: lists, versions, removals; and a
// stamp of one counts at the others.
func TestServers(t *testing.T) {
	h := newHouse(t, pgtest.Server(t))
	a, b := h.server(), h.server()
	first := h.lists(b, "")
	h.send(a, remote.Session{Session: "s1", Version: 5, List: listOf("x")})
	next := h.lists(b, first.Stamp)
	if len(next.Sessions) != 1 || next.Sessions[0].List.Items[0].Content != "x" {
		t.Fatalf("the other server tells %+v", next)
	}
	if got := h.send(b, remote.Session{Session: "s1", Version: 4, List: listOf("old")}); got != 5 {
		t.Errorf("the other server takes an older version: it has %d", got)
	}
	if got := h.send(b, remote.Session{Session: "s1", Version: 6, Keep: true, Seen: time.Now()}); got != 6 {
		t.Errorf("the other server keeps %d", got)
	}
	if got := h.lists(a, next.Stamp); len(got.Sessions) != 1 || got.Whole || got.Sessions[0].Version != 6 || got.Sessions[0].List.Items[0].Content != "x" {
		t.Errorf("the first server tells %+v", got)
	}
	h.send(b, remote.Session{Session: "s1", Version: 7, Ended: true})
	if got := h.lists(a, next.Stamp); len(got.Gone) != 1 || len(got.Sessions) != 0 || got.Whole {
		t.Errorf("after a removal the first server tells %+v", got)
	}
	if got := h.send(a, remote.Session{Session: "s1", Version: 6, List: listOf("late")}); got != 7 {
		t.Errorf("a late request at another server brings a removed list back: %d", got)
	}
	if len(h.warns) > 0 {
		t.Errorf("warned: %q", h.warns)
	}
}

// Who waits at one server hears of a change at another, on the board that it waits for,
// and leaves no goroutine behind.
func TestWait(t *testing.T) {
	h := newHouse(t, pgtest.Server(t))
	a, b := h.server(), h.server()
	h.send(a, remote.Session{Session: "s1", Version: 1, List: listOf("x")})
	h.lists(b, "")
	stamp := h.lists(b, "").Stamp
	heard := make(chan remote.Lists)
	for range 5 {
		go func() {
			lists, _ := b.Lists(t.Context(), "shop", stamp, remote.MaxWait)
			heard <- lists
		}()
	}
	h.send(a, remote.Session{Session: "s2", Version: 1, List: listOf("y")})
	for range 5 {
		if lists := <-heard; len(lists.Sessions) != 1 || lists.Sessions[0].Session != "s2" {
			t.Errorf("heard %+v", lists)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := b.Lists(ctx, "blog", ".0", remote.MaxWait)
		if ctx.Err() == nil || err == nil {
			t.Errorf("a wait without an end: %v", err)
		}
		heard <- remote.Lists{}
	}()
	cancel()
	<-heard
	for end := time.Now().Add(time.Minute); ; runtime.Gosched() {
		stacks := make([]byte, 1<<20)
		if !strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "lookout).run") {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nobody waits, and marks are still read")
		}
	}
}

// Updates of one list at several servers follow one another, and limits hold for all of
// them together.
func TestWriters(t *testing.T) {
	h := newHouse(t, pgtest.Server(t))
	const servers, writers, each = 3, 4, 10
	var all sync.WaitGroup
	for n := range servers {
		k := h.server()
		for m := range writers {
			all.Go(func() {
				for i := range each {
					if _, err := k.Store("shop", ada).Update(t.Context(), todo.Key{Session: "s"}, add(fmt.Sprint(n, ".", m, ".", i))); err != nil {
						t.Errorf("update: %v", err)
					}
				}
			})
		}
	}
	all.Wait()
	list, err := h.server().Store("shop", ada).Load(t.Context(), todo.Key{Session: "s"})
	if err != nil || len(contents(list)) != servers*writers*each {
		t.Errorf("%d todos are there, %v", len(list.Items), err)
	}
}

func add(text string) func(*todo.List) error {
	return func(l *todo.List) error {
		l.Items = append(l.Items, todo.Item{ID: text, Content: text, Status: todo.Pending})
		return nil
	}
}

// contents are the texts of a list, each once.
func contents(l todo.List) []string {
	var all []string
	for _, i := range l.Items {
		all = append(all, i.Content)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// While connections are cut all the time, also between a commit and its answer, each
// update that was acknowledged happened once, and none twice.
func TestCuts(t *testing.T) {
	h := newHouse(t, pgtest.Server(t))
	stop, cutting := make(chan struct{}), sync.WaitGroup{}
	cutting.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := h.Query(h.DSN(), "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pawl' and random() < 0.5"); err != nil {
				t.Errorf("cut: %v", err)
			}
		}
	})
	const servers, each = 2, 80
	var mu sync.Mutex
	done, unknown := map[string]bool{}, map[string]bool{}
	var all sync.WaitGroup
	for n := range servers {
		k := h.server()
		all.Go(func() {
			for i := range each {
				text := fmt.Sprint(n, ".", i)
				_, err := k.Store("shop", ada).Update(t.Context(), todo.Key{Session: "s"}, add(text))
				mu.Lock()
				switch {
				case err == nil:
					done[text] = true
				case errors.Is(err, pg.ErrUnknown):
					unknown[text] = true
				default:
					t.Logf("update: %v", err)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	close(stop)
	cutting.Wait()
	list, err := h.server().Store("shop", ada).Load(t.Context(), todo.Key{Session: "s"})
	if err != nil {
		t.Fatal(err)
	}
	there := contents(list)
	if len(there) != len(list.Items) {
		t.Errorf("%d updates happened twice", len(list.Items)-len(there))
	}
	for text := range done {
		if !slices.Contains(there, text) {
			t.Errorf("%s was acknowledged, and is lost", text)
		}
	}
	for _, text := range there {
		if !done[text] && !unknown[text] {
			t.Errorf("%s was refused, and is there", text)
		}
	}
	t.Logf("%d acknowledged, %d unknown, %d there", len(done), len(unknown), len(there))
	if len(done) < servers*each/2 {
		t.Errorf("only %d of %d updates were acknowledged", len(done), servers*each)
	}
}

// A database that hangs costs a caller no more than its time, keeps nobody for ever, and
// nothing of it is left when it answers again.
func TestHang(t *testing.T) {
	h := newHouse(t, pgtest.Start(t, pgtest.Options{}))
	k := h.server()
	h.send(k, remote.Session{Session: "s1", Version: 1, List: listOf("x")})
	h.Freeze()
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			var err error
			if n%2 == 0 {
				_, err = k.Lists(ctx, "shop", "", 0)
			} else {
				_, err = k.Send(ctx, "shop", ada, remote.Send{Home: "m1", Now: time.Now(), Sessions: []remote.Session{{Session: fmt.Sprint("hung", n), Version: 2, List: listOf("y")}}})
			}
			if !errors.Is(err, pawl.Unavailable) {
				t.Errorf("a database that hangs: %v", err)
			}
		})
	}
	all.Wait()
	h.Thaw()
	h.send(k, remote.Session{Session: "s1", Version: 3, List: listOf("z")})
	if got := h.lists(k, ""); len(got.Sessions) == 0 || got.Sessions[0].List.Items[0].Content != "z" {
		t.Errorf("afterwards: %+v", got)
	}
}

// After the database became an earlier state of itself, what a reader knew counts no
// more, even if numbers have come back since; and a machine sends once more what it was
// told to be kept, rather than have the server keep what it has now.
func TestRestored(t *testing.T) {
	h := newHouse(t, pgtest.Server(t))
	k := h.server()
	h.send(k, remote.Session{Session: "s1", Version: 1, List: listOf("x")})
	h.SQL(t, h.dsn, "create table backup as select * from pawl.session; create table marks as select * from pawl.session_mark")
	h.send(k, remote.Session{Session: "s1", Version: 2, List: listOf("lost")})
	known := h.lists(k, "").Stamp
	h.SQL(t, h.dsn, "delete from pawl.session; delete from pawl.session_mark; insert into pawl.session select * from backup; insert into pawl.session_mark select * from marks")
	if got := h.lists(k, known); !got.Whole || got.Sessions[0].List.Items[0].Content != "x" {
		t.Errorf("a server does not see that its database went back: %+v", got)
	}
	if _, err := postgres.Over(h.open()).Restored(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := h.send(k, remote.Session{Session: "s1", Version: 3, Keep: true}); got != 0 {
		t.Errorf("an older list is kept as if it were the last one: version %d", got)
	}
	h.send(k, remote.Session{Session: "s1", Version: 4, List: listOf("lost")})
	if got := h.send(k, remote.Session{Session: "s1", Version: 5, Keep: true}); got != 5 {
		t.Errorf("the list that was sent once more is not kept: version %d", got)
	}
	if got := h.lists(k, ""); got.Sessions[0].List.Items[0].Content != "lost" {
		t.Errorf("what a machine was told to be kept is gone: %+v", got)
	}
	h.send(h.server(), remote.Session{Session: "s2", Version: 1, List: listOf("other")})
	if got := h.lists(k, known); !got.Whole || len(got.Sessions) != 2 {
		t.Errorf("a stamp from before counts: %+v", got)
	}
}

// A row that cannot be read is told, and stops no other.
func TestBrokenRow(t *testing.T) {
	h := newHouse(t, pgtest.Server(t))
	k := h.server()
	for _, name := range []string{"s1", "s2", "s3"} {
		h.send(k, remote.Session{Session: name, Version: 1, List: listOf(name)})
	}
	h.SQL(t, h.dsn, `update pawl.session set about = '{' where about like '%"s1"%'; update pawl.session set list = '[' where about like '%"s2"%'`)
	lists := h.lists(h.server(), "")
	if len(lists.Sessions) != 2 || len(h.warns) != 1 || !strings.Contains(h.warns[0], "shop") {
		t.Errorf("told %+v; warned %q", lists, h.warns)
	}
	for _, s := range lists.Sessions {
		if (s.List != nil) != (s.Session == "s3") {
			t.Errorf("%s has the list %+v", s.Session, s.List)
		}
	}
	h.send(k, remote.Session{Session: "s1", Version: 2, List: listOf("again")})
	if got := h.lists(h.server(), ""); len(got.Sessions) != 3 {
		t.Errorf("a broken row is in the way of a new one: %+v", got)
	}
}

// Raw JSON of a client may have bytes that PostgreSQL refuses.
func TestBytes(t *testing.T) {
	h := newHouse(t, pgtest.Server(t))
	k := h.server()
	list := listOf("a\x00b")
	list.Items[0].ToolCalls = []todo.ToolCall{{ID: "1", Name: "x", Outcome: todo.Running, Parameters: []byte("{\"a\":\"\xff\\u0000\"}")}}
	h.send(k, remote.Session{Session: "s\x00", Version: 1, List: list})
	if got := h.lists(h.server(), ""); len(got.Sessions) != 1 || got.Sessions[0].Session != "s\x00" || got.Sessions[0].List.Items[0].Content != "a\x00b" {
		t.Errorf("read %+v", got)
	}
}

// Agents and readers of lists do not learn where the database is.
func TestListsDoNotNameTheDatabase(t *testing.T) {
	db := newHouse(t, pgtest.Server(t)).open()
	away, stop := context.WithCancel(t.Context())
	stop()
	shelf := tables.Of(db).Shelf("shop", nil)
	_, news := shelf.News(away, keeper.Mark{})
	_, read := shelf.Read(away, "id")
	update := shelf.Update(away, keeper.Mark{}, func(keeper.News, keeper.Desk) error { return nil })
	cut := shelf.Update(t.Context(), keeper.Mark{}, func(_ keeper.News, d keeper.Desk) error {
		_, err := d.Read(away, "id")
		return err
	})
	for what, err := range map[string]error{"news": news, "read": read, "update": update, "a cut update": cut} {
		if !errors.Is(err, pawl.Unavailable) || strings.Contains(err.Error(), db.Shown()) || !strings.HasPrefix(err.Error(), "the database does not answer") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
