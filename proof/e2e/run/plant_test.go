//go:build unix

package run_test

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/dev/source"
)

// Variables of the planted program. They are in no released one.
const (
	envDie   = "PAWL_TEST_DIE"   // N: kills itself before record N is written; N+: when it is
	envFault = "PAWL_TEST_FAULT" // one of the names below
)

// Faults that make a scene end badly, to show that the test sees it.
const (
	unmerged    = "unmerged"    // the checks do not run on the merged files
	uncontained = "uncontained" // a work tree is removed whether or not its commits are kept
	halfway     = "halfway"     // dies when a fast-forward has written files, but has not moved the branch
)

var plants = []source.Plant{
	// Nobody waits for ten seconds between attempts.
	{"internal/runs/limits.go", "const first, most = 10 * time.Second, 5 * time.Minute", "const first, most = 300 * time.Millisecond, time.Second"},
	{"internal/runs/engine/begin.go", "const dropPause = 10 * time.Second", "const dropPause = time.Second"},
	{"internal/runs/journal/journal.go", "	line, err := json.Marshal(r)\n	if err != nil {\n		return err\n	}\n	if len(line) >= maxLine",
		"	die(r.N, \"\")\n	defer die(r.N, \"+\")\n	line, err := json.Marshal(r)\n	if err != nil {\n		return err\n	}\n	if len(line) >= maxLine"},
	{"internal/runs/journal/journal.go", "// Attempts are the folders", "func die(n int, after string) {\n	if os.Getenv(\"" + envDie + "\") == fmt.Sprint(n)+after {\n		p, _ := os.FindProcess(os.Getpid())\n		_ = p.Kill()\n		select {}\n	}\n}\n\n// Attempts are the folders"},
	{"internal/runs/engine/integrate.go", "r.check(d, a, r.Repo.Private(), true)", "r.checkMerged(d, a)"},
	{"internal/runs/engine/integrate.go", "func (r *Runner) hindrance(", "func (r *Runner) checkMerged(d *driver, a *runs.Attempt) (bool, error) {\n	if os.Getenv(\"" + envFault + "\") == \"" + unmerged + "\" {\n		return true, nil\n	}\n	return r.check(d, a, r.Repo.Private(), true)\n}\n\nfunc (r *Runner) hindrance("},
	{"internal/runs/engine/integrate.go", "import (\n", "import (\n	\"os\"\n"},
	{"internal/runs/local/clone.go", "	if commit == a.Base {\n		return true, nil", "	if commit == a.Base || os.Getenv(\"" + envFault + "\") == \"" + uncontained + "\" {\n		return true, nil"},
	{"internal/git/forward.go", "	if err := errors.Join(t.refresh(ctx, env), syncFile(index)); err != nil {", "	if os.Getenv(\"" + envFault + "\") == \"" + halfway + "\" {\n		p, _ := os.FindProcess(os.Getpid())\n		_ = p.Kill()\n		select {}\n	}\n	if err := errors.Join(t.refresh(ctx, env), syncFile(index)); err != nil {"},
}

// buildPlanted builds the program with all plants.
func buildPlanted(path string) error {
	overlay, err := source.Overlay(filepath.Dir(path), plants...)
	if err != nil {
		return err
	}
	return build(path, overlay)
}
