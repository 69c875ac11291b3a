//go:build unix

package git_test

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// TestNews: another clone has put a task on hold, blocked it, or given it a check or a
// criterion. A clone that has not heard of it claimed and completed the task with exit 0,
// though the sync brought all that. It is refused, and the task is as the other clone left it.
func TestNews(t *testing.T) {
	t.Parallel()
	team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
	ada, bob := team.clones[0], team.clones[1]
	bob.pawl("config", "set", "sync", "manual") // nothing is heard before it is asked for
	ada.pawl("update", "7", "--add-label", "next")
	ada.pawl("update", "8", "--add-label", "next")
	ada.sync()
	bob.sync()
	for _, news := range []struct {
		id        pawl.ID
		hers, his string
		says      string
		code      int
	}{
		{1, "hold 1 decide", "claim 1", "#1 is on hold: decide", 5},
		{2, "hold 2 decide", "start 2", "#2 is on hold: decide", 5},
		{3, "hold 3 decide", "done 3", "#3 is on hold: decide", 5},
		{4, "block 4 --by 9", "claim 4", "#4 is blocked by #9", 5},
		{5, "block 5 --by 9", "done 5", "#5 is blocked by #9", 5},
		{6, "update 6 --accept green", "done 6", "green", 8},
		{7, "hold 7 decide", "claim --label next", "#7 Seven: it is no longer ready", 0},
	} {
		ada.pawl(strings.Fields(news.hers)...)
		ada.sync()
		if out, code := bob.run("pawl", strings.Fields(news.his)...); code != news.code || !strings.Contains(out, news.says) {
			t.Errorf("pawl %s: exit %d\n%s", news.his, code, out)
		}
		bob.sync()
		ada.sync()
		for _, c := range team.clones {
			if is := c.tasks()[news.id]; is.Status != pawl.Pending || is.Owner != "" || is.Claim.Live() {
				t.Errorf("%s: after pawl %s %v is %v by %q", c.who, news.his, news.id, is.Status, is.Owner)
			}
		}
	}
	if is := ada.called("Eight"); is.Owner != "bob" {
		t.Errorf("#8 is %v by %q", is.Status, is.Owner)
	}
	// By force the work goes on whatever blocks it.
	bob.pawl("done", "5", "--force")
	bob.pawl("claim", "4", "--force")
	team.settle()
	if four, five := ada.called("Four"), ada.called("Five"); four.Owner != "bob" || five.Status != pawl.Completed {
		t.Errorf("by force #4 is %v by %q, and #5 %v", four.Status, four.Owner, five.Status)
	}
}
