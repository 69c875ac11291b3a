package access

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A key opens the page of one board until it ends, also after a restart, and no other
// server's key does.
func TestPageKeys(t *testing.T) {
	dir := t.TempDir()
	keys := must.Get(OpenPageKeys(t.Context(), dir))(t)
	now := time.Date(2026, 11, 23, 14, 0, 0, 0, time.UTC)
	until := now.Add(PageKeyLife)
	key := keys.Make("7f3a", "shop", until)

	again := must.Get(OpenPageKeys(t.Context(), dir))(t)
	if id, ends, ok := again.Token(key, "shop", until.Add(-time.Second)); !ok || id != "7f3a" || !ends.Equal(until) {
		t.Errorf("%q until %v, %v", id, ends, ok)
	}
	other := must.Get(OpenPageKeys(t.Context(), t.TempDir()))(t)
	if _, _, ok := other.Token(key, "shop", now); ok {
		t.Error("another server's key is taken")
	}
	if _, _, ok := keys.Token(key, "shop", until); ok {
		t.Error("a key holds after its end")
	}
	if _, _, ok := keys.Token(key, "till", now); ok {
		t.Error("a key opens the page of another board")
	}
	// Nothing in a key can be changed: neither whose nor until when, and a board
	// cannot lend its name to it.
	rest := strings.TrimPrefix(key, PageKeyPrefix)
	parts := strings.Split(rest, ".")
	for _, forged := range []string{
		"", PageKeyPrefix, rest, key + "x", key[:len(key)-1], PageKeyPrefix + "7f3b." + parts[1] + "." + parts[2],
		PageKeyPrefix + "7f3a.zzzzzz." + parts[2], PageKeyPrefix + "7f3a." + parts[2], PageKeyPrefix + ".." + parts[2], PageKeyPrefix + strings.Repeat("7", 1000) + rest,
	} {
		if _, _, ok := keys.Token(forged, "shop", now); ok {
			t.Errorf("%.40q is taken", forged)
		}
	}
	if _, _, ok := keys.Token(key, "shop\n7f3a", now); ok {
		t.Error("a strange board is taken")
	}
}

// The secret is for the server's user alone, and a file that holds something else is
// named and left alone.
func TestSecretOfPages(t *testing.T) {
	dir := t.TempDir()
	must.Get(OpenPageKeys(t.Context(), dir))(t)
	path := filepath.Join(dir, "page.key")
	info := must.Get(os.Stat(path))(t)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	must.Do(t, os.WriteFile(path, []byte("mine\n"), 0o600))
	if _, err := OpenPageKeys(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "page.key") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine\n" {
		t.Errorf("%q", text)
	}
}

// A key is worth what its token is.
func TestFindToken(t *testing.T) {
	tokens := must.Get(Open(t.TempDir()))(t)
	clock := time.Now()
	tokens.now = func() time.Time { clock = clock.Add(time.Second); return clock }
	_, made, err := tokens.Create(t.Context(), Token{Name: "ada", Person: true, Role: Read, Boards: []string{"shop"}}, false)
	must.Do(t, err)
	if found, err := tokens.Find(made.ID); err != nil || found.Name != "ada" {
		t.Error(found, err)
	}
	if _, err := tokens.Find("nobody"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	must.Get(tokens.Revoke(t.Context(), made.ID))(t)
	if _, err := tokens.Find(made.ID); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}
