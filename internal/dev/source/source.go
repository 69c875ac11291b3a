// Package source finds the sources of Pawl and builds its program from them, for tests
// and tools of this module and of those below it.
package source

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Root is the folder of the module github.com/pawl-dev/pawl above the working directory.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(text, []byte("module github.com/pawl-dev/pawl\n")) {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("the working directory is not in the sources of Pawl")
		}
		dir = parent
	}
}

// Build builds the program as it is released. From another module it would get that
// module's versions of libraries, so it is built in its own folder.
func Build(program string, flags ...string) error { return build("", program, "./cmd/pawl", flags) }

// BuildServer builds a program of the module server, such as ./cmd/pawl-server.
func BuildServer(program, pkg string, flags ...string) error {
	return build("server", program, pkg, flags)
}

// BuildBoth builds pawl, and pawl-server beside it.
func BuildBoth(program string, flags ...string) error {
	if err := Build(program, flags...); err != nil {
		return err
	}
	return BuildServer(filepath.Join(filepath.Dir(program), "pawl-server"), "./cmd/pawl-server", flags...)
}

func build(module, program, pkg string, flags []string) error {
	root, err := Root()
	if err != nil {
		return err
	}
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", program}, flags...)
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Dir, cmd.Env = filepath.Join(root, module), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
