package cli

import (
	"time"

	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// sharedLine says how the board is shared, in a line with the command that helps;
// empty: it is not.
//
//	Shared through origin; synced 3 min ago; claimed here only: #4
//	Shared through origin; stopped: origin was rewound (pawl sync)
func (a *app) sharedLine(s *share.Status, now time.Time) (line string, bad bool) {
	if s == nil {
		return "", false
	}
	line = show.Shared(s, now)
	if here := show.AllHereOnly(s); here != "" {
		line += "; " + here
	}
	switch {
	case s.Stopped != "":
		line += " (" + a.command("sync") + ")"
	case s.Remote == "": // what this clone remembers cannot be read
		line += " (" + a.command("share --stop") + ", then " + a.command("share") + ": all tasks stay)"
	case s.Failed != "" || s.Synced.IsZero() && !s.Running:
		line += " (try now: " + a.command("sync") + ")"
	}
	return text.Sentence(line), s.Stopped != "" || s.Failed != ""
}

// tellShared says below a list how the board is shared.
func (a *app) tellShared(s *share.Status, now time.Time) {
	line, bad := a.sharedLine(s, now)
	switch {
	case line == "":
	case bad:
		a.print("%s\n", a.paint.as(red, line))
	default:
		a.print("%s\n", a.paint.as(faint, line))
	}
}

// sharedAfter says what came of claims on a shared board, unless all clones know them:
//
//	pawl: #12 Cart: bob has claimed it, on mac-mini
//	pawl: claimed here only: #4: origin cannot be reached (Connection refused)
func (a *app) sharedAfter(o *query.Outcome) {
	for _, line := range show.ClaimShared(o, a.name()) {
		a.once("%s", line)
	}
}
