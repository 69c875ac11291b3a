package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// waiting is the value of --wait[=TIME].
type waiting struct {
	on    bool
	limit time.Duration // zero: none
}

// noLimit is the value of --wait alone.
const noLimit = "no limit"

func (w *waiting) Set(s string) error {
	w.on, w.limit = true, 0
	if s == noLimit {
		return nil
	}
	limit, err := text.ParseDuration(s)
	switch {
	case err != nil:
		return fmt.Errorf("it %w", err)
	case limit <= 0:
		return errors.New("it must be above zero")
	}
	w.limit = limit
	return nil
}

func (w *waiting) String() string { return text.FormatDuration(w.limit) }

func (*waiting) Type() string { return "duration" }

// refuseWait says why a command line with --wait cannot be meant: TIME must not
// stand apart, and a named task is not any task.
func refuseWait(args []string) error {
	if _, err := text.ParseDuration(args[0]); err == nil && strings.Trim(args[0], "0123456789") != "" {
		return pawl.Errorf(pawl.Invalid, "--wait takes its time behind a =").Say("pawl claim --wait=" + args[0])
	}
	return usage("claim", "--wait waits for any ready task: leave out %q, or --wait", args[0])
}

// lookLater is how long a waiting claim lets pass before it looks once more after a
// lease that has ended by this clock, and not yet by the board's.
const lookLater = time.Second

// claim claims a task. If it may wait, it does so as long as others are at work,
// because their work is what could make a task ready. At the end of the time it
// fails as a claim without waiting does.
func (a *app) claim(ctx context.Context, op pawl.ClaimTask, wait *waiting) (*outcome, error) {
	o, err := a.do(ctx, op)
	if !wait.on || a.othersWork(err) == nil {
		return o, err
	}
	if err := a.reopenWatched(); err != nil {
		return nil, err
	}
	waits, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if wait.limit > 0 {
		var cancel context.CancelFunc
		waits, cancel = context.WithTimeout(waits, wait.limit)
		defer cancel()
	}
	for {
		o, err = a.do(ctx, op) // never under the limit: what it claims must be told
		busy := a.othersWork(err)
		if busy == nil || waits.Err() != nil {
			return o, err
		}
		a.once("waiting: %s", a.sentence(busy))
		if err := a.untilChanged(waits, busy); err != nil {
			return nil, err
		}
	}
}

// othersWork is the error of a claim that found others at work; nil: waiting does
// not help, because it was not one, or because only the caller is at work.
func (a *app) othersWork(err error) *pawl.Error {
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok || e.Kind != pawl.Busy {
		return nil
	}
	by := a.caller().Actor
	other := func(h pawl.Holder) bool {
		own := by.Owns(&pawl.Task{Owner: h.Name, Claim: h.Claim}) || h.Name == by.Name && h.Claim.Clone == "" && a.same(h.Claim.Session) || a.formerly(h.Name, h.Claim)
		return !own
	}
	if !slices.ContainsFunc(e.Workers, other) {
		return nil
	}
	return e
}

// reopenWatched opens the board again, with a watcher.
func (a *app) reopenWatched() error {
	place, err := a.place()
	if err != nil {
		return err
	}
	watched, err := a.tellingMerges(a.openWatchedAt(place, func(text string) { a.say("%s", text) }))
	if err != nil {
		return err
	}
	err = a.board.Close()
	a.board = watched
	return err
}

// untilChanged waits for a change after the one that the error has seen, or for
// the end of a lease, which no change announces.
func (a *app) untilChanged(ctx context.Context, busy *pawl.Error) error {
	if !busy.Until.IsZero() {
		pause := time.Until(busy.Until)
		if pause <= 0 {
			pause = lookLater
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, pause)
		defer cancel()
	}
	for news, err := range a.board.Watch(ctx, query.Asker{By: pawl.Actor{Name: a.name()}}, query.From{After: busy.Revision}) {
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		case news.Gone != nil || news.Set != nil && !query.Renewal(news.Set):
			return nil
		}
	}
	return nil
}

// waitHint is the command line once more, waiting: for an agent not longer than
// its shell lets a command run.
func (a *app) waitHint() string {
	wait := "--wait=30m"
	if !a.caller().Person {
		wait = "--wait=90s"
	}
	return a.lineWithout("--wait", wait)
}
