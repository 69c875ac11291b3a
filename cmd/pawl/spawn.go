package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitshare"
)

// noBackground keeps Pawl from starting processes that outlive it. A caller that waits
// for all of them sets it, as a job of CI or a test does.
const noBackground = "PAWL_NO_BACKGROUND"

// spawn starts a sync in the background; a test replaces it, whose program is not
// this one.
var spawn = spawnSync

// spawnSync starts a sync of a board in a process of its own; with keep, only what it does
// without the remote.
func spawnSync(board string, keep bool) error {
	args := []string{"sync", "--background", "--board", board}
	if keep {
		args = append(args, "--keep")
	}
	return background([]string{gitshare.AllowVar}, args...)
}

// background starts Pawl in a process of its own, which holds nothing of the caller's: no
// stream, no folder, no terminal, and of Pawl's variables only those that are kept.
func background(keep []string, args ...string) error {
	path := program()
	if path == "" || os.Getenv(noBackground) != "" {
		return nil
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = filepath.VolumeName(path) + string(filepath.Separator)
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, "PAWL_") && name != "PWD" || slices.Contains(keep, name) { // such as who acts here
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
