package todo_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// An agent writes its list, whatever the shape that its model is used to.
func Example() {
	ctx, key := context.Background(), todo.Key{Session: "s1"}
	todos := todo.New(todomem.New(), time.Now)
	for _, list := range []string{
		`[{"content": "Plan", "status": "in_progress"}, {"content": "Write tests", "status": "pending"}]`,
		`{"plan": [{"step": "Plan", "status": "completed"}, {"step": "Write tests", "status": "in_progress"}]}`,
		"- [x] Plan\n- [x] Write tests\n- [ ] Run tests\n",
	} {
		draft, err := todo.Decode([]byte(list), false)
		if err != nil {
			log.Fatal(err)
		}
		written, err := todos.Write(ctx, key, draft, todo.Writing{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(written.Diff)
	}
	list, err := todos.Read(ctx, key)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(todo.Simplified(list.Items))
	// Output:
	// 2 added
	// 1 started, 1 completed
	// 1 added, 1 completed
	// ## Todo List (3 tasks)
	// - [x] Plan
	// - [x] Write tests
	// - [ ] Run tests
}

// All that is wrong with a list is told at once.
func ExampleDecode() {
	_, err := todo.Decode([]byte(`[{"content": " "}, {"content": "Plan"}, {"content": "Test", "status": "banana"}]`), false)
	fmt.Println(err)
	// Output:
	// Invalid todo data: todos.0.content: must not be blank; todos.2.status: "banana" is not a status: use pending, in_progress or completed
}
