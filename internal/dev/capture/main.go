// Capture draws the pictures of the documentation: it runs the program on a
// terminal, presses keys, and writes the screen as docs/NAME-light.svg and
// docs/NAME-dark.svg.
//
//	go run ./internal/dev/capture
//	go run ./internal/dev/capture -dir /tmp/look board graph
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/dev/source"
)

func main() {
	dir := flag.String("dir", "docs", "where the pictures go")
	flag.Parse()
	if err := capture(*dir, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "capture:", err)
		os.Exit(1)
	}
}

// capture draws the scenes of these names, or all.
func capture(dir string, names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(scenes, func(s scene) bool { return s.name == name }) {
			return fmt.Errorf("unknown scene %q", name)
		}
	}
	work, err := os.MkdirTemp("", "pawl-capture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	program := filepath.Join(work, "pawl")
	if err := source.Build(program); err != nil {
		return err
	}
	for _, scene := range scenes {
		if len(names) > 0 && !slices.Contains(names, scene.name) {
			continue
		}
		for _, theme := range themes {
			svg, err := scene.play(program, filepath.Join(work, scene.name, theme.name), theme)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", scene.name, theme.name, err)
			}
			name := filepath.Join(dir, scene.name+"-"+theme.name+".svg")
			if err := os.WriteFile(name, []byte(svg), 0o644); err != nil {
				return err
			}
			fmt.Printf("%s, %d bytes\n", name, len(svg))
		}
	}
	return nil
}
