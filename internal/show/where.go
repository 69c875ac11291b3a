package show

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// hereOnly is what is said of a claim that other clones do not know.
const hereOnly = "claimed here only"

// Owner is the owner of a task, with the clone of a claim that was made elsewhere:
// "bob on mac-mini". s may be nil.
func Owner(t *pawl.Task, s *share.Status) string {
	return on(text.Line(t.Owner), t.Claim.Clone, s)
}

// On is the clone in which the owner of a task works; empty: this one. s may be nil.
func On(t *pawl.Task, s *share.Status) string {
	if t.Claim.Clone == "" {
		return ""
	}
	return cloneOf(t.Claim.Clone, s)
}

// on is a name with the clone in which it works.
func on(name, clone string, s *share.Status) string {
	if clone == "" {
		return name
	}
	return strings.TrimSpace(name + " on " + cloneOf(clone, s))
}

func cloneOf(id string, s *share.Status) string {
	if s == nil {
		return Clone(id)
	}
	return Clone(id, append([]string{s.Clone}, s.Clones...)...)
}

// isHereOnly reports whether the claim of a task is one that other clones do not know.
func isHereOnly(id pawl.ID, s *share.Status) bool { return s != nil && slices.Contains(s.Here, id) }

// HereOnly says that other clones do not know the claim of a task, and why; empty:
// they do, or the board is not shared.
//
//	claimed here only: origin cannot be reached (Connection refused)
func HereOnly(id pawl.ID, s *share.Status) string {
	switch {
	case !isHereOnly(id, s):
		return ""
	case s.Stopped != "":
		return hereOnly + ": " + SharedStop(s)
	case s.Failed != "":
		return hereOnly + ": " + failure(s)
	case s.Mode == "manual":
		return hereOnly + " until pawl sync"
	}
	return hereOnly + ": not sent yet"
}

// AllHereOnly names the tasks whose claims other clones do not know; empty: none.
func AllHereOnly(s *share.Status) string {
	if len(s.Here) == 0 {
		return ""
	}
	return hereOnly + ": " + FewIDs(s.Here)
}

// AsOf says as of when it is known what other clones do.
func AsOf(s *share.Status, now time.Time) string {
	if s == nil || s.Synced.IsZero() {
		return "as of the last sync"
	}
	return "as of the last sync, " + text.Ago(now, s.Synced)
}

// Elsewhere is where among agents those of other clones begin; their number: there
// are none.
func Elsewhere(agents []query.Agent) int {
	if i := slices.IndexFunc(agents, func(a query.Agent) bool { return a.Clone != "" }); i >= 0 {
		return i
	}
	return len(agents)
}
