package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// docs/board.md has the keys of the help, as this prints them.
func TestBoardPage(t *testing.T) {
	const begin, end = "<!-- made by go test ./internal/ui/tui -update -->\n", "<!-- end -->"
	var made strings.Builder
	for _, group := range keyGroups() {
		fmt.Fprintf(&made, "| %s | |\n|---|---|\n", group.title)
		for _, k := range group.keys {
			fmt.Fprintf(&made, "| %s | %s |\n", inCode(k.key), k.words())
		}
		made.WriteByte('\n')
	}
	path := filepath.Join("../../../docs", "board.md")
	page := must.Get(os.ReadFile(path))(t)
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the keys", path)
	}
	want := before + begin + made.String() + end + after
	if *update {
		must.Do(t, os.WriteFile(path, []byte(want), 0o644))
	} else if string(page) != want {
		t.Errorf("%s is not about the keys that there are: go test ./internal/ui/tui -run TestBoardPage -update", path)
	}
	for _, k := range append(liftKeys(), keyPlace, keyTurn, keyEditor) { // those that mean something for a while only
		for name := range strings.FieldsSeq(inCode(k)) {
			if !strings.Contains(before+after, name) {
				t.Errorf("%s does not say what %s does: %s", path, name, k.does)
			}
		}
	}
}

// inCode is how a page writes the keys of a binding.
func inCode(k binding) string {
	names := strings.Fields(keyNames(k, true))
	return "`" + strings.Join(names, "` `") + "`"
}
