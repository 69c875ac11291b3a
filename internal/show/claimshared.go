package show

import (
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

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
		lines = append(lines, ClaimHereOnly(o))
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

// ClaimHereOnly says which claims of a request only this clone knows, and why; empty:
// none.
//
//	claimed here only: #4: origin cannot be reached (Connection refused); until a sync, others can claim it, too
func ClaimHereOnly(o *query.Outcome) string {
	s := o.Shared
	if s == nil || len(s.Here) == 0 {
		return ""
	}
	line := hereOnly + ": " + FewIDs(s.Here)
	if s.Why != "" {
		line += ": " + strings.TrimRight(text.Line(text.Clip(s.Why, 200)), ".")
	}
	return line + "; until a sync, others can claim " + map[bool]string{true: "it", false: "them"}[len(s.Here) == 1] + ", too"
}
