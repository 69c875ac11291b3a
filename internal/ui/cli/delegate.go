package cli

import (
	"context"
	"slices"
)

// ofServer are the verbs of pawl-server, where serve need not be said.
var ofServer = []string{"serve", "doctor", "help", "version", "--version", "-v", "-V"}

func asServer(args []string) []string {
	if slices.Contains(ofServer, firstWord(args)) {
		return args
	}
	return append([]string{"serve"}, args...)
}

// startServer goes on as pawl-server, for what needs a database or a team.
func (a *app) startServer(ctx context.Context) error {
	if a.env.Server == nil {
		return usage("serve", "pawl-server does this, and it cannot be started from here")
	}
	return a.env.Server(ctx, a.env.Args)
}
