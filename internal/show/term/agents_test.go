package term

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

func TestAgents(t *testing.T) {
	claim := func(session string, lease, left time.Duration) pawl.Claim {
		c := pawl.Claim{Session: session, Token: 7, Lease: pawl.Duration(lease)}
		if lease > 0 {
			c.Until = noon.Add(left)
		}
		return c
	}
	agents := []query.Agent{
		{Name: "ada", Working: []pawl.Task{
			{ID: 12, Subject: "Refactor the auth middleware", Status: pawl.InProgress, StartedAt: ago(5 * time.Minute), Claim: claim("tty", 0, 0)},
		}},
		{Name: "a very long name\x1b[2J of somebody 名前 who was called so by a program that puts everything it knows into it"},
		{Name: "worker", Working: []pawl.Task{
			{ID: 3, Subject: "Größe der 名前 messen", Status: pawl.InProgress, StartedAt: ago(3 * time.Hour), Claim: claim("0f0d", 15*time.Minute, 13*time.Minute)},
			{ID: 4, Subject: "Write\nit", Status: pawl.InProgress, StartedAt: ago(time.Hour), Claim: claim("a session with a very long name indeed", time.Hour, 30*time.Second)},
			{ID: 1500, Subject: "By hand", Status: pawl.InProgress},
		}},
	}
	agents[2].Working[1].Claim.Agent = "explore"
	for id := range pawl.ID(13) {
		agents[1].Assigned = append(agents[1].Assigned, pawl.Task{ID: 20 + id, Subject: fmt.Sprint("Task ", id), Status: pawl.Pending, BlockedBy: []pawl.ID{3, 4, 5, 6, 7}[:id%5]})
	}
	for _, sc := range []Screen{{120, true}, {80, true}, {60, false}} {
		lines := sc.Agents(agents, noon, nil)
		sound(t, sc, lines)
		name := fmt.Sprintf("agents-%d.txt", sc.Width)
		sample.Golden(t, name, textOf(lines))
	}
	// On a shared board those of other clones stand below, as of the last sync.
	there := pawl.Task{ID: 9, Subject: "Cart", Status: pawl.InProgress, StartedAt: ago(12 * time.Minute), Claim: claim("b1", time.Hour, 50*time.Minute)}
	there.Claim.Clone = "mac-mini-3f2a9c1d"
	shared := append(agents[:1:1], query.Agent{Name: "bob", Clone: "mac-mini-3f2a9c1d", Working: []pawl.Task{there}})
	status := &share.Status{Remote: "origin", Clone: "laptop-00000001", Synced: ago(2 * time.Minute), Here: []pawl.ID{12}}
	for _, sc := range []Screen{{80, true}, {40, false}} {
		lines := sc.Agents(shared, noon, status)
		sound(t, sc, lines)
		sample.Golden(t, fmt.Sprintf("agents-shared-%d.txt", sc.Width), textOf(lines))
	}
	if plain := strings.Join(show.AgentLines(agents, noon, nil), "\n"); strings.Contains(plain, "\x1b") || strings.Count(plain, "\n") != 17 {
		t.Errorf("not fit for a terminal, or not all of it:\n%s", plain)
	}
}
