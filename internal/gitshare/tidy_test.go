package gitshare

import (
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
)

var syncs = flag.Int("syncs", 40, "how many syncs the test of the size makes")

// onDisk is how much of the disk a folder takes, in blocks as most disks have them, and
// how many files it has.
func onDisk(t testing.TB, dir string) (size int64, files int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += (info.Size() + 4095) / 4096 * 4096
			files++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return size, files
}

// However many syncs a clone makes, nobody has to call git gc: 10,000 of a board with
// 1,000 tasks, each with what another clone sent, every fourth of them after a race
// that was lost. (go test -run TestSize -syncs 10000)
func TestSize(t *testing.T) {
	f := newField(t)
	r := f.clone("ada")
	ctx := t.Context()
	tip := write(t, r, board(1000))
	if err := r.SetOwn(ctx, "", tip); err != nil {
		t.Fatal(err)
	}
	b, lost, most := read(t, r, tip), 0, 0
	now := time.Unix(1_700_000_000, 0)
	change := func(n, by int, parents ...string) string {
		id := pawl.ID(1 + (n*7919+by*31)%1000)
		held := &merge.Held{Clone: fmt.Sprintf("mini-%08x", by), Token: pawl.Revision(n), Session: fmt.Sprintf("session-%d-%d", n, by), Lease: time.Hour}
		b.Tasks[id] = fmt.Appendf(nil, "{\n  \"id\": \"%d\",\n  \"subject\": \"Task %d\",\n  \"description\": %q,\n  \"status\": \"in_progress\",\n  \"updatedAt\": \"%v\"\n}\n", id, id, strings.Repeat(fmt.Sprint("word ", id), 40), now.Add(time.Duration(n)*time.Minute))
		b.Beside[id] = merge.Beside{Turn: n, Held: held}
		c, err := r.Write(ctx, share.Commit{Board: b, Parents: parents, Name: "ada", Message: fmt.Sprintf("ada: #%d Task %d\n\npawl: {\"clone\":\"mini-%08x\"}\n", id, id, by), At: now.Add(time.Duration(n) * time.Minute)}, b)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for n := range *syncs {
		own := tip
		s := change(n, 1, own)
		theirs := change(n, 2, own)
		if n%4 == 0 {
			change(n, 3, theirs, s)
			lost++
		}
		tip = change(n, 4, theirs, s)
		if err := r.saw(ctx, tip); err != nil {
			t.Fatal(err)
		}
		if err := r.SetOwn(ctx, own, tip); err != nil {
			t.Fatal(err)
		}
		if err := r.Tidy(ctx); err != nil {
			t.Fatal(err)
		}
		if packs, _ := filepath.Glob(filepath.Join(r.repo.Dir(), "objects", "pack", "*.pack")); len(packs) > most {
			most = len(packs)
		}
		if n%1000 == 999 {
			size, files := onDisk(t, r.repo.Dir())
			t.Logf("after %d syncs: %.1f MB, %d files", n+1, float64(size)/1e6, files)
		}
	}
	size, files := onDisk(t, r.repo.Dir())
	t.Logf("%d syncs, %d races lost: %.1f MB, %d files, at most %d packs", *syncs, lost, float64(size)/1e6, files, most)
	if size > 25<<20 || most > 80 || files > 400 {
		t.Error("it grows too much")
	}
	if got := read(t, NewRepository(r.repo, r.remote, r.ref), tip); len(got.Tasks) != 1000 {
		t.Errorf("%d tasks are left", len(got.Tasks))
	}
	if out := f.git(r.repo.Dir(), "fsck", "--strict", "--connectivity-only", "--no-dangling"); strings.Contains(out, "error") || strings.Contains(out, "missing") {
		t.Error(out)
	}
	if n := f.git(r.repo.Dir(), "rev-list", "--first-parent", "--count", tip); n != fmt.Sprint(2**syncs+1) {
		t.Errorf("the line has %s commits", n)
	}
}
