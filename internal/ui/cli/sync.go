package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/checklist"
	formats "github.com/pawl-dev/pawl/internal/imports/known"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/text"
)

var syncVerb = verb{
	name:  "sync",
	use:   "[FILE...] [flags]",
	short: "sync a shared board with its remote, and tick the boxes of files that tasks came from",
	long: "On a shared board, sync sends this clone's changes, fetches those of other clones, and reports both, renumbered tasks, and claims lost to others. If another clone is faster, it tries again. If the remote cannot be reached, it exits with 6, and the next sync sends the changes. If somebody rewound or deleted the remote's reference, sync stops and says so; --resume continues from the remote's present state, and sends the missing changes again.\n\n" +
		"Then, or on a board that is not shared, it syncs files that plan or import read: plans, and the tasks.md of spec-kit, OpenSpec and Kiro. It ticks completed tasks in the file, and changes nothing else there; it brings the file's new lines and ticks to the board. Claims stay with their owners, and a line that is gone deletes no task. With FILE, it syncs only these files, and no remote; without FILE, all such files of the project. Each must be a regular file in the project, not behind a link.",
	kind: "sync",
	examples: []string{
		"pawl sync",
		"pawl sync --dry-run",
		"pawl sync specs/001-cart/tasks.md",
	},
	min: 0, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		dry := dryRunFlag(cmd)
		resume := cmd.Flags().Bool("resume", false, "continue from the remote's present state after it was rewound or deleted")
		background := cmd.Flags().Bool("background", false, "")
		keep := cmd.Flags().Bool("keep", false, "")
		_, _ = cmd.Flags().MarkHidden("background"), cmd.Flags().MarkHidden("keep")
		return func(ctx context.Context, args []string) error {
			switch {
			case (*background && (*dry || *resume || len(args) > 0)) || *keep && !*background:
				return usage("sync", "--background stands alone: Pawl calls it")
			case *background:
				return a.syncInBackground(ctx, *keep)
			case *resume && (*dry || len(args) > 0):
				return usage("sync", "--resume is about the remote, and stands alone")
			}
			if len(args) > 0 {
				files, err := a.syncFiles(ctx, args, *dry)
				if err != nil {
					return err
				}
				return a.tellSync(files, *dry)
			}
			return a.sync(ctx, *dry, *resume)
		}
	},
}

// syncFiles exchanges what changed with each file that tasks came from: those that
// are named, or all of them.
func (a *app) syncFiles(ctx context.Context, args []string, dry bool) ([]syncedFile, error) {
	root, err := a.project().Work()
	if err != nil {
		return nil, err
	}
	board, err := a.allTasks(ctx, true)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(board, hasLine) {
		if board, err = a.boardTasks(ctx); err != nil {
			return nil, err
		}
	}
	files := filesOf(board)
	if len(args) > 0 {
		var some []listOfTasks
		for _, arg := range args {
			place := a.sourceAt(nil, arg, a.absolute(arg)).input.Place
			n := len(some)
			for _, l := range files {
				if l.file == place && !slices.Contains(some, l) {
					some = append(some, l)
				}
			}
			if len(some) == n && !slices.ContainsFunc(some, func(l listOfTasks) bool { return l.file == place }) {
				return nil, a.notSynced(arg)
			}
		}
		files = some
	}
	var all []syncedFile
	for _, l := range files {
		if l.format.Lasting && len(args) == 0 && !pathExists(filepath.Join(root, filepath.FromSlash(l.file))) {
			continue // a plan is often thrown away
		}
		one, err := a.syncFile(ctx, root, l, dry)
		if err != nil {
			e, ok := err.(*pawl.Error)
			if !ok {
				return nil, err
			}
			one.Error, one.err = e.Error(), e
		}
		all = append(all, one)
	}
	return all, nil
}

// notSynced says why a file is not exchanged.
func (a *app) notSynced(arg string) error {
	e := pawl.Errorf(pawl.NotFound, "no task here came from %s", text.Line(arg))
	path := a.absolute(arg)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return e
	}
	if s, err := a.recognise(arg, path, info, nil); err != nil || s.format == nil || s.format.Boxes {
		return e.Say(commandLine("pawl plan", arg))
	}
	return pawl.Errorf(pawl.Invalid, "%s stays as it is: only %s", text.Line(arg), ticked)
}

// ticked are the files whose boxes Pawl ticks.
const ticked = "a plan, and a tasks.md of spec-kit, OpenSpec or Kiro, are ticked"

// hasLine reports whether a task in brief may be a line of a file.
func hasLine(t pawl.Task) bool {
	return slices.ContainsFunc(formats.Boxes(), func(f *imports.Format) bool { return strings.HasPrefix(t.Ref(), f.Name+":") })
}

// listOfTasks is a file that tasks of a board are lines of. A plan may stand below
// several tasks.
type listOfTasks struct {
	file   string
	under  pawl.ID
	format *imports.Format
}

// filesOf are the files that tasks of a board are lines of, in order.
func filesOf(board []pawl.Task) []listOfTasks {
	found := map[listOfTasks]bool{}
	for i := range board {
		for _, f := range formats.Boxes() {
			if file := f.FileOf(&board[i]); file != "" {
				found[listOfTasks{file, f.UnderOf(&board[i]), f}] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b listOfTasks) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.under, b.under), cmp.Compare(a.format.Name, b.format.Name))
	})
}

// syncFile does so with one file, below the project's folder. The file is written
// first: a board that knew of ticks which are not there would take them back.
func (a *app) syncFile(ctx context.Context, root string, list listOfTasks, dry bool) (syncedFile, error) {
	file, format := list.file, list.format
	out := syncedFile{File: file, Format: format.Title}
	place, err := moved(root, file)
	if err != nil {
		return out, err
	}
	before, err := readInside(root, place)
	if err != nil {
		return out, err
	}
	board, err := a.boardTasks(ctx) // what an earlier file has changed counts
	if err != nil {
		return out, err
	}
	in := imports.Input{Root: root, Path: place, Place: place, Under: list.under}
	defer in.Close()
	if format.Lasting {
		checklist.RecallPlanFile(board, &in)
	}
	if i := slices.IndexFunc(board, func(t pawl.Task) bool { return t.ID == list.under }); i >= 0 {
		in.After = board[i].BlockedBy
	}
	r, err := imports.Read(format, &in)
	if err != nil {
		return out, err
	}
	keep, err := a.recall(ctx, format, &in, r, board)
	if err != nil {
		return out, err
	}
	x := r.Exchange(format, board, file, a.claimed(nil), time.Now())
	if len(x.Own) > 0 {
		failed, err := a.completeOwn(ctx, x.Own, dry)
		if err != nil {
			return out, err
		}
		if len(failed) > 0 {
			if r, err = imports.Read(format, &in); err != nil {
				return out, err
			}
			if keep, err = a.recall(ctx, format, &in, r, board); err != nil {
				return out, err
			}
			x = r.Exchange(format, board, file, a.claimed(failed), time.Now())
		}
		if board, err = a.boardTasks(ctx); err != nil {
			return out, err
		}
	}
	after, err := checklist.Tick(before, x.Tick)
	if err != nil {
		return out, pawl.Errorf(pawl.KindOf(err), "%s: %w", place, err)
	}
	if !dry && !bytes.Equal(before, after) {
		err := rewrite.Replace(filepath.Join(root, filepath.FromSlash(place)), func(w io.Writer) error {
			if now, err := readInside(root, place); err != nil || !bytes.Equal(now, before) && !bytes.Equal(now, after) { // another sync may have ticked it
				return pawl.Errorf(pawl.Conflict, "%s was changed by somebody meanwhile: nothing is written", place).
					Say("pawl sync")
			}
			_, err := w.Write(after)
			return err
		})
		if err != nil {
			return out, err
		}
	}
	tasks := r.Merge(format, board)
	if len(tasks) == 0 {
		out.fill(x, nil, nil, r)
		return out, nil
	}
	came, err := a.carryIn(ctx, pawl.Import{Tasks: tasks}, dry)
	if err != nil {
		return out, located(err, r)
	}
	if !dry {
		keep()
	}
	out.fill(x, tasks, came, r)
	return out, nil
}

// claimed says of a task that somebody works on why a box does not complete it.
func (a *app) claimed(failed map[pawl.ID]string) func(*pawl.Task) string {
	by := a.caller().Actor
	return func(t *pawl.Task) string {
		if by.Owns(t) || t.Owner == by.Name && t.Claim.Clone == "" && a.same(t.Claim.Session) {
			return failed[t.ID]
		}
		return "it is " + text.Line(t.Owner) + "'s"
	}
}

// completeOwn completes tasks that the caller works on, as done does, and says of
// those that cannot be completed why.
func (a *app) completeOwn(ctx context.Context, tasks []*pawl.Task, dry bool) (map[pawl.ID]string, error) {
	board, err := a.open()
	if err != nil {
		return nil, err
	}
	failed := map[pawl.ID]string{}
	for _, t := range tasks {
		requests, err := a.screened(ctx, board, a.request(pawl.Complete{IDs: []pawl.ID{t.ID}})) // no check runs here
		if err == nil {
			_, _, err = a.carryOut(ctx, board, dry, 0, requests...)
		}
		if err != nil {
			e, ok := errors.AsType[*pawl.Error](err)
			if !ok || e.Kind == pawl.Unavailable || e.Kind == pawl.Internal {
				return nil, err
			}
			failed[t.ID] = e.Message
		}
	}
	return failed, nil
}

// moved is where a file is now: a change of OpenSpec is moved when it is archived.
func moved(root, file string) (string, error) {
	if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(file))); err == nil {
		return file, nil
	}
	change := path.Dir(file)
	found, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(path.Dir(change)), "archive", "*-"+path.Base(change), path.Base(file)))
	if len(found) == 1 {
		if place, err := filepath.Rel(root, found[0]); err == nil {
			return filepath.ToSlash(place), nil
		}
	}
	return "", pawl.Errorf(pawl.NotFound, "%s is not in %s; its tasks stay", text.Line(file), root)
}

// readInside reads a regular file below a folder that no link leads to.
func readInside(root, place string) ([]byte, error) {
	if !filepath.IsLocal(filepath.FromSlash(place)) {
		return nil, pawl.Errorf(pawl.Invalid, "%s leads out of the project", text.Line(place))
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, pawl.Errorf(pawl.Unavailable, "%s cannot be read: %w", root, err)
	}
	defer dir.Close()
	for i := range len(place) + 1 {
		if i < len(place) && place[i] != '/' {
			continue
		}
		info, err := dir.Lstat(filepath.FromSlash(place[:i]))
		switch {
		case err != nil:
			return nil, pawl.Errorf(pawl.Unavailable, "%s cannot be read: %w", text.Line(place), err)
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, pawl.Errorf(pawl.Invalid, "%s is a link, and links are not written through", text.Line(place[:i]))
		case i == len(place) && !info.Mode().IsRegular():
			return nil, pawl.Errorf(pawl.Invalid, "%s is not a regular file", text.Line(place))
		case i == len(place) && info.Size() > imports.MaxFile:
			return nil, pawl.Errorf(pawl.Invalid, "%s is longer than %d MiB", text.Line(place), imports.MaxFile>>20)
		}
	}
	f, err := dir.Open(filepath.FromSlash(place))
	if err != nil {
		return nil, pawl.Errorf(pawl.Unavailable, "%s cannot be read: %w", text.Line(place), err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, imports.MaxFile))
	if err != nil {
		return nil, pawl.Errorf(pawl.Unavailable, "%s cannot be read: %w", text.Line(place), err)
	}
	return raw, nil
}
