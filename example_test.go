package pawl_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

func Example() {
	ctx := context.Background()
	board := pawl.NewBoard(memory.New()) // or the store that file.Open returns
	defer board.Close()
	me := pawl.Actor{Name: "ada", Session: "s1"}

	plan := pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "setup", Subject: "Setup project"},
		{Subject: "Write code", BlockedBy: []pawl.Ref{pawl.RefName("setup")}},
	}}
	if _, err := board.Do(ctx, pawl.Request{By: me, Op: plan}); err != nil {
		log.Fatal(err)
	}
	claimed, err := board.Do(ctx, pawl.Request{By: me, Op: pawl.ClaimTask{}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("claimed", claimed.IDs)

	_, err = board.Do(ctx, pawl.Request{By: me, Op: pawl.Complete{IDs: []pawl.ID{2}}})
	fmt.Println(err, errors.Is(err, pawl.Blocked))

	done, err := board.Do(ctx, pawl.Request{By: me, Op: pawl.Complete{IDs: claimed.IDs}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ready now", done.Ready)
	// Output:
	// claimed [#1]
	// #2 is blocked by #1 (not completed) true
	// ready now [#2]
}
