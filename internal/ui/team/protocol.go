package team

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// ours is the protocol as a client of the same version names it, and spoken what the
// server says of itself in each response.
var ours, spoken = strconv.Itoa(remote.Protocol), strconv.Itoa(remote.Protocol) + " " + strconv.Itoa(remote.Oldest)

// kindJSON is the media type of messages.
const kindJSON = "application/json"

// maxBody is the most bytes of a request.
const maxBody = 8 << 20

// A visit is one request to one board.
type visit struct {
	server *Server
	token  access.Token
	name   string // of the board
}

// A Route is a way into the server, as tests go through all of them.
type Route struct {
	Method  string // empty: what answers it decides
	Path    string // below the address of a board, unless it stands beside all boards
	Beside  bool
	Streams bool // the answer may go on for as long as its client wants
	answer  func(*visit, http.ResponseWriter, *http.Request) error
}

// Routes are the ways in.
func Routes() []Route { return slices.Clone(routes[:]) }

var routes = [...]Route{
	{Method: "GET", Path: remote.PathHello, answer: (*visit).hello},
	{Method: "POST", Path: remote.PathDo, answer: (*visit).do},
	{Method: "POST", Path: remote.PathAsk, answer: (*visit).ask},
	{Method: "POST", Path: remote.PathWatch, Streams: true, answer: (*visit).watch},
	{Method: "POST", Path: remote.PathExport, Streams: true, answer: (*visit).export},
	{Method: "GET", Path: remote.PathFilm, answer: (*visit).film},
	{Path: "/mcp", Streams: true},
	{Path: "/", Streams: true},
}

// answer answers a request of the protocol.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, v *visit, rest string) error {
	for i := range routes {
		at := &routes[i]
		switch {
		case at.Path != rest || at.answer == nil:
		case r.Method != at.Method:
			w.Header().Set("Allow", at.Method)
			return refused(http.StatusMethodNotAllowed, "%s is asked with %s", rest, at.Method)
		default:
			if err := understood(r); err != nil {
				return err
			}
			if at.Streams {
				done, err := s.stream(v.token.ID)
				if err != nil {
					return err
				}
				defer done()
			}
			return at.answer(v, w, r)
		}
	}
	return refused(http.StatusNotFound, "this server has nothing at %s", rest)
}

// understood refuses a client that speaks a protocol that this server does not know.
func understood(r *http.Request) error {
	said := r.Header.Get(remote.ProtocolHeader)
	if said == "" || said == ours {
		return nil
	}
	var n int
	if _, err := fmt.Sscan(said, &n); err != nil || n < remote.Oldest {
		return refused(http.StatusBadRequest, "this server speaks protocol %d, and none before %d: install a newer pawl", remote.Protocol, remote.Oldest)
	}
	return nil
}

// board returns the board that is asked for; nil: it is yet to be made.
func (v *visit) board(ctx context.Context, write bool) (*board, error) {
	found, err := v.server.boards.find(ctx, v.name)
	switch {
	case err != nil || found != nil:
		return found, err
	case !mayMake(&v.token, v.name) && !v.named():
		return nil, noBoard(v.name)
	case !write || !mayMake(&v.token, v.name):
		return nil, nil
	}
	return v.server.boards.make(ctx, v.name)
}

// named reports whether the token names the board, so that its holder may know that
// nothing is there yet.
func (v *visit) named() bool {
	return mayMake(&access.Token{Role: access.Work, Boards: v.token.Boards}, v.name)
}

// guarded is a board as the token's holder may use it.
func (v *visit) guarded(b query.Board) query.Board {
	return v.server.noting(access.Guard(measured{b, v.server, v.token.ID}, v.token, v.server.Now), &v.token, v.name)
}

// reading is a board to read: one with nothing on it, as long as there is none.
func (v *visit) reading(ctx context.Context) (_ query.Board, done func(), _ error) {
	b, err := v.board(ctx, false)
	if err != nil {
		return nil, nil, err
	}
	if b == nil {
		empty := v.server.Empty()
		return v.guarded(empty), func() { empty.Close() }, nil
	}
	return v.guarded(b), func() {}, nil
}

// writing is the board to carry out requests on. It is made when one of them would
// work on a new board: a refusal leaves nothing behind.
func (v *visit) writing(ctx context.Context, requests []pawl.Request) (_ query.Board, done func(), _ error) {
	found, err := v.board(ctx, false)
	if found == nil && err == nil {
		empty := v.server.Empty()
		_, refused := v.guarded(empty).Try(ctx, 0, requests...)
		empty.Close()
		for i := range requests {
			if found == nil && err == nil && pawl.ErrorAt(refused, i) == nil {
				found, err = v.board(ctx, true)
			}
		}
	}
	if err != nil || found == nil {
		return v.reading(ctx)
	}
	return v.guarded(found), func() {}, nil
}

// read reads a message, strictly. done gives back the room that it takes.
func (v *visit) read(w http.ResponseWriter, r *http.Request, into any) (done func(), err error) {
	said := r.Header.Get("Content-Type")
	if said != kindJSON && !wire.IsJSON(said) {
		return nil, refused(http.StatusUnsupportedMediaType, "a request is JSON: Content-Type: application/json")
	}
	if r.ContentLength > maxBody {
		return nil, tooLong(maxBody)
	}
	done, err = v.server.room(r.Context(), v.token.ID, r.ContentLength, maxBody)
	if err != nil {
		return nil, err
	}
	text, err := v.server.body(w, r, maxBody)
	if err == nil && len(text) > smallBody { // which is several times that as values
		_, err = v.server.large(r.Context(), v.token.ID)
	}
	if err == nil {
		err = decode(text, into)
	}
	if err != nil {
		done()
		return nil, err
	}
	return done, nil
}

func tooLong(most int64) error {
	return refused(http.StatusRequestEntityTooLarge, "a request has at most %d bytes here: send its tasks in several requests", most)
}

// bodyPatience is for a small body; a larger one has longer, at slowest bytes a second.
const bodyPatience = 20 * time.Second

// body is the body of a request.
func (s *Server) body(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	control := http.NewResponseController(w)
	size := r.ContentLength
	if size < 0 {
		size = most / 4
	}
	control.SetReadDeadline(time.Now().Add(bodyPatience + time.Duration(size)*time.Second/slowest))
	var body bytes.Buffer
	body.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead) // there is room for it
	_, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, most))
	text := body.Bytes()
	s.counts.received.Add(int64(len(text)))
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, tooLong(large.Limit)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, refused(http.StatusRequestTimeout, "the request did not arrive in time")
	}
	if err != nil {
		return nil, refused(http.StatusBadRequest, "the request did not arrive whole")
	}
	control.SetReadDeadline(time.Time{}) // the connection is listened to, to see its client go
	return text, nil
}

// decode reads a message.
func decode(text []byte, into any) error {
	if doing, is := into.(*doing); is && doing.scan(text) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		if e, own := errors.AsType[*pawl.Error](err); own {
			return e
		}
		return pawl.Errorf(pawl.Invalid, "the request cannot be read: %s", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return pawl.Errorf(pawl.Invalid, "something follows the request")
	}
	return nil
}

func (v *visit) hello(w http.ResponseWriter, r *http.Request) error {
	hello := remote.Hello{
		Version: v.server.Version, Board: v.name, Name: v.token.Name, Person: v.token.Person, Role: string(v.token.Role),
		Token: v.token.ID, Expires: v.token.Expires, Now: v.server.Now().UTC(), MaxBody: maxBody,
	}
	b, err := v.board(r.Context(), false)
	if err != nil {
		return err
	}
	if b != nil {
		hello.Exists = true
		if hello.Tasks, err = openTasks(r.Context(), v.guarded(b)); err != nil {
			return err
		}
	}
	v.server.write(w, http.StatusOK, hello)
	return nil
}

// openTasks counts the tasks that are not completed.
func openTasks(ctx context.Context, b query.Board) (int, error) {
	tasks, err := query.Of(ctx, b, query.Asker{}, query.TasksQuery{Query: pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Limit: 1, Brief: true}})
	return tasks.Page.Total, err
}

func (v *visit) do(w http.ResponseWriter, r *http.Request) error {
	var m doing
	free, err := v.read(w, r, &m)
	if err != nil {
		return err
	}
	defer free()
	requests := []pawl.Request(m.Requests)
	if len(requests) == 0 {
		return pawl.Errorf(pawl.Invalid, "name 1 to %d requests", pawl.MaxRequests)
	}
	ctx := context.WithoutCancel(r.Context()) // what has begun is done, though its client goes
	var b query.Board
	var done func()
	if m.Try {
		b, done, err = v.reading(ctx)
	} else if err = v.lost(r); err == nil {
		b, done, err = v.writing(ctx, requests)
	}
	if err != nil {
		return err
	}
	defer done()
	carry := b.DoAll
	if m.Try {
		carry = b.Try
	}
	outcomes, failed := carry(ctx, m.Want, requests...)
	if err := later(requests, failed); err != nil {
		return err
	}
	if errors.Is(pawl.ErrorAt(failed, 0), pawl.ErrTooMuch) { // of which none is done
		return pawl.ErrorAt(failed, 0)
	}
	answer := remote.Done{Outcomes: outcomes}
	if failed != nil {
		answer.Errors = make([]*pawl.Error, len(requests))
		for i := range requests {
			if err := pawl.ErrorAt(failed, i); err != nil {
				answer.Errors[i] = v.server.told(err)
			}
		}
	}
	text, err := answer.Encode()
	v.server.answered(w, http.StatusOK, text, err)
	return nil
}

// later is the refusal of requests of which none is known to be done and one is worth
// repeating at once: the database was lost, and there is another. Clients repeat what is
// refused so. Where the outcome is not known, that is safe for a request with an op id. An
// error that tells when to come back is a refusal, too.
func later(requests []pawl.Request, failed error) error {
	var why *pawl.Error
	for i := range requests {
		err := pawl.ErrorAt(failed, i)
		if err == nil {
			return nil
		}
		if own, ok := errors.AsType[*refusal](err); ok {
			return own
		}
		e, ok := errors.AsType[*pawl.Error](err)
		if !ok || e.Kind != pawl.Unavailable {
			continue
		}
		switch e.Hint.Step {
		case pawl.HintRetry:
			why = e
		case pawl.HintHistory: // to see whether it was done
			if requests[i].ID == "" {
				return nil
			}
			why = e
		}
	}
	if why == nil {
		return nil
	}
	return &refusal{why, http.StatusServiceUnavailable, time.Second}
}

func (v *visit) ask(w http.ResponseWriter, r *http.Request) error {
	var m remote.Ask
	free, err := v.read(w, r, &m)
	if err != nil {
		return err
	}
	defer free()
	q, err := query.DecodeQuestion(m.Question)
	if err != nil {
		return err
	}
	b, done, err := v.reading(r.Context())
	if err != nil {
		return err
	}
	defer done()
	answer, err := b.Ask(r.Context(), m.Who, q)
	if err != nil {
		return err
	}
	switch err := v.lost(r); {
	case pawl.KindOf(err) == pawl.Conflict:
		w.Header().Set(remote.LostHeader, "1")
	case err != nil: // it is not known
		return err
	}
	text, err := query.EncodeAnswer(answer)
	if err != nil {
		return err
	}
	v.server.send(w, http.StatusOK, text)
	return nil
}

func (v *visit) film(w http.ResponseWriter, r *http.Request) error {
	b, err := v.board(r.Context(), false)
	if err != nil {
		return err
	}
	if b == nil {
		return pawl.Errorf(pawl.NotFound, "the board %s does not exist yet, so it has no history", v.name)
	}
	film, err := replay.Of(r.Context(), v.guarded(b), v.token.Name)
	if err != nil {
		return err
	}
	v.server.write(w, http.StatusOK, film)
	return nil
}
