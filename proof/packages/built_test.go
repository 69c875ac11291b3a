package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// here is the platform of this machine.
var here = platform{runtime.GOOS, runtime.GOARCH}

// builtDir is empty until a test needs what is built.
var builtDir string

// built is a release with the program of this machine, as it is released.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "packages")
	if err != nil {
		return "", err
	}
	builtDir = dir
	version, err := treeVersion("../..")
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, "pawl_"+here.os+"_"+here.arch, here.exe())
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -X main.version=v"+version, "-o", to, "./cmd/pawl")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if builtDir != "" {
		os.RemoveAll(builtDir)
	}
	os.Exit(code)
}

func builtHere(t *testing.T) string {
	t.Helper()
	dir := must.Get(built())(t)
	return dir
}
