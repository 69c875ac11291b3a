package web

import (
	"context"
	"net/http"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/internal/view"
)

// A route is one thing that can be asked. docs/api.md, the OpenAPI file and the
// tests of the guard are made from the table, so that none of them can know
// another one than the server.
type route struct {
	method string
	path   string  // as http.ServeMux has it
	says   string  // what it is for, in a sentence
	open   bool    // answered without the token: it tells nothing of the board
	query  []param // in the address
	body   any     // a value of the type that is sent; nil: nothing is
	gives  any     // a value of the envelope that is answered; nil: something else than JSON
	kind   string  // of the envelope
	answer func(s *Server, w http.ResponseWriter, r *http.Request) (any, error)
}

// A param is a key in an address.
type param struct {
	name string
	of   string // one of the constants in asked.go
	many bool   // may be there more than once
	says string
}

// routes is everything that the server answers.
var routes = []*route{
	{method: "GET", path: "/{$}", says: "The page", open: true, answer: (*Server).page},
	{method: "GET", path: "/assets/{file}", says: "What the page is made of", open: true, answer: (*Server).asset},
	{
		method: "POST", path: "/api/v1/token", says: "Exchanges a code of pawl serve, which works once and for a minute, for the token", open: true,
		body: codeJSON{}, kind: "token", gives: tokenJSON{}, answer: (*Server).exchange,
	},
	{
		method: "POST", path: "/api/v1/codes", says: "Makes a code with which a browser gets the token: http://ADDRESS/#CODE",
		kind: "code", gives: newCodeJSON{}, answer: (*Server).newCode,
	},
	{
		method: "GET", path: "/api/v1/proof", says: "Proves to whoever knows the token that the server knows it, before it is sent there", open: true,
		query: []param{{name: "nonce", of: ofText, says: "1 to 64 bytes that nobody could foresee"}},
		kind:  "proof", gives: proofJSON{}, answer: (*Server).prove,
	},
	{
		method: "GET", path: "/api/v1/about", says: "What this server shows, and as whom it acts",
		kind: "about", gives: aboutJSON{}, answer: (*Server).about,
	},
	{
		method: "GET", path: "/api/v1/lanes", says: "The board as columns of cards",
		query: slices.Concat(filterParams, []param{asDone, {name: "done", of: ofCount, says: "so many of the completed tasks, the newest first, at most 2,000; 10 unless said"}}),
		kind:  "lanes", gives: lanesJSON{}, answer: (*Server).lanes,
	},
	{
		method: "GET", path: "/api/v1/graph", says: "Who waits for whom, and where to draw it",
		query: slices.Concat(filterParams, []param{
			{name: "around", of: ofID, says: "only this task, all that it waits for and all that wait for it, whatever else is asked for"},
			{name: "depth", of: ofCount, says: "with around: so many steps away from it; all unless said"},
			{name: "all", of: ofFlag, says: "completed tasks too"},
			{name: "also", of: ofID, many: true, says: "these, though they are completed"},
			{name: "alone", of: ofFlag, says: "also tasks that wait for nobody and for whom nobody waits"},
			asDone,
		}),
		kind: "graph", gives: view.GraphJSON{}, answer: (*Server).graph,
	},
	{
		method: "GET", path: "/api/v1/tasks/{id}", says: "One task, with the tasks around it",
		query: []param{asDone},
		kind:  "detail", gives: detailJSON{}, answer: (*Server).task,
	},
	{
		method: "GET", path: "/api/v1/log", says: "What happened, newest first",
		query: []param{
			{name: "before", of: ofRevision, says: "only what came before this revision: next of the page before"},
			{name: "limit", of: ofCount, says: "so many changes, 1 to 200; 50 unless said"},
			{name: "task", of: ofID, says: "only what happened to this task"},
		},
		kind: "history", gives: historyJSON{}, answer: (*Server).log,
	},
	{
		method: "POST", path: "/api/v1/ops", says: "Changes the board: all of the ops, or nothing",
		body: opsJSON{}, kind: "outcome", gives: outcomeJSON{}, answer: (*Server).ops,
	},
	{
		method: "GET", path: "/api/v1/replay", says: "What state each task had, revision by revision: the newest 5,000 changes of the board's history",
		kind: "replay", gives: replay.Film{}, answer: (*Server).replay,
	},
	{
		method: "GET", path: "/api/v1/lists", says: "The todo lists that stand beside the tasks: those of running sessions, and the one that was finished last, for a day",
		kind: "lists", gives: listsJSON{}, answer: (*Server).lists,
	},
	{
		method: "GET", path: "/api/v1/sessions", says: "The todo lists of the project, the newest first, and which of them run; at most 200",
		kind: "sessions", gives: view.Sessions{}, answer: (*Server).sessions,
	},
	{
		method: "GET", path: "/api/v1/todos", says: "The todo list of a session, as rows",
		query: []param{
			{name: "session", of: ofText, says: "whose list"},
			{name: "agent", of: ofText, says: "of this subagent; else of the session's main agent"},
		},
		kind: "outline", gives: outlineJSON{}, answer: (*Server).todos,
	},
	{
		method: "GET", path: "/api/v1/events", says: "What happens, as it happens, as server-sent events",
		query:  []param{{name: "after", of: ofRevision, says: "everything after this revision; the header Last-Event-ID says the same, and counts for more; else what happens from now on"}},
		answer: (*Server).events,
	},
}

// filterParams choose tasks as the flags of pawl list do; see [asked.tasks].
var filterParams = []param{
	{name: "owner", of: ofText, says: "held by or assigned to this name; @me: whom the API acts as"},
	{name: "label", of: ofText, many: true, says: "tasks with all of these"},
	{name: "priority", of: ofLevel, says: "high, medium or low"},
	{name: "text", of: ofText, says: "part of the subject or the description, in any case"},
	{name: "parent", of: ofID, says: "children of this task"},
}

// asDone is what turns a reading into a what-if.
var asDone = param{name: "asDone", of: ofID, many: true, says: "shows the board as it would be if these tasks were completed, in this order; nothing is written"}

// answering makes a handler of a route.
func (s *Server) answering(r *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		defer s.rescue(w, r)
		var answer any
		what, err := r.ask(req)
		if err == nil {
			answer, err = r.answer(s, w, req.WithContext(context.WithValue(req.Context(), askedKey{}, what)))
		}
		switch {
		case err != nil:
			s.fail(w, err)
		case answer != nil:
			s.write(w, http.StatusOK, answer)
		}
	})
}

// board is the board for reading; where there is none, NotFound says so.
func (s *Server) board(ctx context.Context) (*pawl.Board, error) {
	board, _, err := s.Open(ctx, false)
	if err == nil && board == nil {
		e := pawl.Errorf(pawl.NotFound, "there is no board here yet")
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "add a first task"}
		return nil, e
	}
	return board, err
}
