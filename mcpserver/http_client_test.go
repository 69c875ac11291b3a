package mcpserver_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// TestHTTPClients: the SDK's own client, in a revision with sessions and in one
// without, over the network of this machine: several at once take each task once,
// and each hears of a change.
func TestHTTPClients(t *testing.T) {
	const tasks = 24
	st := newStage(t, near)
	defer st.board.Close()
	server := httptest.NewServer(st.server.HTTP())
	defer server.Close()
	defer st.server.Close()
	var plan pawl.Create
	for i := range tasks {
		plan.Tasks = append(plan.Tasks, pawl.NewTask{Subject: fmt.Sprint("Task ", i)})
	}
	must.Get(st.board.Do(t.Context(), pawl.Request{Op: plan}))(t)
	var (
		all     sync.WaitGroup
		follow  sync.WaitGroup // who follows only after the last claim is told nothing
		mu      sync.Mutex
		claimed = map[string]string{}
	)
	follow.Add(6)
	for i := range 6 {
		revision := []string{"2025-11-25", "2026-07-28", ""}[i%3] // empty: the newest that both know
		name := fmt.Sprint("agent-", i)
		all.Go(func() {
			follows := sync.OnceFunc(follow.Done)
			defer follows()
			told := make(chan struct{}, tasks)
			client, err := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, &mcp.ClientOptions{
				ResourceUpdatedHandler: func(context.Context, *mcp.ResourceUpdatedNotificationRequest) {
					select {
					case told <- struct{}{}:
					default:
					}
				},
			}).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Errorf("%s in revision %q: %v", name, revision, err)
				return
			}
			defer client.Close()
			if got := client.InitializeResult().ProtocolVersion; got != cmp.Or(revision, "2026-07-28") {
				t.Errorf("%s speaks revision %s, not %q", name, got, revision)
			}
			if err := client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "pawl://board"}); err != nil {
				t.Errorf("%s follows: %v", name, err)
			}
			follows()
			follow.Wait()
			for {
				result, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "task_claim", Arguments: map[string]any{}})
				if err != nil {
					t.Errorf("%s claims: %v", name, err)
					return
				}
				text := result.Content[0].(*mcp.TextContent).Text
				task, found := strings.CutPrefix(strings.Split(text, "\n")[0], "Claimed #")
				if !found {
					break
				}
				mu.Lock()
				if other := claimed[task]; other != "" {
					t.Errorf("%s and %s have claimed %s", other, name, task)
				}
				claimed[task] = name
				mu.Unlock()
			}
			select {
			case <-told:
			case <-t.Context().Done():
				t.Errorf("%s is told nothing", name)
			}
		})
	}
	all.Wait()
	if len(claimed) != tasks {
		t.Errorf("%d of %d tasks were claimed", len(claimed), tasks)
	}
}
