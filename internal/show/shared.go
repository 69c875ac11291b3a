package show

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// Clone is what a clone is called among some clones: by its machine, unless another
// one of them has a machine of that name.
//
//	mac-mini-3f2a9c1d   mac-mini
func Clone(id string, among ...string) string {
	short := pawl.CloneHost(id)
	if slices.ContainsFunc(among, func(other string) bool { return other != id && pawl.CloneHost(other) == short }) {
		short = id
	}
	return text.Line(text.Clip(short, 60))
}

// Shared says in a line how a shared board stands with its remote, from what this
// clone remembers at now:
//
//	shared through origin; synced 3 min ago; 2 changes to send
//	shared through origin; last synced 2 h ago: origin cannot be reached; 2 changes to send
//	shared through origin; stopped: origin no longer has the board
func Shared(s *share.Status, now time.Time) string {
	if s.Remote == "" && s.Failed != "" { // what this clone remembers cannot be read
		return "shared; " + failure(s)
	}
	line := "shared through " + remote(s) + "; "
	if s.Stopped != "" {
		return line + "stopped: " + SharedStop(s)
	}
	synced := "not synced yet"
	if !s.Synced.IsZero() {
		synced = "synced " + text.Ago(now, s.Synced)
	}
	var parts []string
	switch {
	case s.Running:
		parts = append(parts, "syncing now")
	case s.Failed != "" && s.Synced.IsZero():
		parts = append(parts, synced+": "+failure(s))
	case s.Failed != "":
		parts = append(parts, "last "+synced+": "+failure(s))
	default:
		parts = append(parts, synced)
	}
	if s.Unsent > 0 {
		parts = append(parts, text.Count(s.Unsent, "change", "changes")+" to send")
	}
	return line + strings.Join(parts, "; ")
}

// SharedShort is Shared for a line that has more to say, where all is well; else empty:
//
//	synced 3 min ago
func SharedShort(s *share.Status, now time.Time) string {
	if s.Stopped != "" || s.Failed != "" || s.Synced.IsZero() {
		return ""
	}
	return "synced " + text.Ago(now, s.Synced)
}

// SharedStop says why a clone no longer syncs by itself; empty: it does.
func SharedStop(s *share.Status) string {
	switch s.Stopped {
	case "":
		return ""
	case share.StopRewound:
		return remote(s) + " lacks changes of the board that it had: it was rewound, restored or force-pushed"
	case share.StopDeleted:
		return remote(s) + " no longer has the board: " + text.Line(text.Clip(s.Ref, 80)) + " was deleted there"
	case share.StopTracked:
		return "git tracks the board's files on this branch, too"
	}
	return text.Line(text.Clip(string(s.Stopped), 60))
}

// SharedNext are the commands with which a person goes on after a stop, the usual one
// first, each with what it does.
func SharedNext(s *share.Status) []Next {
	switch s.Stopped {
	case share.StopRewound:
		return []Next{{"pawl sync --resume", "merge with what " + remote(s) + " has now; what it lacks is sent again"}, {"pawl share --stop", "keep the board to this clone"}}
	case share.StopDeleted:
		return []Next{{"pawl sync --resume", "send this clone's board"}, {"pawl share --stop", "keep the board to this clone"}}
	case share.StopTracked:
		return []Next{{"pawl share", "take the files out of git's index, and commit that on this branch"}}
	}
	return nil
}

// Next is a command, and what it does.
type Next struct{ Command, Does string }

// failure is what kept the last sync from its end.
func failure(s *share.Status) string {
	return strings.TrimRight(text.Line(text.Clip(s.Failed, 200)), ".")
}

// remote is what the remote is called.
func remote(s *share.Status) string {
	return cmp.Or(text.Line(text.Clip(s.Remote, 80)), "the remote")
}

// ClaimShared says what the remote of a shared board says of the claims that a request
// made, a sentence each, for one called name:
//
//	claimed here only: #4: origin cannot be reached (Connection refused); until a sync, others can claim it, too
//	#12 Cart: bob has claimed it, on mac-mini
//	synced: 2 arrived, #12 is now #15 (bob's was sent first)
//
// It says nothing of claims that all clones know.
func ClaimShared(o *query.Outcome, name string) []string {
	s := o.Shared
	if s == nil {
		return nil
	}
	var lines []string
	for i := range s.Passed {
		p := &s.Passed[i]
		lines = append(lines, Name(&pawl.Task{ID: p.ID, Subject: p.Subject})+": "+passed(p, o.Head.Shared))
	}
	if r := s.Report; r != nil {
		var clones []string
		if o.Head.Shared != nil {
			clones = append(clones, o.Head.Shared.Clones...)
		}
		for i := range r.Lost {
			lines = append(lines, "lost "+Lost(&r.Lost[i], name, append(clones, ClonesOf(r)...)...))
		}
		if len(r.Merge.Moved) > 0 {
			lines = append(lines, "synced: "+Synced(r, name))
		}
	}
	if len(s.Here) > 0 {
		lines = append(lines, claimHereOnly(s))
	}
	return lines
}

// passed never says "you": agents of one program have one name on all machines, and
// one that reads so would work on what another one has.
func passed(p *query.Passed, s *share.Status) string {
	if p.By == "" {
		return "it is no longer ready"
	}
	return on(text.Line(text.Clip(p.By, mostNameThere))+" has claimed it", p.Clone, s)
}

// mostNameThere bounds a name that another clone wrote.
const mostNameThere = 40

// claimHereOnly says which claims of a request only this clone knows, and why.
//
//	claimed here only: #4: origin cannot be reached (Connection refused); until a sync, others can claim it, too
func claimHereOnly(s *query.Shared) string {
	line := hereOnly + ": " + FewIDs(s.Here)
	if s.Why != "" {
		line += ": " + strings.TrimRight(text.Line(text.Clip(s.Why, 200)), ".")
	}
	return line + "; until a sync, others can claim " + map[bool]string{true: "it", false: "them"}[len(s.Here) == 1] + ", too"
}
