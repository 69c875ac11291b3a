package show

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/query"
)

func TestClone(t *testing.T) {
	for _, c := range []struct {
		id    string
		among []string
		want  string
	}{
		{"mac-mini-3f2a9c1d", nil, "mac-mini"},
		{"mac-mini-3f2a9c1d", []string{"mac-mini-3f2a9c1d", "ci-00000000"}, "mac-mini"},
		{"mac-mini-3f2a9c1d", []string{"mac-mini-ffffffff"}, "mac-mini-ffffffff"[:9] + "3f2a9c1d"},
		{"mac-mini", nil, "mac-mini"},
		{"-3f2a9c1d", nil, "-3f2a9c1d"},
		{"\x1b[31mx-3f2a9c1d", nil, `\x1b[31mx`},
	} {
		if got := Clone(c.id, c.among...); got != c.want {
			t.Errorf("%q among %q: %q, want %q", c.id, c.among, got, c.want)
		}
	}
}

func TestShared(t *testing.T) {
	now := time.Unix(1790000000, 0)
	at := now.Add(-3 * time.Minute)
	for _, c := range []struct {
		status share.Status
		want   string
	}{
		{share.Status{Remote: "origin"}, "shared through origin; not synced yet"},
		{share.Status{Remote: "origin", Synced: now}, "shared through origin; synced just now"},
		{share.Status{Remote: "origin", Synced: at, Unsent: 2}, "shared through origin; synced 3 min ago; 2 changes to send"},
		{share.Status{Remote: "origin", Synced: at, Running: true}, "shared through origin; syncing now"},
		{share.Status{Remote: "origin", Synced: at, Failed: "origin cannot be reached.", Unsent: 1}, "shared through origin; last synced 3 min ago: origin cannot be reached; 1 change to send"},
		{share.Status{Remote: "origin", Failed: "origin cannot be reached"}, "shared through origin; not synced yet: origin cannot be reached"},
		{share.Status{Remote: "origin", Synced: at, Ref: "refs/pawl/board", Stopped: share.StopDeleted}, "shared through origin; stopped: origin no longer has the board: refs/pawl/board was deleted there"},
		{share.Status{Stopped: share.StopTracked}, "shared through the remote; stopped: git tracks the board's files on this branch, too"},
	} {
		if got := Shared(&c.status, now); got != c.want {
			t.Errorf("%+v:\n%s\n%s", c.status, got, c.want)
		}
	}
}

// Each stop is explained, and has a way on.
func TestSharedStops(t *testing.T) {
	for _, stop := range []share.Stop{share.StopRewound, share.StopDeleted, share.StopTracked} {
		s := share.Status{Remote: "origin", Ref: "refs/pawl/board", Stopped: stop}
		if SharedStop(&s) == string(stop) || len(SharedNext(&s)) == 0 {
			t.Errorf("%s: %q, %v", stop, SharedStop(&s), SharedNext(&s))
		}
	}
	if s := (share.Status{}); SharedStop(&s) != "" || SharedNext(&s) != nil {
		t.Error("a board that syncs has a reason not to")
	}
}

func TestSynced(t *testing.T) {
	task := func(id pawl.ID, subject string) merge.Named { return merge.Named{ID: id, Subject: subject} }
	r := share.Report{
		Arrived: []merge.Named{task(7, "Rotate"), task(8, "Docs"), task(9, "Site")},
		Sent:    []merge.Named{task(3, "Lint")},
		Lost: []merge.Yielded{
			{Named: task(12, "Hooks"), Was: pawl.InProgress, Owner: "ada", Now: pawl.InProgress, By: "bob", Winner: &merge.Held{Clone: "mac-mini-3f2a9c1d"}},
			{Named: task(13, "Price"), Was: pawl.Completed, Owner: "eve", Now: pawl.Completed, By: "bob", Winner: &merge.Held{Clone: "mac-mini-00000000"}},
			{Named: task(14, "Tax"), Was: pawl.InProgress, Owner: "ada", Now: pawl.Pending},
			{Named: task(15, "Cart"), Was: pawl.Completed, Owner: "ada", Now: pawl.InProgress, By: "ada"},
		},
		Merge: merge.Report{Moved: []merge.Moved{{Named: task(16, "Mail"), From: 7, Side: merge.Ours, Elder: "Rotate", ElderBy: "bob"}}, Deleted: []merge.Named{task(1, "Old")}},
	}
	if got, want := Synced(&r, "ada"), "3 arrived, 1 sent, 4 lost, #7 is now #16 (bob's was sent first)"; got != want {
		t.Errorf("%s\n%s", got, want)
	}
	if got, want := SyncedCounts(&r), "3 arrived, 1 sent, 4 lost, 1 moved"; got != want {
		t.Errorf("%s\n%s", got, want)
	}
	var got []string
	for _, l := range SyncedLines(&r, "ada", 4) {
		got = append(got, l.Word+" "+l.Text)
	}
	want := []string{
		"lost #12 Hooks: bob has claimed it, on mac-mini-3f2a9c1d",
		"lost #13 Price: bob completed it, on mac-mini-00000000; eve's completion is a note of it now",
		"lost #14 Tax: it is open again, and nobody has claimed it",
		"lost #15 Cart: ada has claimed it; your completion is a note of it now",
		"arrived #7 Rotate", "arrived #8 Docs", "arrived #9 Site", "sent #3 Lint",
		"moved #7 Mail → #16, bob's #7 Rotate was sent first",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if few := SyncedLines(&r, "ada", 2); few[1].Text != "and 3 more" {
		t.Errorf("a long list is not cut: %v", few)
	}
	if empty := (share.Report{}); Synced(&empty, "ada") != "nothing new" || SyncedCounts(&empty) != "nothing new" || SyncedLines(&empty, "ada", 4) != nil {
		t.Error("a sync without news tells of some")
	}
}

// Agents of one program have one name everywhere: what another one got is not told as
// the reader's.
func TestPassedToNamesake(t *testing.T) {
	o := query.Outcome{Shared: &query.Shared{Passed: []query.Passed{{Named: merge.Named{ID: 12, Subject: "Cart"}, By: "claude", Clone: "mac-mini-3f2a9c1d"}}}}
	if got := ClaimShared(&o, "claude"); len(got) != 1 || got[0] != "#12 Cart: claude has claimed it on mac-mini" {
		t.Errorf("%q", got)
	}
}
