package access

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// An op id is its token's: sent again by the same holder it is the same request, and
// whatever another one sends it is another.
func TestReplay(t *testing.T) {
	y := newYard(t)
	send := func(b query.Board, id pawl.OpID, op pawl.Op) (pawl.Result, error) {
		o, err := b.Do(context.Background(), pawl.Request{By: pawl.Actor{Session: "s"}, Op: op, ID: id}, 0)
		return o.Result, err
	}
	ada, bot := y.guard(adas), y.guard(bots)
	again := adas
	again.ID = "eeeeeeee" // another token of the same name
	for _, id := range []pawl.OpID{"1", pawl.OpID(strings.Repeat("x", pawl.MaxOpID)), pawl.OpID(strings.Repeat("x", pawl.MaxOpID-9)), "ü", "eeeeeeee/1"} {
		op := pawl.AddNote{ID: 1, Text: "note " + string(id[:min(len(id), 2)])}
		first, err := send(ada, id, op)
		if err != nil || first.Repeated {
			t.Fatalf("%q: %+v, %v", id, first, err)
		}
		if second, err := send(ada, id, op); err != nil || !second.Repeated || second.Revision != first.Revision {
			t.Errorf("%q sent again: %+v, %v", id, second, err)
		}
		if other, err := send(ada, id, pawl.AddNote{ID: 2, Text: "other"}); !errors.Is(err, pawl.Invalid) {
			t.Errorf("%q for another request: %+v, %v", id, other, err)
		}
		for _, b := range []query.Board{bot, y.guard(again)} {
			if stolen, err := send(b, id, op); err != nil || stolen.Repeated {
				t.Errorf("%q by another token: %+v, %v", id, stolen, err)
			}
		}
		// Who knows how ids are kept gets no further by that.
		for _, forged := range []pawl.OpID{adas.scoped(id), "../aaaaaaaa/" + id, "#" + adas.scoped(id)} {
			if stolen, err := send(bot, forged, op); err == nil && stolen.Repeated {
				t.Errorf("%q forged as %q gives %+v", id, forged, stolen)
			}
		}
	}
	if r, err := send(ada, "", pawl.AddNote{ID: 1, Text: "n"}); err != nil || r.Repeated {
		t.Errorf("without an id: %+v, %v", r, err)
	}
	if r, err := send(ada, "", pawl.AddNote{ID: 1, Text: "n"}); err != nil || r.Repeated {
		t.Errorf("without an id, again: %+v, %v", r, err)
	}
	for _, id := range []pawl.OpID{pawl.OpID(strings.Repeat("x", pawl.MaxOpID+1)), pawl.OpID(strings.Repeat("x", 1<<20)), "\xff", "a\x00"} {
		if _, err := send(ada, id, pawl.AddNote{ID: 1, Text: "n"}); !errors.Is(err, pawl.Invalid) {
			t.Errorf("an op id of %d bytes: %v", len(id), err)
		}
	}
	for _, set := range y.history() {
		if len(set.OpID) > pawl.MaxOpID || set.OpID != "" && !strings.HasPrefix(string(set.OpID), "aaaaaaaa") && !strings.HasPrefix(string(set.OpID), "bbbbbbbb") && !strings.HasPrefix(string(set.OpID), "eeeeeeee") {
			t.Errorf("history has the op id %q", set.OpID)
		}
	}
}

func FuzzScope(f *testing.F) {
	f.Add("1", "2")
	f.Add(strings.Repeat("x", 191), strings.Repeat("x", 192))
	f.Add("aaaaaaaa/1", "aaaaaaaa#1")
	f.Fuzz(func(t *testing.T, one, two string) {
		a, b := adas.scoped(pawl.OpID(one)), adas.scoped(pawl.OpID(two))
		if len(one) <= pawl.MaxOpID && len(a) > pawl.MaxOpID {
			t.Errorf("%q is kept as %q", one, a)
		}
		if (a == b) != (one == two) {
			t.Errorf("%q and %q are kept as %q and %q", one, two, a, b)
		}
		if c := bots.scoped(pawl.OpID(two)); c == a && c != "" && len(one) <= pawl.MaxOpID && len(two) <= pawl.MaxOpID {
			t.Errorf("%q of one and %q of the other are kept as %q", one, two, c)
		}
	})
}
