package gitshare_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
)

// brings writes into other what a sync would bring from c: the text and the claim of
// a task.
func (c *clone) brings(other *clone, name string, id pawl.ID) {
	c.Helper()
	from := c.read(0)
	h := from.Claims[id]
	if h.Claim.Live() {
		h.Claim.Clone, h.Claim.Confirmed = name, time.Time{}
	}
	other.write("", share.Written{Tasks: map[pawl.ID][]byte{id: from.Tasks[id]}, Claims: map[pawl.ID]share.LocalHeld{id: h}, Mark: from.Mark})
}

// two are two clones, in the first of which ada has claimed #1 for an hour, and
// the second of which knows it.
func two(t *testing.T) (mac, pc *clone) {
	t.Helper()
	mac, pc = newClone(t, ada), newClone(t, bob)
	mac.do(ada, create("one", "two"), pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	mac.brings(pc, "mac-mini-3f2a9c1d", 1)
	mac.brings(pc, "mac-mini-3f2a9c1d", 2)
	return mac, pc
}

// The claim of one clone holds in the other against everybody, under the same name,
// session and token too.
func TestClaimHoldsInTheOtherClone(t *testing.T) {
	one := []pawl.ID{1}
	mac, pc := two(t)
	token := mac.task(1).Claim.Token
	before := pc.read(0)
	for name, op := range map[string]pawl.Op{
		"claim": pawl.ClaimTask{ID: 1}, "done": pawl.Complete{IDs: one}, "release": pawl.Release{IDs: one},
		"assign": pawl.Assign{IDs: one, Owner: "eve"}, "start": pawl.Start{IDs: one}, "delete": pawl.Delete{IDs: one},
		"renew": pawl.Renew{IDs: one}, "done by token": pawl.Complete{IDs: one, Token: token}, "claim by token": pawl.ClaimTask{ID: 1, Token: token},
	} {
		for _, by := range []pawl.Actor{ada, bob} {
			_, err := pc.board.Do(ctx, pawl.Request{By: by, Op: op})
			if e, ok := errors.AsType[*pawl.Error](err); !ok || e.Kind != pawl.Conflict || !strings.Contains(e.Message, "on mac-mini") {
				t.Errorf("%s by %s: %v", name, by.Name, err)
			}
		}
	}
	if after := pc.read(before.Revision); after.Revision != before.Revision || len(after.Since.Turns) > 0 {
		t.Errorf("the board moved: %+v", after.Since)
	}
	if res := pc.do(bob, pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}); res.IDs[0] != 2 {
		t.Errorf("the next task is %v", res.IDs)
	}
	mac.do(ada, pawl.Complete{IDs: one})
	mac.brings(pc, "mac-mini-3f2a9c1d", 1)
	if now := pc.task(1); now.Status != pawl.Completed || now.Claim.Live() {
		t.Errorf("in the end #1 is %+v", now)
	}
}

func TestClaimOfTheOtherCloneEnds(t *testing.T) {
	_, pc := two(t)
	pc.now = pc.now.Add(time.Hour)
	at := pc.read(0).Revision
	pc.do(bob, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	b := pc.read(at)
	if turns := b.Since.Turns[1]; turns != (share.Turns{N: 2, Doubtful: true}) || b.Claims[1].Claim.Clone != "" || b.Claims[1].Expired != 1 {
		t.Errorf("it was taken with %+v as %+v", turns, b.Claims[1])
	}
	_, pc = two(t)
	at = pc.read(0).Revision
	pc.do(bob, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour), Force: true})
	b = pc.read(at)
	if turns := b.Since.Turns[1]; turns != (share.Turns{N: 1, Forced: true}) || b.Claims[1].Claim.Clone != "" || !b.Claims[1].Claim.Confirmed.IsZero() {
		t.Errorf("it was forced with %+v as %+v", turns, b.Claims[1])
	}
}

// Claims of two clones can have one token. Who took a task over has a turn anyway.
func TestSameTokenInTwoClones(t *testing.T) {
	_, pc := two(t)
	b := pc.read(0)
	h := b.Claims[1]
	h.Claim.Token = b.Revision + 2 // which the claim that follows the next write has
	h.Claim.Session = bob.Session
	pc.write("", share.Written{Claims: map[pawl.ID]share.LocalHeld{1: h}, Tasks: map[pawl.ID][]byte{1: set(b.Tasks[1], "owner", `"ada"`, `"bob"`)}})
	at := pc.read(0).Revision
	pc.do(bob, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour), Force: true})
	after := pc.read(at)
	if turns := after.Since.Turns[1]; turns.N != 1 || after.Claims[1].Claim.Token != h.Claim.Token || after.Claims[1].Claim.Clone != "" {
		t.Errorf("the turn is %+v, and the claim %+v", turns, after.Claims[1])
	}
}

// What is no task arrives as it is. A claim that cannot be, or a text that is too
// long, makes a sync fail, and nothing is half done.
func TestHostileWrites(t *testing.T) {
	_, pc := two(t)
	before := pc.read(0)
	for name, h := range map[string]share.LocalHeld{
		"an escape":      {Claim: pawl.Claim{Token: 1, Clone: "mac\x1b[2J"}},
		"a path":         {Claim: pawl.Claim{Token: 1, Clone: "../../x"}},
		"a long session": {Claim: pawl.Claim{Token: 1, Clone: "mac", Session: strings.Repeat("s", 1<<20)}},
		"a long lease":   {Claim: pawl.Claim{Token: 1, Clone: "mac", Lease: 1 << 62, Until: pc.now}},
	} {
		_, err := pc.local.Write(ctx, "op", 0, nil, func(*share.Board) (*share.Written, error) {
			return &share.Written{Tasks: map[pawl.ID][]byte{2: nil}, Claims: map[pawl.ID]share.LocalHeld{1: h}}, nil
		})
		if pawl.KindOf(err) != pawl.Invalid || err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := pc.read(0); after.Revision != before.Revision || after.Claims[1] != before.Claims[1] || pc.wrote("op") {
		t.Error("the board moved")
	}
	pc.write("", share.Written{Tasks: map[pawl.ID][]byte{2: []byte("\xff?")}})
	after := pc.read(0)
	if after.Damaged[2] == "" || !bytes.Equal(after.Tasks[2], []byte("\xff?")) {
		t.Errorf("#2 is %q: %s", after.Tasks[2], after.Damaged[2])
	}
	for _, text := range [][]byte{make([]byte, pawl.MaxTask+1)} {
		_, err := pc.local.Write(ctx, "op", 0, nil, func(*share.Board) (*share.Written, error) {
			return &share.Written{Tasks: map[pawl.ID][]byte{2: text, 1: nil}}, nil
		})
		if err == nil || pc.read(0).Tasks[1] == nil {
			t.Errorf("a text of %d bytes: %v", len(text), err)
		}
	}
}
