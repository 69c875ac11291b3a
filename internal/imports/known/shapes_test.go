package known_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/importstest"
	"github.com/pawl-dev/pawl/internal/imports/known"
	"github.com/pawl-dev/pawl/internal/plan"
)

// Each shape of a plan comes whole, without a remark, and a second import changes
// nothing.
func TestShapes(t *testing.T) {
	raw := must.Get(os.ReadFile("testdata/shapes.md"))(t)
	played := map[string]int{}
	for _, shape := range strings.Split(string(raw), "\n=== ")[1:] {
		head, text, _ := strings.Cut(shape, "\n")
		var name string
		var boxes int
		if _, err := fmt.Sscanf(head, "%s %d", &name, &boxes); err != nil {
			t.Fatal(head, err)
		}
		i := slices.IndexFunc(known.Boxes(), func(f *imports.Format) bool { return f.Name == name })
		f := known.Boxes()[i]
		played[name]++
		for _, text := range []string{text, "\uFEFF" + strings.ReplaceAll(text, "\n", "\r\n")} {
			root := importstest.Files(t, "tasks.md", text)
			in := imports.Input{Root: root, Path: "tasks.md", Place: "tasks.md"}
			r, err := imports.Read(f, &in)
			in.Close()
			if err != nil {
				t.Errorf("%s: %v", head, err)
				continue
			}
			n, counted := 0, map[int]bool{}
			for _, b := range plan.Boxes(strings.TrimPrefix(text, "\uFEFF"), 0) {
				counted[b.Line] = true
			}
			for i := range r.Tasks {
				if task := &r.Tasks[i]; slices.Contains(task.Kept(), "box") || name == "plan" && counted[task.At.Line] {
					n++
				}
			}
			if left := slices.DeleteFunc(r.LeftOut, func(r imports.Remark) bool {
				return r.What == "not tasks" && name == "plan" && !strings.Contains(r.Detail, "line ")
			}); n != boxes || len(left) > 0 {
				t.Errorf("%s: %d boxes, left out %v", head, n, left)
			}
			importstest.Load(t, f, r)
		}
	}
	if played["speckit"] < 10 || played["openspec"] < 10 || played["kiro"] < 10 || played["plan"] < 10 {
		t.Error(played)
	}
}
