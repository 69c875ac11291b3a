//go:build unix

package fleet

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program is the built pawl. PAWL_FLEET names another one to prove: one with a
// fault, to see the tests fail.
var program string

// Main runs the tests of a package with the program built.
func Main(m *testing.M) {
	flag.Parse()
	os.Exit(withProgram(m.Run))
}

func withProgram(run func() int) int {
	if program = os.Getenv("PAWL_FLEET"); program != "" {
		return run()
	}
	dir, err := os.MkdirTemp("", "pawl-fleet")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "pawl")
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/pawl-dev/pawl").Output() // also from another module
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "github.com/pawl-dev/pawl/cmd/pawl")
	build.Dir = strings.TrimSpace(string(root))
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	return run()
}
