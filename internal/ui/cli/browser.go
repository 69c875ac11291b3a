package cli

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/lookup"
)

// pageSettled is how long the system's program may take to say that it failed. Some
// of them become the browser, and end with it.
const pageSettled = 2 * time.Second

// openPage opens a page in the browser of the user who runs the command. It hands an
// address to the system, without a shell. It returns an error
// without a desktop, or if the system reports at once that it cannot.
func openPage(ctx context.Context, programs lookup.Finder, address string) error {
	if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		return pawl.Errorf(pawl.Invalid, "%q is not the address of a page", address)
	}
	args, err := pageCommand(runtime.GOOS, programs)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), args[0], append(args[1:], address)...) // the browser outlives us
	cmd.Stdout, cmd.Stderr, cmd.Dir = io.Discard, io.Discard, os.TempDir()
	cmd.Env = append(os.Environ(), programs.PATH()) // xdg-open starts others
	if err := cmd.Start(); err != nil {
		return pawl.Errorf(pawl.Unavailable, "%s cannot be started: %w", args[0], err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err = <-ended:
	case <-time.After(pageSettled):
	case <-ctx.Done():
	}
	if err != nil {
		return pawl.Errorf(pawl.Unavailable, "%s opens nothing: %w", args[0], err)
	}
	return nil
}

// pageCommand is the program that a system opens addresses with, and what goes
// before the address.
func pageCommand(system string, programs lookup.Finder) ([]string, error) {
	getenv := programs.Getenv
	switch system {
	case "windows":
		return []string{filepath.Join(getenv("SystemRoot"), "System32", "rundll32.exe"), "url.dll,FileProtocolHandler"}, nil
	case "darwin":
		return []string{"/usr/bin/open"}, nil
	}
	if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" && getenv("BROWSER") == "" {
		return nil, pawl.Errorf(pawl.Unavailable, "no desktop is running here")
	}
	path := programs.Find("xdg-open")
	if path == "" {
		return nil, pawl.Errorf(pawl.Unavailable, "xdg-open is not installed")
	}
	return []string{path}, nil
}
