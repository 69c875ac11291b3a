package taskmd_test

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/imports/importstest"
	"github.com/pawl-dev/pawl/internal/imports/taskmd"
)

func TestSample(t *testing.T) { importstest.Sample(t, &taskmd.Format, "tasks") }

// TestVerify: commands of a task are text.
func TestVerify(t *testing.T) {
	root := importstest.Files(t, "tasks/a.md", "---\nid: 01ky5f883\ntitle: A\nstatus: in-progress\npriority: high\nparent: \"2\"\nverify:\n  - type: bash\n    run: \"make test\"\n---\n# A\n\n## Acceptance Criteria\n\n- one\n- two\n",
		"tasks/b.md", "---\nid: 2\ntitle: B\nstatus: completed\n---\n")
	importstest.Golden(t, &taskmd.Format, root, "tasks", "verify.txt")
}

func FuzzRead(f *testing.F) {
	importstest.Fuzz(f, &taskmd.Format, "---\nid: \"1\"\ntitle: A\nstatus: cancelled\ntags: [a]\ndependencies: [\"2\"]\n---\n# A\ntext")
}
