package pawl_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// A worker takes one task of a board after another.
type worker struct {
	board *pawl.Board
	me    pawl.Actor
	lease time.Duration
	work  func(ctx context.Context, t pawl.Task) error
}

// run ends when all is done, or when only a person can get things going.
func (w *worker) run(ctx context.Context) error {
	for {
		claimed, err := w.board.Do(ctx, pawl.Request{By: w.me, Op: pawl.ClaimTask{Lease: pawl.Duration(w.lease)}})
		switch e, _ := errors.AsType[*pawl.Error](err); {
		case err == nil:
			err := w.carryOut(ctx, claimed.Tasks[0])
			if err != nil && !errors.Is(err, pawl.Conflict) { // with Conflict the claim was lost, and the task is somebody else's
				return err
			}
		case errors.Is(err, pawl.Idle):
			return nil
		case errors.Is(err, pawl.Busy):
			if err := w.wait(ctx, e); err != nil {
				return err
			}
		default:
			return err // Blocked: e.Hint says what would help
		}
	}
}

// wait ends when the board has changed since the refusal, or when a lease ends.
func (w *worker) wait(ctx context.Context, refused *pawl.Error) error {
	waiting, enough := context.WithCancel(ctx)
	defer enough()
	if !refused.Until.IsZero() {
		defer time.AfterFunc(time.Until(refused.Until), enough).Stop()
	}
	for _, err := range w.board.Watch(waiting, refused.Revision) {
		if err != nil && !errors.Is(err, pawl.Gone) {
			return err
		}
		break
	}
	return ctx.Err()
}

// carryOut works on a task for as long as the claim on it can be renewed.
func (w *worker) carryOut(ctx context.Context, t pawl.Task) error {
	token := t.Claim.Token // of this claim: without it, a later one of this session counts too
	working, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	go func() {
		renew := time.NewTicker(w.lease / 3)
		defer renew.Stop()
		for {
			select {
			case <-working.Done():
				return
			case <-renew.C:
			}
			_, err := w.board.Do(working, pawl.Request{By: w.me, Op: pawl.Renew{IDs: []pawl.ID{t.ID}, Token: token}})
			if errors.Is(err, pawl.Conflict) || errors.Is(err, pawl.NotFound) {
				lost(err) // a busy store (Unavailable) is asked again
			}
		}
	}()
	err := w.work(working, t)
	if err != nil {
		log.Print(t.ID, ": ", err)
		back := pawl.Release{IDs: []pawl.ID{t.ID}, Token: token}
		if working.Err() == nil {
			back.Hold = "the work failed" // or the next one tries the same
		}
		// What ended the work does not end this.
		_, err = w.board.Do(context.WithoutCancel(ctx), pawl.Request{By: w.me, Op: back})
		return err
	}
	// Sent again, after a crash or when the answer was lost, this still runs once.
	id := pawl.OpID(fmt.Sprintf("%v done under %d", t.ID, token))
	_, err = w.board.Do(ctx, pawl.Request{By: w.me, ID: id, Op: pawl.Complete{IDs: []pawl.ID{t.ID}, Token: token}})
	return err
}

// Two workers that work a plan off.
func Example_worker() {
	ctx := context.Background()
	board := pawl.NewBoard(memory.New())
	defer board.Close()
	plan := pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "parser", Subject: "Write the parser"},
		{Ref: "printer", Subject: "Write the printer", BlockedBy: []pawl.Ref{pawl.RefName("parser")}},
		{Subject: "Release", BlockedBy: []pawl.Ref{pawl.RefName("printer")}, Priority: pawl.High},
	}}
	if _, err := board.Do(ctx, pawl.Request{By: pawl.Actor{Name: "boss"}, Op: plan}); err != nil {
		log.Fatal(err)
	}

	var team sync.WaitGroup
	for _, name := range []string{"ada", "bob"} {
		w := &worker{
			board: board, me: pawl.Actor{Name: name, Session: "of " + name}, lease: time.Minute,
			work: func(_ context.Context, t pawl.Task) error {
				fmt.Println(t.ID, t.Subject)
				return nil
			},
		}
		team.Go(func() {
			if err := w.run(ctx); err != nil {
				log.Print(name, ": ", err)
			}
		})
	}
	team.Wait()
	// Output:
	// #1 Write the parser
	// #2 Write the printer
	// #3 Release
}
