package main

import (
	"os"
	"os/exec"
	"path/filepath"
)

// build compiles a program as it is released.
func build(work, name, what string) (string, error) {
	binary := filepath.Join(work, name)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, what)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	return binary, cmd.Run()
}
