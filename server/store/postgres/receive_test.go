package postgres_test

import (
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/transfer"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/file"
)

// A board that was made and is still empty may become the copy of one whose numbers
// are lower. Servers that have seen it empty do not take that for a restored backup.
func TestCopyToAnEmptyBoard(t *testing.T) {
	db := open(t)
	from, err := file.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	if err := work(t, from); err != nil {
		t.Fatal(err)
	}
	here, other := postgres.Over(db), postgres.Over(db)
	if err := here.Make(t.Context(), "shop"); err != nil {
		t.Fatal(err)
	}
	for _, d := range []*postgres.Database{here, other} {
		if err := d.Board("shop").View(t.Context(), func(pawl.Reader) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	r, err := transfer.Copy(t.Context(), transfer.Store(from), transfer.Store(here.Board("shop")), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*postgres.Database{other, here} {
		if moved, err := d.Check(t.Context()); err != nil || len(moved) > 0 {
			t.Errorf("the numbers jumped: %v, %v", moved, err)
		}
		before := r.Revision
		res, err := pawl.NewBoard(d.Board("shop")).Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ann"}, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "next"}}}})
		if r.Revision = res.Revision; err != nil || res.Revision != before+1 {
			t.Errorf("after the copy at %d: %d, %v", before, res.Revision, err)
		}
	}
	// A backup of the time before is one: it has given out those numbers already.
	if _, err := db.Exec(t.Context(), "update pawl.board set rev = rev - 1, last_id = last_id - 1 where name = 'shop'"); err != nil {
		t.Fatal(err)
	}
	if moved, err := here.Check(t.Context()); err != nil || len(moved) != 1 {
		t.Errorf("a board that is behind: %v, %v", moved, err)
	}
}
