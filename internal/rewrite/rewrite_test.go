package rewrite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/filelock"
)

func newFile(t *testing.T) File {
	t.Helper()
	return File{Dir: t.TempDir(), Name: "f", Lock: ".lock", Temp: "sub/f", Mode: 0o600, Limit: 1 << 10}
}

func (f File) mustHold(t *testing.T, want string) {
	t.Helper()
	got, err := os.ReadFile(f.Path())
	if err != nil || string(got) != want {
		t.Errorf("it holds %q, %v; want %q", got, err, want)
	}
	if left, _ := os.ReadDir(filepath.Join(f.Dir, "sub")); len(left) > 0 {
		t.Errorf("a temporary file was left: %v", left)
	}
}

func to(text string) func([]byte) ([]byte, error) {
	return func([]byte) ([]byte, error) { return []byte(text), nil }
}

func TestChange(t *testing.T) {
	f, ctx := newFile(t), t.Context()
	changed, err := f.Change(ctx, func(old []byte) ([]byte, error) {
		if old != nil {
			t.Error("a file that is not there has a text")
		}
		return []byte("one"), nil
	})
	if !changed || err != nil {
		t.Fatal(changed, err)
	}
	f.mustHold(t, "one")
	before, _ := os.Stat(f.Path())
	if changed, err := f.Change(ctx, to("one")); changed || err != nil {
		t.Errorf("the same text again: %v, %v", changed, err)
	}
	if after, _ := os.Stat(f.Path()); !os.SameFile(before, after) {
		t.Error("nothing changed, and the file was replaced")
	}
	wrong := errors.New("wrong")
	if changed, err := f.Change(ctx, func([]byte) ([]byte, error) { return []byte("two"), wrong }); changed || err != wrong {
		t.Errorf("an error of fn: %v, %v", changed, err)
	}
	f.mustHold(t, "one")
	must.Do(t, os.WriteFile(f.Path(), nil, 0o600))
	if changed, err := f.Change(ctx, func(old []byte) ([]byte, error) {
		if old == nil {
			t.Error("an empty file counts as none")
		}
		return []byte("three"), nil
	}); !changed || err != nil {
		t.Errorf("an empty file: %v, %v", changed, err)
	}
}

func TestLeftAlone(t *testing.T) {
	f := newFile(t)
	changed, err := f.Change(t.Context(), func([]byte) ([]byte, error) { return nil, nil })
	if _, there := os.Stat(f.Path()); changed || err != nil || there == nil {
		t.Errorf("a file was made of nothing: %v, %v", changed, err)
	}
}

func TestMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // has no such modes
	}
	f := newFile(t)
	mode := func() os.FileMode {
		info := must.Get(os.Stat(f.Path()))(t)
		return info.Mode()
	}
	if _, err := f.Change(t.Context(), to("one")); err != nil || mode() != 0o600 {
		t.Errorf("a new file: %v, %v", mode(), err)
	}
	if err := os.Chmod(f.Path(), 0o666); err != nil { // more than a umask leaves
		t.Fatal(err)
	}
	if _, err := f.Change(t.Context(), to("two")); err != nil || mode() != 0o666 {
		t.Errorf("one that is there: %v, %v", mode(), err)
	}
}

// Of many that add a line at a time none loses another's.
func TestTogether(t *testing.T) {
	f := newFile(t)
	const writers, lines = 8, 10
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range lines {
				if _, err := f.Change(t.Context(), func(old []byte) ([]byte, error) {
					return fmt.Appendf(old, "%d.%d\n", w, i), nil
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(f.Path())
	if n := strings.Count(string(text), "\n"); n != writers*lines {
		t.Errorf("%d lines, want %d, %v", n, writers*lines, err)
	}
}

// A program that takes no lock, and writes while fn works, is not overwritten.
func TestStranger(t *testing.T) {
	f, runs := newFile(t), 0
	changed, err := f.Change(t.Context(), func(old []byte) ([]byte, error) {
		if runs++; runs == 1 {
			must.Do(t, os.WriteFile(f.Path(), []byte("theirs "), 0o600))
		}
		return append(old, "ours"...), nil
	})
	if !changed || err != nil || runs != 2 {
		t.Errorf("%v, %v, after %d runs", changed, err, runs)
	}
	f.mustHold(t, "theirs ours")
	_, err = f.Change(t.Context(), func(old []byte) ([]byte, error) {
		runs++
		return append(old, "!"...), os.WriteFile(f.Path(), fmt.Append(nil, runs), 0o600)
	})
	if !errors.Is(err, pawl.Conflict) {
		t.Errorf("somebody who never stops: %v", err)
	}
}

func TestLocked(t *testing.T) {
	f := newFile(t)
	holder := must.Get(os.OpenFile(filepath.Join(f.Dir, f.Lock), os.O_RDWR|os.O_CREATE, 0o600))(t)
	defer holder.Close()
	if got, err := filelock.Try(holder); !got || err != nil {
		t.Fatal(got, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Change(ended, to("one")); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("a lock that somebody holds: %v", err)
	}
	// A lock file that was removed keeps nobody out.
	if err := os.Remove(holder.Name()); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		if _, err := f.Change(t.Context(), to("one")); err != nil {
			t.Errorf("a lock that was removed: %v", err)
		}
	}
}

// Links that came with somebody's project lead nowhere.
func TestLinks(t *testing.T) {
	outside := t.TempDir()
	victim := filepath.Join(outside, "victim")
	must.Do(t, os.WriteFile(victim, []byte("precious"), 0o600))
	for name, target := range map[string]string{"f": victim, ".lock": filepath.Join(outside, "made"), "sub": outside} {
		f := newFile(t)
		mustrun.Link(t, target, filepath.Join(f.Dir, name))
		if _, err := f.Change(t.Context(), to("evil")); err == nil {
			t.Errorf("%s was followed out of the folder", name)
		}
	}
	if text, _ := os.ReadFile(victim); string(text) != "precious" {
		t.Errorf("a file outside was written: %q", text)
	}
	if left, _ := os.ReadDir(outside); len(left) != 1 {
		t.Errorf("something was made outside: %v", left)
	}
}

func TestUnfit(t *testing.T) {
	f := newFile(t)
	must.Do(t, os.Mkdir(f.Path(), 0o700))
	if _, err := f.Change(t.Context(), to("one")); !errors.Is(err, pawl.Invalid) {
		t.Errorf("a folder: %v", err)
	}
	f = newFile(t)
	if _, err := f.Change(t.Context(), to("one")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Change(t.Context(), to(strings.Repeat("x", int(f.Limit)+1))); !errors.Is(err, pawl.Invalid) || !strings.Contains(err.Error(), "1 KiB") {
		t.Errorf("a text that nobody could read again: %v", err)
	}
	if text, err := os.ReadFile(f.Path()); err != nil || string(text) != "one" {
		t.Errorf("got %q, %v", text, err)
	}
	f = newFile(t)
	must.Do(t, os.WriteFile(f.Path(), make([]byte, f.Limit+1), 0o600))
	if _, err := f.Change(t.Context(), to("one")); !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "1 KiB") {
		t.Errorf("a large file: %v", err)
	}
	f.Dir = filepath.Join(f.Dir, "nowhere")
	if _, err := f.Change(t.Context(), to("one")); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("no folder: %v", err)
	}
}
