package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// fieldsFrom reads the fields that an update changes, spelled as in a
// task's file, from one JSON object:
//
//	{"subject":"Write tests","priority":"high","labels":["ci"],"parent":null}
//
// Labels take the place of those that there are, metadata is merged into what
// there is, and null empties a field.
func (a *app) fieldsFrom(ctx context.Context, file string, op *pawl.Update) error {
	content, err := a.slurp(file)
	if err != nil {
		return err
	}
	fields, err := readObject(content)
	if err != nil {
		return err
	}
	op.Was = &pawl.Was{} // all may be so already
	task, err := a.asks(ctx, op.ID)
	if err != nil {
		return err
	}
	var faults []pawl.Fault
	for _, f := range fields {
		problem, err := a.setField(ctx, task, op, f)
		if err != nil {
			return err
		}
		if problem != "" {
			faults = append(faults, pawl.Fault{Path: text.Clip(f.name, 40), Problem: problem})
		}
	}
	if len(faults) > 0 {
		return &pawl.Error{
			Kind: pawl.Invalid, Message: "these fields cannot be changed so", Faults: faults,
			Hint: pawl.Hint{Step: pawl.HintSay, Text: "pawl help update"},
		}
	}
	return nil
}

// field is a key of a JSON object with its value.
type field struct {
	name  string
	value json.RawMessage
}

func readObject(content []byte) ([]field, error) {
	dec := json.NewDecoder(bytes.NewReader(content))
	open, err := dec.Token()
	if err == nil && (open != json.Delim('{') || !dec.More()) {
		return nil, pawl.Errorf(pawl.Invalid, `--from needs an object with the fields to change: {"priority":"high"}`)
	}
	var fields []field
	seen := map[string]bool{}
	for err == nil && dec.More() {
		var f field
		var name json.Token
		if name, err = dec.Token(); err != nil {
			break
		}
		f.name = name.(string)
		if seen[f.name] {
			return nil, pawl.Errorf(pawl.Invalid, "%s occurs twice", text.Clip(f.name, 40))
		}
		seen[f.name] = true
		err = dec.Decode(&f.value)
		fields = append(fields, f)
	}
	if err == nil {
		_, err = dec.Token() // the brace at the end
	}
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = errors.New("the text goes on after the object")
		}
	}
	if err == nil {
		return fields, nil
	}
	at := dec.InputOffset()
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = e.Offset
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err, at = errors.New("the text ends too early"), int64(len(content))
	}
	line := 1 + bytes.Count(content[:min(at, int64(len(content)))], []byte("\n"))
	return nil, pawl.Errorf(pawl.Invalid, "line %d: invalid JSON: %w", line, err)
}

// setField puts a field into the op that updates a task, or says what is wrong with it.
// Lists replace those of the task: an update adds and removes.
func (a *app) setField(ctx context.Context, task *pawl.Task, op *pawl.Update, f field) (problem string, err error) {
	empty := string(f.value) == "null"
	text := func(to **string) {
		*to = new(string)
		if json.Unmarshal(f.value, *to) != nil {
			problem = "must be a text"
		}
	}
	switch f.name {
	case "subject":
		text(&op.Subject)
	case "description":
		text(&op.Description)
	case "activeForm":
		text(&op.ActiveForm)
	case "priority":
		var word string
		p, wrong := pawl.Medium, json.Unmarshal(f.value, &word)
		if wrong == nil {
			p, wrong = pawl.ParsePriority(word)
		}
		if wrong != nil {
			problem = "must be high, medium or low"
		}
		op.Priority = &p
	case "parent":
		name := strings.Trim(string(f.value), `"`)
		if empty || name == "0" || name == "none" {
			op.Parent = new(pawl.ID)
			break
		}
		id, err := a.one(ctx, name, "update", "parent is one task")
		if err != nil {
			return "", err
		}
		op.Parent = &id
	case "labels":
		op.RemoveLabels = task.Labels
		if json.Unmarshal(f.value, &op.AddLabels) != nil {
			problem = "must be a list of texts"
		}
	case "checks":
		problem = setChecks(task, op, f.value)
	case "accept":
		problem = setCriteria(task, op, f.value)
	case "metadata":
		if json.Unmarshal(f.value, &op.Metadata) != nil || empty {
			problem = "must be an object"
		}
	default:
		problem = notHere(f.name)
	}
	return problem, nil
}

// notHere says why a field is none that an update changes.
func notHere(name string) string {
	verbs := map[string]string{
		"status": "claim, done, release and reopen", "owner": "assign and claim",
		"blockedBy": "block", "blocks": "block", "notes": "note", "hold": "hold", "evidence": "check",
	}
	if verb, ok := verbs[name]; ok {
		return fmt.Sprintf("is changed with %s", verb)
	}
	return "is not a field that can be changed"
}
