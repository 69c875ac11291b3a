package gitshare

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
)

var syncs = flag.Int("syncs", 60, "how many syncs the test of the size makes")

// onDisk is how much of the disk a folder takes, in blocks as most disks have them, and
// how many files it has.
func onDisk(t testing.TB, dir string) (size int64, files int) {
	t.Helper()
	must.Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += (info.Size() + 4095) / 4096 * 4096
			files++
		}
		return err
	}))
	return size, files
}

// However many syncs the clones of a board make, nobody has to call git gc in one of
// them. A sync is a snapshot of a change, on what the clone was last synced to, and the
// merge of it with what the remote has; every fourth is made twice, because the first
// one lost a race. (go test ./internal/gitshare -run TestSize -v -syncs 10000)
func TestSize(t *testing.T) {
	t.Parallel()
	f := newField(t)
	r := f.clone("ada")
	ctx := t.Context()
	tip := write(t, r, board(1000))
	must.Do(t, r.SetOwn(ctx, "", tip))
	b, lost, most := read(t, r, tip), 0, 0
	now := time.Unix(1_700_000_000, 0)
	commit := func(n int, parents ...string) string {
		return must.Get(r.Write(ctx, share.Commit{Board: b, Parents: parents, Name: "ada", Message: fmt.Sprintf("ada: %d tasks\n\npawl: {\"clone\":\"mini-%08x\"}\n", n, n%3), At: now.Add(time.Duration(n) * time.Minute)}, b))(t)
	}
	before := tip // what another clone was synced to when it began
	for n := range *syncs {
		id := pawl.ID(1 + n*7919%1000)
		b.Tasks[id] = fmt.Appendf(nil, "{\n  \"id\": \"%d\",\n  \"subject\": \"Task %d\",\n  \"description\": %q,\n  \"status\": \"in_progress\",\n  \"updatedAt\": \"%v\"\n}\n", id, id, strings.Repeat(fmt.Sprint("word ", id), 40), now.Add(time.Duration(n)*time.Minute))
		b.Beside[id] = merge.Beside{Turn: n, Held: &merge.Held{Clone: fmt.Sprintf("mini-%08x", n%3), Token: pawl.Revision(n), Session: fmt.Sprintf("session-%d", n), Lease: pawl.Duration(time.Hour)}}
		snapshot := commit(n, before)
		if n%4 == 0 {
			b.Mark++ // so that it is another one
			commit(n, before, snapshot)
			b.Mark--
			lost++
		}
		own := tip
		before, tip = tip, commit(n, tip, snapshot)
		must.Do(t, errors.Join(r.saw(ctx, tip), r.SetOwn(ctx, own, tip), r.Tidy(ctx)))
		if packs, _ := filepath.Glob(filepath.Join(r.Repo.Dir(), "objects", "pack", "*.pack")); len(packs) > most {
			most = len(packs)
		}
		if n%1000 == 999 {
			size, files := onDisk(t, r.Repo.Dir())
			t.Logf("after %d syncs: %.1f MB, %d files", n+1, float64(size)/1e6, files)
		}
	}
	size, files := onDisk(t, r.Repo.Dir())
	t.Logf("%d syncs, %d races lost: %.1f MB, %d files, at most %d packs", *syncs, lost, float64(size)/1e6, files, most)
	if size > 25<<20 || most > 80 || files > 400 {
		t.Error("it grows too much")
	}
	if got := read(t, NewRepository(r.Repo, r.remote, r.ref), tip); len(got.Tasks) != 1000 {
		t.Errorf("%d tasks are left", len(got.Tasks))
	}
	if out := f.git(r.Repo.Dir(), "fsck", "--strict", "--connectivity-only", "--no-dangling"); strings.Contains(out, "error") || strings.Contains(out, "missing") {
		t.Error(out)
	}
	if n := f.git(r.Repo.Dir(), "rev-list", "--first-parent", "--count", tip); n != fmt.Sprint(*syncs+1) {
		t.Errorf("the line has %s commits", n)
	}
}
