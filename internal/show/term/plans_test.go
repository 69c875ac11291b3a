package term

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/todo"
)

func TestPlan(t *testing.T) {
	p := show.Plan{Key: todo.Key{Session: "0f0d7052", Agent: "reviewer"}, At: ago(2 * time.Minute), Paused: true, Items: []todo.Item{
		{Content: "Read the ledger", Status: todo.Completed},
		{Content: "Add tests", ActiveForm: "Adding tests for what is rounded, 名前 and all, in each of the tables", Status: todo.InProgress},
		{Content: "Tell\x1b[2J the team", Status: todo.Pending},
		{Content: "Release", Status: todo.Pending},
	}}
	var all []Line
	for _, sc := range []Screen{{80, true}, {40, false}} {
		lines := sc.Plan(&p, 3, noon)
		sound(t, sc, lines)
		all = append(all, lines...)
	}
	sample.Golden(t, "plan.txt", textOf(all))
}
