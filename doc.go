// Package pawl is the task memory of AI coding agents: a graph of tasks that
// outlives the conversation in which it was planned.
//
// A [Task] has a subject, a status and edges to the tasks that it waits for.
// A [Board] is the tasks of one project; everything that alters one goes
// through [Board.Do], as a [Request] that holds an [Op]. Rules live there and
// nowhere else. A [Store] keeps a board: in files (store/file), in memory
// (store/memory), or wherever something passes store/storetest.
//
//	board := pawl.NewBoard(memory.New())
//	me := pawl.Actor{Name: "ada", Session: "s1"}
//	plan := pawl.Create{Tasks: []pawl.NewTask{
//		{Ref: "setup", Subject: "Setup project"},
//		{Subject: "Write code", BlockedBy: []pawl.Ref{pawl.RefName("setup")}},
//	}}
//	result, err := board.Do(ctx, pawl.Request{By: me, Op: plan})
//
// [Board.Select], [Board.Get] and [Board.View] read, [Board.Watch] yields what
// happens, and package query has as data what a page shows. Every failure is an
// [*Error], whose [Kind] errors.Is understands. [Encode] and [ParseRequest] take
// all of it over a wire.
//
// The package reads no file, no clock and no environment. A store brings the time
// along ([Reader.Now]), an interface brings who is asking.
//
// Everything exported is safe for concurrent use unless it says otherwise, and
// nothing that is handed out shares memory with what was kept.
package pawl
