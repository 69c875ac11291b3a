package git

import (
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Files that Update put into the index are known to be the same on the disk, without
// a filter being run.
func TestRefresh(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.task(2, "Cart")
	c.write(".tasks/task_3.json", "{}\n")
	tree := must.Get(Find(t.Context(), c.dir))(t)
	two := must.Get(os.ReadFile(c.path(".tasks/task_2.json")))(t)
	ids := must.Get(tree.Put(t.Context(), [][]byte{two, []byte("{}\n")}))(t)
	put := []Entry{{Name: "task_2.json", Mode: Regular, ID: ids[0]}, {Name: "task_3.json", Mode: Regular, ID: ids[1]}}
	must.Do(t, tree.Update(t.Context(), c.board(), nil, put...))
	c.write(".git/info/attributes", ".tasks/task_3.json filter=evil\n")
	c.git("config", "filter.evil.clean", "touch "+c.path("ran")+"; cat")
	must.Do(t, tree.Refresh(t.Context(), c.board(), "task_2.json", "task_3.json"))
	if _, err := os.Stat(c.path("ran")); err == nil {
		t.Error("a filter was run")
	}
	if out := c.git("diff-files", "--name-only"); strings.Contains(out, "task_2") || !strings.Contains(out, "task_3") {
		t.Errorf("git takes for changed:\n%s", out)
	}
}
