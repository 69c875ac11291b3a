package cli

import (
	"context"
	"os"

	"github.com/pawl-dev/pawl/internal/text"
)

// takeIn imports what plan or add was given, if that is a file or a folder with
// the tasks of another program; taken is false if it is not.
func (a *app) takeIn(ctx context.Context, name string, folder, dry bool) (taken bool, err error) {
	path := a.absolute(name)
	info, err := os.Stat(path)
	if name == "-" || err != nil || info.IsDir() != folder || !folder && !info.Mode().IsRegular() {
		return false, nil
	}
	s, err := a.recognise(name, path, info, nil)
	if err != nil || s.format == nil {
		return false, nil
	}
	if !a.json {
		a.say("%s is of %s: the same as %s", text.Line(name), s.format.Title, a.command(commandLine("import", name)))
	}
	return true, a.importSource(ctx, s, dry)
}
