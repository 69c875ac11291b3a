package trust

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// clone makes a project with a board of its own, and returns that board.
func clone(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(dir, "clone", ".tasks")
	if err := os.MkdirAll(own, 0o755); err != nil {
		t.Fatal(err)
	}
	return own
}

func newList(t *testing.T) *List {
	t.Helper()
	state := t.TempDir()
	list, err := Of(func(key string) string {
		if key == "XDG_STATE_HOME" {
			return state
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestRead(t *testing.T) {
	own := clone(t)
	project := filepath.Dir(own)
	above := filepath.Dir(project)
	for _, dir := range []string{"plan/.tasks", "bare", "real/deep"} {
		if err := os.MkdirAll(filepath.Join(above, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"link": "../real", "dangling": "../nowhere", "round": "round"} {
		mustrun.Link(t, target, filepath.Join(project, name))
	}
	for _, test := range []struct{ address, want string }{
		{"../plan/.tasks", above + "/plan/.tasks"},
		{"../plan", above + "/plan/.tasks"}, // a project's folder means its board
		{"../bare", above + "/bare"},
		{"../not/yet", above + "/not/yet"},
		{above + "/plan/.tasks", above + "/plan/.tasks"},
		{"link/deep", above + "/real/deep"},
		{"link/new", above + "/real/new"},
		{"./../clone/.tasks", own},
		{"dangling", "invalid"},
		{"dangling/x", "invalid"},
		{"round/x", "invalid"},
	} {
		ask, place, err := Read(own, test.address)
		if test.want == "invalid" {
			if !errors.Is(err, pawl.Invalid) {
				t.Errorf("%s: got %+v, %v", test.address, ask, err)
			}
			continue
		}
		want := Ask{Project: project, Address: test.address, Board: filepath.FromSlash(test.want)}
		if err != nil || ask != want || place.Dir != want.Board {
			t.Errorf("%s: got %+v, %+v, %v", test.address, ask, place, err)
		}
		if ask.Own(own) != (ask.Board == own) {
			t.Errorf("%s: Own is %v", test.address, ask.Own(own))
		}
	}
}

// An address of another kind of board is refused on each system, before it is
// taken for a path.
func TestReadURL(t *testing.T) {
	if ask, _, err := Read(clone(t), "postgres://host/db"); !errors.Is(err, pawl.Invalid) {
		t.Errorf("got %+v, %v", ask, err)
	}
}

// What is trusted is this address, in this clone, as long as it leads to this
// folder.
func TestTrust(t *testing.T) {
	own, list, ctx := clone(t), newList(t), t.Context()
	project := filepath.Dir(own)
	above := filepath.Dir(project)
	for _, dir := range []string{"mine", "theirs"} {
		if err := os.Mkdir(filepath.Join(above, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(project, "plan")
	lead := func(to string) {
		os.Remove(link)
		mustrun.Link(t, to, link)
	}
	has := func(own, address string) bool {
		ask, _, err := Read(own, address)
		if err != nil {
			t.Fatal(err)
		}
		yes, err := list.Has(ask)
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	lead("../mine")
	if has(own, "plan") {
		t.Error("trusted before anybody said so")
	}
	if gone, err := list.Revoke(ctx, project); len(gone) > 0 || err != nil {
		t.Errorf("revoked %v, %v where there was nothing", gone, err)
	}
	ask, _, err := Read(own, "plan")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} { // the second time it is nothing new
		if changed, err := list.Add(ctx, ask, noon); changed != want || err != nil {
			t.Errorf("changed %v, %v", changed, err)
		}
	}
	if !has(own, "plan") {
		t.Error("not trusted")
	}
	if has(own, "./plan") || has(own, "../mine") {
		t.Error("another address is trusted")
	}
	lead("../theirs")
	if has(own, "plan") {
		t.Error("trusted although it leads elsewhere now")
	}
	lead("../mine")
	copied := filepath.Join(above, "copy", ".tasks")
	if err := os.MkdirAll(copied, 0o755); err != nil {
		t.Fatal(err)
	}
	mustrun.Link(t, "../mine", filepath.Join(filepath.Dir(copied), "plan"))
	if has(copied, "plan") {
		t.Error("another clone is trusted")
	}

	second, _, err := Read(own, "../theirs")
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := list.Add(ctx, second, noon); !changed || err != nil {
		t.Errorf("changed %v, %v", changed, err)
	}
	if has(own, "plan") || !has(own, "../theirs") {
		t.Error("a new address stands beside the old one")
	}
	all, err := list.All()
	if err != nil || len(all) != 1 || all[0] != (Entry{second, noon}) {
		t.Errorf("all: %v, %v", all, err)
	}
	if gone, err := list.Revoke(ctx, project); len(gone) != 1 || err != nil || has(own, "../theirs") {
		t.Errorf("revoked %v, %v", gone, err)
	}
}

func TestTogether(t *testing.T) {
	list := newList(t)
	var all sync.WaitGroup
	for _, name := range strings.Split("abcdefgh", "") {
		all.Go(func() {
			if _, err := list.Add(t.Context(), Ask{"/" + name, "../x", "/x"}, noon); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	entries, err := list.All()
	if len(entries) != 8 || err != nil || entries[0].Project != "/a" {
		t.Errorf("%v, %v", entries, err)
	}
}

// A list that others could have written, or that cannot be read, trusts nothing.
func TestNotBelieved(t *testing.T) {
	list := newList(t)
	ask := Ask{"/a", "../x", "/x"}
	if _, err := list.Add(t.Context(), ask, noon); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		if info, err := os.Stat(list.Path()); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		for _, mode := range []os.FileMode{0o620, 0o602} {
			if err := os.Chmod(list.Path(), mode); err != nil {
				t.Fatal(err)
			}
			if yes, err := list.Has(ask); yes || !errors.Is(err, pawl.Invalid) {
				t.Errorf("mode %o: %v, %v", mode, yes, err)
			}
			if _, err := list.Add(t.Context(), Ask{"/b", "../x", "/x"}, noon); !errors.Is(err, pawl.Invalid) {
				t.Errorf("mode %o: added to, %v", mode, err)
			}
		}
		if err := os.Chmod(list.Path(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(list.Path(), []byte(`{"trusted": [{"project": "/a", "address"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if yes, err := list.Has(ask); yes || !errors.Is(err, pawl.Internal) {
		t.Errorf("a damaged list: %v, %v", yes, err)
	}
	if _, err := list.Add(t.Context(), ask, noon); !errors.Is(err, pawl.Internal) {
		t.Errorf("a damaged list was written: %v", err)
	}
}

func TestNoHome(t *testing.T) {
	if _, err := Of(func(string) string { return "" }); !errors.Is(err, pawl.NotFound) {
		t.Errorf("without a home: %v", err)
	}
}
