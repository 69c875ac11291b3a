package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/ui/hook"
)

// The page has a row for each program that hooks know, and for no other, and
// each says how far it was tried.
func TestHooksPage(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join(root, "docs", "hooks.md")))(t)
	rows := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| (run, recorded|recorded|docs) \\|").FindAllSubmatch(text, -1) {
		rows[string(row[1])] = true
	}
	if len(rows) < 10 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, agent := range hook.Agents() {
		if !rows[agent] {
			t.Errorf("--agent %s has no row", agent)
		}
		delete(rows, agent)
	}
	for agent := range rows {
		t.Errorf("there is no --agent %s", agent)
	}
}
