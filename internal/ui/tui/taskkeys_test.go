package tui

import (
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// What the line of the keys offers for a task works, wherever one looks at it,
// and what works to go on with it is offered.
func TestKeysOfATask(t *testing.T) {
	other := pawl.Actor{Name: "bob", Session: "b"}
	states := []struct {
		name, keys string
		by         pawl.Actor
		op         pawl.Op // on #2, which waits for #1
	}{
		{"ready", "csdlenh", me, pawl.Complete{IDs: []pawl.ID{1}}},
		{"blocked", "lenh", me, pawl.AddNote{ID: 1, Text: "x"}},
		{"mine", "dxlenh", me, pawl.All{Ops: []pawl.Op{pawl.Complete{IDs: []pawl.ID{1}}, pawl.Start{IDs: []pawl.ID{2}}}}},
		{"another's", "xlenh", other, pawl.All{Ops: []pawl.Op{pawl.Complete{IDs: []pawl.ID{1}}, pawl.Start{IDs: []pawl.ID{2}}}}},
		{"assigned", "xlenh", me, pawl.All{Ops: []pawl.Op{pawl.Complete{IDs: []pawl.ID{1}}, pawl.Assign{IDs: []pawl.ID{2}, Owner: "bob"}}}},
		{"held", "hlen", me, pawl.All{Ops: []pawl.Op{pawl.Complete{IDs: []pawl.ID{1}}, pawl.PutHold{IDs: []pawl.ID{2}, Reason: "x"}}}},
		{"done", "rne", me, pawl.All{Ops: []pawl.Op{pawl.Complete{IDs: []pawl.ID{1}}, pawl.Complete{IDs: []pawl.ID{2}}}}},
	}
	for _, s := range states {
		for _, where := range []which{onDetail, onGraph} {
			for _, name := range append([]string{""}, "c", "s", "d", "r", "x", "h") {
				fly(t, func(p *pilot) {
					p.do(s.by, s.op)
					m := p.model
					p.run(m.jumpTo(where, 2))
					p.sleep(time.Second)
					offered := func(name string) bool {
						return slices.ContainsFunc(m.screens[where].keys(m), func(k binding) bool { return k.keys[0] == name })
					}
					if name == "" {
						for _, k := range "csdrxhlne" {
							if want := slices.Contains([]rune(s.keys), k); offered(string(k)) != want && where == onDetail {
								t.Errorf("%s: %c is offered: %v, want %v", s.name, k, !want, want)
							}
						}
						return
					}
					offers := offered(name)
					p.press(name)
					if bad := m.notice.bad && m.dialog == nil; offers && bad {
						t.Errorf("%s, screen %d: %s is offered, and refused: %s", s.name, where, name, m.notice.text)
					}
				}, plan(task("One"), task("Two", 1)))
			}
		}
	}
}
