package pawl

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Kind says what sort of failure an [Error] is. A kind is itself an error, so
// that errors.Is(err, pawl.Blocked) reads as it sounds.
type Kind uint8

// The kinds. Each interface maps them once: to an exit code, a status, a result.
const (
	Internal    Kind = iota // a fault of ours, or damaged data
	Invalid                 // can never work as asked
	NotFound                // names something that does not exist
	Conflict                // claimed by somebody else, not the current token, or it has changed
	Blocked                 // has an open blocker or child, or is on hold
	Unavailable             // worth retrying; the message says so if the outcome is not known
	Gone                    // the history asked for was trimmed
	Idle                    // nothing to claim: all is done
	Busy                    // nothing to claim: others or the caller are at work
	Unmet                   // a check has not passed, or a criterion is not ticked
	Unconfirmed             // a Conflict, too: the clones of a shared board did not confirm the claim, which was taken back
)

var kindNames = [...]string{"internal", "invalid", "not_found", "conflict", "blocked", "unavailable", "gone", "idle", "busy", "unmet", "unconfirmed"}

// Error is the kind's name as it appears in JSON: "not_found".
func (k Kind) Error() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "internal"
}

// An Error names what failed, about which thing, and the step that would help.
type Error struct {
	Kind     Kind      `json:"kind"`
	Message  string    `json:"message"`            // one sentence, without a full stop
	Hint     Hint      `json:"hint,omitzero"`      // the next step; each interface puts it in its own words
	Faults   []Fault   `json:"faults,omitempty"`   // all faults of one input, when there are several to tell
	IDs      []ID      `json:"ids,omitempty"`      // the tasks in question, as a program needs them; a cycle's whole path
	Holder   *Holder   `json:"holder,omitempty"`   // with Conflict: who has the task
	Workers  []Holder  `json:"workers,omitempty"`  // with Busy: who works on the tasks in IDs, one each; a name may be empty
	Until    time.Time `json:"until,omitzero"`     // with Busy: when the first lease of the others ends; zero: none does
	Revision Revision  `json:"revision,omitempty"` // with Gone: where to start again; of a refused undo: the later change; of a task that was deleted: the change that did; of a claim without an id: the board's ([NothingReady])
	Undoes   Revision  `json:"undoes,omitempty"`   // of a refused undo: the change that it would have reverted
	Since    time.Time `json:"since,omitzero"`     // with NotFound: when the task was deleted
	Cause    error     `json:"-"`

	// Namesakes are sessions of the caller's name whose claims are in the way:
	// perhaps they are the caller's as well ([Request.Sessions]).
	Namesakes []string `json:"namesakes,omitempty"`
}

// Fault is one thing wrong with an input.
type Fault struct {
	Path    string `json:"path,omitempty"` // tasks[2].subject
	Problem string `json:"problem"`        // is blank
}

func (f Fault) String() string {
	if f.Path == "" {
		return f.Problem
	}
	return f.Path + ": " + f.Problem
}

// notTicked is what is wrong with a criterion.
const notTicked = "is not ticked"

// Unticked reports whether the fault is a criterion that is not ticked.
func (f Fault) Unticked() bool { return f.Problem == notTicked }

// Holder tells who holds a task and how.
type Holder struct {
	Name  string `json:"name,omitempty"`
	Claim Claim  `json:"claim,omitzero"`
}

// Hint is the next step after an error, as data: each interface words it for its
// reader.
type Hint struct {
	Step Step   `json:"step,omitzero"`
	IDs  []ID   `json:"ids,omitempty"`
	Text string `json:"text,omitempty"` // said as it stands when Step is HintSay
}

// Step is what a hint asks for.
type Step uint8

// The steps that hints name.
const (
	HintNone     Step = iota
	HintSay           // Hint.Text
	HintFinish        // complete the tasks in Hint.IDs first
	HintClaim         // claim the task in Hint.IDs first
	HintShow          // look at the tasks in Hint.IDs
	HintList          // look at what there is
	HintNext          // claim another task
	HintReopen        // reopen the tasks in Hint.IDs
	HintRelease       // release the tasks in Hint.IDs
	HintLift          // lift the hold of the tasks in Hint.IDs
	HintRetry         // ask again
	HintHistory       // look at what happened to the tasks in Hint.IDs, or to the board
	HintDiagnose      // ask the doctor
	HintCreate        // add a first task
	HintWait          // until something becomes ready
	HintAssign        // name another owner of the tasks in Hint.IDs
	HintUndo          // undo the change set in Error.Revision
	HintMerge         // merge the boards that git has brought together
	HintCheck         // run the checks of the tasks in Hint.IDs, and tick their criteria
	HintApprove       // a person approves the attempts at the tasks in Hint.IDs, or sends them back
	HintReach         // ask again where the remote of a shared board can be reached
)

var stepNames = [...]string{
	"", "say", "finish", "claim", "show", "list", "next", "reopen", "release", "lift", "retry", "history", "diagnose", "create", "wait", "assign", "undo", "merge", "check", "approve", "reach",
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	for i, f := range e.Faults {
		if i > 0 {
			b.WriteString("; ")
		} else if e.Message != "" {
			b.WriteString(": ")
		}
		b.WriteString(f.String())
	}
	return b.String()
}

// Unwrap returns what caused the error, if anything.
func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether target is the error's kind. Unconfirmed is a Conflict, too: the
// caller does not have the task.
func (e *Error) Is(target error) bool {
	k, ok := target.(Kind)
	return ok && (k == e.Kind || k == Conflict && e.Kind == Unconfirmed)
}

// KindOf returns the kind of err, and Internal for an error that has none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Errorf makes an error of the given kind. Stores and interfaces use it too, so that
// every failure reaches its reader in one shape. %w keeps the cause.
func Errorf(kind Kind, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Message: err.Error(), Cause: errors.Unwrap(err)}
}

// Next adds the step that would help, with the tasks that it is about.
func (e *Error) Next(step Step, ids ...ID) *Error {
	e.Hint = Hint{Step: step, IDs: ids}
	return e
}

// About adds the tasks in question.
func (e *Error) About(ids ...ID) *Error {
	e.IDs = ids
	return e
}

// Say adds a hint that interfaces print as it stands.
func (e *Error) Say(text string) *Error {
	e.Hint = Hint{Step: HintSay, Text: text}
	return e
}

func invalid(format string, args ...any) *Error { return Errorf(Invalid, format, args...) }

// NotFoundError says that the board has no such tasks.
func NotFoundError(ids ...ID) *Error {
	noun, verb := "task", "does"
	if len(ids) > 1 {
		noun, verb = "tasks", "do"
	}
	return Errorf(NotFound, "%s %s %s not exist on this board", noun, joinIDs(ids), verb).About(ids...).Next(HintList)
}

func joinIDs(ids []ID) string {
	const most = 10 // a sentence, not a dump
	var b strings.Builder
	for i, id := range ids {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(ids)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(id.String())
	}
	return b.String()
}

// clip cuts s to at most n runes, for a message.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "…"
}
