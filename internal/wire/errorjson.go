package wire

import "github.com/pawl-dev/pawl"

// ErrorJSON is the envelope of whatever failed.
type ErrorJSON struct {
	Envelope
	Error ErrorBody `json:"error"`          // what went wrong
	Exit  int       `json:"exit,omitempty"` // of the command line: the exit code
}

// ErrorBody is what went wrong, for people and for programs.
type ErrorBody struct {
	Kind     Failure       `json:"kind"`               // what sort of failure it is; of the command line, the exit code in words
	Message  string        `json:"message"`            // one sentence, for people
	Hint     string        `json:"hint,omitempty"`     // the next step, of the command line mostly a command; it never destroys anything
	Faults   []FaultJSON   `json:"faults,omitempty"`   // all faults of the input, where it has several or their places matter
	IDs      []pawl.ID     `json:"ids,omitempty"`      // the tasks in question; of a cycle, the whole path
	Holder   *HolderJSON   `json:"holder,omitempty"`   // with conflict: who has the task
	Until    Moment        `json:"until,omitempty"`    // with busy: when the first lease of the others ends; not there: none does
	By       []string      `json:"by,omitempty"`       // with busy: who is at work, the caller too
	Revision pawl.Revision `json:"revision,omitempty"` // with gone: up to where history was trimmed; of an undo that was refused: the later change
}

// FaultJSON is one thing wrong with the input.
type FaultJSON struct {
	Path    string `json:"path,omitempty"` // where: tasks[2].subject
	Problem string `json:"problem"`        // what: "is blank"
}

// HolderJSON is who has a task.
type HolderJSON struct {
	Name  string `json:"name"`            // the owner
	Claim *Claim `json:"claim,omitempty"` // how; not there where it is an assignment
}

// NewErrorBody is an error in an envelope, with the next step as the reader would
// take it.
func NewErrorBody(e *pawl.Error, message, hint string) ErrorBody {
	body := ErrorBody{Kind: Failure(e.Kind.Error()), Message: message, Hint: hint, IDs: e.IDs, Until: Time(e.Until), By: workers(e), Revision: e.Revision}
	for _, f := range e.Faults {
		body.Faults = append(body.Faults, FaultJSON(f))
	}
	if e.Holder != nil {
		body.Holder = &HolderJSON{e.Holder.Name, NewClaim(e.Holder.Claim)}
	}
	return body
}
