package tui

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// counted counts the accesses to a board.
type counted struct {
	*memory.Store
	views, updates, histories atomic.Int64
}

func (s *counted) View(ctx context.Context, fn func(pawl.Reader) error) error {
	s.views.Add(1)
	return s.Store.View(ctx, fn)
}

func (s *counted) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	s.updates.Add(1)
	return s.Store.Update(ctx, fn)
}

func (s *counted) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	s.histories.Add(1)
	return s.Store.Changes(ctx, span)
}

// accesses returns the views, updates and histories since the last call.
func (s *counted) accesses() [3]int64 {
	return [3]int64{s.views.Swap(0), s.updates.Swap(0), s.histories.Swap(0)}
}

// No key costs more accesses to the board than these: views, updates, histories.
// After a change the watch reads the history once, and its reading is among them.
// There are fewer when two changes are read at once.
func TestAccessesOfKeys(t *testing.T) {
	for _, c := range []struct {
		before, keys string
		most         [3]int64
	}{
		{"", "j", [3]int64{0, 0, 0}},
		{"", "d", [3]int64{3, 1, 1}},
		{"d", "u", [3]int64{3, 1, 3}},
		{"", "t", [3]int64{2, 0, 1}},
		{"t", "u", [3]int64{5, 1, 6}},
		{"", "/", [3]int64{1, 0, 0}},
		{"/", "p a r s", [3]int64{2, 0, 0}},
		{"/ 1", "enter", [3]int64{1, 0, 0}},
		{"", "f", [3]int64{1, 0, 0}},
		{"f", "tab", [3]int64{3, 0, 0}},
		{"", "l", [3]int64{1, 0, 0}},
		{"l", "enter", [3]int64{3, 1, 1}},
		{"", "g", [3]int64{2, 0, 0}},
		{"", "G", [3]int64{4, 0, 0}},
		{"g", "j", [3]int64{0, 0, 0}},
		{"g", ".", [3]int64{2, 0, 0}},
		{"", "enter", [3]int64{3, 0, 1}},
		{"enter", "tab", [3]int64{0, 0, 0}},
		{"enter", "v", [3]int64{0, 0, 0}},
		{"t", "v", [3]int64{0, 0, 0}},
		{"", "e", [3]int64{2, 0, 0}},
		{"", "c", [3]int64{0, 1, 0}},
		{"g", "d", [3]int64{5, 1, 1}},
		{"t", "enter", [3]int64{3, 0, 1}},
		{"enter", "d", [3]int64{7, 1, 3}},
	} {
		t.Run(strings.ReplaceAll(c.before+" "+c.keys, " ", "-"), func(t *testing.T) {
			fly(t, func(p *pilot) {
				p.press(strings.Fields(c.before)...)
				p.store.accesses()
				p.press(strings.Fields(c.keys)...)
				got := p.store.accesses()
				for i, what := range []string{"views", "updates", "histories"} {
					if got[i] > c.most[i] {
						t.Errorf("%s after %q: %d %s, the most is %d", c.keys, c.before, got[i], what, c.most[i])
					}
				}
			}, board...)
		})
	}
}
