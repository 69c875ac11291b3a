package team

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestAuditOfTokens(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	a := must.Get(OpenAudit(dir, func() time.Time { return now }, func(text string) { t.Error(text) }))(t)
	ada := access.Token{ID: "aaaaaaaa", Name: "ada"}
	a.Token(ada, "made, role work, for shop")
	a.Token(ada, "ended")
	ada.Expires = now
	a.Token(ada, "ended")
	ada.Revoked = now
	a.Token(ada, "ended")
	(*Audit)(nil).Token(ada, "ended")
	must.Do(t, a.Close())
	text := must.Get(os.ReadFile(filepath.Join(dir, "audit.jsonl")))(t)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, want := range []string{"made, role work, for shop", "ended", "expired", "revoked"} {
		if want = `"event":"token","token":"aaaaaaaa","name":"ada","why":"` + want + `"`; len(lines) != 4 || !strings.Contains(lines[i], want) {
			t.Errorf("line %d of %q does not have %s", i, lines, want)
		}
	}
}

func TestForced(t *testing.T) {
	done := pawl.Complete{IDs: []pawl.ID{1}, Force: true}
	for _, op := range []pawl.Op{done, &done, pawl.All{Ops: []pawl.Op{pawl.AddNote{}, done}}, &pawl.All{Ops: []pawl.Op{&done}}} {
		if !pawl.Forced(op) {
			t.Errorf("%T is not told to be forced", op)
		}
	}
	for _, op := range []pawl.Op{nil, pawl.Complete{}, pawl.All{}, pawl.All{Ops: []pawl.Op{nil}}, (*pawl.Complete)(nil)} {
		if pawl.Forced(op) {
			t.Errorf("%T is told to be forced", op)
		}
	}
}
