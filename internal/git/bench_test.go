package git

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkBoards reads three boards of 10,000 tasks, of which git shares most: two
// sides of a merge, and its base.
func BenchmarkBoards(b *testing.B) {
	c := newClone(b)
	c.git("config", "gc.auto", "0")
	const tasks = 10_000
	for n := range tasks {
		c.write(fmt.Sprintf(".tasks/task_%d.json", n+1), fmt.Sprintf("{\"id\": \"%d\", \"subject\": \"Task\", \"description\": %q}\n", n+1, strings.Repeat(fmt.Sprint(n, " "), 50)))
	}
	base := c.commit("Many")
	var commits []string
	for _, branch := range []string{"ours", "theirs"} {
		c.git("checkout", "-qb", branch, base)
		for n := range 100 {
			c.write(fmt.Sprintf(".tasks/task_%d.json", n+1), branch)
		}
		commits = append(commits, c.commit(branch))
	}
	tree := c.tree()
	read := func(b *testing.B) {
		for b.Loop() {
			folders, err := tree.Folders(b.Context(), c.board(), append(commits, base)...)
			if err != nil {
				b.Fatal(err)
			}
			var ids []string
			for _, f := range folders {
				for _, e := range f.Entries {
					ids = append(ids, e.ID)
				}
			}
			texts, err := tree.Blobs(b.Context(), ids, 1<<20)
			if err != nil || len(texts) != tasks+2 {
				b.Fatal(len(texts), err)
			}
		}
	}
	b.Run("loose", read)
	c.git("gc", "-q")
	b.Run("packed", read)
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			if all, err := tree.Entries(b.Context(), c.board()); err != nil || len(all) != tasks {
				b.Fatal(len(all), err)
			}
		}
	})
	b.Run("stamp", func(b *testing.B) {
		for b.Loop() {
			if d := tree.Dir(); d.Busy() || d.Stamp().Index == "" {
				b.Fatal("no stamp")
			}
		}
	})
}

// BenchmarkWorkTree looks at a work tree of 10,000 files.
func BenchmarkWorkTree(b *testing.B) {
	c := newClone(b)
	c.git("config", "gc.auto", "0")
	for n := range 10_000 {
		c.write(fmt.Sprintf("src/%d/file_%d.go", n/50, n), strings.Repeat(fmt.Sprint(n, " "), 50))
	}
	c.commit("Many")
	c.git("update-index", "--refresh")
	look := func(b *testing.B) {
		for b.Loop() {
			if w, err := WorkTree(b.Context(), c.dir, c.board()); err != nil || w.Tree == "" {
				b.Fatal(w, err)
			}
		}
	}
	b.Run("unchanged", look)
	for n := range 100 {
		c.write(fmt.Sprintf("src/%d/file_%d.go", n, n*50), "changed")
		c.write(fmt.Sprintf("new/%d", n), "new")
	}
	b.Run("200 changed", look)
}
