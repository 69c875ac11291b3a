package gitshare

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Where a wish leads is found out without leaving anything behind: doctor asks for it,
// too.
func TestAimLeavesNothing(t *testing.T) {
	f := newField(t)
	ada := f.desk("ada")
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	for _, remote := range []string{"", "origin", "nowhere"} {
		to, err := Aim(t.Context(), ada.board, Wish{By: ada.by, Remote: remote})
		if (err == nil) != (remote != "nowhere") || err == nil && to.Remote != "origin" {
			t.Errorf("%q leads to %+v, %v", remote, to, err)
		}
		if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
			t.Errorf("%q leaves %v, %v", remote, left, err)
		}
	}
}

// A relative path begins at the folder that it is given in; what only looks like one
// is left to git.
func TestAimFrom(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada := f.desk("ada")
	from := filepath.Join(filepath.Dir(ada.board), "docs")
	must.Do(t, os.MkdirAll(filepath.Join(from, "shop.git"), 0o755))
	for remote, want := range map[string]string{
		"./shop.git": filepath.Join(from, "shop.git"), "shop.git/": filepath.Join(from, "shop.git"), "../x.git": filepath.Join(filepath.Dir(from), "x.git"),
		"team/plans": "team/plans", "host:shop.git": "host:shop.git", "https://ada:secret@example.com/x": "https://example.com/x", "origin": "origin",
		filepath.Join(from, "x"): filepath.Join(from, "x"),
	} {
		if to, err := Aim(t.Context(), ada.board, Wish{Remote: remote, From: from}); err != nil || to.Remote != want {
			t.Errorf("%s leads to %+v, %v", remote, to, err)
		}
	}
}

// A name that no branch can have is refused before anything is said to be sent there.
func TestAimAtBranch(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada := f.desk("ada")
	for branch, want := range map[string]string{"plans": "refs/heads/plans", "team/plans": "refs/heads/team/plans", "a b": "", "-x": "", "../../x": "", "x.lock": "", "x:y": ""} {
		to, err := Aim(t.Context(), ada.board, Wish{Branch: branch})
		if want == "" && pawl.KindOf(err) != pawl.Invalid || want != "" && (err != nil || to.Ref != want) {
			t.Errorf("%q leads to %+v, %v", branch, to, err)
		}
	}
}
