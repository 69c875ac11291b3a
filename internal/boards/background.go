package boards

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitshare"
)

// NoBackground keeps Pawl from starting processes that outlive it. Callers that wait
// for all processes set it, such as CI jobs and tests.
const NoBackground = "PAWL_NO_BACKGROUND"

// Spawn starts a sync of a board in a process of its own; with keep, only the part
// without the remote. A program sets it to [Sync] of its pawl.
var Spawn = func(board string, keep bool) error { return nil }

// Sync starts such a process of a program; empty: of none.
func Sync(program, board string, keep bool) error {
	args := []string{"sync", "--background", "--board", board}
	if keep {
		args = append(args, "--keep")
	}
	return Background(program, []string{gitshare.AllowVar}, args...)
}

// Background starts pawl in a process of its own, without the caller's streams, folder
// and terminal, and of Pawl's variables only with those in keep.
func Background(program string, keep []string, args ...string) error {
	if program == "" || os.Getenv(NoBackground) != "" {
		return nil
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = filepath.VolumeName(program) + string(filepath.Separator)
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, "PAWL_") && name != "PWD" || slices.Contains(keep, name) { // such as the caller's identity
			cmd.Env = append(cmd.Env, e)
		}
	}
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() // in a process that runs on, it must not stay as a zombie
	return nil
}
