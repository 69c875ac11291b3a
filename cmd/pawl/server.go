package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/ui/cli"
)

// startServer goes on as pawl-server, the program beside this one or on PATH, with the same
// arguments. It tells the other one its version, which must be the same.
func startServer(_ context.Context, args []string) error {
	path := serverBeside(program())
	if path == "" {
		if path = lookup.Outside(os.Getenv).Find("pawl-server"); path == "" {
			return noServer()
		}
	}
	env := append(os.Environ(), cli.ServerOf+"="+build().Release())
	return become(path, append([]string{path}, args...), env)
}

// noServer says why no pawl-server is started, and what to do.
func noServer() error {
	if left := (lookup.Finder{Getenv: os.Getenv}).Find("pawl-server"); left != "" {
		return pawl.Errorf(pawl.NotFound, "the pawl-server on PATH, %s, is not started: it is below this folder or in a project, which may bring any program", text.Line(left)).
			Say("if it is yours, call it by its path, or run pawl from another folder")
	}
	return pawl.Errorf(pawl.NotFound, "this needs the program pawl-server, which is neither beside pawl nor on PATH").
		Say(`it is in the archives, packages and the image of each release; in a clone: go build -C server -o "` + folderOf(program()) + `" ./cmd/pawl-server`)
}

// serverBeside is the pawl-server in the folder of a program; empty: there is none.
func serverBeside(program string) string {
	path := filepath.Join(folderOf(program), serverName)
	if info, err := os.Stat(path); program == "" || err != nil || info.IsDir() {
		return ""
	}
	return path
}

// folderOf is the folder that a program is in, not a link to it.
func folderOf(program string) string {
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	return filepath.Dir(program)
}
