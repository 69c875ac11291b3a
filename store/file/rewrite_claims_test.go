package file

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// A claim goes with its task to the new number: when the merge finds the other
// task under the old one, and when somebody has recorded that one before.
func TestClaimFollows(t *testing.T) {
	claim := pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}
	nothing := func(testing.TB, *disk) {}
	for _, c := range []struct {
		name    string
		between func(testing.TB, *disk)
		text    func(string) string
		made    time.Duration
		holds   bool
	}{
		{name: "found by the merge", between: nothing, holds: true},
		{name: "recorded before", between: comeBy, holds: true},
		{name: "and much happened since", between: func(t testing.TB, d *disk) {
			comeBy(t, d)
			for range checkpointRecords + 2 {
				do(t, d, pawl.AddNote{ID: 2, Text: "well"})
			}
		}, holds: true},
		{name: "and the other one was claimed", between: func(t testing.TB, d *disk) {
			do(t, d, pawl.ClaimTask{ID: 1})
		}, holds: true},
		{name: "and the index was lost", between: func(t testing.TB, d *disk) {
			comeBy(t, d)
			d.drop(indexName)
			d.drop(logName)
		}, holds: true},
		{name: "it is completed by now", between: comeBy, text: func(s string) string {
			return strings.Replace(s, `"in_progress"`, `"completed"`, 1)
		}},
		{name: "it is somebody else's", between: comeBy, text: func(s string) string { return strings.Replace(s, `"owner": "ada"`, `"owner": "eve"`, 1) }},
		{name: "it is another task", between: comeBy, made: time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := board(t, create("one", "two"), claim)
			token := see(t, d)[1].Claim.Token
			ours := d.text(taskName(1))
			d.now += 1e9
			d.swap(taskName(1), taskText(1, "elder", -60, ""))
			c.between(t, d)
			moved, made := renumber([]byte(ours), 9)
			if c.text != nil {
				moved = []byte(c.text(string(moved)))
			}
			rewrite(t, d, func(Files) (Rewriting, error) {
				return Rewriting{Tasks: map[pawl.ID][]byte{9: moved}, Moved: []Move{{1, 9, made.Add(c.made)}}}, nil
			})
			got := see(t, d)[9].Claim
			if holds := got.Session == by.Session && got.Token == token && time.Duration(got.Lease) == time.Hour; holds != c.holds || !holds && got.Live() {
				t.Errorf("the claim is %+v, want it kept: %v", got, c.holds)
			}
			if c.holds {
				if _, err := pawl.NewBoard(simStore(t, d.process())).Do(context.Background(), pawl.Request{By: by, Op: pawl.Complete{IDs: []pawl.ID{9}, Token: token}}); err != nil {
					t.Errorf("the token of the claim: %v", err)
				}
			}
		})
	}
}

// A claim that was given up before the pull does not come back.
func TestEndedClaimDoesNotFollow(t *testing.T) {
	d := board(t, create("one"), pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}, pawl.Release{IDs: []pawl.ID{1}},
		pawl.Assign{IDs: []pawl.ID{1}, Owner: "ada"})
	ours := strings.Replace(d.text(taskName(1)), `"pending"`, `"in_progress"`, 1) // as the other branch has it
	d.swap(taskName(1), taskText(1, "elder", -60, ""))
	comeBy(t, d)
	moved, made := renumber([]byte(ours), 9)
	rewrite(t, d, func(Files) (Rewriting, error) {
		return Rewriting{Tasks: map[pawl.ID][]byte{9: moved}, Moved: []Move{{1, 9, made}}}, nil
	})
	if got := see(t, d)[9]; got.Claim.Live() {
		t.Errorf("#9 has the claim %+v", got.Claim)
	}
}

// The claim of a task that keeps its number stays while it is in progress under the
// same name, also where git had left both sides in the file.
func TestClaimStays(t *testing.T) {
	for _, owner := range []string{"ada", "eve"} {
		d := board(t, create("one"), pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
		whole := d.text(taskName(1))
		d.swap(taskName(1), "<<<<<<< HEAD\n"+whole+"=======\n"+strings.Replace(whole, `"one"`, `"uno"`, 1)+">>>>>>> bob\n")
		comeBy(t, d)
		rewrite(t, d, texts(map[pawl.ID]string{1: strings.Replace(strings.Replace(whole, `"one"`, `"uno"`, 1), `"ada"`, `"`+owner+`"`, 1)}))
		if got := see(t, d)[1]; got.Subject != "uno" || got.Claim.Live() != (owner == "ada") {
			t.Errorf("of %s: %+v", owner, got)
		}
		if kept := lost(d); len(kept) != 1 {
			t.Errorf("lost+found has %v", kept)
		}
	}
}

// A sync writes into a task's file when the task was made, which another program had left out.
// To the store that is another task: its claim is recorded, also if it is the one that was there.
func TestClaimOfTheDated(t *testing.T) {
	d := board(t, create("one"))
	dated := d.text(taskName(1))
	at := strings.Index(dated, `  "createdAt"`)
	d.swap(taskName(1), dated[:at]+dated[at+strings.Index(dated[at:], "\n")+1:])
	do(t, d, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	before := see(t, d)[1]
	rewrite(t, d, func(f Files) (Rewriting, error) {
		text := strings.Replace(string(f.Tasks[1]), "{", `{"createdAt": "2026-11-01T00:00:00Z",`, 1)
		return Rewriting{Tasks: map[pawl.ID][]byte{1: []byte(text)}, Claims: f.Claims}, nil
	})
	if is := see(t, d)[1]; !before.CreatedAt.IsZero() || is.CreatedAt.IsZero() || !is.Claim.Live() || is.Claim != before.Claim {
		t.Errorf("with %+v before it has %+v", before.Claim, is)
	}
}

// A pull can bring a merge that a colleague has made and committed: nobody says what
// moved but the files.
func TestClaimFollowsAPull(t *testing.T) {
	for name, c := range map[string]struct {
		text  func(string) string
		stays bool
		holds bool
	}{
		"moved":             {holds: true},
		"released by then":  {text: func(s string) string { return strings.Replace(s, `"in_progress"`, `"pending"`, 1) }},
		"somebody else's":   {text: func(s string) string { return strings.Replace(s, `"owner": "ada"`, `"owner": "eve"`, 1) }},
		"another task":      {text: func(s string) string { return strings.Replace(s, `"createdAt": "2`, `"createdAt": "1`, 1) }},
		"there twice by it": {stays: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := board(t, create("one", "two"), pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
			token := see(t, d)[1].Claim.Token
			ours := d.text(taskName(1))
			d.now += 1e9
			moved, _ := renumber([]byte(ours), 9)
			text := strings.Replace(string(moved), `"id": 9`, "\"id\": 9,\n  \"was\": [1]", 1)
			if c.text != nil {
				text = c.text(text)
			}
			if !c.stays {
				d.swap(taskName(1), taskText(1, "elder", -60, ""))
			}
			d.swap(taskName(9), text)
			for range 2 { // as found, and as recorded by the next write
				all := see(t, d)
				if got := all[9].Claim; got.Live() != c.holds || c.holds && (got.Token != token || got.Session != by.Session || time.Duration(got.Lease) != time.Hour) {
					t.Errorf("the claim is %+v, want it kept: %v", got, c.holds)
				}
				if all[1].Claim.Live() != c.stays {
					t.Errorf("the claim on the old number is %+v", all[1].Claim)
				}
				do(t, d, pawl.AddNote{ID: 2, Text: "well"})
			}
			if !c.holds {
				return
			}
			d.drop(indexName)
			d.drop(logName)
			if _, err := pawl.NewBoard(simStore(t, d.process())).Do(context.Background(), pawl.Request{By: by, Op: pawl.Complete{IDs: []pawl.ID{9}, Token: token}}); err != nil {
				t.Errorf("the token of the claim: %v", err)
			}
		})
	}
}
