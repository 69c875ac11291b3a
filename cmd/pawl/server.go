package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/ui/cli"
)

// startServer goes on as pawl-server, the program beside this one or on PATH, with the same
// arguments. It tells the other one its version, which must be the same.
func startServer(_ context.Context, args []string) error {
	path := serverBeside(program())
	if path == "" {
		if path = lookup.Outside(os.Getenv).Find("pawl-server"); path == "" {
			return pawl.Errorf(pawl.NotFound, "this needs the program pawl-server, which is neither beside pawl nor on PATH").
				Say("it is in the archives, packages and the image of each release; in a clone: go build -C server ./cmd/pawl-server")
		}
	}
	env := append(os.Environ(), cli.ServerOf+"="+build().Release())
	return become(path, append([]string{path}, args...), env)
}

// serverBeside is the pawl-server in the folder of a program; empty: there is none.
func serverBeside(program string) string {
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	path := filepath.Join(filepath.Dir(program), serverName)
	if info, err := os.Stat(path); program == "" || err != nil || info.IsDir() {
		return ""
	}
	return path
}
