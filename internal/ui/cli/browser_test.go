package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/lookup"
)

// A program stands in for the system's, and writes down what it was told.
func TestOpen(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		mustrun.NotHere(t, "the system's own program would open a window")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("TOLD", filepath.Join(dir, "told"))
	stand := func(script string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	}
	desktop := lookup.Finder{Getenv: func(key string) string { return map[string]string{"DISPLAY": ":0", "PATH": os.Getenv("PATH")}[key] }}
	const address = "http://127.0.0.1:7350/#$(touch x);'`"

	stand(`printf '%s|%s' "$#" "$1" >"$TOLD"`)
	must.Do(t, openPage(t.Context(), desktop, address))
	if told, err := os.ReadFile(filepath.Join(dir, "told")); err != nil || string(told) != "1|"+address {
		t.Errorf("it was told %q, %v", told, err)
	}
	if err := openPage(t.Context(), lookup.Outside(func(key string) string { return map[string]string{"DISPLAY": ":0", "PATH": dir}[key] }, dir), address); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("the project's program is told: %v", err)
	}
	stand("exit 3")
	if err := openPage(t.Context(), desktop, address); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("a failure is not told: %v", err)
	}
	if err := openPage(t.Context(), lookup.Finder{Getenv: func(string) string { return "" }}, address); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("without a desktop: %v", err)
	}
	if err := openPage(t.Context(), desktop, "--help"); !errors.Is(err, pawl.Invalid) {
		t.Errorf("a flag for an address: %v", err)
	}
}
