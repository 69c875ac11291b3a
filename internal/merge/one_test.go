package merge

import (
	"fmt"
	"strings"
	"testing"
)

func brief(b Board) string {
	t := open(b)
	var o strings.Builder
	for _, id := range t.ids() {
		k := t.tasks[id]
		fmt.Fprintf(&o, "  %v %s %q was%v made %d %s by%v bl%v p%d\n", id, uid(k), k.Subject, k.Was, k.CreatedAt.UnixMilli()%100000, k.Status, k.BlockedBy, k.Blocks, k.Parent)
	}
	return o.String()
}

var failing func(bases []Board, o, t, m Board)

func TestOneHistory(t *testing.T) {
	failing = func(bases []Board, o, th, m Board) {
		for _, b := range bases {
			t.Logf("base\n%s", brief(b))
		}
		t.Logf("ours\n%stheirs\n%smerged\n%s", brief(o), brief(th), brief(m))
	}
	var n tally
	if err := pairOf(uint64(*histories), planted{}, &n); err != nil {
		t.Fatal(err)
	}
}
