package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/rewrite"
)

var mergeFileVerb = verb{
	name:  "merge-file",
	use:   "BASE OURS THEIRS PATH",
	short: "merge one file of a board for git",
	long: "Git runs it as a merge driver when both sides changed the file of a task, or .highwatermark: see gitattributes(5), and `pawl setup git`. It reads the three versions, writes the merged one to OURS, and exits with 0. If it cannot merge them, it exits with 1 and leaves OURS as it is, and git reports a conflict.\n\n" +
		"PATH is the file's path in the work tree: the number in its name is the task's. Two tasks with one number become one file, which holds the younger task under the key merging until `pawl merge`, or the next change, gives that task a new number. merge-file reads no board, settings or session.",
	examples: []string{
		"pawl merge-file %O %A %B %P",
		"pawl merge-file base.json ours.json theirs.json .tasks/task_12.json",
	},
	min: 4, max: 4,
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(_ context.Context, args []string) error {
			err := a.mergeFile(args)
			if err == nil {
				return nil
			}
			a.say("%v", err)
			a.say("hint: %s", a.command("merge"))
			return errFound
		}
	},
}

// mergeFile merges three versions, of which git has made files for it: base, ours,
// theirs. It is called once for each file, so it does nothing else.
func (a *app) mergeFile(args []string) error {
	var texts [3][]byte
	for i, name := range args[:3] {
		var err error
		if texts[i], err = readVersion(a.absolute(name)); err != nil {
			return err
		}
	}
	merged, err := merge.Driver(filepath.ToSlash(args[3]), texts[0], texts[1], texts[2])
	if err != nil || bytes.Equal(merged, texts[1]) {
		return err
	}
	return rewrite.Swap(a.absolute(args[1]), merged)
}

// readVersion reads a file as large as a task's may be. A pipe could keep git
// waiting for ever.
func readVersion(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() && name != os.DevNull {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, pawl.MaxTask+1))
	if err == nil && len(text) > pawl.MaxTask {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("the file is larger than 1 MiB")}
	}
	return text, err
}
