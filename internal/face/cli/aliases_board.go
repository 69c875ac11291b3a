package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
)

// asItIs is the hint about a word whose meaning depends on how things stand: what
// brings a deleted task back, what undoes the caller's last undo, and whether a task
// that goes on was on hold. Empty: nothing of it fits.
func (a *app) asItIs(ctx context.Context, words []string) string {
	one := words[1:]
	if len(one) > 1 {
		return ""
	}
	switch word := strings.ToLower(words[0]); {
	case word == "redo" && len(one) == 0:
		return a.redoLine(ctx)
	case len(one) == 0:
	case word == "restore" || word == "undelete":
		found, ok := a.lookAt(ctx, one[0])
		if ok && found.Fault != nil && found.Fault.Hint.Step == pawl.HintUndo && found.Fault.Revision != 0 {
			return "to have it back: " + a.undoLine(a.origin, []pawl.Revision{found.Fault.Revision})
		}
	case word == "resume":
		found, ok := a.lookAt(ctx, one[0])
		switch {
		case !ok || found.Detail == nil:
		case found.Detail.Task.Hold != nil:
			return a.aboutIDs("lift", []pawl.ID{found.Detail.Task.ID})
		case !found.Detail.Task.Open():
			return a.aboutIDs("reopen", []pawl.ID{found.Detail.Task.ID})
		}
	}
	return ""
}

// lookAt looks for a task, for a hint; a failure only means that there is none.
func (a *app) lookAt(ctx context.Context, name string) (ask.Found, bool) {
	if _, err := a.open(); err != nil || a.none {
		return ask.Found{}, false
	}
	if ids, err := a.resolve(ctx, name); err == nil && len(ids) == 1 {
		name = ids[0].String()
	}
	answer, err := asked(ctx, a, ask.TaskQuery{Names: []string{name}})
	if err != nil || len(answer.Tasks) != 1 {
		return ask.Found{}, false
	}
	a.origin = answer.Origin
	return answer.Tasks[0], true
}

// redoLine undoes the caller's newest change, if that is an undo.
func (a *app) redoLine(ctx context.Context) string {
	if _, err := a.open(); err != nil || a.none {
		return ""
	}
	const most = 50 // among the changes of others
	page, err := asked(ctx, a, ask.HistoryQuery{Limit: most})
	if err != nil {
		return ""
	}
	for i := range page.Sets {
		set := &page.Sets[i]
		if set.By.Name != a.name() || slices.Contains(page.Undone, set.Revision) {
			continue
		}
		if _, undid := page.Undid[set.Revision]; !undid && set.Verb != pawl.VerbUndo {
			return ""
		}
		return a.undoLine(page.Origin, []pawl.Revision{set.Revision})
	}
	return ""
}
