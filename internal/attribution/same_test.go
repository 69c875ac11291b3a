package attribution

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// Whose claims a session may go on with, by what is noted of the other one.
func TestSame(t *testing.T) {
	lives := caller.Starter().ID
	if _, known := caller.Runs(lives); !known {
		mustrun.NotHere(t, "processes do not show here whether they run")
	}
	dead := strings.Replace(lives, ".", ".1", 1) // the number of one that runs, and another start
	const here, other = "agent-4242.8123", "s-other"
	for _, tt := range []struct {
		name    string
		notes   func(Notes) error
		process string
		same    bool
		sibling bool
	}{
		{"nothing is known of it", func(Notes) error { return nil }, here, false, false},
		{"reported in the same process", func(n Notes) error { return n.Report(Report{Process: here, Session: other}) }, here, true, true},
		{"claimed in the same process", func(n Notes) error { return n.Acted(here, other) }, here, true, true},
		{"ended in the same process", func(n Notes) error { return n.End(here, other) }, here, true, true},
		{"runs in another one", func(n Notes) error { return n.Report(Report{Process: lives, Session: other}) }, here, false, false},
		{"claimed in another one", func(n Notes) error { return n.Acted(lives, other) }, here, false, false},
		{"was here, and runs in another one now", func(n Notes) error {
			return first2(n.End(here, other), n.Report(Report{Process: lives, Session: other}))
		}, here, false, false},
		{"ended in another one", func(n Notes) error { return n.End(lives, other) }, here, true, false},
		{"its process has ended", func(n Notes) error { return n.Report(Report{Process: dead, Session: other}) }, here, true, false},
		{"its process has ended, as seen from nowhere", func(n Notes) error { return n.Acted(dead, other) }, "", true, false},
		{"its process has ended, and it was resumed", func(n Notes) error {
			return first2(n.Acted(dead, other), n.Report(Report{Process: lives, Session: other}))
		}, here, false, false},
		{"in another container", func(n Notes) error {
			return put(n.process(dead), other, []byte(`{"session":"s-other","at":"`+n.now().UTC().Format(time.RFC3339)+`","space":"pid:[1]"}`))
		}, here, false, false},
		{"long ago", func(n Notes) error {
			long := n
			long.Now = func() time.Time { return time.Now().Add(-ReportLife - time.Hour) }
			return long.Acted(here, other)
		}, here, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := Notes{Dir: t.TempDir()}
			must.Do(t, tt.notes(n))
			if same, sibling := n.Same(tt.process, other), n.Sibling(tt.process, other); same != tt.same || sibling != tt.sibling {
				t.Errorf("same %v, sibling %v; want %v, %v", same, sibling, tt.same, tt.sibling)
			}
			if slices.Contains(n.Siblings(tt.process), other) != tt.sibling {
				t.Errorf("the siblings are %q", n.Siblings(tt.process))
			}
			if n.Same(tt.process, "s-third") {
				t.Error("so is one that was never heard of")
			}
		})
	}
	if n := (Notes{}); !n.Same(here, here) || n.Same("", "") {
		t.Error("a process is not the session of its own name")
	}
}

func first2(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// A note of a claim is not one of a session that runs: the server goes by what
// hooks report.
func TestActedIsNoReport(t *testing.T) {
	n := Notes{Dir: t.TempDir()}
	must.Do(t, first2(n.Acted("agent-1.2", "old"), n.Report(Report{Process: "agent-1.2", Session: "new"})))
	if runs, _ := n.sessions("agent-1.2"); len(runs) != 1 || runs[0] != "new" {
		t.Errorf("%q run", runs)
	}
	must.Do(t, first2(n.Report(Report{Process: "agent-1.2", Session: "old"}), n.Acted("agent-1.2", "old")))
	if runs, _ := n.sessions("agent-1.2"); len(runs) != 2 {
		t.Errorf("what hooks reported is forgotten: %q run", runs)
	}
}
