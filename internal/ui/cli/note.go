package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

var noteVerb = verb{
	name:  "note",
	use:   "ID [TEXT...] [flags]",
	short: "add a note to a task",
	long:  "Notes stay with the task, each with its time and author. Use them for findings, failed attempts, and what the next owner must know. With - instead of TEXT, reads it from stdin.",
	kind:  "result",
	examples: []string{
		`pawl note 12 "the old parser needs CRLF"`,
		"git diff --stat | pawl note 12 -",
	},
	min: 1, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var file string
		cmd.Flags().StringVar(&file, "file", "", "`FILE` read the text from this file")
		var message string
		cmd.Flags().StringVarP(&message, "message", "m", "", "`TEXT` the text; -m is the same")
		return func(ctx context.Context, args []string) (err error) {
			var op pawl.AddNote
			fromFile, said := cmd.Flags().Changed("file"), cmd.Flags().Changed("message")
			switch typed := len(args) > 1; {
			case typed && said || typed && fromFile || said && fromFile || !typed && !said && !fromFile:
				return usage("note", "give the text, - to read it from stdin, or --file")
			case fromFile:
				op.Text, err = a.textFrom(file)
			case said:
				op.Text, err = a.text(message)
			default:
				op.Text, err = a.text(strings.Join(args[1:], " "))
			}
			if err != nil {
				return err
			}
			if op.ID, err = a.one(ctx, args[0], "note", "note takes one task"); err != nil {
				return err
			}
			o, err := a.do(ctx, op)
			if err != nil {
				return err
			}
			if err := a.tell("note", "Noted on", o); err != nil || a.json {
				return err
			}
			a.print("%s\n", text.Indent(op.Text))
			return nil
		}
	},
}
