package team

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/wire"
)

// A refusal is an error about a request, with a status of its own.
type refusal struct {
	why    *pawl.Error
	status int
	after  time.Duration // when to ask again; zero: it would change nothing
}

func (r *refusal) Error() string { return r.why.Error() }
func (r *refusal) Unwrap() error { return r.why }

func refused(status int, format string, args ...any) error {
	return &refusal{why: pawl.Errorf(pawl.Invalid, format, args...), status: status}
}

func unauthorized(message, hint string) error {
	return &refusal{why: pawl.Errorf(pawl.Invalid, "%s", message).Say(hint), status: http.StatusUnauthorized}
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	e := s.told(err)
	status := wire.Status(e.Kind)
	switch own, ok := errors.AsType[*refusal](err); {
	case ok:
		status = own.status
		if own.after > 0 {
			w.Header().Set("Retry-After", seconds(own.after))
			s.counts.limited.Add(1)
		}
	case errors.Is(err, access.ErrRefused):
		status = http.StatusForbidden
	case errors.Is(err, pawl.ErrTooMuch):
		status = http.StatusRequestEntityTooLarge
	case errors.Is(err, access.ErrUnknown):
		status = http.StatusUnauthorized
	}
	if status == http.StatusUnauthorized {
		s.counts.refused.Add(1)
		w.Header().Set("WWW-Authenticate", `Bearer realm="pawl"`)
	}
	if status == http.StatusInternalServerError && r.Context().Err() == nil {
		s.Log.Error("a request failed", "path", r.URL.Path, "err", err)
	}
	if strings.Contains(r.URL.Path, "/api/") { // the page and its programs read errors as the API writes them
		s.write(w, status, wire.ErrorJSON{Envelope: wire.NewEnvelope("error"), Error: wire.NewErrorBody(e, e.Message, e.Hint.Text)})
		return
	}
	s.write(w, status, remote.Failure{Error: *e})
}

// told is an error as a client gets it.
func (s *Server) told(err error) *pawl.Error {
	own, known := errors.AsType[*pawl.Error](err)
	known = known && own.Kind == pawl.Unavailable // it says itself what took too long
	if !known && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return pawl.Errorf(pawl.Unavailable, "the server did not finish this in time")
	}
	err = s.veiled(err)
	if e, ok := errors.AsType[*pawl.Error](err); ok {
		return e
	}
	return pawl.Errorf(pawl.Internal, "%s", err)
}

// write answers with a message.
func (s *Server) write(w http.ResponseWriter, status int, message any) {
	text, err := json.Marshal(message)
	s.answered(w, status, text, err)
}

// answered answers with what a message was written as.
func (s *Server) answered(w http.ResponseWriter, status int, text []byte, err error) {
	if err != nil {
		s.Log.Error("an answer cannot be written as JSON", "err", err)
		status, text = http.StatusInternalServerError, []byte(`{"error":{"kind":"internal","message":"an answer cannot be written as JSON"}}`)
	}
	s.send(w, status, text)
}

// send sends a whole answer, for which a client that does not read has not for ever.
func (s *Server) send(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", kindJSON)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	control := http.NewResponseController(w)
	control.SetWriteDeadline(time.Now().Add(patience + time.Duration(len(text))*time.Second/slowest))
	w.WriteHeader(status)
	_, _ = w.Write(text) // who does not read it is gone
	if control.Flush() == nil {
		control.SetWriteDeadline(time.Time{}) // the connection may serve another request
	}
}
