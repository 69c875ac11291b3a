package web

import (
	"context"
	"net/http"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// A route is one endpoint. docs/api.md, the OpenAPI file and the tests of the guard
// are generated from the table, so they cannot differ from the server.
type route struct {
	method string
	path   string  // as http.ServeMux has it
	says   string  // its purpose, in a sentence
	open   bool    // needs no access token: it reveals nothing of the board
	query  []param // in the URL
	body   any     // a value of the type of the body; nil: no body
	gives  any     // a value of the envelope of the response; nil: not JSON
	kind   string  // of the envelope
	answer func(v *visit, w http.ResponseWriter, r *http.Request) (any, error)
}

// A param is a key in a URL.
type param struct {
	name string
	of   string // one of the constants in asked.go
	many bool   // may be repeated
	says string
}

// routes are all endpoints.
var routes = []*route{
	{method: "GET", path: "/{$}", says: "The page", open: true, answer: (*visit).page},
	{method: "GET", path: "/assets/{file}", says: "The files of the page", open: true, answer: (*visit).asset},
	{
		method: "POST", path: "/api/v1/token", says: "Exchanges a code for the access token, or at an address for a page's key; a code works once, for a minute", open: true,
		body: codeJSON{}, kind: "token", gives: tokenJSON{}, answer: (*visit).exchange,
	},
	{
		method: "POST", path: "/api/v1/codes", says: "Makes a code with which a browser opens the page: http://ADDRESS/#CODE",
		kind: "code", gives: newCodeJSON{}, answer: (*visit).newCode,
	},
	{
		method: "POST", path: "/api/v1/keys", says: "Exchanges a token of a server that keeps boards for others for a key that opens the page's API of this board for 12 hours, as long as the token holds",
		kind: "token", gives: tokenJSON{}, answer: (*visit).newKey,
	},
	{
		method: "GET", path: "/api/v1/proof", says: "Proves to a client with the access token that the server knows it, before the client sends it", open: true,
		query: []param{{name: "nonce", of: ofText, says: "1 to 64 unpredictable bytes"}},
		kind:  "proof", gives: proofJSON{}, answer: (*visit).prove,
	},
	{
		method: "GET", path: "/api/v1/about", says: "The project of this server, and the name in which it acts",
		kind: "about", gives: aboutJSON{}, answer: (*visit).about,
	},
	{
		method: "GET", path: "/api/v1/lanes", says: "The board as columns of cards",
		query: slices.Concat(filterParams, []param{asDone, {name: "done", of: ofCount, says: "number of completed tasks, the newest first: at most 2,000, by default 10"}}),
		kind:  "lanes", gives: lanesJSON{}, answer: (*visit).lanes,
	},
	{
		method: "GET", path: "/api/v1/graph", says: "The dependency graph with its layout",
		query: slices.Concat(filterParams, []param{
			{name: "around", of: ofID, says: "only this task, all that it depends on and all that depend on it; overrides the other filters"},
			{name: "depth", of: ofCount, says: "with around: at most this many steps from the task; by default all"},
			{name: "all", of: ofFlag, says: "completed tasks too"},
			{name: "also", of: ofID, many: true, says: "these tasks even if completed"},
			{name: "alone", of: ofFlag, says: "tasks without edges too"},
			asDone,
		}),
		kind: "graph", gives: wire.GraphJSON{}, answer: (*visit).graph,
	},
	{
		method: "GET", path: "/api/v1/tasks/{id}", says: "One task, with the tasks around it",
		query: []param{asDone},
		kind:  "detail", gives: detailJSON{}, answer: (*visit).task,
	},
	{
		method: "GET", path: "/api/v1/log", says: "The history, newest first",
		query: []param{
			{name: "before", of: ofRevision, says: "only changes before this revision: next of the previous page"},
			{name: "limit", of: ofCount, says: "number of changes: 1 to 200, by default 50"},
			{name: "task", of: ofID, says: "only changes of this task"},
		},
		kind: "history", gives: historyJSON{}, answer: (*visit).log,
	},
	{
		method: "POST", path: "/api/v1/ops", says: "Changes the board: all of the ops, or nothing",
		body: opsJSON{}, kind: "outcome", gives: outcomeJSON{}, answer: (*visit).ops,
	},
	{
		method: "GET", path: "/api/v1/run", says: "How pawl run stands in the clone of this server: slots, what is to be integrated, what waits for approval, what pauses",
		kind: "run", gives: runJSON{}, answer: (*visit).run,
	},
	{
		method: "POST", path: "/api/v1/run", says: "Approves an attempt, sends it back or stops it: for people",
		body: runAskJSON{}, kind: "runAsked", gives: runAskedJSON{}, answer: (*visit).askRun,
	},
	{
		method: "GET", path: "/api/v1/tasks/{id}/attempts", says: "The attempts of runs at a task, in the clone of this server",
		kind: "attempts", gives: attemptsJSON{}, answer: (*visit).attempts,
	},
	{
		method: "GET", path: "/api/v1/tasks/{id}/diff", says: "What the last attempt at a task changed",
		kind: "attemptDiff", gives: attemptDiffJSON{}, answer: (*visit).attemptDiff,
	},
	{
		method: "GET", path: "/api/v1/replay", says: "The state of each task at each revision, for the newest 5,000 changes of the history",
		kind: "replay", gives: replay.Film{}, answer: (*visit).replay,
	},
	{
		method: "GET", path: "/api/v1/lists", says: "The todo lists shown beside the tasks: those of running sessions, and for a day the one finished last",
		kind: "lists", gives: listsJSON{}, answer: (*visit).lists,
	},
	{
		method: "GET", path: "/api/v1/sessions", says: "The project's todo lists, the newest first, at most 200, and which of them are running",
		kind: "sessions", gives: wire.Sessions{}, answer: (*visit).sessions,
	},
	{
		method: "GET", path: "/api/v1/todos", says: "The todo list of a session, as rows",
		query: []param{
			{name: "session", of: ofText, says: "the session of the list"},
			{name: "agent", of: ofText, says: "the subagent of the list; by default the session's main agent"},
		},
		kind: "outline", gives: outlineJSON{}, answer: (*visit).todos,
	},
	{
		method: "GET", path: "/api/v1/events", says: "Changes as server-sent events, as they happen",
		query:  []param{{name: "after", of: ofRevision, says: "changes after this revision; the header Last-Event-ID overrides it; by default changes from now on"}},
		answer: (*visit).events,
	},
}

// filterParams choose tasks as the flags of pawl list do; see [asked.tasks].
var filterParams = []param{
	{name: "owner", of: ofText, says: "claimed by or assigned to this name; @me: the name in which the API acts"},
	{name: "label", of: ofText, many: true, says: "tasks with all of these"},
	{name: "priority", of: ofLevel, says: "high, medium or low"},
	{name: "text", of: ofText, says: "part of the subject or the description, ignoring case"},
	{name: "parent", of: ofID, says: "children of this task"},
}

// asDone turns a read into a what-if.
var asDone = param{name: "asDone", of: ofID, many: true, says: "the board as if these tasks were completed in this order; writes nothing"}

// answering makes a handler of a route.
func (s *Server) answering(r *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		v := &visit{s, visitorOf(req.Context())}
		defer v.rescue(w, r)
		var answer any
		what, err := r.ask(req)
		if err == nil {
			answer, err = r.answer(v, w, req.WithContext(context.WithValue(req.Context(), askedKey{}, what)))
		}
		switch {
		case err != nil:
			v.fail(w, err)
		case answer != nil:
			s.write(w, http.StatusOK, answer)
		}
	})
}

// board opens the board to read it. Without one the error is NotFound.
func (s *Server) board(ctx context.Context) (query.Board, error) {
	board, _, err := s.Open(ctx, false)
	if err == nil && board == nil {
		return nil, pawl.Errorf(pawl.NotFound, "there is no board here yet").Say("add a first task")
	}
	return board, err
}

// asking is who asks what an address asks for: of the board, or of a what-if.
func (v *visit) asking(a asked) query.Asker {
	return query.Asker{By: v.By, AsDone: a.ids("asDone"), Archive: v.Archive}
}
