package show

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/query"
)

// Who works in another clone is told with the clone, by its machine where that is clear.
func TestOwnerIsToldWithTheClone(t *testing.T) {
	bob := pawl.Task{ID: 12, Subject: "Cart", Status: pawl.InProgress, Owner: "bob", Claim: pawl.Claim{Token: 7, Clone: "mac-mini-3f2a9c1d"}}
	ada := pawl.Task{ID: 4, Subject: "Parser", Status: pawl.InProgress, Owner: "ada", Claim: pawl.Claim{Token: 8}}
	s := &share.Status{Remote: "origin", Clone: "laptop-00000001", Clones: []string{"mac-mini-3f2a9c1d"}, Here: []pawl.ID{4}}
	twin := &share.Status{Remote: "origin", Clone: "mac-mini-00000001"}
	here := func(status share.Status) string {
		status.Here = s.Here
		return HereOnly(4, &status)
	}
	for _, c := range []struct{ want, got string }{
		{"bob on mac-mini", Owner(&bob, s)},
		{"bob on mac-mini", Owner(&bob, nil)},
		{"bob on mac-mini-3f2a9c1d", Owner(&bob, twin)},
		{"ada", Owner(&ada, s)},
		{"[>] #12 Cart @bob on mac-mini", ListLine(&bob, s)},
		{"[>] #4 Parser @ada (claimed here only)", ListLine(&ada, s)},
		{"[>] #4 Parser @ada", ListLine(&ada, nil)},
		{"bob on mac-mini, 2 min", strings.Join(AtWork(&query.Facts{Now: noon, Shared: s}, started(bob)), ", ")},
		{"ada, claimed here only, 2 min", strings.Join(AtWork(&query.Facts{Now: noon, Shared: s}, started(ada)), ", ")},
		{"claimed here only: not sent yet", here(share.Status{})},
		{"claimed here only: cut off", here(share.Status{Failed: "cut off."})},
		{"claimed here only: git tracks the board's files on this branch, too", here(share.Status{Stopped: share.StopTracked})},
		{"claimed here only until pawl sync", here(share.Status{Mode: "manual"})},
		{"", HereOnly(12, s)},
		{"as of the last sync, 3 min ago", AsOf(&share.Status{Synced: noon.Add(-3 * time.Minute)}, noon)},
		{"as of the last sync", AsOf(s, noon)},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	detail := Detail(&query.Detail{Task: bob}, s)
	if !strings.Contains(detail, "Owner: bob on mac-mini\n") || strings.Contains(detail, "token") {
		t.Errorf("the token of another clone means nothing here:\n%s", detail)
	}
	if detail = Detail(&query.Detail{Task: ada}, s); !strings.Contains(detail, "Shared: claimed here only: not sent yet\n") {
		t.Errorf("not told:\n%s", detail)
	}
}

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func started(t pawl.Task) *pawl.Task {
	t.StartedAt = noon.Add(-2 * time.Minute)
	return &t
}

// What other clones do is as of the last sync, and follows what is known.
func TestAgentsOfOtherClones(t *testing.T) {
	task := func(id pawl.ID, clone string) []pawl.Task {
		return []pawl.Task{{ID: id, Subject: "Task", Status: pawl.InProgress, StartedAt: noon.Add(-5 * time.Minute), Claim: pawl.Claim{Token: 1, Clone: clone}}}
	}
	agents := []query.Agent{{Name: "ada", Working: task(3, "")}, {Name: "bob", Clone: "mac-mini-3f2a9c1d", Working: task(12, "mac-mini-3f2a9c1d")}}
	s := &share.Status{Synced: noon.Add(-2 * time.Minute), Here: []pawl.ID{3}}
	want := []string{
		"ada", "  [>] #3 Task (claimed here only, for 5 min)",
		"As of the last sync, 2 min ago", "bob on mac-mini", "  [>] #12 Task (for 5 min)",
	}
	if diff := cmp.Diff(want, AgentLines(agents, noon, s)); diff != "" {
		t.Error(diff)
	}
}

// A claim that only this clone knows, or that another one has, is told; others are not.
func TestClaimShared(t *testing.T) {
	lost := func(id pawl.ID) merge.Yielded {
		return merge.Yielded{
			Named: merge.Named{ID: id, Subject: "Cart"}, Was: pawl.InProgress, Owner: "ada", Now: pawl.InProgress, By: "bob",
			Winner: &merge.Held{Clone: "mac-mini-3f2a9c1d"},
		}
	}
	o := &query.Outcome{Shared: &query.Shared{
		Here: []pawl.ID{4}, Why: "origin cannot be reached (refused).",
		Passed: []query.Passed{{Named: merge.Named{ID: 12, Subject: "Cart"}, By: "bob", Clone: "mac-mini-3f2a9c1d"}, {Named: merge.Named{ID: 13, Subject: "Gone"}}},
		Report: &share.Report{Lost: []merge.Yielded{lost(14)}},
	}}
	want := []string{
		"#12 Cart: bob has claimed it on mac-mini",
		"#13 Gone: it is no longer ready",
		"lost #14 Cart: bob has claimed it, on mac-mini",
		"claimed here only: #4: origin cannot be reached (refused); until a sync, others can claim it, too",
	}
	if diff := cmp.Diff(want, ClaimShared(o, "ada")); diff != "" {
		t.Error(diff)
	}
	o.Shared = &query.Shared{Confirmed: []pawl.ID{4}, Report: &share.Report{Confirmed: []pawl.ID{4}, Sent: []merge.Named{{ID: 4}}}}
	if got := ClaimShared(o, "ada"); !slices.Equal(got, nil) {
		t.Errorf("a confirmed claim: %q", got)
	}
}
