package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pawl-dev/pawl"
)

// CheckInvariants fails the test unless the board in store has all invariants: edges have both
// ends, blockers and children are counted right, brief tasks tell how far they are proven, no
// cycle exists, the order follows the graph, a task is ready exactly if nothing is in the way,
// claims have an owner and tokens that only grow, and a history without gaps leads to the
// board as it is. Every test with a board calls it at its end; a board into which other
// programs wrote damage, cycles or dangling references fails.
func CheckInvariants(t TB, store pawl.Store) {
	t.Helper()
	b, err := snapshot(context.WithoutCancel(t.Context()), store)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	found := b.faults()
	for _, fault := range found[:min(len(found), 10)] {
		t.Errorf("invariant: %s", fault)
	}
}

// faults lists what is wrong with a board.
func (b *board) faults() []string {
	var found []string
	report := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	b.checkEdges(report)
	b.checkClaims(report)
	b.checkShown(report)
	b.checkHistory(report)
	return found
}

// A board is everything that a store shows of itself at one moment.
type board struct {
	revision pawl.Revision
	lastID   pawl.ID
	tasks    []pawl.Task // by id
	byID     map[pawl.ID]*pawl.Task
	ready    []pawl.ID // of the query
	settled  []pawl.Task
	briefs   []pawl.Task
	sets     []pawl.ChangeSet // oldest first
	trimmed  bool             // older sets were there and are gone
}

func snapshot(ctx context.Context, store pawl.Store) (*board, error) {
	b := &board{byID: map[pawl.ID]*pawl.Task{}}
	err := store.View(ctx, func(r pawl.Reader) error {
		b.revision, b.lastID = r.Revision(), r.LastID()
		var err error
		if b.tasks, err = selectAll(r, pawl.Query{}); err != nil {
			return err
		}
		if b.briefs, err = selectAll(r, pawl.Query{Brief: true}); err != nil {
			return err
		}
		ready, err := selectAll(r, pawl.Query{Ready: true, Order: pawl.ByUrgency})
		for _, t := range ready {
			b.ready = append(b.ready, t.ID)
		}
		for _, t := range b.tasks {
			b.settled = append(b.settled, t.Settle(r.Now()))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the board: %w", err)
	}
	for i := range b.tasks {
		b.byID[b.tasks[i].ID] = &b.tasks[i]
	}
	b.sets, err = collect(ctx, store, pawl.Span{Backward: true})
	if b.trimmed = errors.Is(err, pawl.Gone); err != nil && !b.trimmed {
		return nil, fmt.Errorf("reading the history: %w", err)
	}
	slices.Reverse(b.sets)
	return b, nil
}

func selectAll(r pawl.Reader, q pawl.Query) ([]pawl.Task, error) {
	var all []pawl.Task
	for {
		page, err := r.Select(q)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Tasks...)
		if q.After = page.Next; q.After == nil {
			return all, nil
		}
	}
}

// checkShown holds brief tasks to what the whole ones have of checks, criteria and evidence.
func (b *board) checkShown(report func(string, ...any)) {
	for _, brief := range b.briefs {
		if t := b.byID[brief.ID]; t == nil || brief.Checked != t.Standing() {
			report("%v in brief is %q, which is not what its checks, criteria and evidence say", brief.ID, brief.Checked)
		}
	}
}

// checkEdges compares what follows from edges, parents and status with what a draft says.
func (b *board) checkEdges(report func(string, ...any)) {
	d := draftOf(b.tasks)
	if d.cyclic() {
		report("there is a cycle")
		return
	}
	d.settle()
	for _, t := range b.tasks {
		if t.ID < 1 || t.ID > b.lastID {
			report("%v is not among the ids that were given: the last is %v", t.ID, b.lastID)
		}
		if !t.Status.Valid() || !t.Priority.Valid() {
			report("%v has status %q and priority %d", t.ID, t.Status, t.Priority)
		}
		want := d[t.ID]
		for name, pair := range map[string][2][]pawl.ID{
			"Blockers":  {want.Blockers, t.Blockers},
			"BlockedBy": {want.BlockedBy, slices.Sorted(slices.Values(t.BlockedBy))},
			"Children":  {want.Children, t.Children},
		} {
			if !slices.Equal(pair[0], pair[1]) {
				report("%v has %s %v, counted %v", t.ID, name, pair[1], pair[0])
			}
		}
		if t.OpenChildren != want.OpenChildren || t.Rank() != want.Rank() {
			report("%v has %d open children and stands at %+v, counted %d and %+v", t.ID, t.OpenChildren, t.Rank(), want.OpenChildren, want.Rank())
		}
		for i, id := range t.Blocks {
			if b.byID[id] == nil || slices.Contains(t.Blocks[:i], id) {
				report("%v blocks %v, which is not there, or twice", t.ID, id)
			}
		}
		if t.Parent != 0 && b.byID[t.Parent] == nil {
			report("%v has parent %v, which is not there", t.ID, t.Parent)
		}
	}
	settled := draftOf(b.settled)
	settled.settle()
	if want := settled.ready(""); !slices.Equal(want, b.ready) {
		report("ready are %v, counted %v", b.ready, want)
	}
}

func (b *board) checkClaims(report func(string, ...any)) {
	for _, t := range b.tasks {
		if !t.Claim.Live() {
			continue
		}
		if t.Status != pawl.InProgress || t.Owner == "" {
			report("%v has a claim, and is %s with owner %q", t.ID, t.Status, t.Owner)
		}
		if t.Claim.Token > b.revision {
			report("%v has token %d at revision %d", t.ID, t.Claim.Token, b.revision)
		}
		if t.Claim.Lease > 0 == t.Claim.Until.IsZero() {
			report("%v has a lease of %v until %v", t.ID, t.Claim.Lease, t.Claim.Until)
		}
	}
}

func (b *board) checkHistory(report func(string, ...any)) {
	tokens := map[pawl.ID]pawl.Revision{}
	for i, set := range b.sets {
		if i > 0 && set.Revision != b.sets[i-1].Revision+1 {
			report("revision %d follows %d", set.Revision, b.sets[i-1].Revision)
		}
		for _, c := range set.Changes {
			if c.After == nil || !c.After.Claim.Live() || tokens[c.ID] == c.After.Claim.Token {
				continue
			}
			if token := c.After.Claim.Token; token > set.Revision || token < tokens[c.ID] {
				report("the set of revision %d gives %v token %d after %d", set.Revision, c.ID, token, tokens[c.ID])
			}
			tokens[c.ID] = c.After.Claim.Token
		}
	}
	if n := len(b.sets); n > 0 && b.sets[n-1].Revision != b.revision {
		report("the last set has revision %d, the board %d", b.sets[n-1].Revision, b.revision)
	}
	if b.trimmed {
		return
	}
	replayed, err := replay(b.sets)
	if err != nil {
		report("%v", err)
		return
	}
	want := b.tasks
	history := replayed.list()
	for i := range want {
		if i >= len(history) || history[i].ID != want[i].ID || len(pawl.Diff(&history[i], &want[i])) > 0 {
			report("history leads elsewhere (-history +board):\n%s", cut(cmp.Diff(history, want, cmpopts.EquateEmpty())))
			return
		}
	}
	if len(history) > len(want) {
		report("history leaves %d tasks, the board has %d", len(history), len(want))
	}
}

// replay builds a board from its whole history.
func replay(sets []pawl.ChangeSet) (draft, error) {
	d := draft{}
	for _, set := range sets {
		if set.Bulk {
			return nil, fmt.Errorf("revision %d keeps no images: this board cannot be replayed", set.Revision)
		}
		for _, c := range set.Changes {
			t := d[c.ID]
			switch {
			case c.Before == nil && c.After != nil && t == nil:
				made := c.After.Clone()
				d[c.ID] = &made
			case c.Before != nil && c.After == nil && t != nil:
				if diff := pawl.Diff(t, c.Before); len(diff) > 0 {
					return nil, fmt.Errorf("revision %d deletes a %v that differs in %v", set.Revision, c.ID, diff)
				}
				delete(d, c.ID)
			case c.Before != nil && c.After != nil && t != nil:
				was := t.Clone()
				pawl.CopyFields(&was, c.Before, c.Fields...)
				if diff := pawl.Diff(t, &was); len(diff) > 0 {
					return nil, fmt.Errorf("revision %d edits a %v that differs in %v", set.Revision, c.ID, diff)
				}
				pawl.CopyFields(t, c.After, c.Fields...)
			default:
				return nil, fmt.Errorf("revision %d changes %v, which does not fit the board before it", set.Revision, c.ID)
			}
		}
	}
	return d, nil
}
