package nudge_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// An agent is a loop around a model that keeps its plan in Pawl.
type agent struct {
	board *pawl.Board
	todos *todo.Service
	key   todo.Key
	state nudge.State // kept with the session, as JSON
	model func(prompt string) (answer string)
}

// on lets the policy know of an event, with the facts that it asks for.
func (a *agent) on(ctx context.Context, e nudge.Event) (nudge.Decision, error) {
	set := nudge.Defaults
	need := nudge.Needs(a.state, e, set)
	f := nudge.Facts{Tools: nudge.Tools{Write: "todo_write", Pause: "todo_pause", Off: "agent -once"}}
	var err error
	if need.List {
		if f.List, err = a.todos.Read(ctx, a.key); err != nil {
			return nudge.Decision{}, err
		}
	}
	if need.Tasks || need.Board {
		q := pawl.GlanceQuery{Session: a.key.Session}
		if need.Board {
			q.Ready = 5
			for _, held := range a.state.Claimed {
				q.IDs = append(q.IDs, held.ID)
			}
		}
		glance, err := a.board.Glance(ctx, q)
		if err != nil {
			return nudge.Decision{}, err
		}
		f.Owned, f.Ready, f.Free = glance.Claimed, glance.Ready, glance.Free
		for _, t := range glance.Tasks {
			if t.Claim.Session != a.key.Session {
				f.Lost = append(f.Lost, t)
			}
		}
	}
	var d nudge.Decision
	a.state, d = nudge.Decide(a.state, e, f, set, time.Now())
	return d, nil
}

// turn is one turn of the agent: it ends when the policy is silent.
func (a *agent) turn(ctx context.Context, prompt string) error {
	d, err := a.on(ctx, nudge.Event{Kind: nudge.Prompt, Text: prompt})
	if err != nil {
		return err
	}
	if d.Spoke {
		if err := a.todos.Prompt(ctx, a.key); err != nil { // a pause is over
			return err
		}
	}
	next := prompt
	if d.Tell != "" {
		next += "\n\n" + d.Tell
	}
	for next != "" {
		answer := a.model(next)
		fmt.Println("agent:", answer)
		if d, err = a.on(ctx, nudge.Event{Kind: nudge.Stop, Text: answer}); err != nil {
			return err
		}
		if d.Show != "" {
			fmt.Println(d.Show)
		}
		next = d.Continue
		if first, _, _ := strings.Cut(next, "\n"); first != "" {
			fmt.Println("nudge:", first)
		}
	}
	return nil
}

// A Go agent that is kept going until its plan is done.
func Example() {
	ctx := context.Background()
	a := &agent{
		board: pawl.NewBoard(memory.New()),
		todos: todo.New(todomem.New(), time.Now),
		key:   todo.Key{Session: "s1"},
	}
	write := func(list string) {
		draft, err := todo.Decode([]byte(list), false)
		if err == nil {
			_, err = a.todos.Write(ctx, a.key, draft, todo.Writing{})
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	answers := []func() string{
		func() string { write("- [x] Find the cause\n- [ ] Fix it"); return "I have found the cause." },
		func() string { return "I will fix it next." }, // and does not
		func() string { write("- [x] Find the cause\n- [x] Fix it"); return "Fixed." },
	}
	a.model = func(string) string {
		answer := answers[0]
		answers = answers[1:]
		return answer()
	}
	if err := a.turn(ctx, "The build is red."); err != nil {
		log.Fatal(err)
	}
	// Output:
	// agent: I have found the cause.
	// Pawl: asked the agent to go on, 1 todo left. Switch off: agent -once
	// nudge: Continue working on this task: Fix it
	// agent: I will fix it next.
	// Pawl: asked the agent to go on, 1 todo left. Switch off: agent -once
	// nudge: Continue working on this task: Fix it
	// agent: Fixed.
}
