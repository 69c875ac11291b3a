package todo

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// The last todo is completed, and a subtask is not: nothing is finished, and the agent
// reads why. (The list was emptied, and the subtask with it.)
func TestWriteWithOpenSubtask(t *testing.T) {
	items := []Item{{ID: "1", Content: "A", Status: InProgress, Subtasks: []Subtask{{ID: "1.1", Content: "S", Status: Pending}}}, {ID: "2", Content: "B", Status: Completed}}
	l := List{Items: CloneItems(items)}
	draft, err := Decode([]byte(`[{"content": "A", "status": "completed"}, {"content": "B", "status": "completed"}]`), false)
	must.Do(t, err)
	w, err := l.write(draft, Writing{}, time.Unix(10, 0))
	if err != nil || len(l.Items) != 2 || l.Items[0].Status != Pending || !l.Items[0].CompletedAt.IsZero() || l.Items[1].Status != Completed {
		t.Fatalf("the list is %+v, %v", l.Items, err)
	}
	if notes := strings.Join(w.Notes, "\n"); !strings.Contains(notes, `"A" became pending`) {
		t.Errorf("the agent is told %q", notes)
	}
	draft, _ = Decode([]byte(`[{"content": "A", "status": "completed", "subtasks": [{"content": "S", "status": "completed"}]}, {"content": "B", "status": "completed"}]`), false)
	if _, err := l.write(draft, Writing{}, time.Unix(20, 0)); err != nil || len(l.Items) != 0 {
		t.Errorf("with all completed the list is %+v, %v", l.Items, err)
	}
	l = List{Items: []Item{{ID: "1", Content: "A", Status: Completed, Subtasks: items[0].Subtasks}}}
	if l.settle(time.Unix(30, 0)) {
		t.Error("a list with an open subtask was finished")
	}
}
