// Package ask is how a face knows a board: requests and questions go in as data,
// outcomes and answers come out as data. A [Board] in this process answers over
// its store ([Local]); one elsewhere is a server that does. Nothing here is in
// words or has a place on a screen: that is the face's.
//
//	board := ask.Local(pawlBoard)
//	who := ask.Asker{By: pawl.Actor{Name: "ada"}}
//	page, err := ask.Of(ctx, board, who, ask.TasksQuery{Query: pawl.Query{Ready: true, For: "ada"}})
//
// Each question is answered from one snapshot, whose revision and time are in the
// answer's [Head].
//
// # Which question replaces which call
//
//	GlanceQuery     Board.Glance: the hook, the status line
//	OverviewQuery   counts by a Select each, with the first tasks in progress and ready: status
//	TasksQuery      Select; with Edges what wire.TasksOf takes, with Unblocks LoadFacts,
//	                with Totals how many stand where, with Since ChangedSince, with Why NothingReady
//	PagesQuery      several Selects, for a text with sections
//	TaskQuery       Resolve and LoadDetail, for up to 500 names at once; with History what happened to each
//	ResolveQuery    Resolve, for up to 500 names at once
//	LanesQuery      LoadLanes
//	GraphQuery      ChooseGraph; with Waits LoadCards and UnblocksAll; view.NewGraph lays the tasks out
//	FindQuery       Selects for what somebody has begun to write: completion
//	FacetsQuery     reading all tasks to count owners, labels, parents, priorities and states: filters, completion
//	AgentsQuery     LoadAgents
//	HistoryQuery    Changes and LoadSubjects; with Undid LoadUndid
//	ProblemsQuery   Check
//	Asker.AsDone    a view and a Preview, for what-if
//
// The Load functions read the same answers with a [pawl.Reader], for programs
// that have a view of a local board open already.
//
// # Changes
//
// [Board.Do] returns an [Outcome]: the result, and as much about it as Want asks
// for. With WantNames it says how each task in question is called, which a
// sentence needs without another read; WantDetail and WantOpen add the tasks
// around the first one, and how many are open; WantEdges what wire.TasksOf needs;
// WantUndid the change that an undo took back. Of one that was refused, that is a
// HistoryQuery At Error.Undoes.
//
// # News
//
// [Board.Watch] begins with the board's revision, so that no Revision is read
// beforehand and nothing falls between. Each set follows once. After Gone, read
// again what is shown. With From.Names each news says what its tasks are called and
// what an undo took back, and hardly ever reads for it.
//
// # Across a wire
//
// All of it is JSON, read strictly: [EncodeQuestion], [DecodeAnswer] and the like.
// Package asktest has a board that sends everything through it, for tests.
//
// Not here yet: a film of history, details of a request that was refused, and
// conditional answers. HistoryQuery and TaskQuery read history beside their
// snapshot, and leave out what is newer; TasksQuery finds out before its snapshot
// what changed.
package ask
