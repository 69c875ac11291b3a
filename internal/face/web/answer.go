package web

import (
	"bytes"
	"errors"
	"net/http"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// statuses are the codes of the kinds of errors.
var statuses = map[pawl.Kind]int{
	pawl.Internal: http.StatusInternalServerError, pawl.Invalid: http.StatusBadRequest, pawl.NotFound: http.StatusNotFound,
	pawl.Conflict: http.StatusConflict, pawl.Blocked: http.StatusConflict, pawl.Unavailable: http.StatusServiceUnavailable, pawl.Gone: http.StatusGone,
}

// errorJSON is the envelope of every request that failed.
type errorJSON struct {
	view.Envelope
	Error errorBody `json:"error"` // what went wrong
}

// errorBody is what went wrong, for people and for programs.
type errorBody struct {
	Kind     view.Failure  `json:"kind"`               // what sort of failure it is
	Message  string        `json:"message"`            // one sentence, for people
	Hint     string        `json:"hint,omitempty"`     // the next step, in words
	Faults   []faultJSON   `json:"faults,omitempty"`   // all faults of the input, where it has several or their places matter
	IDs      []pawl.ID     `json:"ids,omitempty"`      // the tasks in question; of a cycle, the whole path
	Holder   *holderJSON   `json:"holder,omitempty"`   // with conflict: who has the task
	Revision pawl.Revision `json:"revision,omitempty"` // with gone: up to where history was trimmed; of an undo that was refused: the later change
}

// faultJSON is one thing wrong with the input.
type faultJSON struct {
	Path    string `json:"path,omitempty"` // where: tasks[2].subject
	Problem string `json:"problem"`        // what: "is blank"
}

// holderJSON is who has a task.
type holderJSON struct {
	Name  string      `json:"name"`            // the owner
	Claim *view.Claim `json:"claim,omitempty"` // how; not there where it is an assignment
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, err error) {
	status := 0
	if r, ok := errors.AsType[*refusal](err); ok {
		status, err = r.status, r.why
	}
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		e = pawl.Errorf(pawl.Internal, "%w", err)
	}
	if status == 0 {
		status = statuses[e.Kind]
	}
	body := errorBody{Kind: view.Failure(e.Kind.Error()), Message: s.sentence(e), Hint: hint(e), IDs: e.IDs, Revision: e.Revision}
	for _, f := range e.Faults {
		body.Faults = append(body.Faults, faultJSON(f))
	}
	if e.Holder != nil {
		body.Holder = &holderJSON{e.Holder.Name, view.NewClaim(e.Holder.Claim)}
	}
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="pawl"`)
	}
	s.write(w, status, errorJSON{view.NewEnvelope("error"), body})
}

// sentence is an error as a person reads it. Several faults stand beside it.
func (s *Server) sentence(e *pawl.Error) string {
	if len(e.Faults) > 1 {
		return view.Sentence(view.Line(e.Message))
	}
	return view.Reason(e, s.By.Name, view.Clock{Now: s.Now(), Zone: time.Local})
}

// write answers with an envelope.
func (s *Server) write(w http.ResponseWriter, status int, answer any) {
	var text bytes.Buffer
	if err := view.WriteJSON(&text, answer); err != nil {
		s.Log.Warn("an answer was not written", "err", err)
		http.Error(w, "", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text.Bytes()) // whoever asked may be gone by now
}

// hint is the next step after an error as somebody at a page would take it.
func hint(e *pawl.Error) string {
	switch ids := view.IDs(e.Hint.IDs); e.Hint.Step {
	case pawl.HintSay:
		return e.Hint.Text
	case pawl.HintFinish:
		return "complete " + ids + " first"
	case pawl.HintClaim:
		return "take " + ids + " first"
	case pawl.HintShow:
		return "look at " + ids
	case pawl.HintNext:
		return "take another task"
	case pawl.HintReopen:
		return "reopen " + ids + " first"
	case pawl.HintRelease:
		return "release " + ids + " first"
	case pawl.HintLift:
		return "lift the hold of " + ids + " first"
	case pawl.HintRetry:
		return "try again"
	case pawl.HintHistory:
		return "look at what happened"
	case pawl.HintDiagnose:
		return "pawl doctor explains it"
	}
	return ""
}
