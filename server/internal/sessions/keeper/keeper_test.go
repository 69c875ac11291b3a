package keeper_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/sessions/keeper"
	"github.com/pawl-dev/pawl/server/internal/sessions/keeper/tables"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todotest"
)

var (
	ada = access.Token{ID: "a1", Name: "ada", Role: access.Work}
	bob = access.Token{ID: "b1", Name: "bob", Role: access.Work}
	eve = access.Token{ID: "e1", Name: "eve", Role: access.Read}
)

// An office is a keeper under a clock that a test moves.
type office struct {
	*testing.T
	*keeper.Keeper
	open  func() keeper.Storage
	one   bool   // only one server uses the storage
	dir   string // of files
	now   time.Time
	warns []string
}

// offices runs a test on each kind of storage.
func offices(t *testing.T, test func(*office)) {
	t.Run("files", func(t *testing.T) {
		d := newOffice(t)
		d.dir, d.one = t.TempDir(), true
		d.open = func() keeper.Storage { return keeper.Folder(d.dir, d.clock) }
		d.reopen()
		test(d)
	})
	t.Run("tables", func(t *testing.T) {
		d := newOffice(t)
		db := pgtables(t)
		d.open = func() keeper.Storage { return tables.Of(db, tables.WithClock(d.clock)) }
		d.reopen()
		test(d)
	})
}

func newOffice(t *testing.T) *office {
	return &office{T: t, now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
}

func (d *office) clock() time.Time { return d.now }

// pgtables opens an empty database.
func pgtables(t *testing.T) *pg.Database {
	t.Helper()
	dsn := pgtest.Server(t).Database(t)
	if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	db, err := pg.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// reopen is another run of the server.
func (d *office) reopen() {
	d.Keeper = keeper.New(d.open(), func(text string) { d.warns = append(d.warns, text) })
}

func (d *office) list(texts ...string) *remote.List {
	l := &remote.List{StartedAt: d.now, UpdatedAt: d.now}
	for i, text := range texts {
		l.Items = append(l.Items, todo.Item{ID: fmt.Sprint(i + 1), Content: text, Status: todo.Pending, Priority: todo.Medium, CreatedAt: d.now})
	}
	return l
}

// send sends a session, and returns the version that is kept.
func (d *office) send(by access.Token, home string, s remote.Session) int64 {
	d.Helper()
	sent, err := d.Send(d.Context(), "shop", by, remote.Send{Home: home, Now: d.now, Sessions: []remote.Session{s}})
	if err != nil {
		d.Fatal(err)
	}
	return sent.Versions[0]
}

// seen is what a reader sees: "ada/m1 s1: a, b" a session, the newest first.
func (d *office) seen() string {
	d.Helper()
	lists, err := d.Lists(d.Context(), "shop", "", 0)
	if err != nil {
		d.Fatal(err)
	}
	var all []string
	for _, s := range lists.Sessions {
		line := s.Name + "/" + s.Home + " " + s.Session + ":"
		if s.List != nil {
			for _, it := range s.List.Items {
				line += " " + it.Content
			}
		}
		all = append(all, line)
	}
	return strings.Join(all, "\n")
}

func (d *office) sees(want string) {
	d.Helper()
	if got := d.seen(); got != want {
		d.Errorf("seen:\n%s\nwant:\n%s", got, want)
	}
}

// The newest version counts, in whatever order requests arrive and however often; and
// what was answered is there after a restart.
func TestVersions(t *testing.T) { offices(t, versionsAt) }

func versionsAt(d *office) {
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 5, List: d.list("five")})
	for _, old := range []int64{5, 4, 0} {
		if got := d.send(ada, "m1", remote.Session{Session: "s1", Version: old, List: d.list("old")}); got != 5 {
			d.Errorf("version %d: the server has %d", old, got)
		}
	}
	d.sees("ada/m1 s1: five")
	d.reopen()
	if got := d.send(ada, "m1", remote.Session{Session: "s1", Version: 4, List: d.list("old")}); got != 5 {
		d.Errorf("after a restart the server has %d", got)
	}
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 6, Ended: true})
	d.sees("")
	if got := d.send(ada, "m1", remote.Session{Session: "s1", Version: 5, List: d.list("late")}); got != 6 {
		d.Errorf("a late request brings a removed list back: %d", got)
	}
	d.sees("")
	// A list that was removed twice is as removed as one that was removed once.
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 7, List: d.list("seven")})
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 8, Ended: true})
	if got := d.send(ada, "m1", remote.Session{Session: "s1", Version: 7, List: d.list("late")}); got != 8 {
		d.Errorf("a late request brings a list back that was removed twice: %d", got)
	}
	d.sees("")
}

// A session that only says that it is there needs no list; one whose list the server
// has lost is asked for the whole.
func TestKeep(t *testing.T) { offices(t, keepAt) }

func keepAt(d *office) {
	if got := d.send(ada, "m1", remote.Session{Session: "s1", Version: 1, Keep: true, Seen: d.now}); got != 0 {
		d.Errorf("a list that is not known is kept as version %d", got)
	}
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 2, List: d.list("a")})
	for i := range 3 {
		d.now = d.now.Add(45 * time.Second)
		d.send(ada, "m1", remote.Session{Session: "s1", Version: int64(3 + i), Keep: true, Seen: d.now})
	}
	d.sees("ada/m1 s1: a")
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 9, Seen: d.now}) // cleared
	d.sees("ada/m1 s1:")
	d.now = d.now.Add(26 * time.Hour)
	d.sees("")
}

// Tokens, machines and sessions of one name are apart. Who may only look writes
// nothing.
func TestApart(t *testing.T) { offices(t, apartAt) }

func apartAt(d *office) {
	for i, one := range []struct {
		by   access.Token
		home string
	}{{ada, "m1"}, {ada, "m2"}, {bob, "m1"}} {
		d.now = d.now.Add(-time.Minute)
		d.send(one.by, one.home, remote.Session{Session: "default", Version: 1, List: d.list(fmt.Sprint(i))})
	}
	d.send(bob, "m1", remote.Session{Session: "default", Version: 9, Ended: true})
	d.sees("ada/m1 default: 0\nada/m2 default: 1")
	if _, err := d.Send(d.Context(), "shop", eve, remote.Send{Home: "m1", Now: d.now, Sessions: []remote.Session{{Session: "x", Version: 1}}}); !errors.Is(err, pawl.Invalid) {
		d.Errorf("a token that may only look: %v", err)
	}
	if lists, _ := d.Lists(d.Context(), "other", "", 0); len(lists.Sessions) > 0 {
		d.Error("another board shows them")
	}
}

// What a reader knows is not told again, a waiting reader hears of a change at once,
// and a reader that knows too little is told all.
func TestSince(t *testing.T) { offices(t, sinceAt) }

func sinceAt(d *office) {
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 1, List: d.list("a")})
	first, _ := d.Lists(d.Context(), "shop", "", 0)
	if again, _ := d.Lists(d.Context(), "shop", first.Stamp, 0); !first.Whole || again.Whole || len(again.Sessions)+len(again.Gone) > 0 {
		d.Errorf("told %+v and then %+v", first, again)
	}
	heard := make(chan remote.Lists)
	go func() {
		lists, _ := d.Lists(d.Context(), "shop", first.Stamp, remote.MaxWait)
		heard <- lists
	}()
	d.send(bob, "m2", remote.Session{Session: "s2", Version: 1, List: d.list("b")})
	if lists := <-heard; len(lists.Sessions) != 1 || lists.Sessions[0].Session != "s2" {
		d.Errorf("heard %+v", lists)
	}
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 2, Ended: true})
	if lists, _ := d.Lists(d.Context(), "shop", first.Stamp, 0); len(lists.Gone) != 1 || lists.Gone[0] != first.Sessions[0].ID {
		d.Errorf("gone: %+v", lists)
	}
	d.reopen()
	if lists, _ := d.Lists(d.Context(), "shop", first.Stamp, 0); lists.Whole != d.one || len(lists.Sessions) != 1 {
		d.Errorf("after a restart the stamp leads to %+v", lists)
	}
}

// Clocks that are apart do not make a list look older or newer.
func TestClocks(t *testing.T) { offices(t, clocksAt) }

func clocksAt(d *office) {
	for home, off := range map[string]time.Duration{"m1": 3 * time.Hour, "m2": -72 * time.Hour, "m3": time.Second} {
		l := d.list("a")
		l.Shift(off)
		if _, err := d.Send(d.Context(), "shop", ada, remote.Send{Home: home, Now: d.now.Add(off), Sessions: []remote.Session{{Session: "s", Version: 1, Seen: d.now.Add(off), List: l}}}); err != nil {
			d.Fatal(err)
		}
	}
	lists, _ := d.Lists(d.Context(), "shop", "", 0)
	for _, s := range lists.Sessions {
		if s.Head.UpdatedAt.Sub(d.now).Abs() > 2*time.Second || s.Seen.Sub(d.now).Abs() > 2*time.Second || s.List.Items[0].CreatedAt.Sub(d.now).Abs() > 2*time.Second {
			d.Errorf("%s: changed %s, seen %s, now %s", s.Home, s.Head.UpdatedAt, s.Seen, d.now)
		}
	}
}

// A token that sends without end loses its oldest lists, and nobody else's.
func TestLimits(t *testing.T) { offices(t, limitsAt) }

func limitsAt(d *office) {
	d.send(bob, "m1", remote.Session{Session: "kept", Version: 1, List: d.list("b")})
	for i := range keeper.MostSessions + 5 {
		d.now = d.now.Add(time.Second)
		d.send(ada, fmt.Sprint("m", i), remote.Session{Session: "s", Version: 1, List: d.list("a")})
	}
	if files, _ := os.ReadDir(filepath.Join(d.dir, "shop")); d.one && len(files) != keeper.MostSessions+1 {
		d.Errorf("%d files", len(files))
	}
	if got := d.seen(); strings.Count(got, "\n") != keeper.MostSessions || !strings.Contains(got, "bob/m1 kept: b") || strings.Contains(got, "ada/m4 ") || !strings.Contains(got, "ada/m5 ") {
		d.Errorf("seen:\n%s", got)
	}
}

// What nobody may send is refused with a sentence, and nothing of it is kept.
func TestHostile(t *testing.T) { offices(t, hostileAt) }

func hostileAt(d *office) {
	many := d.list(make([]string, todo.MaxItems+1)...)
	long := d.list(strings.Repeat("x", todo.MaxContent+1))
	status := d.list("a")
	status.Items[0].Status = "\x1b[2J"
	for name, s := range map[string]remote.Session{
		"no name": {Version: 1}, "long name": {Session: strings.Repeat("s", remote.MaxKey+1)}, "bytes": {Session: "\xff"}, "spaces": {Session: " s "},
		"negative": {Session: "s", Version: -1}, "many todos": {Session: "s", List: many}, "a long todo": {Session: "s", List: long}, "a status": {Session: "s", List: status},
		"a machine": {Session: "s", Machine: strings.Repeat("m", remote.MaxWord+1)},
	} {
		if _, err := d.Send(d.Context(), "shop", ada, remote.Send{Home: "m1", Now: d.now, Sessions: []remote.Session{s}}); !errors.Is(err, pawl.Invalid) || len(err.Error()) > 300 {
			d.Errorf("%s: %v", name, err)
		}
	}
	if _, err := d.Send(d.Context(), "shop", ada, remote.Send{Home: "m1", Now: d.now, Sessions: make([]remote.Session, remote.MaxSend+1)}); !errors.Is(err, pawl.Invalid) {
		d.Errorf("many sessions: %v", err)
	}
	d.send(ada, "../../m", remote.Session{Session: "../../etc/x", Agent: "a/b", Version: 1, List: d.list("a")})
	if files, _ := filepath.Glob(filepath.Join(d.dir, "*", "*")); d.one && (len(files) != 1 || len(filepath.Base(files[0])) != 32+len(".json")) {
		d.Errorf("files: %v", files)
	}
}

// Agents without a machine of their own have their lists here; those of machines are
// read only.
func TestStore(t *testing.T) { offices(t, storeAt) }

func storeAt(d *office) {
	ctx := d.Context()
	lists := todo.New(d.Store("shop", ada), func() time.Time { return d.now })
	own := todo.Key{Session: "http"}
	draft, err := todo.Decode([]byte(`[{"content": "mine", "status": "pending"}]`), false)
	if err != nil {
		d.Fatal(err)
	}
	if _, err := lists.Write(ctx, own, draft, todo.Writing{Project: "/srv/secret"}); err != nil {
		d.Fatal(err)
	}
	d.send(bob, "m1", remote.Session{Session: "http", Version: 1, Machine: "mini", Seen: d.now, List: d.list("theirs")})
	d.send(bob, "m1", remote.Session{Session: "idle", Version: 1, Machine: "mini", Seen: d.now})
	d.reopen()
	lists = todo.New(d.Store("shop", ada), func() time.Time { return d.now })
	mine, err := lists.Read(ctx, own)
	if err != nil || len(mine.Items) != 1 || mine.Items[0].Content != "mine" || mine.Origin != nil {
		d.Errorf("own: %+v, %v", mine, err)
	}
	other := todo.Key{Session: "http@bob.mini"}
	theirs, err := lists.Read(ctx, other)
	if err != nil || len(theirs.Items) != 1 || theirs.Origin == nil || theirs.Origin.Whose() != "bob on mini" {
		d.Errorf("theirs: %+v, %v", theirs, err)
	}
	_, err = lists.Write(ctx, other, draft, todo.Writing{})
	if err == nil || !strings.Contains(err.Error(), "bob on mini") {
		d.Errorf("another's list was written: %v", err)
	}
	recent, err := lists.Recent(ctx, func(todo.Head) bool { return true }, time.Hour)
	if err != nil || len(recent.Running) != 2 || len(recent.Present) != 3 || !slices.ContainsFunc(recent.Present, func(o todo.Origin) bool { return o.Session == "idle" && !o.Here }) {
		d.Errorf("recent: %+v, %v", recent, err)
	}
	look := todo.New(d.Store("shop", eve), func() time.Time { return d.now })
	if _, err := look.Write(ctx, own, draft, todo.Writing{}); !errors.Is(err, pawl.Invalid) {
		d.Errorf("a token that may only look has a list: %v", err)
	}
}

// A token that may only read since keeps what it had.
func TestReaderRemovesNothing(t *testing.T) {
	k := keeper.Open(t.TempDir(), time.Now, func(text string) { t.Error(text) })
	key := todo.Key{Session: "s1"}
	worker := eve
	worker.Role = access.Work
	if _, err := k.Store("shop", worker).Update(t.Context(), key, func(l *todo.List) error {
		l.Items = []todo.Item{{ID: "1", Content: "x", Status: todo.Pending}}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := k.Store("shop", eve).Remove(t.Context(), key); !errors.Is(err, access.ErrRefused) {
		t.Errorf("got %v", err)
	}
	if list, err := k.Store("shop", eve).Load(t.Context(), key); err != nil || len(list.Items) != 1 {
		t.Errorf("got %+v, %v", list, err)
	}
}

// A server's own lists are a store of todo lists, by its whole contract.
func TestContract(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) }
	run := func(t *testing.T, open func(string) keeper.Storage) {
		opened := map[todo.Store]func() todo.Store{}
		todotest.Run(t, func(tb todotest.TB) todo.Store {
			name, storage := rand.Text(), open(t.TempDir())
			var again func() todo.Store
			again = func() todo.Store {
				store := keeper.New(storage, func(text string) { tb.Errorf("told %s", text) }).Store(name, ada)
				opened[store] = again
				return store
			}
			return again()
		}, todotest.Reopen(func(_ todotest.TB, was todo.Store) todo.Store { return opened[was]() }))
	}
	t.Run("files", func(t *testing.T) {
		run(t, func(dir string) keeper.Storage { return keeper.Folder(dir, now) })
	})
	t.Run("tables", func(t *testing.T) {
		db := pgtables(t)
		run(t, func(string) keeper.Storage { return tables.Of(db, tables.WithClock(now)) })
	})
}

// The arguments of a tool call come back byte for byte: how long they are says what is
// kept of them.
func TestArgumentsAsTheyCame(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) }
	dir, key := t.TempDir(), todo.Key{Session: "s1"}
	const arguments = `{"command":"a <b> && c \u2028"}`
	open := func() todo.Store {
		return keeper.New(keeper.Folder(dir, now), func(text string) { t.Errorf("told %s", text) }).Store("shop", ada)
	}
	_, err := open().Update(t.Context(), key, func(l *todo.List) error {
		l.Items = []todo.Item{{ID: "1", Content: "One", Status: todo.InProgress, ToolCalls: []todo.ToolCall{{ID: "c1", Name: "Bash", Parameters: json.RawMessage(arguments)}}}}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := open().Load(t.Context(), key)
	if err != nil || len(got.Items) != 1 || len(got.Items[0].ToolCalls) != 1 || string(got.Items[0].ToolCalls[0].Parameters) != arguments {
		t.Errorf("%+v, %v", got.Items, err)
	}
}
