package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl/internal/quiet"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/internal/wire"
)

var quietVerb = verb{
	name:  "quiet",
	use:   "[TIME|on|off] [flags]",
	short: "silence all nudges for a while",
	long: "For TIME (30m, 2h, 1d), or with on until pawl quiet off, Pawl asks no agent to continue, to plan, or to update its list. This applies at once, to running sessions too. An agent still gets its plan after a compaction or a restart, and your changes to its list. Without an argument, only shows whether nudges are silenced, and until when.\n\n" +
		"It applies to all your projects, or with --here to this one. In a chat: /pawl:quiet. To change one kind of nudge only, see pawl help config.",
	kind: "quiet",
	examples: []string{
		"pawl quiet 2h",
		"pawl quiet",
		"pawl quiet off",
	},
	max:   1,
	build: buildQuiet,
}

// maxQuiet is how long it may last; for longer there is on.
const maxQuiet = 365 * text.Day

// quietJSON is the envelope of quiet.
type quietJSON struct {
	wire.Envelope
	Quiet bool        `json:"quiet"`           // no nudges reach the agents in this folder's project
	Until wire.Moment `json:"until,omitempty"` // when that ends; missing: when somebody ends it
	Here  bool        `json:"here"`            // it is about this project only
}

func buildQuiet(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	here := cmd.Flags().Bool("here", false, "in this project only")
	return func(ctx context.Context, args []string) error {
		now := time.Now()
		span := quiet.Span{Quiet: true}
		if len(args) == 0 {
			return a.tellQuiet(*here)
		}
		if args[0] != "on" {
			if span.Quiet = args[0] != "off"; span.Quiet {
				d, err := text.ParseDuration(args[0])
				if err != nil || d < time.Minute || d > maxQuiet {
					return usage("quiet", "%q is not a time from 1m to 365d such as 2h, nor on or off", text.Clip(args[0], 40))
				}
				span.Until = now.Add(d).Truncate(time.Second)
			}
		}
		state, err := userdir.State(a.env.Getenv)
		if err != nil {
			return err
		}
		root, err := a.project().Root()
		if err != nil && *here {
			return err
		}
		about, where := "", "in all projects"
		if *here {
			about, where = root, "in this project"
		}
		book, err := quiet.Set(ctx, state, about, span, now)
		if err != nil {
			return err
		}
		is := book.Of(root, now)
		if a.json {
			return a.quietJSON(is, *here)
		}
		off := "pawl quiet off"
		if *here {
			off += " --here"
		}
		switch {
		case !span.Quiet && is.Quiet:
			a.print("This project stays %s, since all projects are (pawl quiet off ends it)\n", quietWords(is))
		case !span.Quiet:
			a.print("Nudges are on %s\n", where)
		case span.Until.IsZero():
			a.print("Quiet %s: no nudges (%s ends it)\n", where, off)
		default:
			a.print("Quiet until %s %s: no nudges (%s ends it)\n", clockTime(span.Until, now), where, off)
		}
		return nil
	}
}

func (a *app) quietJSON(is quiet.Span, here bool) error {
	answer := quietJSON{Envelope: wire.NewEnvelope("quiet"), Quiet: is.Quiet, Here: here}
	if !is.Until.IsZero() {
		answer.Until = wire.Time(is.Until)
	}
	return a.printJSON(answer)
}

// tellQuiet shows what is silenced, and how to change it:
//
//	Quiet until 16:02 in all projects: no nudges
//	Change it: pawl quiet 2h, pawl quiet on (until off), pawl quiet off
func (a *app) tellQuiet(here bool) error {
	state, err := userdir.State(a.env.Getenv)
	if err != nil {
		return err
	}
	book, err := quiet.Read(state)
	if err != nil {
		a.say("%s", text.Line(err.Error())) // hooks take it for none
		book = quiet.Book{}
	}
	root, err := a.project().Root()
	if err != nil && here {
		return err
	}
	now := time.Now()
	if a.json {
		return a.quietJSON(book.Of(root, now), here)
	}
	all, project := quiet.Book{All: book.All}.Of("", now), quiet.Book{Projects: book.Projects}.Of(root, now)
	for _, of := range []struct {
		span  quiet.Span
		where string
	}{{all, "in all projects"}, {project, "in this project"}} {
		switch {
		case !of.span.Quiet:
		case of.span.Until.IsZero():
			a.print("Quiet %s, until you end it: no nudges\n", of.where)
		default:
			a.print("Quiet until %s %s: no nudges\n", clockTime(of.span.Until, now), of.where)
		}
	}
	if !all.Quiet && !project.Quiet {
		a.print("Nudges are on\n")
	}
	add := ""
	if here || project.Quiet && !all.Quiet {
		add = " --here"
	}
	a.print("Change it: pawl quiet 2h%[1]s, pawl quiet on%[1]s (until off), pawl quiet off%[1]s\n", add)
	return nil
}

// quietNow returns how long this project is quiet, in words for a line about
// other things: "quiet until 16:02". Empty: it is not.
func (a *app) quietNow() string {
	state, err := userdir.State(a.env.Getenv)
	if err != nil {
		return ""
	}
	book, err := quiet.Read(state)
	if err != nil || !book.All.Quiet && len(book.Projects) == 0 {
		return ""
	}
	root, _ := a.project().Root()
	return quietWords(book.Of(root, time.Now()))
}

func quietWords(s quiet.Span) string {
	switch {
	case !s.Quiet:
		return ""
	case s.Until.IsZero():
		return "quiet"
	}
	return "quiet until " + clockTime(s.Until, time.Now())
}

// clockTime is a time as the clock on the wall shows it, in chats and status lines
// too, with the day if it is another one.
func clockTime(at, now time.Time) string {
	at, now = at.Local(), now.Local()
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}
