package tui

import (
	"context"
	"fmt"
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

// accesses tells the accesses since the last call.
func (s *counted) accesses() string {
	return fmt.Sprintf("%d views, %d updates, %d histories", s.views.Swap(0), s.updates.Swap(0), s.histories.Swap(0))
}

// No key costs more accesses to the board than these. After a change the watch
// reads the history once, and its reading is among them. A question about history
// takes two views: of the revision, and of the names.
func TestAccessesOfKeys(t *testing.T) {
	for _, c := range []struct{ before, keys, want string }{
		{"", "j", "0 views, 0 updates, 0 histories"},
		{"", "d", "3 views, 1 updates, 1 histories"},
		{"d", "u", "5 views, 1 updates, 3 histories"},
		{"", "t", "3 views, 0 updates, 1 histories"},
		{"t", "u", "8 views, 1 updates, 6 histories"},
		{"", "/", "1 views, 0 updates, 0 histories"},
		{"/", "p a r s", "2 views, 0 updates, 0 histories"},
		{"/ 1", "enter", "1 views, 0 updates, 0 histories"},
		{"", "f", "1 views, 0 updates, 0 histories"},
		{"f", "tab", "3 views, 0 updates, 0 histories"},
		{"", "l", "1 views, 0 updates, 0 histories"},
		{"l", "enter", "3 views, 1 updates, 1 histories"},
		{"", "g", "3 views, 0 updates, 0 histories"},
		{"", "G", "6 views, 0 updates, 0 histories"},
		{"g", "j", "0 views, 0 updates, 0 histories"},
		{"g", ".", "2 views, 0 updates, 0 histories"},
		{"", "enter", "4 views, 0 updates, 1 histories"},
		{"enter", "tab", "0 views, 0 updates, 0 histories"},
		{"enter", "v", "0 views, 0 updates, 0 histories"},
		{"t", "v", "0 views, 0 updates, 0 histories"},
		{"", "e", "2 views, 0 updates, 0 histories"},
		{"", "c", "0 views, 1 updates, 0 histories"},
		{"g", "d", "6 views, 1 updates, 1 histories"},
		{"t", "enter", "4 views, 0 updates, 1 histories"},
		{"enter", "d", "8 views, 1 updates, 3 histories"},
	} {
		t.Run(strings.ReplaceAll(c.before+" "+c.keys, " ", "-"), func(t *testing.T) {
			fly(t, func(p *pilot) {
				p.press(strings.Fields(c.before)...)
				p.store.accesses()
				p.press(strings.Fields(c.keys)...)
				if got := p.store.accesses(); got != c.want {
					t.Errorf("%s after %q: %s, want %s", c.keys, c.before, got, c.want)
				}
			}, board...)
		})
	}
}
