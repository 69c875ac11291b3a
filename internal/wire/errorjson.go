package wire

import (
	"net/http"

	"github.com/pawl-dev/pawl"
)

// statuses are the codes of the kinds of errors in HTTP.
var statuses = [...]int{
	pawl.Internal: http.StatusInternalServerError, pawl.Invalid: http.StatusBadRequest, pawl.NotFound: http.StatusNotFound,
	pawl.Conflict: http.StatusConflict, pawl.Blocked: http.StatusConflict, pawl.Unavailable: http.StatusServiceUnavailable, pawl.Gone: http.StatusGone,
	pawl.Idle: http.StatusConflict, pawl.Busy: http.StatusConflict, pawl.Unmet: http.StatusConflict, pawl.Unconfirmed: http.StatusConflict,
}

// Status is the code of a kind of errors in HTTP; of one from a newer version, that of
// a fault.
func Status(k pawl.Kind) int {
	if int(k) >= len(statuses) {
		return http.StatusInternalServerError
	}
	return statuses[k]
}

// ErrorJSON is the envelope of a failure.
type ErrorJSON struct {
	Envelope
	Error ErrorBody `json:"error"`          // what went wrong
	Exit  int       `json:"exit,omitempty"` // of the command line: the exit code
}

// ErrorBody is what went wrong, for people and for programs.
type ErrorBody struct {
	Kind     Failure       `json:"kind"`               // what sort of failure it is; of the command line, the exit code in words
	Message  string        `json:"message"`            // one sentence, for people
	Hint     string        `json:"hint,omitempty"`     // the next step, on the command line mostly a command; it never destroys anything
	Faults   []FaultJSON   `json:"faults,omitempty"`   // all faults of the input, if it has several or their places matter
	IDs      []pawl.ID     `json:"ids,omitempty"`      // the tasks in question; of a cycle, the whole path
	Holder   *HolderJSON   `json:"holder,omitempty"`   // with conflict: the owner of the task
	Until    Moment        `json:"until,omitempty"`    // with busy: when the first of the others' leases expires; absent: none does
	By       []string      `json:"by,omitempty"`       // with busy: who works, the caller too
	Revision pawl.Revision `json:"revision,omitempty"` // with gone: the revision up to which history was trimmed; of a refused undo: the later change; of a deleted task: the change that deleted it
}

// FaultJSON is one thing wrong with the input.
type FaultJSON struct {
	Path    string `json:"path,omitempty"` // where: tasks[2].subject
	Problem string `json:"problem"`        // what: "is blank"
}

// HolderJSON is the owner of a task.
type HolderJSON struct {
	Name  string `json:"name"`            // the owner
	Claim *Claim `json:"claim,omitempty"` // its claim; absent for an assignment
}

// NewErrorBody is an error in an envelope, with the next step as the reader would
// take it.
func NewErrorBody(e *pawl.Error, message, hint string) ErrorBody {
	body := ErrorBody{Kind: Failure(e.Kind.Error()), Message: message, Hint: hint, IDs: e.IDs, Until: Time(e.Until), By: workers(e)}
	if e.Kind == pawl.Gone || e.Undoes != 0 || !e.Since.IsZero() {
		body.Revision = e.Revision
	}
	for _, f := range e.Faults {
		body.Faults = append(body.Faults, FaultJSON(f))
	}
	if e.Holder != nil {
		body.Holder = &HolderJSON{e.Holder.Name, NewClaim(e.Holder.Claim)}
	}
	return body
}
