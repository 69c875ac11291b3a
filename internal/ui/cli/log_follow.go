package cli

import (
	"context"
	"errors"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// following is what log --follow was asked for.
type following struct {
	after   pawl.Revision
	replay  bool // after was said
	task    string
	count   int // changes; 0: any number
	timeout time.Duration
	all     bool
}

// follow prints changes until it is told to end.
func (a *app) follow(ctx context.Context, f *following) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	err := a.watch(ctx, f)
	if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, pawl.Unavailable)) {
		return nil // that is how it ends
	}
	return err
}

// watchJSON is the envelope of a change, one for each.
type watchJSON struct {
	wire.Envelope
	wire.ChangeSet
}

func (a *app) watch(ctx context.Context, f *following) error {
	began, err := a.await(ctx)
	if err != nil {
		return err
	}
	board, err := a.open()
	if err != nil {
		return err
	}
	task, err := a.watched(ctx, f)
	if err != nil {
		return err
	}
	defer a.tellAway(ctx, board)()
	shown := 0
	from := query.From{After: f.after, Now: !began && !f.replay, Names: true}
	for news, err := range board.Watch(ctx, query.Asker{By: pawl.Actor{Name: a.name()}}, from) {
		switch {
		case err != nil:
			return err
		case news.Gone != nil && shown == 0 && f.replay:
			news.Gone.Hint = pawl.Hint{Step: pawl.HintHistory}
			return news.Gone
		case news.Gone != nil:
			a.say("%s", news.Gone.Message)
			continue
		case news.Set == nil || !f.wants(news.Set, task):
			continue
		}
		if err := a.showNews(&news, task); err != nil {
			return err
		}
		if shown++; shown == f.count {
			return nil
		}
	}
	return nil
}

// watched is the task that the flags name, if they name one. One that is gone
// may still have a history to be seen.
func (a *app) watched(ctx context.Context, f *following) (pawl.ID, error) {
	if f.task == "" {
		return 0, nil
	}
	id, err := a.one(ctx, f.task, "log", "log takes one task")
	if err != nil || f.replay {
		return id, err
	}
	found, err := asked(ctx, a, query.TaskQuery{Names: []string{id.String()}})
	if err == nil && found.Tasks[0].Fault != nil {
		err = found.Tasks[0].Fault
	}
	return id, err
}

func (f *following) wants(set *pawl.ChangeSet, task pawl.ID) bool {
	if !f.all && query.Renewal(set) {
		return false
	}
	return task == 0 || slices.ContainsFunc(set.Changes, func(c pawl.Change) bool { return c.ID == task })
}

// showNews prints a change set as the line that it is, at once.
func (a *app) showNews(news *query.News, task pawl.ID) error {
	if a.json {
		if err := a.printJSON(watchJSON{wire.NewEnvelope("changes"), wire.NewChangeSet(news.Set, news.Names, news.Origin)}); err != nil {
			return err
		}
		return a.flush()
	}
	at := a.screen.clock(time.Now()).Spell(news.Set.At)
	rev := news.Set.Revision.Short(news.Origin)
	line := a.screen.telling(show.Telling{Names: news.Names, Asked: task, Origin: news.Origin}, news.Set, len(rev)+len(at)+2*len(gap))
	a.print("%s%s%s%s%s\n", a.paint.as(faint, rev), gap, a.paint.as(faint, at), gap, line)
	return a.flush()
}

// lookAgain is how often it is looked whether there is a board by now.
const lookAgain = 250 * time.Millisecond

// await opens the board for as long as it is watched. Where there is none it
// waits for one, and reports that all of it is new.
func (a *app) await(ctx context.Context) (began bool, err error) {
	for {
		place, err := a.place()
		if err != nil {
			return began, err
		}
		if place.Exists {
			a.board, err = a.openWatchedAt(place, func(text string) { a.say("%s", text) })
			return began, err
		}
		if !began {
			a.say("no board exists here yet; waiting for one")
			began = true
		}
		select {
		case <-ctx.Done():
			return began, ctx.Err()
		case <-time.After(lookAgain):
		}
		a.project().Again()
	}
}
