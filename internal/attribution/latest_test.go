package attribution

import (
	"testing"
	"time"
)

// A program knows which session it was in, and what is known of others that
// ended long ago is not kept.
func TestEnter(t *testing.T) {
	now := time.Now()
	n := Notes{Dir: t.TempDir(), Now: func() time.Time { return now }}
	for _, step := range []struct{ process, session, before string }{
		{"agent-1", "s1", ""},
		{"agent-1", "s1", "s1"},
		{"agent-2", "s3", ""},
		{"agent-1", "s2", "s1"},
		{"agent-1", "s1", "s2"},
	} {
		before, err := n.Enter(Report{Process: step.process, Session: step.session})
		if err != nil || before != step.before {
			t.Errorf("%s enters %s after %q, %v; want %q", step.process, step.session, before, err, step.before)
		}
	}
	if _, err := n.Enter(Report{Process: "agent-1", Session: "line\nbreak"}); err == nil {
		t.Error("what is no name of a session is noted")
	}
	now = now.Add(ReportLife + time.Hour)
	if before, err := n.Enter(Report{Process: "agent-3", Session: "s4"}); before != "" || err != nil {
		t.Errorf("a new one was in %q, %v", before, err)
	}
	if left := names(n.latest()); len(left) != 1 || left[0].Name() != "agent-3" {
		t.Errorf("%v are left", left)
	}
}
