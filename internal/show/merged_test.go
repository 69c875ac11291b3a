package show_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

func TestMerged(t *testing.T) {
	mine := merge.Moved{Named: merge.Named{ID: 15, Subject: "Retry hooks"}, From: 12, Side: merge.Ours, Elder: "Rotate the key", ElderBy: "bob"}
	nobodys, theirs, own := mine, mine, mine
	nobodys.ElderBy, theirs.Side, own.ElderBy = "", merge.Theirs, "ada"
	two := []merge.Named{{ID: 12}, {ID: 16}}
	for want, r := range map[string]merge.Report{
		"2 arrived, #12 is now #15 (bob's is older)":            {Arrived: two, Moved: []merge.Moved{mine}, Changed: []pawl.ID{15}},
		"2 arrived, #12 is now #15 (the other one is older)":    {Arrived: two, Moved: []merge.Moved{nobodys}},
		"2 arrived, #12 is now #15 (another of yours is older)": {Arrived: two, Moved: []merge.Moved{own}},
		"2 arrived, 1 changed, 1 removed there":                 {Arrived: two, Changed: []pawl.ID{3}, Deleted: two[:1], Moved: []merge.Moved{theirs}},
		"nothing changed here":                                  {},
	} {
		if got := show.Merged(&r, "ada"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	many := merge.Report{}
	for range 20 {
		many.Moved = append(many.Moved, mine)
	}
	if got := show.Merged(&many, ""); len(got) > 200 {
		t.Errorf("a line of %d bytes: %q", len(got), got)
	}
	if got := show.MergedRemark(&many); len(got) > 300 {
		t.Errorf("a remark of %d bytes: %q", len(got), got)
	}
	for want, r := range map[string]merge.Report{
		"The board was merged with another branch: #12 is now #15.":             {Arrived: two, Moved: []merge.Moved{mine, theirs}},
		"The board was merged with another branch: 2 arrived, 1 removed there.": {Arrived: two, Deleted: two[:1], Moved: []merge.Moved{theirs}},
		"": {Kept: []merge.Kept{{}}},
	} {
		if got := show.MergedRemark(&r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// History tells a merge by its tasks: it had #12 as renamed and #15 as added.
func TestMergeInHistory(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 11, 22, 10, minute, 0, 0, time.UTC) }
	task := func(id pawl.ID, subject string, made int, was ...pawl.ID) *pawl.Task {
		return &pawl.Task{ID: id, Subject: subject, CreatedAt: at(made), Was: was}
	}
	change := func(id pawl.ID, before, after *pawl.Task, fields ...pawl.Field) pawl.Change {
		return pawl.Change{ID: id, Before: before, After: after, Fields: fields}
	}
	set := pawl.ChangeSet{Verb: "merge", By: pawl.Actor{Name: "ada"}, Changes: []pawl.Change{
		change(12, task(12, "Retry hooks", 5), task(12, "Rotate the key", 4), pawl.FieldSubject),
		change(15, nil, task(15, "Retry hooks", 5, 12)),
		change(16, nil, task(16, "Price tests", 6)),
		change(4, task(4, "Cart", 1), task(4, "Cart total", 1), pawl.FieldSubject),
		change(9, task(9, "Old", 2), nil),
	}}
	const want = "ada merged another branch: added #12 Rotate the key, #16 Price tests, changed #4 Cart total, removed #9 Old, #12 Retry hooks is now #15"
	if got := (show.Telling{Names: query.Subjects{}}).Line(&set); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
	set.Verb = pawl.VerbSync
	if got := (show.Telling{Names: query.Subjects{}}).Line(&set); got != strings.Replace(want, "merged another branch: added", "synced: new", 1) {
		t.Errorf("of a sync: %q", got)
	}
	set.Changes = nil
	if got := (show.Telling{Names: query.Subjects{}}).Line(&set); got != "ada synced its claims" {
		t.Errorf("of one that only confirmed claims: %q", got)
	}
}
