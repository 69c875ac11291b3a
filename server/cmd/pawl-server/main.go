// Pawl-server serves boards to a team: see docs/team.md.
package main

import (
	"context"
	"os"

	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/server/internal/host"
)

// The linker sets these in a release, as those of pawl. Each may be empty.
var version, commit, date string

func main() {
	os.Exit(host.Run(context.Background(), cli.Build{Version: version, Commit: commit, Date: date}))
}
