package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

var doctorVerb = verb{
	name:  "doctor",
	short: "check the board's files, and say what would mend them",
	long:  "Reads every file and compares it with what Pawl remembers: files that cannot be read, edges with one side only, circles, missing tasks, and texts that were displaced. It changes nothing. The exit code is 1 when something is wrong.",
	kind:  "doctor",
	examples: []string{
		"pawl doctor",
		"pawl doctor --json",
	},
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, _ []string) error { return a.doctor(ctx) }
	},
}

// doctorJSON is the envelope of doctor.
type doctorJSON struct {
	view.Envelope
	Board    string        `json:"board"`    // its folder
	Tasks    int           `json:"tasks"`    // how many there are
	Sound    bool          `json:"sound"`    // nothing is wrong
	Problems []problemJSON `json:"problems"` // what is
}

// problemJSON is something wrong with a board.
type problemJSON struct {
	Kind   string    `json:"kind"`             // a word for problems of this sort; there may be more of them in later versions
	Text   string    `json:"text"`             // one sentence, for people
	Mend   string    `json:"mend,omitempty"`   // what would mend it
	IDs    []pawl.ID `json:"ids,omitempty"`    // the tasks in question
	File   string    `json:"file,omitempty"`   // the file in question, from the board's folder
	Line   int       `json:"line,omitempty"`   // where in the file, counted from 1
	Column int       `json:"column,omitempty"` // in bytes, counted from 1
}

func (a *app) doctor(ctx context.Context) error {
	place, err := a.place()
	if err != nil {
		return err
	}
	board, err := a.read()
	if err != nil {
		return err
	}
	problems, err := board.Check(ctx)
	if err != nil {
		return err
	}
	page, err := board.Select(ctx, pawl.Query{Limit: 1})
	if err != nil {
		return err
	}
	if a.json {
		answer := doctorJSON{view.NewEnvelope("doctor"), place.Dir, page.Total, len(problems) == 0, []problemJSON{}}
		for _, p := range problems {
			answer.Problems = append(answer.Problems, problemJSON{p.Kind, p.Text, p.Mend, p.IDs, p.File, p.Line, p.Column})
		}
		err = a.printJSON(answer)
	} else {
		for _, p := range problems {
			a.print("%s\n", problemText(p))
		}
		if len(problems) == 0 && !a.none {
			a.print("The board in %s is sound: %s\n", view.Line(place.Dir), view.Count(page.Total, "task", "tasks"))
		}
	}
	if err == nil && len(problems) > 0 {
		err = errFound
	}
	return err
}

// problemText is a problem as an editor finds its way to it:
//
//	task_7.json:3:12: the value of status is cut off
//	  mend: write the rest of the file, or delete it
func problemText(p pawl.Problem) string {
	text := view.Line(p.Text)
	if p.File != "" {
		at := view.Line(p.File)
		if p.Line > 0 {
			at += fmt.Sprintf(":%d", p.Line)
			if p.Column > 0 {
				at += fmt.Sprintf(":%d", p.Column)
			}
		}
		text = at + ": " + text
	}
	if p.Mend != "" {
		text += "\n  mend: " + view.Line(p.Mend)
	}
	return text
}
