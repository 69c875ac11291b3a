// Package query is how an interface uses a board: requests and questions go in as data,
// outcomes and answers come out as data. A [Board] in this process answers from its
// store ([Local]); a distant one asks a server. Words and layout are the interface's.
//
//	board := query.Local(pawlBoard)
//	who := query.Asker{By: pawl.Actor{Name: "ada"}}
//	page, err := query.Of(ctx, board, who, query.TasksQuery{Query: pawl.Query{Ready: true, For: "ada"}})
//
// Each question is answered from one snapshot, whose revision and time are in the
// answer's [Head].
//
// # Questions
//
//	GlanceQuery     what an agent's hook needs at each step, fast on any board
//	OverviewQuery   how the board stands: counts, and the first tasks in progress and ready
//	TasksQuery      a page of tasks; if wanted also their open dependents, how much they unblock, how many
//	                stand where, what changed since a revision, and why nothing is ready
//	PagesQuery      several pages of one moment, for a text with sections
//	TaskQuery       tasks in full, by what a person calls them, with those around them and their history
//	ResolveQuery    which tasks are meant by what a person wrote
//	FindQuery       which ones may be meant by what was begun: completion
//	FacetsQuery     owners, labels, parents, priorities and states with the number of their tasks: filters
//	LanesQuery      the board as lanes of cards
//	GraphQuery      the tasks of a graph, with the edges among them
//	AgentsQuery     who has which open tasks
//	HistoryQuery    what happened, by pages, with names and what was undone
//	ProblemsQuery   what is wrong with the board
//
// With [Asker.AsDone] the answer shows the board as if some tasks were completed.
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
// Package querytest has a board that sends everything through it, for tests.
//
// Not here yet: a film of history, details of a request that was refused, and
// conditional answers. HistoryQuery and TaskQuery read history beside their
// snapshot, and leave out what is newer; TasksQuery finds out before its snapshot
// what changed.
package query
