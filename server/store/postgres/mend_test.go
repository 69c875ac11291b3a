package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// The database does not take a mending for a writer that hangs, however long a large board
// takes to compare.
func TestMendTakesItsTime(t *testing.T) {
	p := patientBoard(t)
	for range 4 {
		op := pawl.Create{Tasks: make([]pawl.NewTask, pawl.MaxBatch)}
		for i := range op.Tasks {
			op.Tasks[i].Subject = fmt.Sprint("Step ", i)
		}
		must.Do(t, errOf(pawl.NewBoard(p.store).Do(t.Context(), pawl.Request{Op: op})))
	}
	p.sql("update pawl.free_count set n = n + 1")
	with := map[bool]string{true: "&", false: "?"}[strings.Contains(p.dsn, "?")]
	db, err := pg.Open(t.Context(), p.dsn+with+"idle_in_transaction_session_timeout=1")
	must.Do(t, err)
	defer db.Close()
	mended, err := postgres.Over(db).Board("shop").Mend(t.Context(), ann, false)
	if err != nil || len(mended) == 0 {
		t.Errorf("mended %v, %v", mended, err)
	}
	if left := p.check(); len(left) > 0 {
		t.Errorf("afterwards: %v", left)
	}
}
