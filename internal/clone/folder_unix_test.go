//go:build unix

package clone

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// The hint of a secret that cannot be written or read is a command. (It was a wish.)
func TestOpens(t *testing.T) {
	c := Of(work(t, filepath.Join(t.TempDir(), "it's one")))
	must.Do(t, os.Chmod(c.Dir, 0o500))
	command := func() string {
		_, command, _ := opens(c.path())
		return command
	}
	run(t, command())
	if info, err := os.Stat(c.Dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("after %s: %v, %v", command(), info.Mode(), err)
	}
	if _, err := c.Mark(); err != nil {
		t.Fatal(err)
	}
	must.Do(t, os.Chmod(c.path(), 0o000))
	run(t, command())
	if c.secret() == "" {
		t.Errorf("after %s: no secret", command())
	}
	if os.Geteuid() != 0 {
		return // nobody else can give a file away
	}
	must.Do(t, os.Chown(c.path(), 1, 1))
	if got, want := command(), fmt.Sprintf("sudo chown -R 0 '%s'", strings.ReplaceAll(filepath.Dir(c.path()), "'", `'\''`)); got != want {
		t.Errorf("another user's: %s", got)
	}
}

func run(t *testing.T, command string) {
	t.Helper()
	if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
}
