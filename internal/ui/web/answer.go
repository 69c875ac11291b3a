package web

import (
	"bytes"
	"crypto/rand"
	"errors"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// fail answers with an error.
func (v *visit) fail(w http.ResponseWriter, err error) {
	status := 0
	if r, ok := errors.AsType[*refusal](err); ok {
		status, err = r.status, r.why
	}
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		e = pawl.Errorf(pawl.Internal, "%w", err)
	}
	if status == 0 {
		status = wire.Status(e.Kind)
		if errors.Is(err, access.ErrRefused) {
			status = http.StatusForbidden
		}
		if errors.Is(err, pawl.ErrTooMuch) {
			status = http.StatusRequestEntityTooLarge
		}
		if e.Kind == pawl.Internal {
			v.Log.Error("a request failed", "err", err)
		}
	}
	body := wire.NewErrorBody(e, v.sentence(e), hint(e))
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="pawl"`)
	}
	v.write(w, status, wire.ErrorJSON{Envelope: wire.NewEnvelope("error"), Error: body})
}

// rescue makes a fault of ours an answer, and keeps what is known of it. A stream
// that has begun can only end.
func (v *visit) rescue(w http.ResponseWriter, r *route) {
	fault := recover()
	switch fault {
	case nil:
		return
	case http.ErrAbortHandler: // which asks for what follows
		panic(fault)
	}
	id := rand.Text()[:8]
	v.Log.Error("a request failed for a fault of pawl's own", "id", id, "method", r.method, "path", r.path, "fault", fault, "stack", string(debug.Stack()))
	if r.gives == nil {
		panic(http.ErrAbortHandler)
	}
	why := pawl.Errorf(pawl.Internal, "a fault of pawl's own, which its log has under %s", id)
	v.fail(w, &refusal{why, http.StatusInternalServerError})
}

// sentence is an error as a person reads it. Several faults stand beside it.
func (v *visit) sentence(e *pawl.Error) string {
	if len(e.Faults) > 1 && e.Kind != pawl.Unmet {
		return text.Sentence(text.Line(e.Message))
	}
	return show.Reason(e, v.By.Name, inUTC)
}

// inUTC spells the moments of a sentence in full, whenever and wherever it is
// read: "2026-11-20 13:03 UTC". The page puts them into its reader's zone.
var inUTC = show.Clock{Zone: time.UTC}

// write answers with an envelope.
func (s *Server) write(w http.ResponseWriter, status int, answer any) {
	var text bytes.Buffer
	if err := wire.WriteJSON(&text, answer); err != nil {
		s.Log.Warn("an answer was not written", "err", err)
		http.Error(w, "", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text.Bytes()) // the client may be gone by now
}

// hint is the next step after an error as somebody at a page would take it.
func hint(e *pawl.Error) string {
	switch ids := show.IDs(e.Hint.IDs); e.Hint.Step {
	case pawl.HintSay:
		return e.Hint.Text
	case pawl.HintFinish:
		return "complete " + ids + " first"
	case pawl.HintClaim:
		return "take " + ids + " first"
	case pawl.HintShow:
		return "look at " + ids
	case pawl.HintList:
		return "look at what there is"
	case pawl.HintReopen:
		return "reopen " + ids + " first"
	case pawl.HintRelease:
		return "release " + ids + " first"
	case pawl.HintLift:
		return "lift the hold of " + ids + " first"
	case pawl.HintApprove:
		return "approve " + ids + ", or send it back"
	case pawl.HintRetry, pawl.HintReach:
		return "try again"
	case pawl.HintHistory:
		return "look at what happened"
	case pawl.HintDiagnose:
		return "pawl doctor explains it"
	case pawl.HintMerge:
		return "run pawl merge in the project"
	case pawl.HintCreate:
		return "add a first task"
	case pawl.HintWait:
		return "wait until something becomes ready"
	case pawl.HintUndo:
		return "undo that change in the history"
	case pawl.HintAssign:
		return "give " + ids + " to somebody else"
	case pawl.HintCheck:
		if slices.ContainsFunc(e.Faults, pawl.Fault.Unticked) {
			return "tick its criteria in its details first"
		}
		return "in a terminal of the project: pawl done" + numbers(e.Hint.IDs)
	}
	return ""
}

// numbers are tasks as a command takes them: " 12 13".
func numbers(ids []pawl.ID) string {
	s := ""
	for _, id := range ids {
		s += " " + strconv.FormatInt(int64(id), 10)
	}
	return s
}
