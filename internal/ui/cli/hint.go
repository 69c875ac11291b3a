package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/query"
)

// hintFor is the next step after an error as a command to type.
func (a *app) hintFor(e *pawl.Error) string {
	h := e.Hint
	switch h.Step {
	case pawl.HintSay:
		return a.keep(h.Text)
	case pawl.HintFinish:
		it := "it"
		if len(h.IDs) > 1 {
			it = "them"
		}
		return "finish " + it + " first: " + a.aboutIDs("done", h.IDs)
	case pawl.HintClaim:
		return "take what it waits for first: " + a.aboutIDs("claim", h.IDs)
	case pawl.HintShow:
		return a.aboutIDs("show", h.IDs[:min(1, len(h.IDs))])
	case pawl.HintList:
		return a.command("list --all")
	case pawl.HintNext:
		return a.pastHolder(e)
	case pawl.HintReopen:
		return a.aboutIDs("reopen", h.IDs)
	case pawl.HintRelease:
		return a.aboutIDs("release", h.IDs)
	case pawl.HintLift:
		if !a.caller().Person {
			return "ask your user whether the reason is settled: " + a.aboutIDs("show", h.IDs[:min(1, len(h.IDs))])
		}
		return a.aboutIDs("hold --lift", h.IDs[:min(1, len(h.IDs))])
	case pawl.HintRetry:
		if e.Kind == pawl.Unconfirmed {
			return "try again: " + a.sameLine()
		}
		return "try again"
	case pawl.HintReach:
		return a.reachHint()
	case pawl.HintHistory:
		return a.aboutIDs("log", h.IDs[:min(1, len(h.IDs))])
	case pawl.HintDiagnose:
		return a.command("doctor")
	case pawl.HintCreate:
		if a.reads() {
			return readsOnly + ": " + a.command("log --follow")
		}
		return a.firstTask()
	case pawl.HintWait:
		if firstWord(a.env.Args) == "claim" {
			return a.waitHint()
		}
		return "wait for a change: " + a.command("log --follow --limit 1")
	case pawl.HintUndo:
		return "to have it back: " + a.undoLine(a.origin, []pawl.Revision{e.Revision})
	case pawl.HintCheck:
		if unticked := slices.IndexFunc(e.Faults, pawl.Fault.Unticked); unticked >= 0 && len(h.IDs) == 1 {
			return "when it is so: " + a.keep(commandLine(command("update", h.IDs)+" --tick", e.Faults[unticked].Path))
		}
		if verb := firstWord(a.env.Args); verb == "done" || verb == "check" {
			return "put it right, then: " + a.aboutIDs(verb, h.IDs)
		}
		return a.aboutIDs("done", h.IDs)
	case pawl.HintApprove:
		if !a.caller().Person {
			return "ask your user to approve it or to send it back"
		}
		return "to send it back run " + a.aboutIDs("run retry", h.IDs[:1]) + ", else: " + a.aboutIDs("run approve", h.IDs[:1])
	case pawl.HintMerge:
		return a.command("merge")
	case pawl.HintAssign:
		return "see who has them: " + a.command("agents") // another name for them is the person's to choose
	default:
		return ""
	}
}

// pastHolder is the next step for a caller who wants somebody else's task. Another
// task helps only the one who looks for work; one's own claim can be given back.
func (a *app) pastHolder(e *pawl.Error) string {
	one := e.IDs[:min(1, len(e.IDs))]
	switch verb := firstWord(a.env.Args); {
	case verb == "claim" && !a.switched("--renew") || len(one) == 0 || e.Kind == pawl.Unmet:
		return a.command("claim")
	case e.Holder != nil && e.Holder.Name == a.name() && verb == "assign":
		return a.aboutIDs("release", one)
	}
	return a.aboutIDs("show", one)
}

// command is a command to be typed, on the board and under the name of this one.
func (a *app) command(line string) string { return a.keep("pawl " + line) }

func (a *app) aboutIDs(verb string, ids []pawl.ID) string { return a.keep(command(verb, ids)) }

// command spells ids without the #, behind which a shell sees a comment.
func command(verb string, ids []pawl.ID) string {
	const most = 10 // to be typed, not to be scrolled
	words := []string{"pawl", verb}
	for _, id := range ids[:min(most, len(ids))] {
		words = append(words, strconv.FormatInt(int64(id), 10))
	}
	return strings.Join(words, " ")
}

// commandLine is a command to be typed, with words from elsewhere.
func commandLine(command string, words ...string) string {
	for _, word := range words {
		command += " " + quote(word)
	}
	return command
}

// openCycle lets a refusal of a cycle hint at an edge of it that is there already, and
// at nothing where there is none.
func (a *app) openCycle(ctx context.Context, e *pawl.Error) {
	last := len(e.IDs) - 1
	if e.Kind != pawl.Invalid || last < 2 || e.IDs[0] != e.IDs[last] || e.Hint.Step != pawl.HintSay {
		return
	}
	e.Hint = pawl.Hint{}
	for i := last; i > 0; i-- {
		waiter, blocker := e.IDs[i], e.IDs[i-1]
		found, err := query.Of(ctx, a.board, query.Asker{}, query.TaskQuery{Names: []string{waiter.String()}})
		if err != nil || found.Tasks[0].Detail == nil {
			continue
		}
		if t := found.Tasks[0].Detail.Task; slices.Contains(t.Blockers, blocker) || slices.Contains(t.BlockedBy, blocker) {
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: fmt.Sprintf("pawl block %d --by %d --remove", waiter, blocker)}
			return
		}
	}
}

// lostBlocker lets a refusal because of a blocker whose file is gone hint at the undo
// that brings it back, if history has it.
func (a *app) lostBlocker(ctx context.Context, e *pawl.Error) {
	if e.Kind != pawl.Blocked || e.Hint.Step != pawl.HintDiagnose {
		return
	}
	for _, id := range e.IDs {
		found, ok := a.lookAt(ctx, id)
		if ok && found.Fault != nil && found.Fault.Hint.Step == pawl.HintUndo && found.Fault.Revision != 0 {
			e.Hint, e.Revision = found.Fault.Hint, found.Fault.Revision
			return
		}
	}
}

// keep adds to the command with which a hint ends the flags that say where, and
// as whom, this one acts: without them it would act elsewhere.
func (a *app) keep(hint string) string {
	_, command, ok := strings.Cut(" "+hint, " pawl ")
	if !ok {
		return hint
	}
	switch verb, _, _ := strings.Cut(command, " "); verb {
	case "help", "version", "demo", "completion":
		return hint // these are about no board
	}
	if strings.HasPrefix(command, "serve migrate") {
		return a.keepStore(hint)
	}
	globals, _ := split(a.env.Args)
	flags := ""
	for _, g := range globals {
		name, value, _ := strings.Cut(g, "=")
		if name == "--json" || name == "--help" || strings.Contains(hint, name+" ") || address.HasSecret(value) {
			continue
		}
		flags += " " + name + " " + quote(value)
	}
	if before, after, ok := strings.Cut(hint, " -- "); ok {
		return before + flags + " -- " + after
	}
	return hint + flags
}

// keepStore puts the database that this command is about into a hint about all of it.
func (a *app) keepStore(hint string) string {
	if place, err := a.project().Board(); err == nil && place.InDatabase() {
		return strings.Replace(hint, "--store ADDRESS", "--store "+quote(place.Address.Store()), 1)
	}
	return hint
}

// split takes the flags of every verb out of a command line, each as --name=value.
// It reads a line that cannot be read to its end, too.
func split(args []string) (globals, rest []string) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, _, inline := strings.Cut(arg, "=")
		switch {
		case arg == "--":
			return globals, append(rest, args[i:]...)
		case arg == "-h":
			globals = append(globals, "--help")
		case name == "--json" || name == "--help":
			globals = append(globals, arg)
		case name != "--board" && name != "--as" && name != "--session":
			rest = append(rest, arg)
		case inline:
			globals = append(globals, arg)
		case i+1 < len(args):
			i++
			globals = append(globals, name+"="+args[i])
		}
	}
	return globals, rest
}

// switched reports whether the command line turns a switch of its verb on.
func (a *app) switched(name string) bool {
	_, rest := split(a.env.Args)
	for _, arg := range rest {
		if arg == "--" {
			return false
		}
		value, set := strings.CutPrefix(arg, name+"=")
		if on, _ := strconv.ParseBool(value); arg == name || set && on {
			return true
		}
	}
	return false
}

// firstWord is what a command line has for a verb; empty when it has none.
func firstWord(args []string) string {
	if _, rest := split(args); len(rest) > 0 {
		return rest[0]
	}
	return ""
}
