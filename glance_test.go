package pawl_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

// TestGlance: a board whose store has no quick answer looks by a view.
func TestGlance(t *testing.T) {
	ctx := context.Background()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	b := pawl.NewBoard(memory.New(memory.WithClock(func() time.Time { return now })))
	do := func(by pawl.Actor, op pawl.Op) {
		t.Helper()
		must.Do(t, errOf(b.Do(ctx, pawl.Request{By: by, Op: op})))
	}
	ann, bob := pawl.Actor{Name: "ann", Session: "s1"}, pawl.Actor{Name: "bob", Session: "s2"}
	var tasks []pawl.NewTask
	for i := range 30 {
		tasks = append(tasks, pawl.NewTask{Subject: fmt.Sprint("task ", i+1), Description: "long"})
	}
	do(ann, pawl.Create{Tasks: tasks})
	do(ann, pawl.ClaimTask{ID: 3, Lease: pawl.Duration(time.Hour)})
	do(ann, pawl.ClaimTask{ID: 2, Lease: pawl.Duration(time.Minute)})
	do(bob, pawl.ClaimTask{ID: 4, Lease: pawl.Duration(time.Hour)})
	do(bob, pawl.Assign{IDs: []pawl.ID{5}, Owner: "bob"})
	do(bob, pawl.AddNote{ID: 3, Text: "halfway"})

	ids := func(tasks []pawl.Task) (ids []pawl.ID) {
		for i := range tasks {
			ids = append(ids, tasks[i].ID)
		}
		return ids
	}
	check := func(q pawl.GlanceQuery, held, asked, ready []pawl.ID, free int) pawl.Glance {
		t.Helper()
		g, err := b.Glance(ctx, q)
		must.Do(t, err)
		if !slices.Equal(ids(g.Claimed), held) || !slices.Equal(ids(g.Tasks), asked) || !slices.Equal(ids(g.Ready), ready) || g.Free != free || g.Revision == 0 {
			t.Errorf("%+v: held %v, tasks %v, ready %v of %d, revision %d", q, ids(g.Claimed), ids(g.Tasks), ids(g.Ready), g.Free, g.Revision)
		}
		return g
	}
	g := check(pawl.GlanceQuery{Session: "s1", Ready: 3}, []pawl.ID{2, 3}, nil, []pawl.ID{1, 6, 7}, 26)
	if len(g.Claimed[1].Notes) != 1 || g.Claimed[1].Description == "" || g.Ready[0].Description != "" {
		t.Errorf("held tasks are whole and the next ones brief: %+v", g)
	}
	check(pawl.GlanceQuery{Ready: 3, For: "bob"}, nil, nil, []pawl.ID{1, 5, 6}, 27)
	check(pawl.GlanceQuery{Session: "s2", IDs: []pawl.ID{9, 99, 3, 9}}, []pawl.ID{4}, []pawl.ID{3, 9}, nil, 0)
	check(pawl.GlanceQuery{Ready: -1}, nil, nil, nil, 0)
	now = now.Add(time.Minute)
	check(pawl.GlanceQuery{Session: "s1", Ready: 2}, []pawl.ID{3}, nil, []pawl.ID{1, 2}, 27)

	var all []pawl.ID
	for id := range pawl.ID(30) {
		all = append(all, id+1)
	}
	g = check(pawl.GlanceQuery{IDs: all}, nil, all[:pawl.MaxGlance], nil, 0)
	if g, _ := b.Glance(ctx, pawl.GlanceQuery{Ready: 1000}); len(g.Ready) != pawl.MaxGlance || g.Free != 27 {
		t.Errorf("%d ready of %d", len(g.Ready), g.Free)
	}
}
