package pawl_test

import (
	"context"
	"errors"
	"fmt"

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
	if res := board.Do(ctx, pawl.Request{By: me, Op: plan})[0]; res.Err != nil {
		fmt.Println(res.Err)
		return
	}
	claimed := board.Do(ctx, pawl.Request{By: me, Op: pawl.ClaimTask{}})[0]
	fmt.Println("claimed", claimed.IDs)

	early := board.Do(ctx, pawl.Request{By: me, Op: pawl.Complete{IDs: []pawl.ID{2}}})[0]
	fmt.Println(early.Err, errors.Is(early.Err, pawl.Blocked))

	done := board.Do(ctx, pawl.Request{By: me, Op: pawl.Complete{IDs: claimed.IDs}})[0]
	fmt.Println("ready now", done.Ready)
	// Output:
	// claimed [#1]
	// #2 waits for #1, not finished yet true
	// ready now [#2]
}
