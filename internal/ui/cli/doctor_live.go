package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/live"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/runs/program"
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// looking are the flags of doctor --live.
type looking struct {
	agent, model, report string
	yes                  bool
}

func newLooking(cmd *cobra.Command) *looking {
	f := &looking{}
	flags := cmd.Flags()
	flags.StringVar(&f.agent, "live", "", "`AGENT` test this agent's program in a temporary project, on your account; asks first")
	flags.StringVar(&f.model, "model", "", "`NAME` with --live: the model for the program")
	flags.StringVar(&f.report, "report", "", "`FILE` with --live: write a report that you can send, as Markdown, or as JSON if FILE ends in .json")
	flags.BoolVarP(&f.yes, "yes", "y", false, "with --live: do not ask for confirmation")
	return f
}

// asked reports whether any of the flags was given.
func (f *looking) asked() bool { return *f != looking{} }

// doctorLive has an agent's real program try Pawl in a toy project, after asking:
// it is the user's own account that pays.
func (a *app) doctorLive(ctx context.Context, f *looking) error {
	if f.agent == "" {
		return usage("doctor", "--model, --report and --yes need --live")
	}
	of, err := a.liveAgent(f.agent)
	if err != nil {
		return err
	}
	found, err := program.Finder{Programs: a.programs()}.Find(of.Name)
	if err != nil {
		return err
	}
	home := a.home()
	if home == "" {
		return pawl.Errorf(pawl.NotFound, "HOME is not set, so %s cannot be run as you", of.Title).
			Say("set HOME to your folder")
	}
	runs, requests, tokens := live.Cost(of)
	a.say("%s runs %d times in an empty project in a temporary folder, on your account: about %d requests of about %s tokens each, %s in all, most of them the program's own instructions",
		of.Title, runs, requests, text.Grouped(of.Headless.Tokens), text.Grouped(tokens))
	a.say("your own files and settings stay as they are; a run is ended after %s", text.FormatDuration(live.MaxRun))
	if err := a.confirm(f.yes, "run it", "nothing was run"); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // to leave nothing behind
	defer stop()
	at := 0
	look := &live.Look{
		Agent: of, Program: found.Path, Pawl: a.env.Program(), Version: a.env.Build.Version, Environ: append(os.Environ(), a.programs().PATH()), Home: home, Model: f.model, Now: time.Now,
		Setup: a.liveSetup(of, home),
		Tell: func(what string) {
			at++
			a.say("%d of %d: %s", at, runs, what)
		},
	}
	report, err := look.Run(ctx)
	if err != nil {
		return err
	}
	if f.report != "" {
		if err := writeReport(f.report, report); err != nil {
			return err
		}
		a.say("wrote the report: %s", text.Line(f.report))
	}
	if a.json {
		err = a.printJSON(doctorJSON{Envelope: wire.NewEnvelope("doctor"), Sound: report.Count(live.No) == 0, Problems: []pawl.Problem{}, Live: report})
	} else {
		a.printLive(report)
	}
	if err == nil && report.Count(live.No) > 0 {
		err = errFound
	}
	if err == nil && report.Count(live.Yes) == 0 {
		return pawl.Errorf(pawl.Unavailable, "nothing could be seen: %s", report.Checks[0].Saw).
			Say("try it yourself: " + of.Headless.Program)
	}
	return err
}

// liveAgent is the agent of --live.
func (a *app) liveAgent(name string) (*agent.Agent, error) {
	var can []string
	for _, of := range setup.Agents() {
		if of.Headless == nil || of.Headless.Untried {
			continue
		}
		if of.Name == name {
			return of, nil
		}
		can = append(can, of.Name)
	}
	e := pawl.Errorf(pawl.NotFound, "--live knows no agent %q that can be run without a person at its screen", text.Clip(text.Line(name), 40)).Say("these can: " + strings.Join(can, ", "))
	if near := text.Nearest(name, can); near != "" {
		e.Hint.Text = "pawl doctor --live " + near
	}
	return nil, e
}

// liveSetup puts Pawl into the toy project, unless the user has it in all
// projects: then it is that which is looked at.
func (a *app) liveSetup(of *agent.Agent, home string) func(context.Context, string, string, func(string) string) (bool, error) {
	return func(ctx context.Context, root, command string, getenv func(string) string) (bool, error) {
		own := a.agentsPlanner(home)
		s := own.ForUser(of.Name)
		if record, err := own.Record(); err == nil && record.Has(s) || slices.ContainsFunc(own.Found(root), func(found setup.Setup) bool { return found.Agent == of.Name && found.Scope == setup.User }) {
			return false, nil
		}
		planner := &setup.Planner{Getenv: getenv, OS: runtime.GOOS, Home: home, Command: command}
		plan, err := planner.Setup([]setup.Setup{planner.ForProject(of.Name, root)})
		if err != nil {
			return false, err
		}
		if plan.Failed() {
			return false, pawl.Errorf(pawl.Unavailable, "cannot set up %s in the toy project: %s", of.Title, plan.Notes[0].Text)
		}
		return true, plan.Apply(ctx)
	}
}

// writeReport writes it as JSON if the name says so, else as Markdown.
func writeReport(name string, r *live.Report) error {
	return rewrite.Replace(name, func(w io.Writer) error {
		if strings.EqualFold(filepath.Ext(name), ".json") {
			out := json.NewEncoder(w)
			out.SetIndent("", "  ")
			return out.Encode(r)
		}
		_, err := io.WriteString(w, r.Markdown())
		return err
	})
}

// printLive prints a report as doctor prints what it finds.
func (a *app) printLive(r *live.Report) {
	colours := map[live.Mark]string{live.Yes: green, live.No: red, live.Unseen: faint}
	a.print("%s %s, the set-up is %s: %s\n", r.Title, r.Version, r.Setup, r.Summary())
	for _, c := range r.Checks {
		a.print("%s %s\n    %s\n", a.paint.as(colours[c.Mark], c.Mark.Sign()), c.What, c.Saw)
	}
	for _, left := range r.Left {
		a.print("left: %s\n", left)
	}
}
