package run

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// runs reports whether a process has not ended. One that nobody has waited for has.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// A folder that is exchanged before the start is not entered either.
func TestExchangedBeforeStart(t *testing.T) {
	c := check(t, "where", "")
	web := filepath.Join(c.Top, "web")
	outside := t.TempDir()
	for dir, text := range map[string]string{web: "looked at", outside: "outside"} {
		must.Do(t, errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "here"), []byte(text), 0o644)))
	}
	dir, why, err := openFolder(c.Top, "web")
	if why != "" || err != nil {
		t.Fatal(why, err)
	}
	defer dir.close()
	must.Do(t, errors.Join(os.Rename(web, web+"2"), os.Symlink(outside, web)))
	cmd := exec.Command(c.Check.Run[0], c.Check.Run[1:]...)
	cmd.Dir = dir.start()
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "looked at") {
		t.Errorf("%s %v", out, err)
	}
}
