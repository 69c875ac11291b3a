package show

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// One sentence tells of the other branch's task everywhere, whatever its text does.
func TestOtherBranch(t *testing.T) {
	retry := pawl.Task{ID: 12, Subject: "Retry hooks", Status: pawl.InProgress, Owner: "bob"}
	cart := pawl.Task{ID: 12, Subject: "Cart", Status: pawl.Pending, Merging: []pawl.Task{retry}}
	const said = "#12 of the other branch: Retry hooks"
	facts := &query.Facts{}
	done := cart
	done.Status = pawl.Completed
	for got, want := range map[string]string{
		ListLine(&cart, nil):                   "[ ] #12 Cart (" + said + ")",
		ListLine(&done, nil):                   "[x] #12 Cart (" + said + ")",
		Remark(facts, &cart):                   said,
		Remark(facts, &done):                   said,
		OtherBranch(&pawl.Task{ID: 3}):         "",
		status(&cart):                          "ready",
		strings.Join(Others(&cart), "|"):       said + " (in progress, bob)",
		was(&pawl.Task{Was: []pawl.ID{12, 9}}): "#12, then #9 until it was merged",
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	cart.Merging = append(cart.Merging, pawl.Task{Subject: "x"}, pawl.Task{Subject: "y"})
	cart.Merging[0].Subject = strings.Repeat("é\x1b[31m\n", 400)
	if got := OtherBranch(&cart); !strings.HasSuffix(got, " (+2)") || strings.ContainsAny(got, "\x1b\n") || len(got) > 1000 {
		t.Error(got)
	}
	if got := ListLine(&pawl.Task{ID: 4, Subject: "Cart", Status: pawl.Pending, Conflicted: true}, nil); got != "[ ] #4 Cart (git's conflict lines are in its file)" {
		t.Error(got)
	}
}

// A task in full says which number it had, and what else its number once meant.
func TestWasAndOnce(t *testing.T) {
	moved := pawl.Task{ID: 15, Subject: "Retry hooks", Status: pawl.Pending, Was: []pawl.ID{12}}
	if got := Detail(&query.Detail{Task: moved}, nil); !strings.Contains(got, "\nWas: #12 until it was merged\n") {
		t.Error(got)
	}
	got := Detail(&query.Detail{Task: pawl.Task{ID: 12, Subject: "Cart", Status: pawl.Pending}, Once: []pawl.Task{moved}}, nil)
	if !strings.Contains(got, "\nNumber: #15 Retry hooks was #12 until it was merged\n") {
		t.Error(got)
	}
}
