package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/todo"
)

// names are what the tools are called, for the calls that texts propose. A set
// of tools under other names has another one.
type names struct {
	get, list, update, create string
	claim                     string // empty: there is none, and a task is taken by its status
	texts                     bool   // ids are texts
	checks                    bool   // checks can run here
}

var ownNames = names{get: "task_get", list: "task_list", update: "task_update", create: "task_create", claim: "task_claim"}

// call spells a tool call. Arguments come as name, value, name, value; nil and
// an empty text leave theirs out.
func call(tool string, args ...any) string {
	var b strings.Builder
	b.WriteString(tool + " {")
	comma := ""
	for i := 0; i+1 < len(args); i += 2 {
		if args[i+1] == nil || args[i+1] == "" {
			continue
		}
		value, err := json.Marshal(args[i+1])
		if err != nil {
			continue
		}
		fmt.Fprintf(&b, "%s%q:%s", comma, args[i], value)
		comma = ","
	}
	return b.String() + "}"
}

// about spells the ids of a call: one alone, or a list that is not too long.
func (n names) about(ids []pawl.ID) any {
	const most = 10
	ids = ids[:min(most, len(ids))]
	switch {
	case n.texts && len(ids) == 1:
		return decimal(ids[0])
	case n.texts:
		return decimals(ids)
	case len(ids) == 1:
		return ids[0]
	}
	return ids
}

// next is the step after an error as a call, or as a sentence where no tool does
// it. wanted says that the caller was looking for work.
func (n names) next(e *pawl.Error, wanted bool) string {
	if e.Kind == pawl.Unmet {
		return n.unmet(e)
	}
	ids := e.Hint.IDs
	first := ids[:min(1, len(ids))]
	switch e.Hint.Step {
	case pawl.HintSay:
		return text.Line(e.Hint.Text)
	case pawl.HintFinish:
		return "finish what is yours first: " + call(n.update, "taskId", n.about(ids), "status", "completed")
	case pawl.HintClaim:
		if n.claim == "" {
			return "start what it waits for: " + call(n.update, "taskId", n.about(first), "status", pawl.InProgress)
		}
		return "take what it waits for: " + call(n.claim, "taskId", n.about(first))
	case pawl.HintShow:
		return call(n.get, "taskId", n.about(first))
	case pawl.HintList:
		return call(n.list)
	case pawl.HintNext:
		if n.claim == "" || wanted || len(e.IDs) == 0 {
			return n.another()
		}
		return call(n.get, "taskId", n.about(e.IDs[:1]))
	case pawl.HintReopen:
		return "if there is more to do: " + call(n.update, "taskId", n.about(first), "status", "pending")
	case pawl.HintRelease:
		return call(n.update, "taskId", n.about(first), "release", true)
	case pawl.HintLift:
		return "ask your user whether the reason is settled: " + call(n.get, "taskId", n.about(first))
	case pawl.HintApprove:
		return "ask your user to approve it or to send it back"
	case pawl.HintRetry, pawl.HintReach:
		return "the same call again"
	case pawl.HintHistory:
		if len(first) == 0 {
			return call(n.list)
		}
		return call(n.get, "taskId", n.about(first))
	case pawl.HintDiagnose:
		return "tell your user to run: pawl doctor"
	case pawl.HintMerge:
		return "run: pawl merge"
	case pawl.HintCreate:
		return call(n.create, "subject", "…")
	case pawl.HintWait:
		return n.wait(e)
	case pawl.HintUndo:
		return fmt.Sprintf("if it is still needed, tell your user to run: pawl undo %d", e.Revision)
	case pawl.HintAssign:
		return "ask your user who shall do it: " + call(n.update, "taskId", n.about(first), "owner", "…")
	}
	return ""
}

// failure is what programs get of an error.
type failure struct {
	Error failureBody `json:"error"`
}

type failureBody struct {
	Kind    string       `json:"kind"`             // invalid, not_found, conflict, blocked, unmet, unavailable, gone or internal
	Message string       `json:"message"`          // one sentence
	Next    string       `json:"next,omitempty"`   // the call that would help
	Faults  []faultJSON  `json:"faults,omitempty"` // all faults of the arguments
	IDs     []pawl.ID    `json:"ids,omitempty"`    // the tasks in question
	Holder  *failureHeld `json:"holder,omitempty"` // who has the task
	Checks  []checkJSON  `json:"checks,omitempty"` // that ran
}

type faultJSON struct {
	Path    string `json:"path,omitempty"`
	Problem string `json:"problem"`
}

type failureHeld struct {
	Name  string      `json:"name"`
	Claim *wire.Claim `json:"claim,omitempty"`
}

// mostFaults is how many faults a text tells: who has more begins with these.
const mostFaults = 20

// failed is the result of an error of a tool.
func (k *kit) failed(err error, f *form) Result {
	if storage, ok := errors.AsType[*todo.StorageError](err); ok {
		return Result{
			LLMContent: storage.Error(), ReturnDisplay: storage.Error(), Err: err,
			Data: failure{failureBody{Kind: pawl.Unavailable.Error(), Message: storage.Error()}},
		}
	}
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		e = pawl.Errorf(pawl.Internal, "%w", err)
	}
	next := k.names.next(e, f.tool == k.names.claim)
	if next == "" && e.Kind == pawl.Invalid {
		if next = f.tool + " again, with this put right"; !f.reads {
			next += "; nothing was changed"
		}
	}
	body := failureBody{Kind: e.Kind.Error(), Message: clip(e.Message, mostError), Next: next, IDs: e.IDs[:min(mostIDs, len(e.IDs))]}
	short := *e
	if over := len(e.Faults) - mostFaults; over > 0 {
		short.Faults = append(append([]pawl.Fault(nil), e.Faults[:mostFaults]...), pawl.Fault{Problem: fmt.Sprintf("and %d more", over)})
	}
	for _, f := range short.Faults {
		body.Faults = append(body.Faults, faultJSON(f))
	}
	if e.Holder != nil {
		body.Holder = &failureHeld{e.Holder.Name, wire.NewClaim(e.Holder.Claim)}
	}
	text := clip(text.Line(short.Error()), mostError)
	if unmet, is := errors.AsType[*unmetError](err); is {
		text += unmet.failedChecks()
		body.Checks = unmet.report.json()
	}
	display := text
	if next != "" {
		text += "\nNext: " + next
	}
	return Result{LLMContent: text, ReturnDisplay: display, Data: failure{body}, Err: e}
}

// another is how an agent gets another task.
func (n names) another() string {
	if n.claim == "" {
		return "choose another one: " + call(n.list, "status", "ready")
	}
	return "take another one: " + call(n.claim)
}
