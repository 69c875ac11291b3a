package team

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/query"
)

// failing is a board whose folder is damaged.
type failing struct {
	query.Board
	dir string
}

func (f failing) err() error {
	return pawl.Errorf(pawl.Unavailable, "the board cannot be read: %w", &fs.PathError{Op: "open", Path: filepath.Join(f.dir, "x"), Err: fs.ErrPermission})
}

func (f failing) DoAll(_ context.Context, _ query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	return make([]query.Outcome, len(requests)), &pawl.BatchError{Errs: []error{f.err()}}
}

func (f failing) Try(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	return f.DoAll(ctx, want, requests...)
}

func (f failing) Ask(context.Context, query.Asker, query.Question) (query.Answer, error) {
	return nil, f.err()
}

func (f failing) Watch(context.Context, query.Asker, query.From) iter.Seq2[query.News, error] {
	return func(yield func(query.News, error) bool) { yield(query.News{}, f.err()) }
}

func (f failing) Export(context.Context, query.Asker, pawl.Query) iter.Seq2[pawl.Task, error] {
	return func(yield func(pawl.Task, error) bool) { yield(pawl.Task{}, f.err()) }
}

func (f failing) Film(context.Context, string) (*replay.Film, error) { return nil, f.err() }

// No way into the server tells where its folder is, however somebody wrote that when it
// was started.
func TestFolderIsNotTold(t *testing.T) {
	broken := false
	w := newWorld(t, func(o *Options) {
		folder := o.Boards.(*Folder)
		open := folder.OpenBoard
		folder.Dir += "/./"
		folder.OpenBoard = func(dir string, warn func(string)) (query.Board, error) {
			if broken {
				return nil, failing{dir: dir}.err()
			}
			b, err := open(dir, warn)
			return failing{b, dir}, err
		}
	})
	w.board("shop")
	secret, token := w.token("ada", access.Work, "shop")
	hidden := func(what string, err error) {
		t.Helper()
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v", err, err), w.dir) || !strings.Contains(err.Error(), "…/shop/.tasks/x") {
			t.Errorf("%s: %v", what, err)
		}
		if !errors.Is(err, pawl.Unavailable) {
			t.Errorf("%s: its kind was lost: %v", what, err)
		}
	}
	opened, err := w.opener("shop")(access.With(ctx, token), true)
	must.Do(t, err)
	for name, b := range map[string]query.Board{"v1": w.client(secret, "shop"), "a face": opened} {
		if name == "a face" { // the line asks again while the server cannot do it
			_, err = b.Ask(ctx, query.Asker{}, query.TasksQuery{})
			hidden(name+" ask", err)
			for _, err := range b.Watch(ctx, query.Asker{}, query.From{}) {
				hidden(name+" watch", err)
			}
			_, err = replay.Of(ctx, b, "")
			hidden(name+" film", err)
		}
		_, err = b.Do(ctx, create("one"), 0)
		hidden(name+" do", err)
		_, err = b.Try(ctx, 0, create("one"))
		hidden(name+" try", pawl.ErrorAt(err, 0))
		for _, err := range b.Export(ctx, query.Asker{}, pawl.Query{}) {
			hidden(name+" export", err)
		}
	}
	broken = true
	w.boards.closeIdle(w.Now().Add(1))
	_, err = w.opener("shop")(access.With(ctx, token), false)
	hidden("opening", err)
}

type secretive struct{ error }

func (secretive) ForClients() string { return "the database refuses the login" }

// What a database says of its users and hosts goes to the log, and not to clients.
func TestDatabaseIsNotQuoted(t *testing.T) {
	var log bytes.Buffer
	s := &Server{Options: Options{Boards: &Folder{Dir: "/boards"}, Log: slog.New(slog.NewTextHandler(&log, nil))}}
	own := pawl.Errorf(pawl.Unavailable, "password authentication failed for user pawl at 10.0.0.5")
	own.Cause, own.Hint = secretive{errors.New("x")}, pawl.Hint{Step: pawl.HintSay, Text: "see 10.0.0.5"}
	for _, err := range []error{own, fmt.Errorf("wrapped: %w", own), &pawl.BatchError{Errs: []error{own}}} {
		log.Reset()
		told := s.veiled(err)
		if text := fmt.Sprint(told, pawl.ErrorAt(told, 0)); strings.Contains(text, "10.0.0.5") || !strings.Contains(text, "the database refuses the login") {
			t.Errorf("a client is told %s", text)
		}
		if pawl.KindOf(pawl.ErrorAt(told, 0)) != pawl.Unavailable || !strings.Contains(log.String(), "10.0.0.5") {
			t.Errorf("%v, and the log has %q", told, log.String())
		}
	}
}
