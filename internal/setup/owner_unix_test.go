//go:build unix

package setup

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// A file keeps its owner and its group: a setup under sudo does not take it from
// the user.
func TestOwner(t *testing.T) {
	uid, gid := os.Geteuid(), -1
	if uid == 0 {
		uid, gid = 1, 1
	} else if groups, err := os.Getgroups(); err == nil {
		if i := slices.IndexFunc(groups, func(g int) bool { return g != os.Getegid() }); i >= 0 {
			gid = groups[i]
		}
	}
	if gid < 0 {
		mustrun.NotHere(t, "a user of one group has nobody to give a file to")
	}
	h := newHouse(t)
	h.write(".claude.json", "{}")
	path := filepath.Join(h.home, ".claude.json")
	must.Do(t, os.Chown(path, uid, gid))
	for _, play := range []func(...Setup) *Plan{h.setup, h.uninstall} {
		play(h.of("claude", User))
		var is unix.Stat_t
		if err := unix.Stat(path, &is); err != nil || int(is.Uid) != uid || int(is.Gid) != gid {
			t.Errorf("it belongs to %d and %d, %v; want %d and %d", is.Uid, is.Gid, err, uid, gid)
		}
	}
}
