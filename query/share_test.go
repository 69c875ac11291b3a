package query_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
)

// sharer says always the same.
type sharer struct{ status *share.Status }

func (s sharer) Status(context.Context) *share.Status { return s.status }

// What shows who works where says how the board is shared; other answers do not ask.
func TestSharing(t *testing.T) {
	ada := pawl.Actor{Name: "ada", Session: "s1"}
	for _, shared := range []*share.Status{nil, {Remote: "origin", Clone: "here-1", Synced: time.Unix(1790000000, 0).UTC()}} {
		b := querytest.Loop(query.Local(pawl.NewBoard(memory.New()), query.Sharing(sharer{shared})))
		ctx := t.Context()
		for _, subject := range []string{"one", "two"} {
			mustDo(t, b, pawl.Request{By: ada, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: subject}}}})
		}
		want := shared
		if shared != nil {
			here := *shared
			here.Here = []pawl.ID{2}
			want = &here
		}
		claimed := mustDo(t, b, pawl.Request{By: ada, Op: pawl.ClaimTask{ID: 2}})
		who := query.Asker{By: ada}
		overview, err1 := query.Of(ctx, b, who, query.OverviewQuery{})
		lanes, err2 := query.Of(ctx, b, who, query.LanesQuery{})
		agents, err3 := query.Of(ctx, b, who, query.AgentsQuery{})
		task, err4 := query.Of(ctx, b, who, query.TaskQuery{Names: []string{"2"}})
		resolved, err5 := query.Of(ctx, b, who, query.ResolveQuery{Names: []string{"2"}})
		for _, err := range []error{err1, err2, err3, err4, err5} {
			must.Do(t, err)
		}
		for what, got := range map[string]*share.Status{
			"claim": claimed.Head.Shared, "overview": overview.Shared, "lanes": lanes.Shared, "agents": agents.Shared, "task": task.Shared,
		} {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", what, diff)
			}
		}
		if resolved.Shared != nil {
			t.Errorf("a resolved name says how the board is shared: %+v", resolved.Shared)
		}
		if shared != nil && shared.Here != nil {
			t.Error("the status of the sharer was written to")
		}
	}
}

func mustDo(t *testing.T, b query.Board, r pawl.Request) query.Outcome {
	t.Helper()
	o, err := b.Do(t.Context(), r, 0)
	must.Do(t, err)
	return o
}

// A claim counts as long as a renewal that the remote has is younger than the lease.
func TestHereOnly(t *testing.T) {
	now := time.Unix(1790000000, 0)
	for _, c := range []struct {
		name  string
		claim pawl.Claim
		want  bool
	}{
		{"no claim", pawl.Claim{}, false},
		{"never sent", pawl.Claim{Token: 1}, true},
		{"another clone's", pawl.Claim{Token: 1, Clone: "mac-mini-3f2a9c1d"}, false},
		{"sent, for ever", pawl.Claim{Token: 1, Confirmed: now.Add(-time.Hour)}, false},
		{"sent in time", pawl.Claim{Token: 1, Lease: pawl.Duration(time.Hour), Until: now.Add(time.Minute), Confirmed: now.Add(-59 * time.Minute)}, false},
		{"sent too long ago", pawl.Claim{Token: 1, Lease: pawl.Duration(time.Hour), Until: now.Add(time.Minute), Confirmed: now.Add(-time.Hour)}, true},
	} {
		if got := query.HereOnly(c.claim, now); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
