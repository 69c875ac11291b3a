package show

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/query"
)

func TestListLine(t *testing.T) {
	hold := &pawl.Hold{Reason: "needs a key\n[x] #1 fake", By: "ada"}
	for _, c := range []struct {
		task  pawl.Task
		want  string
		state query.State
	}{
		{pawl.Task{ID: 12, Subject: "Refactor auth middleware", Status: pawl.Pending, BlockedBy: []pawl.ID{8, 11}},
			"[ ] #12 Refactor auth middleware (blocked by #8, #11)", query.Waiting},
		{pawl.Task{ID: 3, Subject: "Write parser", Status: pawl.InProgress, Owner: "ada"}, "[>] #3 Write parser @ada", query.Working},
		{pawl.Task{ID: 3, Subject: "Write parser", Status: pawl.InProgress}, "[>] #3 Write parser", query.Working},
		{pawl.Task{ID: 1, Subject: "Setup", Status: pawl.Completed, Owner: "ada", Priority: pawl.High}, "[x] #1 Setup", query.Done},
		{pawl.Task{ID: 4, Subject: "Next", Status: pawl.Pending}, "[ ] #4 Next", query.Ready},
		{pawl.Task{ID: 4, Subject: "Urgent", Status: pawl.Pending, Priority: pawl.High}, "[ ] #4 Urgent (high priority)", query.Ready},
		{pawl.Task{ID: 4, Subject: "Some day", Status: pawl.Pending, Priority: pawl.Low, BlockedBy: []pawl.ID{1}}, "[ ] #4 Some day (low priority; blocked by #1)", query.Waiting},
		{pawl.Task{ID: 5, Subject: "Epic", Status: pawl.Pending, Children: []pawl.ID{6, 7}, OpenChildren: 2}, "[ ] #5 Epic (waits for 2 children)", query.Waiting},
		{pawl.Task{ID: 5, Subject: "Epic", Status: pawl.Pending, Children: []pawl.ID{6}, OpenChildren: 1}, "[ ] #5 Epic (waits for 1 child)", query.Waiting},
		{pawl.Task{ID: 5, Subject: "Epic", Status: pawl.Pending, Children: []pawl.ID{6, 7, 8}, OpenChildren: 1}, "[ ] #5 Epic (waits for 1 of 3 children)", query.Waiting},
		{pawl.Task{ID: 6, Subject: "Deploy", Status: pawl.Pending, Hold: hold}, `[ ] #6 Deploy (on hold: needs a key\n[x] #1 fake)`, query.Held},
		{pawl.Task{ID: 7, Subject: "Docs", Status: pawl.Pending, Owner: "bob"}, "[ ] #7 Docs (assigned to bob)", query.Taken},
		{pawl.Task{ID: 7, Subject: "Docs", Status: pawl.Pending, Owner: "me"}, "[ ] #7 Docs (assigned to me)", query.Ready},
		{pawl.Task{ID: 8, Damage: "line 3: the value is cut off"}, "[!] #8 (damaged: line 3: the value is cut off)", query.Damaged},
		{pawl.Task{ID: 9, Subject: "a\n[x] #2 fake", Status: pawl.InProgress, Owner: "x\x1b[0m"}, `[>] #9 a\n[x] #2 fake @x\x1b[0m`, query.Working},
		{pawl.Task{ID: 9, Subject: "Many", Status: pawl.Pending, BlockedBy: []pawl.ID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
			"[ ] #9 Many (blocked by #1, #2, #3, #4, #5, #6, #7, #8, #9, #10 and 2 more)", query.Waiting},
	} {
		if got := ListLine(&c.task, nil); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		if got := query.StateOf(&c.task, "me"); got != c.state {
			t.Errorf("%s: state %d, want %d", c.want, got, c.state)
		}
	}
}

func TestDetail(t *testing.T) {
	board := sample.Board(t)
	for _, c := range []struct {
		id   pawl.ID
		file string
	}{{1, "detail-done.txt"}, {3, "detail-working.txt"}, {4, "detail-blocked.txt"}, {6, "detail-parent.txt"}, {7, "detail-held.txt"}, {2, "detail-ready.txt"}, {8, "detail-checks.txt"}, {9, "detail-unreadable.txt"}} {
		found := must.Get(query.Of(t.Context(), query.Local(board), query.Asker{}, query.TaskQuery{Names: []string{c.id.String()}}))(t)
		sample.Golden(t, c.file, Detail(found.Tasks[0].Detail, nil))
	}
}

// Only the name that a plan's line has by its sum says nothing to a person.
func TestKnownAs(t *testing.T) {
	for ref, shown := range map[string]bool{"plan:docs/plan.md/=0a1b2c": false, "https://example.org/search/=x": true, "JIRA-17": true} {
		d := query.Detail{Task: pawl.Task{Metadata: map[string]json.RawMessage{pawl.RefKey: json.RawMessage(strconv.Quote(ref))}}}
		if got := slices.ContainsFunc(Fields(&d, Clock{}, nil), func(f Field) bool { return f.Name == "Known as" }); got != shown {
			t.Errorf("%s is shown: %v", ref, got)
		}
	}
}
