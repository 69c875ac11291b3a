package cli

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

var updateVerb = verb{
	name:  "update",
	use:   "ID [flags]",
	short: "change a task's texts, priority, labels, parent, hold",
	long:  "Changes what you name and nothing else. What it waits for is changed with block and unblock.",
	kind:  "result",
	examples: []string{
		`pawl update 12 --subject "Refactor auth" --add-label auth`,
		"pawl update 12 --desc - < brief.txt",
	},
	min: 1, max: 1,
	build: buildUpdate,
}

func buildUpdate(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var op pawl.Update
	var subject, activeForm, priority, parent, hold string
	var meta []string
	var lift bool
	desc := textFlag(cmd, "desc", "description")
	flags := cmd.Flags()
	flags.StringVar(&subject, "subject", "", "`TEXT` its subject")
	flags.StringVar(&activeForm, "active-form", "", "`TEXT` what to show while it is being done: \"Refactoring auth\"")
	flags.StringVar(&priority, "priority", "", "`LEVEL` high, medium or low")
	flags.StringVar(&parent, "parent", "", "`ID` the task that it is a part of, or none")
	flags.StringArrayVar(&op.AddLabels, "add-label", nil, "`LABEL` a label to add; may be given several times")
	flags.StringArrayVar(&op.RemoveLabels, "remove-label", nil, "`LABEL` a label to remove; may be given several times")
	flags.StringArrayVar(&meta, "meta", nil, "`KEY=VALUE` set a key of its metadata to JSON or text; null removes the key")
	flags.StringVar(&hold, "hold", "", "`REASON` keep it from being taken, for this reason")
	flags.BoolVar(&lift, "lift", false, "end its hold")
	tokenFlag(cmd, &op.Token)
	return func(ctx context.Context, args []string) error {
		ids, err := a.resolve(ctx, args[0])
		if err != nil {
			return err
		}
		if len(ids) > 1 {
			return usage("update", "update is about one task at a time")
		}
		op.ID = ids[0]
		if flags.Changed("hold") || lift {
			return a.updateHold(ctx, cmd, op.ID, hold, lift)
		}
		set := func(field **string, name string, value *string) {
			if flags.Changed(name) {
				*field = value
			}
		}
		set(&op.Subject, "subject", &subject)
		set(&op.ActiveForm, "active-form", &activeForm)
		if desc.given() {
			text, err := desc.read(a)
			if err != nil {
				return err
			}
			op.Description = &text
		}
		if flags.Changed("priority") {
			p, err := pawl.ParsePriority(priority)
			if err != nil {
				return err
			}
			op.Priority = &p
		}
		if flags.Changed("parent") {
			op.Parent = new(pawl.ID)
			if parent != "none" && parent != "" && parent != "0" {
				parents, err := a.resolve(ctx, parent)
				if err != nil {
					return err
				}
				op.Parent = &parents[0]
			}
		}
		if op.Metadata, err = parseMeta(meta); err != nil {
			return err
		}
		board, result, err := a.do(ctx, op)
		if err != nil {
			return err
		}
		return a.tell(ctx, "update", "Updated", board, result)
	}
}

// updateHold puts or lifts a hold. It goes alone, for each call is one op.
func (a *app) updateHold(ctx context.Context, cmd *cobra.Command, id pawl.ID, hold string, lift bool) error {
	for _, name := range []string{
		"subject", "desc", "desc-file", "active-form", "priority", "parent", "add-label", "remove-label", "meta", "token",
	} {
		if cmd.Flags().Changed(name) {
			return usage("update", "--hold and --lift go alone: change --%s with another update", name)
		}
	}
	var op pawl.Op = pawl.LiftHold{IDs: []pawl.ID{id}}
	switch {
	case lift && hold != "":
		return usage("update", "give --hold or --lift, not both")
	case !lift && hold == "":
		return usage("update", "--hold needs a reason")
	case hold != "":
		op = pawl.PutHold{IDs: []pawl.ID{id}, Reason: hold}
	}
	board, result, err := a.do(ctx, op)
	if err != nil {
		return err
	}
	return a.tell(ctx, "update", "Updated", board, result)
}

// parseMeta reads KEY=VALUE. A value that is no JSON is text, and null stays
// the op's way to remove a key.
func parseMeta(pairs []string) (map[string]json.RawMessage, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	meta := map[string]json.RawMessage{}
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, usage("update", "--meta is KEY=VALUE, not %q", view.Clip(pair, 40))
		}
		raw := json.RawMessage(value)
		if !json.Valid(raw) {
			text, err := json.Marshal(value)
			if err != nil {
				return nil, usage("update", "the value of %q cannot be kept: %v", view.Clip(key, 40), err)
			}
			raw = text
		}
		meta[key] = raw
	}
	return meta, nil
}
