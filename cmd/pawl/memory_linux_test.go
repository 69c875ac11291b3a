package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// What a command has in memory does not grow with the texts of the files that
// others have written. Each of these has the size that a task may have at most;
// all of them together would need more than twice the limit.
func TestMemoryOfLargeFiles(t *testing.T) {
	long.Only(t)
	const files, mostMB = 160, 256
	project := t.TempDir()
	tasks := filepath.Join(project, ".tasks")
	must.Do(t, os.Mkdir(tasks, 0o755))
	text := strings.Repeat("a long text ", (1<<20-200)/12)
	for id := range files {
		task := fmt.Sprintf(`{"id": %d, "subject": "s", "status": "pending", "description": "%s"}`, id+1, text)
		must.Do(t, os.WriteFile(filepath.Join(tasks, fmt.Sprintf("task_%d.json", id+1)), []byte(task), 0o644))
	}
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("pawl", args...)
		cmd.Dir, cmd.Env = project, append(os.Environ(), "HOME="+t.TempDir(), "USER=ada", "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %.300s", args, err, out)
		}
		if mb := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10; mb > mostMB {
			t.Errorf("%s had %d MB in memory, and may have %d", args, mb, mostMB)
		}
	}
	run("list") // nothing is known of the files yet
	run("add", "one")
	for _, name := range []string{"index", "index.log"} {
		must.Do(t, os.Remove(filepath.Join(tasks, ".pawl", name)))
	}
	run("add", "two") // and here they are adopted again
	run("export", "all.jsonl")
	run("doctor")
	// The files that one record may hold are in memory in several forms.
	few := 90
	for id := range few {
		name := filepath.Join(tasks, fmt.Sprintf("task_%d.json", id+1))
		task := fmt.Sprintf(`{"id": %d, "subject": "s", "status": "pending", "description": "other %s"}`, id+1, text)
		must.Do(t, os.WriteFile(name, []byte(task), 0o644))
	}
	run("add", "three")
	run("export", "all.jsonl")
}
