package docs_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todofile"
)

// A board and todo lists where the command pawl has them.
func Example_files() {
	ctx := context.Background()
	project, err := filepath.Abs(".")
	if err != nil {
		log.Fatal(err)
	}
	me := pawl.Actor{Name: "ada", Session: "s1"}

	dir := filepath.Join(project, ".tasks")
	if _, err := file.Init(dir, file.Unchanged); err != nil { // tells git what is none of its business; the first write makes the rest
		log.Fatal(err)
	}
	tasks, err := file.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	board := pawl.NewBoard(tasks)
	defer board.Close()
	added, err := board.Do(ctx, pawl.Request{By: me, Op: pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "parser", Subject: "Write the parser"},
		{Subject: "Write the printer", BlockedBy: []pawl.Ref{pawl.RefName("parser")}},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("added", len(added.IDs), "tasks")

	dir, err = todofile.Dir(os.Getenv)
	if err != nil {
		log.Fatal(err)
	}
	lists, err := todofile.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	todos := todo.New(lists, time.Now)
	plan, err := todo.Decode([]byte("- [x] Read the grammar\n- [ ] Write the tests\n"), false)
	if err != nil {
		log.Fatal(err)
	}
	written, err := todos.Write(ctx, todo.Key{Session: me.Session}, plan, todo.Writing{Project: project})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(todo.Simplified(written.New))
	// Output:
	// added 2 tasks
	// ## Todo List (2 tasks)
	// - [x] Read the grammar
	// - [ ] Write the tests
}
