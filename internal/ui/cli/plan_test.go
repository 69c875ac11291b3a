package cli

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/plan"
)

// What the help shows as a plan is one.
func TestPlanTopics(t *testing.T) {
	shown := 0
	for _, topic := range planTopics() {
		if len(topic.Block) == 0 {
			continue
		}
		shown++
		p, err := plan.Parse([]byte(strings.Join(topic.Block, "\n")), plan.Options{})
		if err != nil {
			t.Errorf("%s: %v", topic.Title, err)
			continue
		}
		edges := 0
		for _, task := range p.Tasks {
			edges += len(task.BlockedBy)
		}
		if len(p.Tasks)-p.Done != 4 || edges < 2 {
			t.Errorf("%s: %d tasks, %d edges", topic.Title, len(p.Tasks), edges)
		}
	}
	if shown != 2 {
		t.Errorf("%d plans are shown", shown)
	}
}
