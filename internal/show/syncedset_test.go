package show

import (
	"testing"

	"github.com/pawl-dev/pawl"
)

// A sync is told by what those did in other clones who did it.
func TestSyncedSet(t *testing.T) {
	task := func(id pawl.ID, status pawl.Status, owner, clone string) *pawl.Task {
		return &pawl.Task{ID: id, Subject: "T", Status: status, Owner: owner, CreatedAt: noon.AddDate(0, 0, int(id)), Claim: pawl.Claim{Token: 1, Clone: clone}}
	}
	change := func(before, after *pawl.Task, fields ...pawl.Field) pawl.Change {
		c := pawl.Change{Before: before, After: after, Fields: fields}
		if after != nil {
			c.ID = after.ID
		} else {
			c.ID = before.ID
		}
		return c
	}
	pending := func(id pawl.ID) *pawl.Task {
		t := task(id, pawl.Pending, "", "")
		t.Claim = pawl.Claim{}
		return t
	}
	set := pawl.ChangeSet{By: pawl.Actor{Name: "ada"}, Verb: pawl.VerbSync, Changes: []pawl.Change{
		change(nil, pending(7)),
		change(pending(9), task(9, pawl.Completed, "bob", ""), pawl.FieldStatus, pawl.FieldOwner),
		change(pending(12), task(12, pawl.InProgress, "bob", "mac-mini-3f2a9c1d"), pawl.FieldStatus, pawl.FieldOwner, pawl.FieldClaim),
		change(pending(13), pending(13), pawl.FieldSubject),
		change(pending(14), nil),
		change(pending(15), task(15, pawl.Completed, "", ""), pawl.FieldStatus),
		// As history has them: values that stayed are not in it.
		change(&pawl.Task{ID: 16, Owner: "ada", Claim: pawl.Claim{Token: 1}}, &pawl.Task{ID: 16, Owner: "bob", Claim: pawl.Claim{Token: 2, Clone: "mac-mini-3f2a9c1d"}}, pawl.FieldOwner, pawl.FieldClaim),
		change(&pawl.Task{ID: 17, Status: pawl.InProgress, Claim: pawl.Claim{Token: 1, Clone: "mac-mini-3f2a9c1d"}}, &pawl.Task{ID: 17, Status: pawl.Completed}, pawl.FieldStatus, pawl.FieldClaim),
	}}
	const want = "ada synced: bob completed #9 T, bob on mac-mini claimed #12 T, completed #15 T, bob on mac-mini was first to claim #16, mac-mini completed #17, new #7 T, changed #13 T, removed #14 T"
	if got := (Telling{}).Line(&set); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	few := Telling{Few: true}.Line(&set)
	if want := "ada synced: bob completed #9 T, 4 more changed, new #7 T, changed #13 T, removed #14 T"; few != want {
		t.Errorf("%q, want %q", few, want)
	}
	set.Changes = []pawl.Change{change(task(12, pawl.InProgress, "ada", ""), task(12, pawl.InProgress, "ada", ""), pawl.FieldClaim)}
	if got := (Telling{}).Line(&set); got != "ada synced the claim of #12 T" {
		t.Errorf("a confirmed claim is %q", got)
	}
}
