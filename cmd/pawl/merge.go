package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/gitmerge"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/store/file"
)

// mergeBoard carries out pawl merge.
func mergeBoard(ctx context.Context, m cli.Merging) (merge.Outcome, error) {
	dir := boardOfTree(m.Dir, m.From)
	store, _, err := boards.Folder(dir, false)
	if err != nil {
		return merge.Outcome{}, err
	}
	merger := boards.MergerOf(dir, store)
	var out merge.Outcome
	if m.Abort {
		out, err = merger.Abort(ctx, m.By)
	} else {
		out, err = merger.Merge(ctx, gitmerge.Options{By: m.By, DryRun: m.Dry, Ref: m.Ref})
	}
	out.Apart = dir != m.Dir
	return out, errors.Join(err, store.Close())
}

// gitState says how a board stands with git.
func gitState(ctx context.Context, dir string) (merge.State, error) {
	store, err := file.Open(dir)
	if err != nil {
		return merge.State{}, err
	}
	state, err := boards.MergerOf(dir, store).State(ctx)
	return state, errors.Join(err, store.Close())
}

// boardOfTree is the board that git merges where somebody works: in a linked work
// tree that tree's own files, although all other verbs there use the board of the
// main tree.
func boardOfTree(dir, from string) string {
	here, ok := gitdir.Find(from)
	there, ok2 := gitdir.Find(dir)
	if !ok || !ok2 || here.Root == there.Root || here.Common != there.Common {
		return dir
	}
	rel, err := filepath.Rel(there.Root, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return dir
	}
	own := filepath.Join(here.Root, rel)
	if info, err := os.Stat(own); err != nil || !info.IsDir() {
		return dir
	}
	return own
}
