// Command typecheck checks the types of packages and their tests for other systems, from
// source: it compiles nothing, so that it takes a tenth of what go vet does.
//
//	typecheck darwin/arm64,windows/amd64 ./...
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: typecheck OS/ARCH[,OS/ARCH…] PACKAGES…")
		os.Exit(2)
	}
	failed := false
	for system := range strings.SplitSeq(os.Args[1], ",") {
		checked, err := check(system, os.Args[2:])
		if err != nil {
			fmt.Fprintf(os.Stderr, "typecheck: %s: %v\n", system, err)
			failed = true
			continue
		}
		fmt.Printf("%s: %d packages\n", system, checked)
	}
	if failed {
		os.Exit(1)
	}
}

// check returns how many packages it checked, those of tests included.
func check(system string, patterns []string) (int, error) {
	goos, arch, _ := strings.Cut(system, "/")
	loaded, err := packages.Load(&packages.Config{
		Mode:  packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesSizes,
		Env:   append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=0"),
		Tests: true,
	}, patterns...)
	if err != nil {
		return 0, err
	}
	faults := map[string]bool{} // a package and its tests each have the fault of a file
	for _, p := range loaded {
		for _, e := range p.Errors {
			faults[e.Error()] = true
		}
	}
	for _, fault := range slices.Sorted(maps.Keys(faults)) {
		fmt.Fprintln(os.Stderr, fault)
	}
	switch {
	case len(faults) > 0:
		return 0, fmt.Errorf("%d faults", len(faults))
	case len(loaded) == 0:
		return 0, fmt.Errorf("no package is called that")
	}
	return len(loaded), nil
}
