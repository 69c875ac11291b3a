package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/transfer"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/file"
)

// small is a target that gets parts of one task or a few sets, and has something done to it
// while it takes the nth.
type small struct {
	transfer.Target
	n    int
	then func(taken <-chan struct{})
}

func (s *small) Receive(ctx context.Context, part pawl.Part) error {
	parts := []pawl.Part{part}
	if part.Tasks != nil && len(part.Tasks.Tasks) > 1 {
		parts = parts[:0]
		after := part.Tasks.After
		for i, t := range part.Tasks.Tasks {
			upTo := t.ID
			if i == len(part.Tasks.Tasks)-1 {
				upTo = part.Tasks.UpTo
			}
			parts = append(parts, pawl.Part{Run: part.Run, Tasks: &pawl.Stretch{After: after, UpTo: upTo, Tasks: part.Tasks.Tasks[i : i+1]}})
			after = upTo
		}
	}
	for _, part := range parts {
		taken, done := make(chan struct{}), make(chan struct{})
		if s.n--; s.n == 0 {
			go func() { defer close(done); s.then(taken) }()
		} else {
			close(done)
		}
		err := s.Target.Receive(ctx, part)
		close(taken)
		<-done
		if err != nil {
			return err
		}
	}
	return nil
}

// TestKilled kills PostgreSQL at the moments of a copy into a database, and out of one into
// a folder. The copy goes on by itself or when it is repeated; before its end nobody can use
// what is there.
func TestKilled(t *testing.T) {
	pgtest.NeedOwn(t)
	cluster := pgtest.Start(t, pgtest.Options{})
	dsn := cluster.Database(t)
	if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	db, err := pg.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	from := open(t, filepath.Join(t.TempDir(), ".tasks"))
	work(t, from)
	want := state(t, from)
	kill := func(taken <-chan struct{}, late bool) {
		if late { // what it was told may be lost on the way
			<-taken
		}
		cluster.Kill()
		if err := cluster.Restart(); err != nil {
			t.Error(err)
		}
	}
	again := func(what string, from, to pawl.Store) {
		t.Helper()
		for range 5 {
			var refused error
			if refused = to.View(t.Context(), func(pawl.Reader) error { return nil }); refused == nil && state(t, to) != want {
				t.Fatalf("%s: what is not all there can be used", what)
			}
			if _, err = transfer.Copy(t.Context(), transfer.Store(from), transfer.Store(to), nil); err == nil {
				break
			}
		}
		if is := state(t, to); err != nil || is != want {
			t.Fatalf("%s: %v, and the copy is\n%s\nof\n%s", what, err, is, want)
		}
	}
	over := postgres.Over(db)
	for n := 1; n <= 7; n++ {
		for _, late := range []bool{false, true} {
			what := fmt.Sprintf("part %d, late %v", n, late)
			to := over.Board(fmt.Sprintf("to-%d-%v", n, late))
			_, err := transfer.Copy(t.Context(), transfer.Store(from), &small{transfer.Store(to), n, func(taken <-chan struct{}) { kill(taken, late) }}, nil)
			if err != nil && !errors.Is(err, pawl.Unavailable) && !errors.Is(err, pawl.Conflict) {
				t.Errorf("%s: %v", what, err)
			}
			again(what, from, to)
		}
	}
	kept := over.Board("to-1-true")
	for n := range 7 {
		dir := filepath.Join(t.TempDir(), ".tasks")
		to, err := file.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		never := make(chan struct{})
		_, _ = transfer.Copy(t.Context(), &cutOff{transfer.Store(kept), n, func() { kill(never, false) }}, transfer.Store(to), nil)
		again(fmt.Sprintf("item %d", n), kept, to)
		to.Close()
	}
}

// cutOff is a source that something is done to before its nth item.
type cutOff struct {
	transfer.Source
	n    int
	then func()
}

func (c *cutOff) Read(ctx context.Context, after pawl.Revision) iter.Seq2[transfer.Item, error] {
	return func(yield func(transfer.Item, error) bool) {
		for item, err := range c.Source.Read(ctx, after) {
			if c.n == 0 {
				c.then()
			}
			c.n--
			if !yield(item, err) {
				return
			}
		}
	}
}

// After a backup was restored, numbers jump ahead. A copy of before says that nobody can
// tell; a new one has the numbers, and is known again.
func TestAfterJump(t *testing.T) {
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
	over := postgres.Over(db)
	from, early := over.Board("shop"), open(t, filepath.Join(t.TempDir(), ".tasks"))
	if err := over.Make(t.Context(), "shop"); err != nil {
		t.Fatal(err)
	}
	work(t, from)
	copied(t, from, early)
	if _, err := over.Restored(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = transfer.Copy(t.Context(), transfer.Store(from), transfer.Store(early), nil)
	if e, ok := errors.AsType[*pawl.Error](err); !ok || e.Kind != pawl.Conflict || e.Hint.Text != "copy to an empty place" {
		t.Errorf("copying to a copy of before: %v", err)
	}
	late := open(t, filepath.Join(t.TempDir(), ".tasks"))
	copied(t, from, late)
	if r := copied(t, from, late); !r.Nothing() {
		t.Errorf("the second run: %+v", r)
	}
	do(t, from, pawl.AddNote{ID: 1, Text: "later"})
	copied(t, from, late)
	if state(t, from) != state(t, late) {
		t.Error("the copy is another board")
	}
	for _, s := range []pawl.Store{from, late} {
		if res := do(t, s, pawl.Create{Tasks: []pawl.NewTask{{Subject: "next"}}}); res.IDs[0] <= 10_000 {
			t.Errorf("the next id is %v", res.IDs)
		}
	}
}
