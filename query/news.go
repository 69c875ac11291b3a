package query

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// From is where a watch begins, and what its news tell.
type From struct {
	After pawl.Revision `json:"after,omitempty"`
	Now   bool          `json:"now,omitempty"`   // at the board's present revision instead of After
	Names bool          `json:"names,omitempty"` // News.Names and News.Undid are wanted
}

// News is what a watch yields.
type News struct {
	Revision pawl.Revision   `json:"revision"`         // of the set; of the first news, the board's
	Origin   pawl.Revision   `json:"origin,omitempty"` // that [pawl.Revision.Short] counts from
	Set      *pawl.ChangeSet `json:"set,omitempty"`    // nil: the first news, or Gone
	// Gone, if not nil, says that history before Revision is not kept, or that
	// another board was put in the place of this one: read it again. Later news is
	// after Revision.
	Gone *pawl.Error `json:"gone,omitempty"`

	// With From.Names: what the tasks of Set and of Undid are called, as Set says
	// or as they were called last, and what Set took back, if it is an undo and
	// history still has that. A name that the board does not tell is left out, and
	// so are those of a set in bulk.
	Names Subjects `json:"names,omitempty"`
	Undid *Undid   `json:"undid,omitempty"`
}

func (l local) Watch(ctx context.Context, who Asker, from From) iter.Seq2[News, error] {
	return func(yield func(News, error) bool) {
		if err := refuseWatch(who, from); err != nil {
			yield(News{}, err)
			return
		}
		if l.syncer != nil {
			ctx, stop := context.WithCancel(ctx)
			defer stop()
			go l.looking(ctx)
		}
		var head Head
		err := l.board.View(ctx, func(r pawl.Reader) (err error) {
			head = headOf(r)
			from.After, err = full(r, from.After)
			return err
		})
		if !yield(News{Revision: head.Revision, Origin: head.Origin}, err) || err != nil {
			return
		}
		if from.Now {
			from.After = head.Revision
		}
		n := namer{l.board, Subjects{}}
		for set, err := range l.board.Watch(ctx, from.After) {
			e, _ := errors.AsType[*pawl.Error](err)
			switch {
			case err == nil:
				news := News{Revision: set.Revision, Origin: head.Origin, Set: &set}
				if from.Names {
					n.name(ctx, &news)
				}
				if !yield(news, nil) {
					return
				}
			case errors.Is(err, pawl.Gone) && e != nil:
				clear(n.known)
				_ = l.board.View(ctx, func(r pawl.Reader) error { head = headOf(r); return nil }) // it may be another board
				if !yield(News{Revision: e.Revision, Origin: head.Origin, Gone: e}, nil) {
					return
				}
			default:
				yield(News{}, err)
				return
			}
		}
	}
}

// A namer names the tasks of sets that follow one another. It reads from the
// board only what it has not met yet.
type namer struct {
	board *pawl.Board
	known Subjects // after the last set; empty: the board did not have the task
}

// mostKnown is how many names a watch keeps.
const mostKnown = 10_000

func (n *namer) name(ctx context.Context, news *News) {
	set := news.Set
	if set.Bulk || len(n.known) > mostKnown { // a bulk set may have renamed any task
		clear(n.known)
	}
	sets := []pawl.ChangeSet{*set}
	if news.Undid = loadUndid(ctx, n.board, set, map[pawl.Revision]pawl.ChangeSet{}); news.Undid != nil {
		sets = append(sets, *news.Undid.Set)
	}
	names := Subjects{}
	wanted := names.learnSets(sets)
	maps.DeleteFunc(wanted, func(id pawl.ID, _ pawl.Change) bool {
		subject, known := n.known[id]
		if subject != "" {
			names[id] = subject
		}
		return known
	})
	read := true
	if len(wanted) > 0 {
		read = nil == n.board.View(ctx, func(r pawl.Reader) error {
			tasks, _, err := present(r, slices.Sorted(maps.Keys(wanted)))
			names.take(maps.Clone(wanted), tasks)
			return err
		})
	}
	if news.Names = names; set.Bulk || !read {
		return
	}
	for _, c := range set.Changes { // what was taken back may have old names
		n.known[c.ID] = names[c.ID]
	}
	for _, id := range set.Ready {
		n.known[id] = names[id]
	}
}
