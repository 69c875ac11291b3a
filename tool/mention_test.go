package tool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/tool"
)

var ada = tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}

// naming is the arguments of a call that names many tasks.
func naming(t *testing.T, argument string, many int) string {
	t.Helper()
	ids := make([]int, many)
	for i := range ids {
		ids[i] = i + 1
	}
	text, err := json.Marshal(map[string]any{"taskId": 1, "subject": "A", argument: ids})
	must.Do(t, err)
	return string(text)
}

// What a call costs grows with what it says, and not with the square of it.
func TestManyMentions(t *testing.T) {
	s := newStory(t)
	cost := func(many int) float64 {
		args := naming(t, "taskId", many)
		return testing.AllocsPerRun(3, func() { s.ask(ada, "task_update", args) })
	}
	if once, twice := cost(400), cost(800); twice > 3*once {
		t.Errorf("400 ids cost %.0f allocations, and twice as many %.0f", once, twice)
	}
}

// Nobody looks for more tasks than one can have edges to.
func TestManyEdges(t *testing.T) {
	s := newStory(t)
	s.ask(ada, "task_create", `{"subject":"A"}`)
	for _, call := range [][2]string{
		{"task_create", "blockedBy"}, {"task_create", "blocks"},
		{"task_update", "addBlockedBy"}, {"task_update", "addBlocks"},
		{"task_update", "removeBlockedBy"}, {"task_update", "removeBlocks"},
	} {
		args := naming(t, call[1], pawl.MaxEdges+1)
		if call[0] == "task_create" {
			args = strings.Replace(args, `"taskId":1`, `"priority":"low"`, 1)
		}
		r := s.ask(ada, call[0], args)
		if want := call[1] + ": names 1001 tasks; the most is 1000"; !strings.Contains(r.LLMContent, want) || len(r.LLMContent) > 1000 {
			t.Errorf("%s %s: got %.400s", call[0], call[1], r.LLMContent)
		}
	}
}

// A task that a call names twice is meant once, whatever is done with it.
func TestNamedTwice(t *testing.T) {
	s := newStory(t)
	s.ask(ada, "task_create", `{"subject":"A"}`)
	for _, step := range []struct{ tool, args, want string }{
		{"task_update", `{"taskId":[1,"#1"],"note":"said once"}`, "Updated #1 A; note added"},
		{"task_update", `{"taskId":"1, #1","status":"completed"}`, "Completed #1 A\nAll tasks of the board are completed now."},
		{"task_update", `{"taskId":[1,1],"status":"deleted"}`, "Deleted #1 A"},
	} {
		if step.want == "Deleted #1 A" {
			if text := s.ask(ada, "task_get", `{"taskId":[1,1]}`).LLMContent; strings.Count(text, "#1 A\nStatus") != 1 || strings.Count(text, "    said once") != 1 {
				t.Errorf("got %s", text)
			}
		}
		if r := s.ask(ada, step.tool, step.args); r.LLMContent != step.want {
			t.Errorf("%s: got %q, want %q", step.args, r.LLMContent, step.want)
		}
	}
}
