package git

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// Git takes the lines as they are meant, whatever the board's folder is called, and
// the driver comes before the rules of the board.
func TestAttributes(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{".tasks", "api/.tasks", "a b/.tasks", "a\"b/.tasks", "[x]/.tasks", "#x/.tasks", "!x/.tasks", "é*?/.tasks", "a\tb/.tasks", `a\b/.tasks`, `a \b/.tasks`} {
		t.Run(dir, func(t *testing.T) {
			c := newClone(t)
			c.write(dir+"/task_1.json", "{}")
			c.write(dir+"/.gitattributes", string(gitdir.BoardAttributes(nil)))
			merge := func(name string) string {
				out := c.git("check-attr", "-z", "merge", "--", name)
				fields := strings.Split(out, "\x00")
				return fields[2]
			}
			for name, want := range map[string]string{"task_12.json": "unset", ".highwatermark": "unset", "notes.md": "unspecified"} {
				if got := merge(dir + "/" + name); got != want {
					t.Errorf("by the board, %s: %s", name, got)
				}
			}
			rules, ok := gitdir.DriverRules(dir)
			if !ok {
				t.Fatal("it cannot be named")
			}
			c.write(filepath.Join(".git", "info", "attributes"), strings.Join(rules, "\n")+"\n")
			for name, want := range map[string]string{dir + "/task_12.json": "pawl", dir + "/.highwatermark": "pawl", dir + "/notes.md": "unspecified", "other/" + dir + "/task_1.json": "unspecified"} {
				if got := merge(name); got != want {
					t.Errorf("by the driver, %s: %s", name, got)
				}
			}
		})
	}
	if rules, ok := gitdir.DriverRules("a\nb/.tasks"); ok {
		t.Errorf("a name with an end of line: %q", rules)
	}
}
