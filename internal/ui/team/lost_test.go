package team

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// headless does not say how far a board has come while fails is set.
type headless struct {
	kept
	fails *atomic.Bool
}

func (h headless) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	if _, is := q.(query.TasksQuery); is && h.fails.Load() {
		return nil, pawl.Errorf(pawl.Unavailable, "the database does not answer")
	}
	return h.kept.Ask(ctx, who, q)
}

// A server that could not look how far its board has come told clients that the board had
// lost changes.
func TestLostUnknown(t *testing.T) {
	var fails atomic.Bool
	w := newWorld(t, func(o *Options) {
		folder := o.Boards.(*Folder)
		open := folder.OpenBoard
		folder.OpenBoard = func(dir string, warn func(string)) (query.Board, error) {
			b, err := open(dir, warn)
			return headless{b.(kept), &fails}, err
		}
	})
	secret, _ := w.token("ada", access.Work, "shop")
	must.Get(w.client(secret, "shop").Do(ctx, create("one"), 0))(t)
	state := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(state, "seen"), []byte("0 9 9 "), 0o600))
	asks := func(patience time.Duration) (failed, lost error) {
		b, err := remote.Open(remote.Options{Address: address.Address{Origin: w.http.URL, Board: "shop"}, Token: secret, Patience: patience, State: state})
		must.Do(t, err)
		defer b.Close()
		_, err = b.Ask(ctx, query.Asker{}, query.OverviewQuery{})
		return err, b.Lost()
	}
	fails.Store(true)
	if err, lost := asks(time.Millisecond); pawl.KindOf(err) != pawl.Unavailable || lost != nil {
		t.Errorf("it is not known whether something is lost: %v, %v", err, lost)
	}
	fails.Store(false)
	if err, lost := asks(time.Minute); err != nil || lost == nil {
		t.Errorf("it is lost: %v, %v", err, lost)
	}
}

// A client that went away while its request opened a board kept the server from knowing how
// far the board had come, for as long as it was open.
func TestBeganWithoutClient(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.RunName = "run2" })
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if w.boards.began(gone, "shop", leaving{query.Local(pawl.NewBoard(memory.New()))}) == nil {
		t.Error("it is not known how far the board had come")
	}
}

// leaving answers nobody who is gone, as a database does.
type leaving struct{ query.Board }

func (l leaving) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return l.Board.Ask(ctx, who, q)
}
