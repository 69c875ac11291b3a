package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

const (
	// maxPacks is how many packs may lie about: a sync makes two or three, and git
	// looks into each of them for an object.
	maxPacks = 60
	// spare is how many bytes more than double of what was left last time make it worth
	// to look for commits that lead nowhere: those that lost a race.
	spare = 4 << 20
	// unhurried is the time that packing all may take: it is two seconds for 10,000
	// syncs, and ten where the machine has other things to do.
	unhurried = 20 * time.Second
)

// Tidy packs the objects of syncs when there are many; else it reads one folder. The
// caller holds the lock of the repository: new unreferenced objects of another
// process would only be safe for a while.
//
// Packs of a few objects are joined to ones that are twice as large, and those again:
// so an object is copied a few times in all, whatever the number of syncs. That keeps
// all objects. Now and then, when the repository has doubled, those are dropped that
// no reference leads to and that are older than some minutes.
//
// The remote grows, too, and is not ours to pack. A sync leaves 7 to 10 files of
// 4 KiB there: without any gc 10,000 syncs are up to 100,000 files of 400 MB. A host
// packs by itself, and so does a bare repository in a folder: receive.autogc is on
// unless somebody has turned it off.
func (r *Repo) Tidy(ctx context.Context) error { return r.tidy(ctx, false) }

func (r *Repo) tidy(ctx context.Context, all bool) error {
	packs, size := r.packs()
	if packs <= maxPacks && !all {
		return nil
	}
	r.sweep()
	left, _ := strconv.ParseInt(strings.TrimSpace(string(gitdir.File(r.packed(), 100))), 10, 64)
	end, bounded := ctx.Deadline()
	if size <= 2*left+spare && !all || bounded && time.Until(end) < unhurried { // somebody waits for a claim: later
		return r.repack(ctx, "--geometric=2", "-d")
	}
	if err := r.repack(ctx, "-A", "-d", fmt.Sprintf("--unpack-unreachable=%d.minutes.ago", int(grace.Minutes()))); err != nil {
		return err
	}
	if _, err := r.tree.long(ctx, "prune", fmt.Sprintf("--expire=%d.minutes.ago", int(grace.Minutes()))); err != nil {
		return err
	}
	_, size = r.packs()
	return os.WriteFile(r.packed(), []byte(strconv.FormatInt(size, 10)), 0o644) // lost: it is done again
}

// packed has the size of the packs after the last time that all was packed.
func (r *Repo) packed() string { return filepath.Join(r.dir, "packed") }

func (r *Repo) repack(ctx context.Context, args ...string) error {
	args = append([]string{"repack", "-q", "-l"}, args...)
	_, err := r.tree.run(ctx, call{patience: longPatience, limit: maxAnswer},
		durable(append([]string{"-c", "repack.writeBitmaps=false", "-c", "repack.useDeltaBaseOffset=true", "-c", "pack.threads=1", "-c", "pack.writeReverseIndex=false", "-c", "core.multiPackIndex=false", "-c", "repack.cruftWindow=0"}, args...)...)...)
	return err
}

// packs are how many there are, and their bytes.
func (r *Repo) packs() (n int, size int64) {
	entries, _ := os.ReadDir(filepath.Join(r.dir, "objects", "pack"))
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".pack") {
			continue
		}
		n++
		if info, err := e.Info(); err == nil {
			size += info.Size()
		}
	}
	return n, size
}

// sweep removes what processes that were killed have left: packs that were being
// written, the marks of fetches under way, which would keep a pack from being joined for
// ever, and reports of crashes.
func (r *Repo) sweep() {
	for _, pattern := range []string{"objects/pack/tmp_*", "objects/pack/.tmp-*", "objects/pack/*.keep", "objects/tmp_*", "objects/??/tmp_*", "fast_import_crash_*", "*.lock", "refs/pawl/*.lock"} {
		paths, _ := filepath.Glob(filepath.Join(r.dir, filepath.FromSlash(pattern)))
		for _, path := range paths {
			if stale(path) && filepath.Base(path) != "refs.lock" {
				_ = os.Remove(path)
			}
		}
	}
	r.leftovers()
}
