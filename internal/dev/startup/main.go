// Startup guards how fast the binary starts. Every hook of an agent starts it, so
// each of the agent's steps pays for initialisation before main.
//
//	go run ./internal/dev/startup ./pawl
//
// It runs `pawl version` several times under GODEBUG=inittrace=1, takes the
// smallest time of each package, because a busy machine only ever adds, and
// fails when they exceed maxSum together or when a package that is not in
// slow.txt exceeds maxPackage. It also fails when a package of Pawl's makes more
// than maxAllocs allocations, when the stack grows too late, or when the binary
// holds a library that is known to cost more at start than it gives.
package main

import (
	"debug/buildinfo"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

//go:embed slow.txt
var slowText string

func main() {
	runs := flag.Int("runs", 25, "how often to start the binary")
	all := flag.Bool("all", false, "print every package, not only the slow ones")
	flag.Parse()
	if flag.NArg() != 1 || *runs < 1 {
		fmt.Fprintln(os.Stderr, "usage: startup [-runs N] [-all] BINARY")
		os.Exit(2)
	}
	if err := guard(flag.Arg(0), *runs, *all); err != nil {
		fmt.Fprintln(os.Stderr, "startup:", err)
		os.Exit(1)
	}
}

func guard(binary string, runs int, all bool) error {
	slow, err := parseSlow(slowText)
	if err != nil {
		return err
	}
	best := trace{}
	var order []string
	for range runs {
		said, err := start(binary)
		if err != nil {
			return err
		}
		order = checkOrder(said)
		run, err := parseTrace(said)
		if err != nil {
			return err
		}
		best.keepLeast(run)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	sum := best.sum()
	fmt.Printf("%d packages initialise in %.2f ms with %d allocations, the least of %d starts\n", len(best), sum.clock, sum.allocs, runs)
	for _, name := range best.slowest() {
		if c := best[name]; all || c.allocs > maxPackage {
			fmt.Printf("  %5.2f ms %4d allocations  %s\n", c.clock, c.allocs, name)
		}
	}
	faults := slices.Concat(best.check(slow), order, checkModules(info))
	if len(faults) > 0 {
		return fmt.Errorf("%s", strings.Join(faults, "\nstartup: "))
	}
	return nil
}

// start runs the binary's version command and returns what the runtime traced.
func start(binary string) (string, error) {
	cmd := exec.Command(binary, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s version: %w\n%s", binary, err, &stderr)
	}
	return stderr.String(), nil
}
