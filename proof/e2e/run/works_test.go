//go:build unix

// Package run proves what holds when agents work a board off: it has tests only. They
// run the built program, the machine's git, and stand-ins for agents in repositories of
// their own, and look afterwards whether anything was lost, left or completed falsely.
//
//	go -C proof test ./e2e/run               a commit's share
//	go -C proof test ./e2e/run -long         all of it
//	go -C proof test ./e2e/run -run Killed -long
//
// Each scene ends with the same look: see scene.holds.
//
// PAWL_TEST_BINARY names a program to prove instead of the one that this tree makes: one with
// a fault, to see the tests fail.
package run_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/fakeagent"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/dev/source"
)

// folder has the programs that were built.
var folder string

func TestMain(m *testing.M) {
	fakeagent.Main()
	flag.Parse()
	_ = flag.Set("test.parallel", "8") // scenes wait, most of the time
	dir, err := os.MkdirTemp("", "pawl-e2e-run")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	folder = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// A binary is a build of pawl, made when it is first used.
type binary struct {
	name  string
	build func(path string) error
	once  sync.Once
	err   error
}

// plain is pawl as it is released. planted has what kills it, and faults: see plant_test.go.
var (
	plain   = &binary{name: "plain", build: func(path string) error { return build(path) }}
	planted = &binary{name: "planted", build: buildPlanted}
)

// dir is the folder with the program pawl.
func (b *binary) dir(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"go", "git"} {
		if _, err := exec.LookPath(name); err != nil {
			mustrun.Skip(t, name+" is not installed")
		}
	}
	dir := filepath.Join(folder, b.name)
	b.once.Do(func() {
		if b.err = os.MkdirAll(dir, 0o755); b.err == nil {
			b.err = b.build(filepath.Join(dir, "pawl"))
		}
	})
	if b.err != nil {
		t.Fatal(b.err)
	}
	return dir
}

func build(path string, flags ...string) error {
	if given := os.Getenv("PAWL_TEST_BINARY"); given != "" && len(flags) == 0 {
		return os.Symlink(given, path)
	}
	return source.Build(path, flags...)
}
