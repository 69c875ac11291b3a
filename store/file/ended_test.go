package file

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Git takes a text away and brings it back: with a stash, with a checkout of another
// branch. A claim that another program's edit ended comes back with the text that it
// belongs to, as found and as recorded by the next write. (It was gone once a write had
// seen the other text, and the next agent got the task.)
func TestEndedClaimReturns(t *testing.T) {
	pending := func(s string) string { return claimedAs(s, pawl.Pending, "", time.Time{}) }
	note := pawl.AddNote{ID: 2, Text: "well"}
	for name, c := range map[string]struct {
		between func(*testing.T, *disk)
		away    func(string) string // nil: the file goes
		text    func(string) string // as it comes back
		holds   bool
	}{
		"nobody wrote":            {away: pending, holds: true, between: func(*testing.T, *disk) {}},
		"a write saw it":          {away: pending, holds: true},
		"the file was away":       {holds: true},
		"another one stood there": {away: func(string) string { return taskText(1, "elder", -60, "") }, holds: true},
		"it was completed":        {away: func(s string) string { return claimedAs(s, pawl.Completed, "ada", time.Time{}) }, holds: true},
		"it was somebody else's":  {away: func(s string) string { return claimedAs(s, pawl.InProgress, "eve", noon) }, holds: true},
		"and much happened since": {away: pending, holds: true, between: func(t *testing.T, d *disk) {
			for range 2*checkpointRecords + 2 {
				do(t, d, note)
			}
		}},
		"with more than history shows": {away: pending, holds: true, between: func(t *testing.T, d *disk) {
			for id := pawl.ID(3); id <= 3+bulkLimit; id++ {
				d.swap(taskName(id), taskText(id, "pulled", 0, ""))
			}
			do(t, d, note)
		}},
		"a merge saw it": {away: pending, holds: true, between: func(t *testing.T, d *disk) {
			rewrite(t, d, texts(map[pawl.ID]string{3: taskText(3, "three", 5, "")}))
		}},
		"and what became of it cannot be read": {away: pending, between: func(t *testing.T, d *disk) {
			do(t, d, note, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}, pawl.Release{IDs: []pawl.ID{1}}, note)
			before, after, _ := strings.Cut(d.text(segmentName(1)), `"external"`)
			for _, verb := range []string{`"verb":"claim"`, `"verb":"release"`} {
				after = strings.Replace(after, verb, strings.ToUpper(verb), 1)
			}
			d.put(segmentName(1), before+`"external"`+after)
		}},
		"and the state folder is another clone's": {away: pending, between: func(t *testing.T, d *disk) {
			do(t, d, note)
			d.put(kinName, otherKin+"\n")
			d.kin, d.seen = ownKin, true
		}},
		"and the index was lost": {away: pending, holds: true, between: func(t *testing.T, d *disk) {
			do(t, d, note)
			d.drop(indexName)
			d.drop(logName)
		}},
		"and the state folder was lost": {away: pending, between: func(t *testing.T, d *disk) {
			do(t, d, note)
			d.drop(stateDir)
		}},
		"somebody claimed it and gave it back": {away: pending, between: func(t *testing.T, d *disk) {
			do(t, d, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}, pawl.Release{IDs: []pawl.ID{1}})
		}},
		"somebody completed it": {away: pending, between: func(t *testing.T, d *disk) { do(t, d, pawl.Complete{IDs: []pawl.ID{1}}) }},
		"somebody removed it": {away: pending, between: func(t *testing.T, d *disk) {
			do(t, d, pawl.Delete{IDs: []pawl.ID{1}})
		}},
		"it comes back as another start": {away: pending, text: func(s string) string {
			return claimedAs(s, pawl.InProgress, "ada", noon.Add(time.Hour))
		}},
		"it comes back without one":     {away: pending, text: func(s string) string { return claimedAs(s, pawl.InProgress, "ada", time.Time{}) }},
		"it comes back as eve's":        {away: pending, text: func(s string) string { return strings.Replace(s, `"owner": "ada"`, `"owner": "eve"`, 1) }},
		"it comes back as another task": {away: pending, text: func(s string) string { return strings.Replace(s, `"createdAt": "2`, `"createdAt": "1`, 1) }},
	} {
		t.Run(name, func(t *testing.T) {
			d := board(t, create("one", "two"), pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
			token := see(t, d)[1].Claim.Token
			ours := d.text(taskName(1))
			d.now += 1e9
			if c.away != nil {
				d.swap(taskName(1), c.away(ours))
			} else {
				d.drop(taskName(1))
			}
			if c.between == nil {
				do(t, d, note)
			} else {
				c.between(t, d)
			}
			if c.text != nil {
				ours = c.text(ours)
			}
			d.now += 1e9
			d.swap(taskName(1), ours)
			for range 2 {
				g, ok, err := glancer(t, d, noon).Glance(context.Background(), pawl.GlanceQuery{IDs: []pawl.ID{1}})
				got := see(t, d)[1]
				if holds := got.Claim.Session == by.Session && got.Claim.Token == token && time.Duration(got.Claim.Lease) == time.Hour; holds != c.holds || !holds && got.Claim.Live() {
					t.Errorf("the claim is %+v, want it back: %v", got.Claim, c.holds)
				}
				if err != nil || ok && g.Tasks[0].Claim != got.Claim {
					t.Errorf("a glance has %+v, %v", g.Tasks, err)
				}
				do(t, d, note)
			}
			if c.holds {
				if _, err := pawl.NewBoard(simStore(t, d.process())).Do(context.Background(), pawl.Request{By: by, Op: pawl.Complete{IDs: []pawl.ID{1}, Token: token}}); err != nil {
					t.Errorf("the token of the claim: %v", err)
				}
			}
		})
	}
}

// Two branches have each its own task of one number, both with a claim: each claim is
// there with its task.
func TestEndedClaimsTakeTurns(t *testing.T) {
	d := board(t, create("one"), pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	one, elder := d.text(taskName(1)), taskText(1, "elder", -60, "")
	d.now += 1e9
	d.swap(taskName(1), elder)
	do(t, d, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Minute)})
	elder = d.text(taskName(1))
	for _, c := range []struct {
		text  string
		lease time.Duration
	}{{one, time.Hour}, {elder, time.Minute}, {one, time.Hour}} {
		d.now += 1e9
		d.swap(taskName(1), c.text)
		if got := see(t, d)[1]; !got.Claim.Live() || time.Duration(got.Claim.Lease) != c.lease {
			t.Errorf("%s has the claim %+v", got.Subject, got.Claim)
		}
	}
}

// claimedAs is the text of a task with another status, owner and start.
func claimedAs(text string, status pawl.Status, owner string, started time.Time) string {
	file, err := taskjson.Decode([]byte(text))
	if err != nil {
		panic(err)
	}
	file.Task.Status, file.Task.Owner, file.Task.StartedAt = status, owner, started
	return string(taskjson.Encode(&file.Task))
}

// TestExpiredSurvivesTheIndex: how often leases ran out stands in no task's file, and is
// known after the index was lost though a checkpoint has followed, of a task that is free, too.
func TestExpiredSurvivesTheIndex(t *testing.T) {
	d := board(t, create("one", "two"), pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Second)})
	doLater(t, d, pawl.AddNote{ID: 2, Text: "the lease has run out"})
	s := simStore(t, d.process())
	s.clock = func() time.Time { return noon.Add(time.Second) }
	for range 2 * checkpointRecords {
		must.Do(t, errOf(pawl.NewBoard(s).Do(t.Context(), pawl.Request{By: by, Op: pawl.AddNote{ID: 2, Text: "more"}})))
	}
	for range 2 {
		if got := see(t, d)[1]; got.Expired != 1 || got.Status != pawl.Pending {
			t.Fatalf("%d leases ran out, want 1; the task is %s", got.Expired, got.Status)
		}
		d.drop(indexName)
		d.drop(logName)
	}
}
