package keeper

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/todo"
)

// A file that cannot be read is told, stops no other, and its session is asked for
// once more.
func TestBrokenFile(t *testing.T) {
	dir := t.TempDir()
	var warns []string
	reopen := func() *Keeper {
		return Open(dir, time.Now, func(text string) { warns = append(warns, text) })
	}
	k := reopen()
	send := func(s remote.Session) int64 {
		t.Helper()
		sent, err := k.Send(t.Context(), "shop", access.Token{ID: "a1", Name: "ada", Role: access.Work}, remote.Send{Home: "m1", Now: time.Now(), Sessions: []remote.Session{s}})
		if err != nil {
			t.Fatal(err)
		}
		return sent.Versions[0]
	}
	list := func(text string) *remote.List {
		return &remote.List{UpdatedAt: time.Now(), Items: []todo.Item{{ID: "1", Content: text, Status: todo.Pending}}}
	}
	seen := func() (texts []string) {
		lists, err := k.Lists(context.Background(), "shop", "", 0)
		if err != nil {
			t.Error(err)
		}
		for _, s := range lists.Sessions {
			texts = append(texts, s.List.Items[0].Content)
		}
		slices.Sort(texts)
		return texts
	}
	send(remote.Session{Session: "s1", Version: 1, List: list("a")})
	broken, _ := filepath.Glob(filepath.Join(dir, "shop", "*.json"))
	send(remote.Session{Session: "s2", Version: 1, List: list("b")})
	if err := os.WriteFile(broken[0], []byte(`{"format":1`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "shop", newText+"1"), []byte(`{`), 0o600); err != nil {
		t.Fatal(err)
	}
	k = reopen()
	if got := seen(); !slices.Equal(got, []string{"b"}) {
		t.Errorf("seen: %q", got)
	}
	if len(warns) != 1 || strings.Contains(warns[0], dir) {
		t.Errorf("told %q", warns)
	}
	if got := send(remote.Session{Session: "s1", Version: 2, Keep: true}); got != 0 {
		t.Errorf("the lost list is kept as %d", got)
	}
	send(remote.Session{Session: "s1", Version: 3, List: list("again")})
	if got := seen(); !slices.Equal(got, []string{"again", "b"}) {
		t.Errorf("a broken file is in the way of a new one: %q", got)
	}
}
