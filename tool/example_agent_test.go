package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// An agent has tools of its own, and Pawl's beside them.
type agent struct {
	caller tool.Caller
	todos  *todo.Service
	pawl   map[string]tool.Tool
	own    map[string]func(args json.RawMessage) (string, error)

	model func(heard []heard) []asked
	heard []heard // since the model was last asked
}

// What a model asks for, and what it hears of it.
type (
	asked struct {
		id, tool, args string
	}
	heard struct {
		id, text string
		failed   bool
	}
)

// prompt is one turn of the agent: it ends when the model makes no further
// calls, or pauses.
func (a *agent) prompt(ctx context.Context) error {
	key := a.caller.Key()
	if err := a.todos.Prompt(ctx, key); err != nil { // the user has spoken: a pause is over
		return err
	}
	for {
		calls := a.model(a.heard)
		if len(calls) == 0 {
			return nil
		}
		a.heard = nil
		for _, c := range calls {
			h := a.do(ctx, c)
			first, _, _ := strings.Cut(h.text, "\n")
			fmt.Printf("%s: %s\n", c.tool, first)
			a.heard = append(a.heard, h)
		}
		list, err := a.todos.Read(ctx, key)
		if err != nil {
			return err
		}
		if list.Pause != nil {
			return nil
		}
	}
}

// do carries a call out.
func (a *agent) do(ctx context.Context, c asked) heard {
	if t, ok := a.pawl[c.tool]; ok {
		result := t.Call(ctx, a.caller, json.RawMessage(c.args))
		return heard{c.id, result.LLMContent, result.Err != nil}
	}
	run, ok := a.own[c.tool]
	if !ok {
		return heard{c.id, "unknown tool " + c.tool, true}
	}
	// What is done counts for the todo that is in progress when it begins.
	key := a.caller.Key()
	call := todo.ToolCall{ID: c.id, Name: c.tool, Parameters: json.RawMessage(c.args)}
	if err := a.todos.CallStarted(ctx, key, todo.Call{ToolCall: call, Arguments: true}); err != nil {
		log.Print(err) // a list that cannot be kept stops no work
	}
	text, err := run(call.Parameters)
	outcome := todo.Succeeded
	if err != nil {
		text, outcome = err.Error(), todo.Failed
	}
	if err := a.todos.CallEnded(ctx, key, c.id, outcome); err != nil {
		log.Print(err)
	}
	return heard{c.id, text, err != nil}
}

// script stands for a language model: it asks for what it is told to, an answer
// at a time.
func script(answers ...asked) func([]heard) []asked {
	return func([]heard) []asked {
		next := answers[:min(1, len(answers))]
		answers = answers[len(next):]
		return next
	}
}

func Example_agent() {
	ctx := context.Background()
	board := pawl.NewBoard(memory.New())
	defer board.Close()
	database := false
	a := &agent{
		caller: tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}},
		todos:  todo.New(todomem.New(), time.Now),
		pawl:   map[string]tool.Tool{},
		own: map[string]func(json.RawMessage) (string, error){
			"read_file": func(json.RawMessage) (string, error) { return "package parse", nil },
			"run_tests": func(json.RawMessage) (string, error) {
				if !database {
					return "", errors.New("no database to test against")
				}
				return "ok", nil
			},
		},
	}
	for _, t := range tool.New(tool.Options{Board: tool.OneBoard(board), Todos: a.todos}) {
		a.pawl[t.Name] = t
		// And t.Name, t.Description and t.Schema go to the model, in this order.
	}
	a.model = script(
		asked{"1", "task_create", `{"tasks": [
			{"ref": "parser", "subject": "Write the parser"},
			{"subject": "Write the printer", "blockedBy": ["parser"]}]}`},
		asked{"2", "task_claim", `{}`},
		asked{"3", "todo_write", `{"todos": [
			{"content": "Read the grammar", "status": "in_progress"},
			{"content": "Run the tests", "status": "pending"}]}`},
		asked{"4", "read_file", `{"path": "parse.go"}`},
		asked{"5", "todo_write", `{"merge": true, "todos": [
			{"id": "1", "status": "completed"}, {"id": "2", "status": "in_progress"}]}`},
		asked{"6", "run_tests", `{"path": "./..."}`},
		asked{"7", "todo_pause", `{"reason": "the tests need a database"}`},
		asked{"8", "run_tests", `{"path": "./..."}`}, // once the user has answered
		asked{"9", "task_update", `{"taskId": 1, "status": "completed"}`},
	)

	fmt.Println("> Go on with the plan")
	if err := a.prompt(ctx); err != nil {
		log.Fatal(err)
	}
	list, err := a.todos.Read(ctx, a.caller.Key())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("\n%s\n\n", todo.Structured(&list, time.Now()))

	fmt.Println("> The database is up")
	database = true
	if err := a.prompt(ctx); err != nil {
		log.Fatal(err)
	}
	ready, err := board.Select(ctx, pawl.Query{Ready: true, Order: pawl.ByUrgency})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range ready.Tasks {
		fmt.Println("ready:", t.ID, t.Subject)
	}
	// Output:
	// > Go on with the plan
	// task_create: Created parser: #1 Write the parser (ready)
	// task_claim: Claimed #1 Write the parser
	// todo_write: ## Todo List (2 tasks)
	// read_file: package parse
	// todo_write: ## Todo List (2 tasks)
	// run_tests: no database to test against
	// todo_pause: AI execution paused due to: the tests need a database
	//
	// ## Todo Progress
	//
	// 2 tasks: 1 completed, 1 in progress, 0 pending
	//
	// ✔ Read the grammar
	//   ↳ read_file(path: 'parse.go')
	//
	// → Run the tests ← current
	//   ↳ run_tests(path: './...') (failed)
	//
	// Paused just now, until the user's next prompt: the tests need a database
	//
	// > The database is up
	// run_tests: ok
	// task_update: Completed #1 Write the parser
	// ready: #2 Write the printer
}
