package remote

import (
	"encoding/json"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// Protocol is the number of the protocol that this client and this server speak,
// and Oldest the lowest that they understand as well. A client names its own in the
// header [ProtocolHeader] of each request; a server names both in the same header of
// each response, as "2 1".
const (
	Protocol       = 1
	Oldest         = 1
	ProtocolHeader = "Pawl-Protocol"
)

// The paths below the address of a board.
const (
	PathHello  = "/v1/hello"  // GET: Hello
	PathDo     = "/v1/do"     // POST Do: Done
	PathAsk    = "/v1/ask"    // POST Ask: an answer, as query.EncodeAnswer writes it
	PathWatch  = "/v1/watch"  // POST Watch: a stream of Item
	PathExport = "/v1/export" // POST Export: a stream of Item
	PathFilm   = "/v1/film"   // GET: replay.Film
)

// Hello describes a server, a board and the caller's token.
type Hello struct {
	Version string    `json:"version"`           // of the server's program
	Board   string    `json:"board"`             // its name
	Exists  bool      `json:"exists"`            // false: the first write makes it
	Tasks   int       `json:"tasks"`             // open ones
	Name    string    `json:"name"`              // the token's: in this name its holder acts
	Person  bool      `json:"person,omitempty"`  // it is a person's token, not an agent's
	Role    string    `json:"role"`              // read, work or admin
	Token   string    `json:"token"`             // the id of the token, which is not secret
	Expires time.Time `json:"expires,omitzero"`  // the token
	Now     time.Time `json:"now"`               // by the server's clock
	MaxBody int64     `json:"maxBody,omitempty"` // in bytes
}

// Do asks for changes, or with Try how they would end. Each request has an op id.
type Do struct {
	Want     query.Want        `json:"want,omitempty"`
	Try      bool              `json:"try,omitempty"`
	Requests []json.RawMessage `json:"requests"` // as pawl.ParseRequest reads them
}

// Done is the result of a [Do]: an outcome for each request, and an error or nil.
type Done struct {
	Outcomes []query.Outcome `json:"outcomes"`
	Errors   []*pawl.Error   `json:"errors,omitempty"` // of the same length, unless nothing failed
}

// Ask asks a question.
type Ask struct {
	Who      query.Asker     `json:"who,omitzero"`
	Question json.RawMessage `json:"question"` // as query.EncodeQuestion writes it
}

// Watch asks for what happens.
type Watch struct {
	Who  query.Asker `json:"who,omitzero"`
	From query.From  `json:"from"`
}

// Export asks for all tasks that a query chooses.
type Export struct {
	Who   query.Asker `json:"who,omitzero"`
	Query pawl.Query  `json:"query"`
}

// Item is a line of a stream, with one of its members; without any it says that the
// server is still there, which it does after [Beat] of silence.
type Item struct {
	News  *query.News `json:"news,omitempty"`
	Task  *pawl.Task  `json:"task,omitempty"`
	Error *pawl.Error `json:"error,omitempty"` // the stream ends
	End   bool        `json:"end,omitempty"`   // all tasks were sent
}

// Beat is the longest silence of a stream.
const Beat = 10 * time.Second

// Failure is the body of a response that is not 200.
type Failure struct {
	Error pawl.Error `json:"error"`
}
