// Package leftover finds processes that Pawl leaves running when a command of a test has
// ended: the sync of a shared board, the courier of an address, a refresh of an answer.
// All of them write below the home of their user, which is a folder of the test.
package leftover

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TempDir returns t.TempDir() for a test that puts homes in it. Processes that still run
// at the end of the test are killed first: they would write into the folder while it is
// removed.
func TempDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() { Kill(dir) })
	return dir
}

// Kill kills the processes that run for a folder, and returns when all have ended.
func Kill(dir string) {
	for all := Of(dir); len(all) > 0; all = Of(dir) {
		for _, pid := range all {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill() // it may have ended
			}
		}
	}
}

// Of returns the processes that run for a folder: their environment names it, or one below
// it, such as the home of their user. It finds them only on Linux.
func Of(dir string) (all []int) {
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, e := range environments {
		text, err := os.ReadFile(e)
		if err != nil || !slices.ContainsFunc(strings.Split(string(text), "\x00"), func(v string) bool {
			_, path, _ := strings.Cut(v, "=")
			return path == dir || strings.HasPrefix(path, dir+string(filepath.Separator))
		}) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(e))); err == nil && pid != os.Getpid() {
			all = append(all, pid)
		}
	}
	return all
}
