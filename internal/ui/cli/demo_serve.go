package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// demoPace is how long an agent of the demo takes for a step; somebody looks on
// and wants to read.
const (
	demoPace  = 6 * time.Second
	demoHurry = 50 * time.Millisecond
	demoRetry = time.Second // an agent that found nothing to do looks again
)

// demoServe shows a board in the browser that two agents work on, until it is
// interrupted. All its files are in its folder, also the token and the todo
// lists: it touches none of the viewer's.
func (a *app) demoServe(ctx context.Context, dir string, fast bool) error {
	project := filepath.Join(dir, "compiler")
	if err := os.MkdirAll(project, 0o755); err != nil {
		return pawl.Errorf(pawl.Invalid, "cannot make a folder for the demo: %w", err)
	}
	env := a.env
	env.Dir = project
	env.Getenv = func(key string) string {
		switch {
		case key == "XDG_STATE_HOME", key == "XDG_CONFIG_HOME":
			return filepath.Join(dir, strings.ToLower(strings.TrimPrefix(key, "XDG_")))
		case strings.HasPrefix(key, "PAWL_"):
			return "" // the demo is about its own board
		}
		return a.env.Getenv(key)
	}
	inner := &app{env: env, output: output{out: a.out, paint: a.paint, screen: a.screen}}
	s := inner.newServer()
	defer s.close()
	var w WebServing
	if err := inner.webServing(ctx, &w, s); err != nil {
		return err
	}
	w.Screened = inner.screening(true) // nothing here is anybody's, without a terminal, too
	board, _, err := w.Open(ctx, true)
	if err != nil {
		return err
	}
	if err := demoBegin(ctx, board); err != nil {
		return err
	}
	come := make(chan struct{}) // closed when somebody looks on: a page asks for the board at once
	looks := sync.OnceFunc(func() { close(come) })
	open := w.Open
	w.Open = func(ctx context.Context, write bool) (query.Board, string, error) {
		looks()
		return open(ctx, write)
	}
	pace := demoPace
	if fast {
		pace = demoHurry
		looks()
	}
	ctx, stop := context.WithCancel(ctx)
	var working sync.WaitGroup
	defer working.Wait()
	defer stop()
	w.Up = func(up Served) error {
		if err := inner.served(ctx, up, &w, true); err != nil {
			return err
		}
		a.say("ada and bob work on the plan as soon as the page is open; you can take part on the page. Ctrl-C ends it")
		for _, name := range []string{"ada", "bob"} {
			d := &demoAgent{pawl.Actor{Name: name, Session: "demo-" + name}, board, w.Todos, w.Project, pace}
			working.Go(func() {
				select {
				case <-ctx.Done():
				case <-come:
					d.work(ctx)
				}
			})
		}
		working.Go(func() { inner.narrate(ctx, board) })
		return nil
	}
	return env.Screens.Web(ctx, w)
}

// demoBegin makes the plan.
func demoBegin(ctx context.Context, board query.Board) error {
	by := demoPlanner
	requests := []pawl.Request{
		{By: by, Op: pawl.Create{Tasks: demoPlan()}},
		{By: by, Op: pawl.Complete{IDs: []pawl.ID{demoDone}}},
		{By: by, Op: pawl.PutHold{IDs: []pawl.ID{demoHeld}, Reason: "yours to choose; then press Lift"}},
	}
	_, err := board.DoAll(ctx, 0, requests...)
	return err
}

// narrate prints what happens, and when nothing goes on, for whom all waits.
func (a *app) narrate(ctx context.Context, board query.Board) {
	for news, err := range board.Watch(ctx, query.Asker{}, query.From{Names: true}) {
		if err != nil || news.Gone != nil {
			return // the page tells more of it
		}
		if news.Set == nil || query.Renewal(news.Set) {
			continue
		}
		fmt.Fprintln(a.env.Stdout, a.screen.telling(show.Telling{Names: news.Names, Origin: news.Origin}, news.Set, 0))
		text, err := demoRest(ctx, board)
		if err != nil {
			return
		}
		if text != "" {
			a.say("%s", text)
		}
	}
}

// demoRest says why nothing goes on, where nothing does.
func demoRest(ctx context.Context, board query.Board) (string, error) {
	found, err := query.Of(ctx, board, query.Asker{}, query.PagesQuery{Queries: []pawl.Query{
		{Status: []pawl.Status{pawl.InProgress}, Limit: 1}, {Ready: true, Limit: 1}, {Held: true, Limit: 1},
	}})
	if err != nil {
		return "", err
	}
	switch working, ready, held := found.Pages[0], found.Pages[1], found.Pages[2]; {
	case working.Total+ready.Total > 0:
		return "", nil
	case held.Total > 0:
		return "what is left waits for you: lift the hold of " + show.Name(&held.Tasks[0]) + " on the page", nil
	}
	return "all of it is done; add a task on the page, and one of them takes it", nil
}

// A demoAgent takes what is ready, one task after another.
type demoAgent struct {
	by      pawl.Actor
	board   query.Board
	todos   *todo.Service
	project string
	pace    time.Duration
}

// work goes on until ctx ends. The viewer may take a task out of an
// agent's hands at any time, as in life; then it takes another one.
func (d *demoAgent) work(ctx context.Context) {
	for pause := min(d.pace, demoRetry); d.rest(ctx, pause); pause = d.pace {
		claimed, err := d.board.Do(ctx, pawl.Request{By: d.by, Op: pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}}, 0)
		switch {
		case errors.Is(err, pawl.Idle), errors.Is(err, pawl.Busy), errors.Is(err, pawl.Blocked):
			if !d.rest(ctx, min(d.pace, demoRetry)) {
				return
			}
		case err == nil && len(claimed.Result.Tasks) > 0:
			d.carryOut(ctx, &claimed.Result.Tasks[0])
		}
	}
}

// carryOut does the steps of a task, with a todo list about them, and completes
// it.
func (d *demoAgent) carryOut(ctx context.Context, t *pawl.Task) {
	key := todo.Key{Session: d.by.Session}
	for i, step := range demoSteps {
		d.todos.Write(ctx, key, demoTodos(t, i), todo.Writing{Project: d.project}) // who cannot keep a list works without
		call := fmt.Sprintf("%s-%s-%d", d.by.Name, t.ID, i)
		d.todos.CallStarted(ctx, key, todo.Call{
			ToolCall: todo.ToolCall{ID: call, Name: step.tool, Parameters: json.RawMessage(step.argument)}, Project: d.project, Arguments: true,
		})
		if !d.rest(ctx, d.pace) {
			return
		}
		d.todos.CallEnded(ctx, key, call, todo.Succeeded)
	}
	d.todos.Write(ctx, key, demoTodos(t, len(demoSteps)), todo.Writing{Project: d.project})
	d.board.Do(ctx, pawl.Request{By: d.by, Op: pawl.Complete{IDs: []pawl.ID{t.ID}, Token: t.Claim.Token}}, 0)
}

// demoTodos is the list when a step is current.
func demoTodos(t *pawl.Task, current int) todo.Draft {
	var draft todo.Draft
	for i, step := range demoSteps {
		status := todo.Pending
		switch {
		case i < current:
			status = todo.Completed
		case i == current:
			status = todo.InProgress
		}
		draft.Items = append(draft.Items, todo.DraftItem{
			Item: todo.Item{Content: t.ID.String() + ": " + step.todo, Status: status, ActiveForm: step.doing},
			Said: todo.Said{Content: true, Status: true, ActiveForm: true},
		})
	}
	return draft
}

// rest reports whether there is more to do after a while.
func (d *demoAgent) rest(ctx context.Context, while time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(while):
		return true
	}
}
