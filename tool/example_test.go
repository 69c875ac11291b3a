package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// An agent has a loop of its own: it tells the model of its tools, and carries
// out the calls that the model answers with. Pawl's tools are entries of its
// dispatch map.
func Example() {
	ctx := context.Background()
	board := pawl.NewBoard(memory.New()) // or the store that file.Open returns
	defer board.Close()

	dispatch := map[string]tool.Tool{}
	for _, t := range tool.New(tool.Options{
		Board: tool.OneBoard(board),
		Todos: todo.New(todomem.New(), time.Now), // or the store that todofile.Open returns
		Settings: func(context.Context, string) tool.Settings {
			return tool.Settings{} // claims do not end: the agent lives as long as the board
		},
	}) {
		dispatch[t.Name] = t // t.Description and t.Schema are for the model
	}

	me := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	for _, call := range []struct{ name, args string }{ // what the model answers with
		{"task_create", `{"tasks": [{"ref": "code", "subject": "Write code"}, {"subject": "Write tests", "blockedBy": ["code"]}]}`},
		{"task_update", `{"taskId": 2, "status": "completed"}`},
		{"task_claim", `{}`},
		{"todo_write", `{"todos": [{"content": "Read the spec", "status": "in_progress"}, {"content": "Write the parser", "status": "pending"}]}`},
		{"task_update", `{"taskId": 1, "status": "completed"}`},
	} {
		result := dispatch[call.name].Call(ctx, me, json.RawMessage(call.args))
		fmt.Println(result.LLMContent) // goes back to the model
	}
	// Output:
	// Created code: #1 Write code (ready)
	// Created #2 Write tests (blocked by #1)
	// #2 is blocked by #1 (not completed)
	// Next: take what it waits for: task_claim {"taskId":1}
	// Claimed #1 Write code
	// For ada: token 2
	// When it is done: task_update {"taskId":1,"status":"completed"}
	// ## Todo List (2 tasks)
	// - [→] ← current Read the spec
	// - [ ] Write the parser
	//
	// Completed #1 Write code
	// Ready now: #2 Write tests
}

// A program reads the same from the data of a result, and the kind of an error.
func ExampleTool_Call() {
	ctx := context.Background()
	board := pawl.NewBoard(memory.New())
	defer board.Close()
	tools := tool.New(tool.Options{Board: tool.OneBoard(board)})
	create, update := tools[0], tools[1]

	me := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	result := create.Call(ctx, me, json.RawMessage(`{"subject": "Write code"}`))
	data, _ := json.Marshal(result.Data)
	var created struct{ IDs []pawl.ID }
	_ = json.Unmarshal(data, &created)
	fmt.Println("created", created.IDs)

	result = update.Call(ctx, me, json.RawMessage(`{"taskId": 7, "status": "completed"}`))
	fmt.Println(pawl.KindOf(result.Err), "-", result.Err)
	// Output:
	// created [#1]
	// not_found - task #7 does not exist on this board
}

// Whether somebody watches decides what a todo list looks like in the
// conversation. An agent with a list of its own on the screen says so.
func ExampleCaller() {
	todos := todo.New(todomem.New(), time.Now)
	write := tool.New(tool.Options{Todos: todos})[0]
	watched := true
	me := tool.Caller{Actor: pawl.Actor{Session: "s1"}, Interactive: &watched}

	result := write.Call(context.Background(), me, json.RawMessage(`{"todos": [{"content": "Plan", "status": "in_progress"}]}`))
	fmt.Println(result.LLMContent)

	list, _ := todos.Read(context.Background(), me.Key())
	fmt.Print(todo.Simplified(list.Items))
	// Output:
	// TODO list updated
	// ## Todo List (1 task)
	// - [→] ← current Plan
}
