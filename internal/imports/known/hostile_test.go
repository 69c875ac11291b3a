package known_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/imports/importstest"
	"github.com/pawl-dev/pawl/internal/imports/known"
)

// TestHostileSizes reads files of a few MiB, or of 30 KiB, that once took minutes
// or all memory, because some step took the square or the cube of their length.
// Each is read in well under a second; with the fault this test does not end.
func TestHostileSizes(t *testing.T) {
	list := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line, i+1)
		}
		return b.String()
	}
	kiro := "- [ ] 0. a\n  - _Requirements: 1_\n"
	for _, c := range []struct{ name, format, text, want string }{
		{"dependencies of one task", "taskmaster", `{"tasks":[{"id":"x","title":"x","dependencies":[` + list(200_000, "%d,") + `"y"]}]}`, "references to absent tasks"},
		{"what one task blocks", "claude", `{"id":"x","subject":"x","activeForm":"","blockedBy":[],"blocks":[` + list(200_000, `"%d",`) + `"y"]}`, "references to absent tasks"},
		{"one number again and again", "kiro", kiro + strings.Repeat("- [ ] 1. a\n", 100_000), "more than 2000 tasks"},
		{"one id again and again", "speckit", strings.Repeat("- [ ] T001 a\n", 100_000), "more than 2000 tasks"},
		{"no number", "openspec", "## 1. A\n" + strings.Repeat("- [ ] a\n", 100_000), "more than 2000 tasks"},
		{"one task in a wave, all others in none", "kiro", kiro + list(1_990, "- [ ] %d. a\n") + "```json\n{\"waves\":[{\"tasks\":[\"0\"]}]}\n```\n", "dependencies on one task"},
		{"blank lines", "kiro", kiro + strings.Repeat("\n", 3<<20), "the input is longer than 2 MiB"},
		{"ranges of tasks", "speckit", list(999, "- [ ] T%03d a\n") + "- [ ] T1001 b depends on " + strings.Repeat("T001-T999, ", 100_000) + "T001\n", "title"},
		{"a field of many lines", "taskmd", "---\nid: A\ntitle: t\nstatus: pending\nfoo: b\n" + strings.Repeat(" a\n", 100_000) + "---\n", "foo"},
		{"a list of many lines", "taskmd", "---\nid: A\ntitle: t\nstatus: pending\nfoo: [b,\n" + strings.Repeat(" a\n", 100_000) + "]\n---\n", "foo"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := importstest.Text(known.Named(c.format), c.text)
			told := fmt.Sprint(err)
			if err == nil {
				for _, remark := range r.LeftOut[:min(len(r.LeftOut), 10)] {
					if told += "\n" + remark.String() + " " + remark.Detail; len(remark.String()) > 4_000 {
						t.Errorf("a remark has %d bytes", len(remark.String()))
					}
				}
			}
			if !strings.Contains(told, c.want) {
				t.Errorf("%.300s\nwant %q", told, c.want)
			}
		})
	}
}
