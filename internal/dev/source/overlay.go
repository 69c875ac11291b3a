package source

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Plant replaces code of a source file, for a build that is thrown away. The file of
// the tree stays as it is.
type Plant = struct{ File, Old, New string }

// Overlay writes the planted files into dir, and returns the flag with which go builds
// them. Code that is not there exactly once is an error: then a plant would test nothing.
func Overlay(dir string, plants ...Plant) (flag string, err error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for i, p := range plants {
		file := filepath.Join(root, filepath.FromSlash(p.File))
		from := file
		if replace[file] != "" {
			from = replace[file]
		}
		text, err := os.ReadFile(from)
		if err != nil {
			return "", err
		}
		if n := strings.Count(string(text), p.Old); n != 1 {
			return "", fmt.Errorf("%s has %d times what is to be replaced: %q", p.File, n, p.Old)
		}
		to := filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(file)))
		if err := os.WriteFile(to, []byte(strings.Replace(string(text), p.Old, p.New, 1)), 0o600); err != nil {
			return "", err
		}
		replace[file] = to
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return "-overlay=" + name, os.WriteFile(name, overlay, 0o600)
}
