package git

import (
	"context"
	"strings"
	"testing"
	"time"
)

// A caller that has less time than git may take is told how long it was.
func TestLateByTheCaller(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	tree := c.tree()
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	_, asked := tree.ask(ctx, nil, "rev-parse", "HEAD")
	_, changed := tree.change(ctx, nil, nil, "status")
	for _, err := range []error{asked, changed} {
		if err == nil || !strings.HasSuffix(err.Error(), "git did not answer within 0s") {
			t.Errorf("got %v", err)
		}
	}
}
