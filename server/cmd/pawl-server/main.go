// Pawl-server serves boards to a team: see docs/team.md.
package main

import (
	"context"
	"os"

	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/server/internal/host"
)

// What the linker says of a release, as it does of pawl. All of it may be empty.
var version, commit, date string

func main() {
	os.Exit(host.Run(context.Background(), cli.Build{Version: version, Commit: commit, Date: date}))
}
