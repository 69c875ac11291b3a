package project

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// clone makes a project with a board of its own, and returns that board.
func cloned(t *testing.T) string {
	t.Helper()
	dir := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	own := filepath.Join(dir, "clone", ".tasks")
	must.Do(t, os.MkdirAll(own, 0o755))
	return own
}

func TestRead(t *testing.T) {
	own := cloned(t)
	project := filepath.Dir(own)
	above := filepath.Dir(project)
	for _, dir := range []string{"plan/.tasks", "bare", "real/deep"} {
		must.Do(t, os.MkdirAll(filepath.Join(above, dir), 0o755))
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
		ask, place, err := readAsk(own, test.address)
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
		if ask.own(own) != (ask.Board == own) {
			t.Errorf("%s: own is %v", test.address, ask.own(own))
		}
	}
}

// An address of another kind of board is refused on each system, before it is
// taken for a path.
func TestReadURL(t *testing.T) {
	if ask, _, err := readAsk(cloned(t), "postgres://host/db"); !errors.Is(err, pawl.Invalid) {
		t.Errorf("got %+v, %v", ask, err)
	}
}
