package remote

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// The paths of todo lists, below the address of a board.
const (
	PathLists = "/v1/lists"      // GET ?since=STAMP&wait=SECONDS: Lists; with wait it answers as soon as something changed
	PathList  = "/v1/lists/one"  // GET ?id=ID: Session, with its list
	PathSend  = "/v1/lists/send" // POST Send: Sent
)

// The limits of what is sent of sessions, in requests and in the answers.
const (
	MaxSend     = 64      // sessions of one request
	MaxListText = 1 << 20 // bytes of a list as JSON
	MaxSendText = 4 << 20 // bytes of a request
	MaxPast     = todo.MaxItems
	MaxKey      = 400 // bytes of the name of a session, and of an agent
	MaxWord     = 200 // bytes of a machine's name, a program's and a folder's
	MaxWait     = 25 * time.Second
	maxLists    = 32 << 20
)

// A Session is what a board at an address knows of a session of a coding agent, or of
// one of its agents. Who sends one leaves out what the server finds out itself.
type Session struct {
	Session string `json:"session"`
	Agent   string `json:"agent,omitempty"` // empty: the session's main agent
	// Version orders what one machine sends of a session. The server keeps what has
	// the highest, so that an older request that is late changes nothing.
	Version int64     `json:"version"`
	Machine string    `json:"machine,omitempty"`
	Program string    `json:"program,omitempty"`
	Folder  string    `json:"folder,omitempty"` // the name of the project's folder, without where it is
	Seen    time.Time `json:"seen,omitzero"`    // when it last did anything
	Ended   bool      `json:"ended,omitempty"`
	List    *List     `json:"list,omitempty"` // sent: nil removes it. In answers: nil if there is none, or the answer has no room
	// Keep is sent in the place of a list that has not changed.
	Keep bool `json:"keep,omitempty"`

	// The server's, in answers:

	ID     string    `json:"id,omitempty"`
	Home   string    `json:"home,omitempty"`
	Name   string    `json:"name,omitempty"` // the token's
	Person bool      `json:"person,omitempty"`
	Head   *ListHead `json:"head,omitempty"` // nil: it has no list
}

// A ListHead is what is needed of a list to choose one.
type ListHead struct {
	StartedAt  time.Time `json:"startedAt,omitzero"`
	UpdatedAt  time.Time `json:"updatedAt,omitzero"`
	FinishedAt time.Time `json:"finishedAt,omitzero"`
	Pending    int       `json:"pending,omitempty"`
	InProgress int       `json:"inProgress,omitempty"`
	Completed  int       `json:"completed,omitempty"`
	Past       int       `json:"past,omitempty"`
	Title      string    `json:"title,omitempty"`
	Paused     bool      `json:"paused,omitempty"`
}

// A List is a todo list as it is sent. Its times are by the clock of who sends it:
// the server sets them to its own, and each reader to theirs.
type List struct {
	StartedAt  time.Time   `json:"startedAt,omitzero"`
	UpdatedAt  time.Time   `json:"updatedAt,omitzero"`
	FinishedAt time.Time   `json:"finishedAt,omitzero"`
	Items      []todo.Item `json:"items,omitempty"`
	Pause      *todo.Pause `json:"pause,omitempty"`
	Past       []todo.Past `json:"past,omitempty"` // what was finished with the list last
}

// Send is what a machine says of its sessions.
type Send struct {
	Home     string    `json:"home"` // a number that the user's folder on that machine gave itself for this address
	Now      time.Time `json:"now"`  // by its clock
	Sessions []Session `json:"sessions"`
}

// Sent answers a [Send]: for each session the version that the server has now. A
// higher one than was sent is of a later request.
type Sent struct {
	Versions []int64 `json:"versions"`
}

// Lists is what changed of a board's sessions.
type Lists struct {
	Stamp    string    `json:"stamp"` // what to ask since the next time
	Now      time.Time `json:"now"`   // by the server's clock
	Whole    bool      `json:"whole,omitempty"`
	Sessions []Session `json:"sessions,omitempty"`
	Gone     []string  `json:"gone,omitempty"` // ids
}

// Lists returns what changed of the board's sessions since a stamp; empty: all. If
// nothing did, the server answers at once, or as soon as something does if that is
// within wait.
func (b *Board) Lists(ctx context.Context, since string, wait time.Duration) (Lists, error) {
	q := url.Values{}
	if since != "" {
		q.Set("since", since)
	}
	if wait >= time.Second {
		q.Set("wait", strconv.Itoa(int(min(wait, MaxWait)/time.Second)))
	}
	path := PathLists
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	var lists Lists
	text, err := b.send(ctx, call{method: http.MethodGet, path: path, limit: maxLists, wait: max(0, min(wait, MaxWait))})
	if err != nil {
		return lists, err
	}
	return lists, b.decode(text, &lists)
}

// List returns a session with its list, by the id that [Board.Lists] gave.
func (b *Board) List(ctx context.Context, id string) (Session, error) {
	var s Session
	return s, b.get(ctx, PathList+"?id="+url.QueryEscape(id), 4*MaxListText, &s)
}

// SendLists says what changed of this machine's sessions. Sent twice it has the same
// outcome as once.
func (b *Board) SendLists(ctx context.Context, send Send) (Sent, error) {
	var sent Sent
	text, err := json.Marshal(send)
	if err != nil {
		return sent, plain(err)
	}
	if text, err = b.send(ctx, call{method: http.MethodPost, path: PathSend, body: text, limit: maxHello}); err != nil {
		return sent, err
	}
	if err := b.decode(text, &sent); err != nil {
		return sent, err
	}
	if len(sent.Versions) != len(send.Sessions) {
		return sent, b.strange("it answered for %d sessions of %d", len(sent.Versions), len(send.Sessions))
	}
	return sent, nil
}
