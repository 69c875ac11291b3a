package main

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/dev/source"
)

// build compiles the program as it is released.
func build(work string) (string, error) {
	binary := filepath.Join(work, "pawl")
	return binary, source.Build(binary)
}
