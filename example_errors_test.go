package pawl_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

func ExampleError() {
	ctx := context.Background()
	board := pawl.NewBoard(memory.New())
	defer board.Close()
	ada, bob := pawl.Actor{Name: "ada", Session: "s1"}, pawl.Actor{Name: "bob", Session: "s2"}
	_, err := board.DoAll(ctx,
		pawl.Request{By: ada, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "Write the parser"}}}},
		pawl.Request{By: ada, Op: pawl.ClaimTask{ID: 1}})
	if err != nil {
		log.Fatal(err)
	}

	_, err = board.Do(ctx, pawl.Request{By: bob, Op: pawl.ClaimTask{ID: 1}})
	fmt.Println(err)
	fmt.Println(errors.Is(err, pawl.Conflict), pawl.KindOf(err))
	if e, ok := errors.AsType[*pawl.Error](err); ok {
		fmt.Println(e.IDs, e.Holder.Name, e.Hint.Step == pawl.HintNext)
	}

	_, err = board.Do(ctx, pawl.Request{By: bob, Op: pawl.Create{Tasks: []pawl.NewTask{
		{Subject: " "},
		{Subject: "Write the printer", BlockedBy: []pawl.Ref{pawl.RefName("parser")}},
	}}})
	if e, ok := errors.AsType[*pawl.Error](err); ok {
		for _, fault := range e.Faults { // all of them at once
			fmt.Println(fault.Path, "·", fault.Problem)
		}
	}
	// Output:
	// #1 is claimed by ada (session s1)
	// true conflict
	// [#1] ada true
	// tasks[0].subject · is blank
	// tasks[1].blockedBy[0] · no task of this request has the ref "parser"
}
