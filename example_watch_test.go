package pawl_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

func ExampleBoard_Watch() {
	ctx, enough := context.WithCancel(context.Background())
	defer enough()
	board := pawl.NewBoard(memory.New())
	defer board.Close()

	go func() { // somebody else; it might be another process, or a person at a file
		ada := pawl.Actor{Name: "ada", Session: "s1"}
		for _, op := range []pawl.Op{
			pawl.Create{Tasks: []pawl.NewTask{
				{Ref: "parser", Subject: "Write the parser"},
				{Subject: "Write the printer", BlockedBy: []pawl.Ref{pawl.RefName("parser")}},
			}},
			pawl.ClaimTask{},
			pawl.Complete{IDs: []pawl.ID{1}},
		} {
			if _, err := board.Do(ctx, pawl.Request{By: ada, Op: op}); err != nil {
				log.Fatal(err)
			}
		}
	}()

	for set, err := range board.Watch(ctx, 0) { // from the beginning
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(set.By.Name, set.Verb, "changed", len(set.Changes), "ready now", set.Ready)
		if set.Verb == "complete" {
			break // or it would wait for what comes next
		}
	}
	// Output:
	// ada create changed 2 ready now [#1]
	// ada claim changed 1 ready now []
	// ada complete changed 2 ready now [#2]
}
