package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/tool"
)

// How often a call accesses its board, which may be far away.
func TestAccesses(t *testing.T) {
	store := &querytest.Counted{Store: memory.New()}
	tools := map[string]tool.Tool{}
	for _, one := range tool.New(tool.Options{Board: tool.OneBoard(pawl.NewBoard(store))}) {
		tools[one.Name] = one
	}
	ada := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	var many, drafts []string
	for id := range 20 {
		many = append(many, fmt.Sprint(id+1))
		drafts = append(drafts, fmt.Sprintf(`{"subject":"Task %d","ref":"t%d"}`, id, id))
	}
	drafts[19] = `{"subject":"Last","blockedBy":["t0"]}`
	all := strings.Join(many, ",")
	for _, call := range []struct {
		name, args string
		accesses   int
	}{
		{"task_create", `{"tasks":[` + strings.Join(drafts, ",") + `]}`, 3},
		{"task_list", `{}`, 1},
		{"task_list", `{"limit":5}`, 1},
		{"task_get", `{"taskId":[` + all + `]}`, 1},
		{"task_get", `{"taskId":1,"history":true}`, 1},
		{"task_update", `{"taskId":1,"status":"in_progress","note":"begun"}`, 1},
		{"task_update", `{"taskId":[` + all + `],"priority":"high","addLabels":["x"]}`, 1},
		{"task_update", `{"taskId":2,"addBlockedBy":[3],"parent":4,"hold":"wait"}`, 1},
		{"task_update", `{"taskId":2,"lift":true,"release":false}`, 1},
		{"task_update", `{"taskId":1,"status":"completed"}`, 1},
		{"task_update", `{"taskId":5,"owner":"bob","labels":["y"]}`, 2}, // what the task is like decides
		{"task_update", `{"taskId":6,"delete":true}`, 2},
		{"task_claim", `{"taskId":7}`, 1},
		{"task_claim", `{}`, 1},
		{"task_create", `{"subject":"Another"}`, 2},
	} {
		store.N = 0
		r := tools[call.name].Call(t.Context(), ada, json.RawMessage(call.args))
		if r.Err != nil || store.N != call.accesses {
			t.Errorf("%s %s: %d accesses, not %d\n%s", call.name, call.args, store.N, call.accesses, r.LLMContent)
		}
	}
}
