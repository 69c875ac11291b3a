package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/query"
)

// A process that runs on, as pawl mcp, brings a shared board back at the next call after
// git clean: it had an empty one until then, and began another board at #1.
func TestCleanedUnderAServer(t *testing.T) {
	at, ctx, by := t.TempDir(), t.Context(), pawl.Actor{Name: "ada"}
	t.Setenv("HOME", filepath.Join(at, "home"))
	t.Setenv("PAWL_SYNC", "allow")
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", at}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "--bare", "shop.git")
	git("init", "-q", "ada")
	git("-C", "ada", "remote", "add", "origin", filepath.Join(at, "shop.git"))
	dir := filepath.Join(at, "ada", ".tasks")
	must.Get(shareBoard(ctx, cli.ToShare{Dir: dir, By: by}))(t)
	board := must.Get(boards.Watched(dir, func(string) {}))(t)
	defer board.Close()
	add := func(want pawl.ID) {
		t.Helper()
		o, err := board.Do(ctx, pawl.Request{By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "Go on"}}}}, query.WantNames)
		if err != nil || o.Result.IDs[0] != want {
			t.Fatalf("made %v, %v", o.Result.IDs, err)
		}
		must.Get(syncBoard(ctx, cli.ToSync{Dir: dir, By: by}))(t)
	}
	clean := func() {
		must.Do(t, os.RemoveAll(dir))
	}
	add(1)
	clean()
	add(2)
	clean()
	if page, err := query.Of(ctx, board, query.Asker{By: by}, query.TasksQuery{}); err != nil || page.Page.Total != 2 {
		t.Errorf("%+v, %v", page, err)
	}
}
