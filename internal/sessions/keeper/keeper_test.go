package keeper

import (
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
	"github.com/pawl-dev/pawl/internal/remote"
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
	*Keeper
	dir   string
	now   time.Time
	warns []string
}

func newOffice(t *testing.T) *office {
	d := &office{T: t, dir: t.TempDir(), now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	d.reopen()
	return d
}

func (d *office) reopen() {
	d.Keeper = Open(d.dir, func() time.Time { return d.now }, func(text string) { d.warns = append(d.warns, text) })
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
func TestVersions(t *testing.T) {
	d := newOffice(t)
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 5, List: d.list("five")})
	for _, old := range []int64{5, 4, 0} {
		if got := d.send(ada, "m1", remote.Session{Session: "s1", Version: old, List: d.list("old")}); got != 5 {
			t.Errorf("version %d: the server has %d", old, got)
		}
	}
	d.sees("ada/m1 s1: five")
	d.reopen()
	if got := d.send(ada, "m1", remote.Session{Session: "s1", Version: 4, List: d.list("old")}); got != 5 {
		t.Errorf("after a restart the server has %d", got)
	}
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 6, Ended: true})
	d.sees("")
	if got := d.send(ada, "m1", remote.Session{Session: "s1", Version: 5, List: d.list("late")}); got != 6 {
		t.Errorf("a late request brings a removed list back: %d", got)
	}
	d.sees("")
	// A list that was removed twice is as removed as one that was removed once.
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 7, List: d.list("seven")})
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 8, Ended: true})
	if got := d.send(ada, "m1", remote.Session{Session: "s1", Version: 7, List: d.list("late")}); got != 8 {
		t.Errorf("a late request brings a list back that was removed twice: %d", got)
	}
	d.sees("")
}

// A session that only says that it is there needs no list; one whose list the server
// has lost is asked for the whole.
func TestKeep(t *testing.T) {
	d := newOffice(t)
	if got := d.send(ada, "m1", remote.Session{Session: "s1", Version: 1, Keep: true, Seen: d.now}); got != 0 {
		t.Errorf("a list that is not known is kept as version %d", got)
	}
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 2, List: d.list("a")})
	for i := range 3 {
		d.now = d.now.Add(45 * time.Second)
		d.send(ada, "m1", remote.Session{Session: "s1", Version: int64(3 + i), Keep: true, Seen: d.now})
	}
	d.sees("ada/m1 s1: a")
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 9, Seen: d.now}) // cleared
	d.sees("ada/m1 s1:")
	d.now = d.now.Add(keepSeen + 2*time.Hour)
	d.sees("")
}

// Tokens, machines and sessions of one name are apart. Who may only look writes
// nothing.
func TestApart(t *testing.T) {
	d := newOffice(t)
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
		t.Errorf("a token that may only look: %v", err)
	}
	if lists, _ := d.Lists(t.Context(), "other", "", 0); len(lists.Sessions) > 0 {
		t.Error("another board shows them")
	}
}

// What a reader knows is not told again, a waiting reader hears of a change at once,
// and a reader that knows too little is told all.
func TestSince(t *testing.T) {
	d := newOffice(t)
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 1, List: d.list("a")})
	first, _ := d.Lists(t.Context(), "shop", "", 0)
	if again, _ := d.Lists(t.Context(), "shop", first.Stamp, 0); !first.Whole || again.Whole || len(again.Sessions)+len(again.Gone) > 0 {
		t.Errorf("told %+v and then %+v", first, again)
	}
	heard := make(chan remote.Lists)
	go func() {
		lists, _ := d.Lists(t.Context(), "shop", first.Stamp, remote.MaxWait)
		heard <- lists
	}()
	d.send(bob, "m2", remote.Session{Session: "s2", Version: 1, List: d.list("b")})
	if lists := <-heard; len(lists.Sessions) != 1 || lists.Sessions[0].Session != "s2" {
		t.Errorf("heard %+v", lists)
	}
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 2, Ended: true})
	if lists, _ := d.Lists(t.Context(), "shop", first.Stamp, 0); len(lists.Gone) != 1 || lists.Gone[0] != first.Sessions[0].ID {
		t.Errorf("gone: %+v", lists)
	}
	d.reopen()
	if lists, _ := d.Lists(t.Context(), "shop", first.Stamp, 0); !lists.Whole {
		t.Error("a stamp of the server's earlier run counts")
	}
}

// Clocks that are apart do not make a list look older or newer.
func TestClocks(t *testing.T) {
	d := newOffice(t)
	for home, off := range map[string]time.Duration{"m1": 3 * time.Hour, "m2": -72 * time.Hour, "m3": time.Second} {
		l := d.list("a")
		l.Shift(off)
		if _, err := d.Send(d.Context(), "shop", ada, remote.Send{Home: home, Now: d.now.Add(off), Sessions: []remote.Session{{Session: "s", Version: 1, Seen: d.now.Add(off), List: l}}}); err != nil {
			t.Fatal(err)
		}
	}
	lists, _ := d.Lists(t.Context(), "shop", "", 0)
	for _, s := range lists.Sessions {
		if s.Head.UpdatedAt.Sub(d.now).Abs() > 2*time.Second || s.Seen.Sub(d.now).Abs() > 2*time.Second || s.List.Items[0].CreatedAt.Sub(d.now).Abs() > 2*time.Second {
			t.Errorf("%s: changed %s, seen %s, now %s", s.Home, s.Head.UpdatedAt, s.Seen, d.now)
		}
	}
}

// A token that sends without end loses its oldest lists, and nobody else's.
func TestLimits(t *testing.T) {
	d := newOffice(t)
	d.send(bob, "m1", remote.Session{Session: "kept", Version: 1, List: d.list("b")})
	for i := range MostSessions + 5 {
		d.now = d.now.Add(time.Second)
		d.send(ada, fmt.Sprint("m", i), remote.Session{Session: "s", Version: 1, List: d.list("a")})
	}
	files, _ := os.ReadDir(filepath.Join(d.dir, "shop"))
	if got := d.seen(); len(files) != MostSessions+1 || !strings.Contains(got, "bob/m1 kept: b") || strings.Contains(got, "ada/m4 ") || !strings.Contains(got, "ada/m5 ") {
		t.Errorf("%d files; seen:\n%s", len(files), got)
	}
}

// What nobody may send is refused with a sentence, and nothing of it is kept.
func TestHostile(t *testing.T) {
	d := newOffice(t)
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
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := d.Send(d.Context(), "shop", ada, remote.Send{Home: "m1", Now: d.now, Sessions: make([]remote.Session, remote.MaxSend+1)}); !errors.Is(err, pawl.Invalid) {
		t.Errorf("many sessions: %v", err)
	}
	d.send(ada, "../../m", remote.Session{Session: "../../etc/x", Agent: "a/b", Version: 1, List: d.list("a")})
	if files, _ := filepath.Glob(filepath.Join(d.dir, "*", "*")); len(files) != 1 || len(filepath.Base(files[0])) != 32+len(suffix) {
		t.Errorf("files: %v", files)
	}
}

// A file that cannot be read is told, stops no other, and its session is asked for
// anew.
func TestBrokenFile(t *testing.T) {
	d := newOffice(t)
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 1, List: d.list("a")})
	broken, _ := filepath.Glob(filepath.Join(d.dir, "shop", "*.json"))
	d.send(ada, "m1", remote.Session{Session: "s2", Version: 1, List: d.list("b")})
	if err := os.WriteFile(broken[0], []byte(`{"format":1`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.dir, "shop", newText+"1"), []byte(`{`), 0o600); err != nil {
		t.Fatal(err)
	}
	d.reopen()
	d.sees("ada/m1 s2: b")
	if len(d.warns) != 1 || strings.Contains(d.warns[0], d.dir) {
		t.Errorf("told %q", d.warns)
	}
	if got := d.send(ada, "m1", remote.Session{Session: "s1", Version: 2, Keep: true}); got != 0 {
		t.Errorf("the lost list is kept as %d", got)
	}
	d.send(ada, "m1", remote.Session{Session: "s1", Version: 3, List: d.list("again")})
	if !strings.Contains(d.seen(), "again") {
		t.Error("a broken file is in the way of a new one")
	}
}

// Agents without a machine of their own have their lists here; those of machines are
// read only.
func TestStore(t *testing.T) {
	d := newOffice(t)
	ctx := t.Context()
	lists := todo.New(d.Store("shop", ada), func() time.Time { return d.now })
	own := todo.Key{Session: "http"}
	draft, err := todo.Decode([]byte(`[{"content": "mine", "status": "pending"}]`), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lists.Write(ctx, own, draft, todo.Writing{Project: "/srv/secret"}); err != nil {
		t.Fatal(err)
	}
	d.send(bob, "m1", remote.Session{Session: "http", Version: 1, Machine: "mini", Seen: d.now, List: d.list("theirs")})
	d.send(bob, "m1", remote.Session{Session: "idle", Version: 1, Machine: "mini", Seen: d.now})
	d.reopen()
	lists = todo.New(d.Store("shop", ada), func() time.Time { return d.now })
	mine, err := lists.Read(ctx, own)
	if err != nil || len(mine.Items) != 1 || mine.Items[0].Content != "mine" || mine.Origin != nil {
		t.Errorf("own: %+v, %v", mine, err)
	}
	other := todo.Key{Session: "http@bob.mini"}
	theirs, err := lists.Read(ctx, other)
	if err != nil || len(theirs.Items) != 1 || theirs.Origin == nil || theirs.Origin.Whose() != "bob on mini" {
		t.Errorf("theirs: %+v, %v", theirs, err)
	}
	_, err = lists.Write(ctx, other, draft, todo.Writing{})
	if err == nil || !strings.Contains(err.Error(), "bob on mini") {
		t.Errorf("another's list was written: %v", err)
	}
	recent, err := lists.Recent(ctx, func(todo.Head) bool { return true }, time.Hour)
	if err != nil || len(recent.Running) != 2 || len(recent.Present) != 3 || !slices.ContainsFunc(recent.Present, func(o todo.Origin) bool { return o.Session == "idle" && !o.Here }) {
		t.Errorf("recent: %+v, %v", recent, err)
	}
	look := todo.New(d.Store("shop", eve), func() time.Time { return d.now })
	if _, err := look.Write(ctx, own, draft, todo.Writing{}); !errors.Is(err, pawl.Invalid) {
		t.Errorf("a token that may only look has a list: %v", err)
	}
}

// A token that may only read since keeps what it had.
func TestReaderRemovesNothing(t *testing.T) {
	k := Open(t.TempDir(), time.Now, func(text string) { t.Error(text) })
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
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	open := func(t todotest.TB, dir string) *store {
		k := Open(dir, func() time.Time { return now }, func(text string) { t.Errorf("told %s", text) })
		return &store{k, "shop", ada}
	}
	again := func(tb todotest.TB, was todo.Store) todo.Store {
		return open(tb, was.(*store).keeper.storage.(*folder).dir)
	}
	todotest.Run(t, func(tb todotest.TB) todo.Store {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			tb.Fatalf("%v", err)
		}
		return open(tb, dir)
	}, todotest.Reopen(again))
}
