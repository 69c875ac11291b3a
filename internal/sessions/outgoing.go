package sessions

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/todo"
)

// An outgoing list is one that leaves the machine: texts without secrets and without
// the paths of folders, tool calls without arguments. What people did, what was before
// an undo and what left the list earlier stay.
type outgoing struct {
	arguments bool
	paths     *strings.Replacer
}

// newOutgoing returns how lists of a project leave the machine.
func newOutgoing(arguments bool, home, project string) *outgoing {
	var pairs []string
	for _, p := range []struct{ path, is string }{{project, ""}, {home, "~"}} {
		if p.path = strings.TrimRight(p.path, `/\`); len(p.path) < 2 || filepath.Dir(p.path) == p.path {
			continue
		}
		escaped := strings.ReplaceAll(p.path, `\`, `\\`) // as JSON has it
		for _, path := range []string{escaped, p.path} {
			for _, slash := range []string{"/", `\\`, `\`} {
				if p.is == "" {
					pairs = append(pairs, path+slash, "")
				} else {
					pairs = append(pairs, path+slash, p.is+slash)
				}
			}
			pairs = append(pairs, path, map[string]string{"": ".", "~": "~"}[p.is])
		}
	}
	return &outgoing{arguments, strings.NewReplacer(pairs...)}
}

func (o *outgoing) list(l *todo.List) *remote.List {
	out := &remote.List{StartedAt: l.StartedAt, UpdatedAt: l.UpdatedAt, FinishedAt: l.FinishedAt, Items: o.items(l.Items)}
	if p := l.Pause; p != nil {
		out.Pause = &todo.Pause{Reason: o.text(p.Reason, todo.MaxReason), At: p.At}
	}
	if done, ok := l.LastFinished(); ok {
		for _, item := range o.items(done.Items) {
			out.Past = append(out.Past, todo.Past{Item: item, How: todo.Finished, At: done.At})
		}
	}
	if len(out.Items) == 0 && out.Pause == nil && len(out.Past) == 0 {
		return nil
	}
	for step := 0; !fits(out); step++ {
		lessen(out, step)
	}
	return out
}

// lessen leaves out of a list that is too large what is missed least, more at each
// step.
func lessen(l *remote.List, step int) {
	switch step {
	case 0:
		each(l, func(item *todo.Item) {
			item.ToolCalls = nil
			for s := range item.Subtasks {
				item.Subtasks[s].ToolCalls = nil
			}
		})
	case 1:
		l.Past = nil
	case 2:
		each(l, func(item *todo.Item) { item.Subtasks = nil })
	default:
		l.Items = l.Items[:len(l.Items)*3/4]
	}
}

func each(l *remote.List, do func(*todo.Item)) {
	for i := range l.Items {
		do(&l.Items[i])
	}
	for i := range l.Past {
		do(&l.Past[i].Item)
	}
}

func (o *outgoing) items(items []todo.Item) []todo.Item {
	out := todo.CloneItems(items[:min(len(items), todo.MaxItems)])
	for i := range out {
		item := &out[i]
		item.ID, item.Content, item.ActiveForm = o.text(item.ID, todo.MaxID), o.text(item.Content, todo.MaxContent), o.text(item.ActiveForm, todo.MaxContent)
		item.ToolCalls = o.calls(item.ToolCalls)
		item.Subtasks = item.Subtasks[:min(len(item.Subtasks), todo.MaxSubtasks)]
		for s := range item.Subtasks {
			sub := &item.Subtasks[s]
			sub.ID, sub.Content, sub.ToolCalls = o.text(sub.ID, todo.MaxID), o.text(sub.Content, todo.MaxContent), o.calls(sub.ToolCalls)
		}
	}
	return out
}

func (o *outgoing) calls(calls []todo.ToolCall) []todo.ToolCall {
	calls = calls[max(0, len(calls)-todo.MaxToolCalls):]
	for i := range calls {
		call := &calls[i]
		call.ID, call.Name = o.text(call.ID, todo.MaxID), o.text(call.Name, todo.MaxID)
		if !o.arguments {
			call.Parameters = nil
			continue
		}
		call.Parameters = todo.Mask([]byte(o.paths.Replace(string(call.Parameters))))
		if !json.Valid(call.Parameters) || bytes.Equal(call.Parameters, []byte("{}")) {
			call.Parameters = nil
		}
	}
	return calls
}

// text is a text without secrets and paths, of at most so many characters.
func (o *outgoing) text(s string, most int) string {
	s = o.paths.Replace(todo.MaskText(strings.ToValidUTF8(s, "\ufffd")))
	if len(s) <= most {
		return s
	}
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

func fits(l *remote.List) bool {
	text, err := json.Marshal(l)
	return err == nil && len(text) <= remote.MaxListText
}
