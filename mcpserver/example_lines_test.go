package mcpserver_test

import (
	"context"
	"crypto/rand"
	"log"
	"os"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// A server that an agent starts, with the board of the folder that it is started
// in. Standard output belongs to the protocol; talk goes to standard error.
func ExampleServer_Lines() {
	store, err := file.Open(".tasks")
	if err != nil {
		log.Fatal(err)
	}
	board := pawl.NewBoard(store)
	defer board.Close()
	me := tool.Caller{Actor: pawl.Actor{Name: "my-agent", Session: rand.Text()}}
	o := tool.Options{Board: tool.OneBoard(board), Todos: todo.New(todomem.New(), time.Now)}
	server := mcpserver.New(mcpserver.Options{
		Tools: tool.New(o), Board: o.Board, Todos: o.Todos,
		Who: func(context.Context, mcpserver.Call) (tool.Caller, error) { return me, nil },
	})
	defer server.Close()
	if err := server.Lines(context.Background(), os.Stdin, os.Stdout); err != nil {
		log.Print(err)
	}
}
