package cli

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pawl-dev/pawl/internal/text"
)

// plain reports whether a command has none of its own flags.
func plain(cmd *cobra.Command) bool {
	bare := true
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { bare = bare && !f.Changed })
	return bare
}

// handOver imports what plan or add was given, if that is a file or a folder
// with the tasks of another program; taken is false if it is not.
func (a *app) handOver(ctx context.Context, name string, dry bool) (taken bool, err error) {
	if name == "-" || strings.ContainsRune(name, '\n') {
		return false, nil
	}
	path := a.absolute(name)
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return false, nil
	}
	s, err := a.recognise(name, path, info)
	if err != nil || s.format == nil {
		return false, nil
	}
	if !a.json {
		a.say("%s is of %s: the same as %s", text.Line(name), s.format.Title, a.command(commandLine("import", name)))
	}
	return true, a.importSource(ctx, s, dry)
}
