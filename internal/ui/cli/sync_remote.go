package cli

import (
	"context"
	"errors"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// sync exchanges a shared board with its remote, and then files with the board. That
// the remote is away does not keep the files from being ticked.
func (a *app) sync(ctx context.Context, dry, resume bool) error {
	place, err := a.place()
	if err != nil {
		return err
	}
	status, err := a.sharedAt(place.Dir)
	if err != nil {
		return err
	}
	if status == nil {
		return a.syncUnshared(ctx, dry, resume)
	}
	if resume {
		if err := a.consents("go on with a remote that was rewound", "pawl sync --resume"); err != nil {
			return err
		}
	}
	done, failed := a.env.Sharing.Sync(ctx, ToSync{Dir: place.Dir, By: a.caller().Actor, Resume: resume, Dry: dry, Agree: a.agreeing(nil)})
	if done.Status.Remote == "" {
		done.Status = *status
	}
	if failed != nil {
		failed = a.remoteFailed(failed, &done.Status, "sync")
	} else if !a.json {
		a.tellSynced(&done, dry)
	}
	files, err := a.syncFiles(ctx, nil, dry)
	if err != nil {
		return errors.Join(failed, err)
	}
	if a.json {
		return a.syncedJSON(&done, failed, files, dry)
	}
	if len(files) > 0 {
		if err := a.tellSync(files, dry); err != nil && failed == nil {
			return err
		}
	} else if dry && failed == nil {
		if err := a.flush(); err != nil {
			return err
		}
		a.say("dry run: nothing was sent or changed")
	}
	return failed
}

// syncUnshared is sync of a board that is not shared: only files are exchanged.
func (a *app) syncUnshared(ctx context.Context, dry, resume bool) error {
	if place, err := a.place(); resume && err == nil && place.Distant() {
		return a.needsFolder(&place, "--resume is about the git remote of a board in a folder", "leave out --resume")
	}
	if resume {
		return pawl.Errorf(pawl.Conflict, "the board is not shared, so there is nothing to resume").Say("pawl share")
	}
	files, err := a.syncFiles(ctx, nil, dry)
	if err != nil {
		return err
	}
	if len(files) == 0 && !a.json {
		if place, err := a.place(); err == nil && place.Distant() {
			a.say("nothing to sync: the server has each change at once; of files only %s, and no task here came from one", ticked)
			return nil
		}
		a.say("nothing to sync: the board is not shared; of files only %s, and no task here came from one", ticked)
		if a.env.Sharing != nil {
			a.say("hint: to sync it with other clones: %s", a.command("share"))
		}
		return nil
	}
	return a.tellSync(files, dry)
}

// tellSynced says what a sync did:
//
//	Synced with origin: 2 arrived, 3 sent, 1 lost
//	  lost     #12 Retry hooks: bob has claimed it, on mac-mini
//	  arrived  #7 Rotate the key
func (a *app) tellSynced(done *Synced, dry bool) {
	did := "Synced with "
	if dry {
		did = "Would sync with "
	}
	a.print("%s: %s\n", a.paint.as(bold, did+text.Line(done.Status.Remote)), show.SyncedCounts(&done.Report))
	a.mergedLines(show.SyncedLines(&done.Report, a.name(), mostMerged))
	if len(done.Report.Lost) > 0 && !dry {
		a.print("Take another task: %s\n", a.command("claim"))
	}
	if len(done.Status.Here) > 0 {
		a.print("Claimed here only: %s\n", show.IDs(done.Status.Here))
	}
}

// syncedJSON is the answer about the remote and the files.
func (a *app) syncedJSON(done *Synced, failed error, files []syncedFile, dry bool) error {
	if failed != nil && len(files) == 0 {
		return failed
	}
	j := newSyncJSON(files, dry)
	j.Shared = wire.NewShared(&done.Status, time.Now())
	if failed != nil {
		j.Error = plainError(failed)
	} else {
		synced := wire.NewSynced(&done.Report, a.name())
		j.Synced = &synced
	}
	if err := a.printJSON(j); err != nil {
		return err
	}
	if e, ok := errors.AsType[*pawl.Error](failed); ok {
		return errAnswered{e}
	}
	if _, _, e, _ := filesUndo(files, dry); e != nil {
		return errAnswered{e}
	}
	return failed
}

// syncInBackground is what Pawl itself starts. Nobody reads what it says: the next
// command tells what came of it, from what the clone remembers.
func (a *app) syncInBackground(ctx context.Context, keep bool) error {
	place, err := a.place()
	if err != nil || a.env.Sharing == nil || !place.Exists {
		return err
	}
	_, err = a.env.Sharing.Sync(ctx, ToSync{Dir: place.Dir, By: a.caller().Actor, Background: true, Keep: keep})
	return err
}
