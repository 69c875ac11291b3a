package transfer_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/internal/transfer"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/memory"
)

var rounds = flag.Int("rounds", 12, "of random work with copies between")

// TestRandomCopies works on one board at random, with Pawl and in its files, and copies it
// between boards of all kinds, of which each may become the one that is worked on. Each
// copy is the same board, whichever way it came.
func TestRandomCopies(t *testing.T) {
	t.Run("files and memory", func(t *testing.T) { randomCopies(t, uint64(*rounds), nil) })
	t.Run("with a database", func(t *testing.T) {
		pgtest.Need(t)
		dsn := pgtest.Server(t).Database(t)
		if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
			t.Fatal(err)
		}
		db, err := pg.Open(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		randomCopies(t, uint64(*rounds+3)/4, db)
	})
}

func randomCopies(t *testing.T, rounds uint64, db *pg.Database) {
	copies := 0
	for seed := range rounds {
		now := time.Now().UTC().Truncate(time.Millisecond)
		clock := func() time.Time { return now }
		r := &randomBoards{T: t, rnd: rand.New(rand.NewPCG(seed, 7)), seed: seed}
		folder := func() place {
			dir := filepath.Join(t.TempDir(), ".tasks")
			s, err := file.Open(dir, file.WithClock(clock))
			if err != nil {
				t.Fatal(err)
			}
			return place{"folder", s, dir}
		}
		r.all = []place{folder(), folder(), {"memory", memory.New(memory.WithClock(clock)), ""}}
		if db != nil {
			over := postgres.Over(db, postgres.WithClock(clock))
			r.all = append(r.all, place{"database", over.Board(fmt.Sprint("one-", seed)), ""}, place{"database", over.Board(fmt.Sprint("other-", seed)), ""})
		}
		for range 3 { // a database has a board once it has a task
			r.work()
		}
		for range 25 {
			now = now.Add(time.Duration(r.rnd.IntN(40)) * time.Minute)
			switch n := r.rnd.IntN(10); {
			case n < 5:
				r.work()
			case n < 7 && r.all[r.lead].dir != "":
				r.edit()
			case n < 9:
				r.copy(r.lead, r.other(r.lead))
				copies++
			default: // and from there on
				to := r.other(r.lead)
				r.copy(r.lead, to)
				r.logf("and from now on work is on %d", to)
				from := r.other(to)
				r.lead = to
				r.copy(to, from)
				copies += 2
			}
		}
		for i := range r.all {
			if i != r.lead {
				r.copy(r.lead, i)
			}
		}
		for _, p := range r.all {
			p.store.Close()
		}
	}
	t.Logf("%d copies", copies)
}

type place struct {
	kind  string
	store pawl.Store
	dir   string
}

type randomBoards struct {
	*testing.T
	rnd  *rand.Rand
	seed uint64
	all  []place
	lead int // the one that is worked on
	log  []string
}

func (r *randomBoards) logf(format string, args ...any) {
	r.log = append(r.log, fmt.Sprintf(format, args...))
}

func (r *randomBoards) Fatalf(format string, args ...any) {
	r.Helper()
	r.T.Fatalf("seed %d, after\n%s\n%s", r.seed, strings.Join(r.log, "\n"), fmt.Sprintf(format, args...))
}

func (r *randomBoards) other(than int) int {
	return (than + 1 + r.rnd.IntN(len(r.all)-1)) % len(r.all)
}

// copy copies twice: the second time there is nothing to bring, and no file changes.
func (r *randomBoards) copy(from, to int) {
	r.Helper()
	a, b := &r.all[from], &r.all[to]
	rep, err := transfer.Copy(r.Context(), transfer.Store(a.store), transfer.Store(b.store), nil)
	r.logf("copy %d (%s) to %d (%s): %+v, %v", from, a.kind, to, b.kind, rep, err)
	if err != nil {
		r.Fatalf("the copy failed")
	}
	one, other := r.lines(a.store), r.lines(b.store)
	for i := range max(len(one), len(other)) {
		if line(one, i) != line(other, i) {
			r.Fatalf("of %d and %d lines, number %d is\n%s\nand in the copy\n%s", len(one), len(other), i, line(one, i), line(other, i))
		}
	}
	was := everything(r.T, b.dir)
	rep, err = transfer.Copy(r.Context(), transfer.Store(a.store), transfer.Store(b.store), nil)
	if err != nil || !rep.Nothing() || rep.Ahead != 0 {
		r.Fatalf("the second run: %+v, %v", rep, err)
	}
	for name, is := range everything(r.T, b.dir) {
		if was[name] != is {
			r.Fatalf("the second run changed %s", name)
		}
	}
}

// lines are all that a board shows.
func (r *randomBoards) lines(s pawl.Store) []string {
	r.Helper()
	var items []transfer.Item
	there := map[pawl.ID]bool{}
	for item, err := range transfer.Store(s).Read(r.Context(), transfer.Fresh) {
		if err != nil {
			r.Fatalf("%v", err)
		}
		if item.Task != nil {
			there[item.Task.ID] = true
		}
		items = append(items, item)
	}
	var all []string
	for _, item := range items {
		if item.Task != nil {
			item.Task.Blockers = slices.DeleteFunc(item.Task.Blockers, func(id pawl.ID) bool { return !there[id] })
		}
		text, err := pawl.Encode(item)
		if err != nil {
			r.Fatalf("%v", err)
		}
		all = append(all, string(text))
	}
	return all
}

// everything is each file of a board, with its time.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if _, err := os.Stat(dir); err != nil {
		return all
	}
	err := filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		all[name] = fmt.Sprint(info.ModTime(), string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// work does a few things to the board. Some are refused, which is as well.
func (r *randomBoards) work() {
	s := r.all[r.lead].store
	board := pawl.NewBoard(s)
	for range 1 + r.rnd.IntN(5) {
		id, other := pawl.ID(1+r.rnd.IntN(14)), pawl.ID(1+r.rnd.IntN(14))
		by := []pawl.Actor{{Name: "ada", Session: "s"}, {Name: "bob", Session: "t", Agent: "helper"}}[r.rnd.IntN(2)]
		var op pawl.Op
		switch r.rnd.IntN(14) {
		case 0, 1:
			op = pawl.Create{Tasks: []pawl.NewTask{
				{Ref: "a", Subject: fmt.Sprint("a ", r.rnd.IntN(100)), Priority: pawl.Priority(r.rnd.IntN(3) - 1), Labels: []string{"x"}},
				{Subject: "b", BlockedBy: []pawl.Ref{pawl.RefName("a")}, Metadata: map[string]json.RawMessage{"k": json.RawMessage(`{"n":1.50}`)}},
			}}
		case 2, 3:
			op = pawl.Complete{IDs: []pawl.ID{id}}
		case 4:
			op = pawl.Reopen{IDs: []pawl.ID{id}}
		case 5:
			op = pawl.Update{ID: id, AddBlocks: []pawl.ID{other}}
		case 6:
			op = pawl.Update{ID: id, RemoveBlocks: []pawl.ID{other}, RemoveBlockedBy: []pawl.ID{other}}
		case 7:
			op = pawl.Update{ID: id, Parent: &other}
		case 8:
			op = pawl.Delete{IDs: []pawl.ID{id}}
		case 9, 10:
			op = pawl.ClaimTask{Lease: time.Duration(1+r.rnd.IntN(60)) * time.Minute}
		case 11:
			op = pawl.PutHold{IDs: []pawl.ID{id}, Reason: "why"}
		case 12:
			op = pawl.AddNote{ID: id, Text: "note"}
		case 13:
			op = pawl.Undo{}
		}
		req := pawl.Request{By: by, Op: op}
		if r.rnd.IntN(3) == 0 {
			req.ID = pawl.OpID(fmt.Sprint("op-", r.rnd.Uint32()))
		}
		_, err := board.Do(r.Context(), req)
		r.logf("%d: %T %v %v: %v", r.lead, op, id, other, err)
	}
}

// edit does something to the files, as people and other programs do.
func (r *randomBoards) edit() {
	dir := r.all[r.lead].dir
	id, other := pawl.ID(1+r.rnd.IntN(12)), pawl.ID(1+r.rnd.IntN(14))
	name := filepath.Join(dir, fmt.Sprintf("task_%d.json", id))
	text, err := os.ReadFile(name)
	if err != nil {
		next := pawl.ID(15 + r.rnd.IntN(5))
		r.logf("by hand: %v comes and waits for %v", next, other)
		r.write(filepath.Join(dir, fmt.Sprintf("task_%d.json", next)), fmt.Appendf(nil, `{"id":%d,"subject":"by hand","blockedBy":["%d",40],"colour":{"b": 1, "a":2.50}}`, next, other))
		return
	}
	f, err := taskjson.Decode(text)
	if err != nil {
		r.Fatalf("%v", err)
	}
	task := &f.Task
	what := r.rnd.IntN(7)
	switch what {
	case 0:
		task.Status = pawl.Completed
	case 1:
		task.Status = pawl.Pending
	case 2:
		task.BlockedBy = nil
	case 3:
		task.Blocks = nil
	case 4:
		task.BlockedBy = append(task.BlockedBy, other)
	case 5:
		task.Blocks = append(task.Blocks, other)
	case 6:
		r.logf("by hand: %v is removed", id)
		if err := os.Remove(name); err != nil {
			r.Fatalf("%v", err)
		}
		return
	}
	r.logf("by hand: %v, kind %d, %v", id, what, other)
	r.write(name, taskjson.Encode(task))
}

func (r *randomBoards) write(name string, text []byte) {
	r.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o700)
	if err == nil {
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		r.Fatalf("%v", err)
	}
}
