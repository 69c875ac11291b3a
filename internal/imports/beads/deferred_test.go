package beads

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/imports"
)

// An open issue is deferred until a time that is not past.
func TestDeferUntil(t *testing.T) {
	text := `{"id":"a","title":"A","status":"open","issue_type":"task","defer_until":"2027-01-01T00:00:00Z"}
{"id":"b","title":"B","status":"open","issue_type":"task","defer_until":"2025-01-01T00:00:00Z"}
{"id":"c","title":"C","status":"open","issue_type":"task"}
`
	r, err := imports.Read(&Format, &imports.Input{In: strings.NewReader(text), Now: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)})
	if err != nil || len(r.Tasks) != 3 {
		t.Fatal(r, err)
	}
	if h := r.Tasks[0].Hold; h == nil || h.Reason != "deferred in beads until 2027-01-01T00:00:00Z" || r.Tasks[1].Hold != nil || r.Tasks[2].Hold != nil {
		t.Errorf("%+v", r.Tasks)
	}
}
