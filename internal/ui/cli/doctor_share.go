package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// longUnsynced is after what time a shared board that nobody stopped should have
// reached its remote.
const longUnsynced = 24 * time.Hour

// sharingProblems are what keeps a shared board from being synced. The status is nil
// if the board is not shared; then its files in git are looked at elsewhere.
func (a *app) sharingProblems(ctx context.Context, dir string) (*share.Status, []pawl.Problem) {
	if a.env.Sharing == nil || dir == "" {
		return nil, nil
	}
	s, err := a.env.Sharing.Status(dir, true)
	if err != nil {
		mend := "share it again: pawl share --stop, then pawl share"
		if e, ok := errors.AsType[*pawl.Error](err); ok && e.Hint.Step == pawl.HintSay {
			mend = e.Hint.Text
		}
		return nil, []pawl.Problem{{Kind: "sharing", Text: "how the board is shared cannot be read: " + plainError(err), Mend: mend}}
	}
	if s == nil {
		return nil, nil
	}
	var found []pawl.Problem
	add := func(problem, mend string) {
		found = append(found, pawl.Problem{Kind: "sharing", Text: problem, Mend: mend})
	}
	plan, err := a.env.Sharing.Plan(ctx, ToShare{Dir: dir, By: a.caller().Actor, Remote: s.Remote})
	if e, ok := errors.AsType[*pawl.Error](err); ok {
		add("the board is shared through "+text.Line(s.Remote)+", which cannot be used: "+text.Line(e.Message),
			"if the remote was renamed, pawl share --remote NAME; else git remote add "+quote(s.Remote)+" ADDRESS, or pawl share --stop")
	}
	tracked := len(plan.Tracked)
	switch {
	case tracked > 0:
		add("the board is shared, but git tracks "+text.Count(tracked, "file", "files")+" of it on this branch, so nothing is synced",
			"pawl share takes them out of git's index, and names the commit to make; on a branch that you only look at: switch back")
	case s.Stopped != "" && s.Stopped != share.StopTracked:
		add("sharing has stopped: "+show.SharedStop(s), waysOn(s))
	case s.Failed != "":
		add("the last sync failed, and the remote was "+when(s, "reached")+": "+text.Line(text.Clip(s.Failed, 300)), "pawl sync says more")
	case s.Synced.IsZero() || time.Since(s.Synced) > longUnsynced && (s.Unsent > 0 || s.Mode != "manual"):
		add("the board was "+when(s, "synced"), "pawl sync")
	}
	return s, found
}

// when says when the last sync was: "last synced 3 d ago", "never synced".
func when(s *share.Status, done string) string {
	if s.Synced.IsZero() {
		return "never " + done
	}
	return "last " + done + " " + text.Ago(time.Now(), s.Synced)
}

// waysOn are the commands after a stop.
func waysOn(s *share.Status) string {
	var ways []string
	for _, n := range show.SharedNext(s) {
		ways = append(ways, n.Command+": "+n.Does)
	}
	return strings.Join(ways, "; or ")
}
