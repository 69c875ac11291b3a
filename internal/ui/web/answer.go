package web

import (
	"bytes"
	"crypto/rand"
	"errors"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
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
	switch step := e.Hint.Step; {
	case step == pawl.HintSay:
		return e.Hint.Text
	case step == pawl.HintCheck && slices.ContainsFunc(e.Faults, pawl.Fault.Unticked):
		return "tick its criteria in its details first"
	case step == pawl.HintCheck:
		return "in a terminal of the project: pawl done" + numbers(e.Hint.IDs)
	case int(step) < len(hints):
		return strings.Replace(hints[step], "%s", show.IDs(e.Hint.IDs), 1)
	}
	return ""
}

// hints are the steps that are told in the same words each time.
var hints = [...]string{
	pawl.HintFinish:   "complete %s first",
	pawl.HintClaim:    "take %s first",
	pawl.HintShow:     "look at %s",
	pawl.HintList:     "look at what there is",
	pawl.HintReopen:   "reopen %s first",
	pawl.HintRelease:  "release %s first",
	pawl.HintLift:     "lift the hold of %s first",
	pawl.HintApprove:  "approve %s, or send it back",
	pawl.HintRetry:    "try again",
	pawl.HintReach:    "try again",
	pawl.HintHistory:  "look at what happened",
	pawl.HintDiagnose: "pawl doctor explains it",
	pawl.HintMerge:    "run pawl merge in the project",
	pawl.HintCreate:   "add a first task",
	pawl.HintWait:     "wait until something becomes ready",
	pawl.HintUndo:     "undo that change in the history",
	pawl.HintAssign:   "give %s to somebody else",
}

// numbers are tasks as a command takes them: " 12 13".
func numbers(ids []pawl.ID) string {
	s := ""
	for _, id := range ids {
		s += " " + strconv.FormatInt(int64(id), 10)
	}
	return s
}
