package main

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/dev/source"
)

// build compiles the programs as they are released.
func build(work string) (string, error) {
	binary := filepath.Join(work, "pawl")
	return binary, source.BuildBoth(binary)
}
