package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// request is one by the caller.
func (a *app) request(op pawl.Op) pawl.Request {
	return pawl.Request{By: a.caller().Actor, Op: op, Same: a.same, Offline: a.offline, Agent: !a.caller().Person}
}

// offlineFlag adds --offline to a verb that makes its caller the owner of tasks.
func (a *app) offlineFlag(cmd *cobra.Command) {
	a.personFlag(cmd, &a.offline, "offline", "if the remote of a shared board cannot be reached, make the change in this clone only; another clone can claim the task too")
}

// personFlag adds a flag with which only a person may decide: an agent's help does not have it.
func (a *app) personFlag(cmd *cobra.Command, value *bool, name, does string) {
	cmd.Flags().BoolVar(value, name, false, does+"; only for people")
	cmd.Flags().Lookup(name).Hidden = a.env.Getenv != nil && !caller.Person(a.env.Getenv)
}

// sameLine is the command line once more.
func (a *app) sameLine() string { return commandLine("pawl", a.env.Args...) }

// lineWithout is the command line without a flag, and with more words.
func (a *app) lineWithout(flag string, more ...string) string {
	words := slices.DeleteFunc(slices.Clone(a.env.Args), func(arg string) bool { name, _, _ := strings.Cut(arg, "="); return name == flag })
	return commandLine("pawl", append(words, more...)...)
}

// reachHint is the next step after a claim for which the remote could not be reached.
func (a *app) reachHint() string {
	instead := "task_claim"
	switch {
	case a.caller().Person:
		args := a.env.Args
		end := slices.Index(args, "--")
		if end < 0 {
			end = len(args)
		}
		return "try again, or without the remote: " + commandLine("pawl", slices.Insert(slices.Clone(args), end, "--offline")...)
	case firstWord(a.env.Args) == "done":
		instead = "task_update"
	}
	return "if your shell has no network, use the tool " + instead + "; else try again: " + a.sameLine()
}

// same reports whether a session of the caller's name may be taken for the
// caller's: see [attribution.Notes.Same]. One whose session was named has that one.
func (a *app) same(session string) bool {
	notes, process, ok := a.agent()
	return ok && notes.Same(process, session)
}

// acted leaves a note that the agent which runs the command has claimed a task
// in this session, for the sessions that follow in its process. A failure is not reported: the
// note only spares a wait for a lease.
func (a *app) acted(op pawl.Op) {
	switch op.(type) {
	case pawl.ClaimTask, pawl.Start:
		if notes, process, ok := a.agent(); ok && process != "" {
			_ = notes.Acted(process, a.caller().Session)
		}
	}
}

// agent is the process of the agent that runs the command, empty where that is
// not certain, and what is noted of such ones. It is not ok for people, and for
// one whose session was named.
func (a *app) agent() (notes attribution.Notes, process string, ok bool) {
	who := a.caller()
	if who.Person || who.Told {
		return notes, "", false
	}
	state, err := userdir.State(a.env.Getenv)
	if err != nil {
		return notes, "", false
	}
	notes = attribution.Notes{Dir: state}
	if p := caller.Starter(); p.Own(a.env.Getenv) || notes.Knows(p.ID) {
		process = p.ID
	}
	return notes, process, true
}
