package cli

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

var updateVerb = verb{
	name:  "update",
	use:   "ID [flags]",
	short: "change a task's texts, priority, labels, parent, checks or criteria",
	long:  "Changes the named fields only; block changes dependencies, and hold whether it is on hold. Text that is hard to quote can come from stdin (--desc -), from a file (--desc-file), or with --from as a JSON object with the fields to change, spelled as in the task's file. In that object labels, checks and accept replace the whole list, metadata is merged, and null empties a field.",
	kind:  "result",
	examples: []string{
		`pawl update 12 --subject "Refactor auth" --add-label auth`,
		`pawl update 12 --check "go vet ./..." --tick "no flicker"`,
		`echo '{"priority":"high","labels":["auth"]}' | pawl update 12 --from -`,
	},
	min: 1, max: 1,
	build: buildUpdate,
}

func buildUpdate(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var op pawl.Update
	var subject, activeForm, priority, parent, from string
	var meta []string
	desc := textFlag(cmd, "desc", "`TEXT` description")
	flags := cmd.Flags()
	flags.StringVar(&subject, "subject", "", "`TEXT` subject")
	flags.StringVar(&activeForm, "active-form", "", "`TEXT` text to show while the task is in progress: \"Refactoring auth\"")
	flags.StringVar(&priority, "priority", "", "`LEVEL` priority: high, medium or low")
	flags.StringVar(&parent, "parent", "", "`ID` parent task, or none")
	labelsFlag(cmd, &op.AddLabels, "add-label", "`LABEL` add a label; repeat the flag or use commas for several")
	labelsFlag(cmd, &op.RemoveLabels, "remove-label", "`LABEL` remove a label; repeat the flag or use commas for several")
	flags.StringArrayVar(&meta, "meta", nil, "`KEY=VALUE` set a metadata key to JSON or text; null removes it")
	var words acceptance
	words.flags(flags)
	flags.StringVar(&from, "from", "", "`FILE` change the fields in this JSON object; -: from stdin")
	tokenFlag(cmd, &op.Token)
	spellings(cmd, map[string]string{"description": "desc", "body": "desc"})
	return func(ctx context.Context, args []string) (err error) {
		if beside(cmd, "token") == "" {
			return usage("update", "nothing to change was given: give a flag such as --subject or --add-label")
		}
		if op.ID, err = a.one(ctx, args[0], "update", "update changes one task at a time"); err != nil {
			return err
		}
		if flags.Changed("from") {
			if other := beside(cmd, "from", "token"); other != "" {
				return usage("update", "--from excludes --%s: put that field into the object", other)
			}
			if err := a.fieldsFrom(ctx, from, &op); err != nil {
				return err
			}
			return a.updateFields(ctx, op, true)
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
				if *op.Parent, err = a.one(ctx, parent, "update", "--parent takes one task"); err != nil {
					return err
				}
			}
		}
		if op.Metadata, err = parseMeta(meta); err != nil {
			return err
		}
		if err := words.into(ctx, a, &op); err != nil {
			return err
		}
		return a.updateFields(ctx, op, false)
	}
}

// updateFields is update by flags or a file. Checks that a person types are trusted by that,
// those of a file, which may come from anybody, are not.
func (a *app) updateFields(ctx context.Context, op pawl.Update, file bool) error {
	if len(op.AddChecks)+len(op.RemoveChecks) == 0 {
		return a.doAndTell(ctx, op, "update", "Updated")
	}
	var is typed
	if !file {
		before, err := a.asks(ctx, op.ID)
		if err != nil {
			return err
		}
		is = a.typing(before, op.AddChecks)
	}
	o, err := a.do(ctx, op)
	if err != nil {
		return err
	}
	defer a.trustTyped(ctx, is, o.Result.Tasks)
	return a.tell("update", "Updated", o)
}

// anyOf names one of some flags that was given; empty: none was.
func anyOf(cmd *cobra.Command, flags ...string) string {
	if i := slices.IndexFunc(flags, cmd.Flags().Changed); i >= 0 {
		return flags[i]
	}
	return ""
}

// beside names a flag of the verb that was given beside some others.
func beside(cmd *cobra.Command, flags ...string) (other string) {
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && !slices.Contains(flags, f.Name) {
			other = f.Name
		}
	})
	return other
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
			return nil, usage("update", "--meta is KEY=VALUE, not %q", text.Clip(pair, 40))
		}
		raw := json.RawMessage(value)
		if !json.Valid(raw) {
			content, err := json.Marshal(value)
			if err != nil {
				return nil, usage("update", "the value of %q cannot be kept: %v", text.Clip(key, 40), err)
			}
			raw = content
		}
		meta[key] = raw
	}
	return meta, nil
}
