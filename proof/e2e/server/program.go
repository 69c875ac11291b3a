//go:build unix

package server

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/source"
)

// program is the built pawl, with pawl-server beside it. PAWL_TEST_BINARY names another one to
// prove: one with a fault, to see the tests fail.
var program string

// Main runs the tests of a package with the program built.
func Main(m *testing.M) {
	flag.Parse()
	os.Exit(withProgram(m.Run))
}

func withProgram(run func() int) int {
	if program = os.Getenv("PAWL_TEST_BINARY"); program != "" {
		return run()
	}
	dir, err := os.MkdirTemp("", "pawl-e2e-server")
	if err == nil {
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "pawl")
		err = source.BuildBoth(program)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}
