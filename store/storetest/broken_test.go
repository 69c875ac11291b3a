package storetest

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// broken is a store with hooks for faults; a hook that is nil changes nothing.
type broken struct {
	pawl.Store
	reads   func(pawl.Reader) pawl.Reader
	writes  func(r pawl.Reader, c *pawl.Commit)
	update  func(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error)
	changes func(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error]
	forgets func() // when it is opened again
}

func (b *broken) View(ctx context.Context, fn func(pawl.Reader) error) error {
	return b.Store.View(ctx, func(r pawl.Reader) error {
		if b.reads != nil {
			r = b.reads(r)
		}
		return fn(r)
	})
}

func (b *broken) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	if b.update != nil {
		return b.update(ctx, fn)
	}
	return b.Store.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) {
		seen := r
		if b.reads != nil {
			seen = b.reads(r)
		}
		c, err := fn(seen)
		if err == nil && b.writes != nil {
			c = cloneCommit(c)
			b.writes(r, &c)
		}
		return c, err
	})
}

func (b *broken) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	if b.changes != nil {
		return b.changes(ctx, span)
	}
	return b.Store.Changes(ctx, span)
}

// hinter is a store that hints in a way of its own.
type hinter struct {
	pawl.Store
	notify func(pawl.Notifier, context.Context) (<-chan struct{}, error)
}

func (h *hinter) Notify(ctx context.Context) (<-chan struct{}, error) {
	sound, _ := h.Store.(pawl.Notifier)
	return h.notify(sound, ctx)
}

func hinting(notify func(pawl.Notifier, context.Context) (<-chan struct{}, error)) func(pawl.Store) pawl.Store {
	return func(s pawl.Store) pawl.Store { return &hinter{s, notify} }
}

// glancer is a store whose quick answers are spoilt.
type glancer struct {
	pawl.Store
	spoil func(q pawl.GlanceQuery, g *pawl.Glance)
}

func (s *glancer) Glance(ctx context.Context, q pawl.GlanceQuery) (pawl.Glance, bool, error) {
	g, err := pawl.NewBoard(s.Store).Glance(ctx, q)
	s.spoil(q, &g)
	return g, true, err
}

func glancing(spoil func(q pawl.GlanceQuery, g *pawl.Glance)) func(pawl.Store) pawl.Store {
	return func(s pawl.Store) pawl.Store { return &glancer{s, spoil} }
}

// recalling gives an answer again, while again says so of it and the true one.
func recalling(again func(old, now pawl.Glance) bool) func(pawl.Store) pawl.Store {
	return func(s pawl.Store) pawl.Store {
		given := map[string]pawl.Glance{}
		return &glancer{s, func(q pawl.GlanceQuery, g *pawl.Glance) {
			key := fmt.Sprint(q)
			if old, ok := given[key]; ok && again(old, *g) {
				*g = old
			}
			given[key] = *g
		}}
	}
}

// Shapes of faults, so that most of the table below is a line each.

func reading(wrap func(pawl.Reader) pawl.Reader) func(pawl.Store) pawl.Store {
	return func(s pawl.Store) pawl.Store { return &broken{Store: s, reads: wrap} }
}

func writing(spoil func(r pawl.Reader, c *pawl.Commit)) func(pawl.Store) pawl.Store {
	return func(s pawl.Store) pawl.Store { return &broken{Store: s, writes: spoil} }
}

// editing spoils each edit in which a task is there before and after.
func editing(spoil func(c *pawl.Change)) func(pawl.Store) pawl.Store {
	return writing(func(_ pawl.Reader, c *pawl.Commit) {
		for i := range c.Sets {
			for j := range c.Sets[i].Changes {
				if change := &c.Sets[i].Changes[j]; change.Before != nil && change.After != nil {
					spoil(change)
				}
			}
		}
	})
}

// bringing spoils every task that a commit brings.
func bringing(spoil func(t *pawl.Task)) func(pawl.Store) pawl.Store {
	return writing(func(_ pawl.Reader, c *pawl.Commit) {
		for i := range c.Sets {
			for j := range c.Sets[i].Changes {
				if after := c.Sets[i].Changes[j].After; after != nil {
					spoil(after)
				}
			}
		}
	})
}

// telling yields other sets than there are. keep may edit a set or drop it.
func telling(keep func(set *pawl.ChangeSet) bool) func(pawl.Store) pawl.Store {
	return func(s pawl.Store) pawl.Store {
		return &broken{Store: s, changes: func(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
			return func(yield func(pawl.ChangeSet, error) bool) {
				for set, err := range s.Changes(ctx, span) {
					if err == nil && !keep(&set) {
						continue
					}
					if !yield(set, err) {
						return
					}
				}
			}
		}}
	}
}

// spanning reads another span than was asked for.
func spanning(spoil func(*pawl.Span)) func(pawl.Store) pawl.Store {
	return func(s pawl.Store) pawl.Store {
		return &broken{Store: s, changes: func(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
			spoil(&span)
			return s.Changes(ctx, span)
		}}
	}
}

type countsIDs struct{ pawl.Reader }

func (r countsIDs) LastID() (last pawl.ID) {
	page, _ := r.Select(pawl.Query{})
	for _, t := range page.Tasks {
		last = max(last, t.ID)
	}
	return last
}

type localClock struct{ pawl.Reader }

func (r localClock) Now() time.Time {
	return r.Reader.Now().Add(time.Microsecond).In(time.FixedZone("east", 3600))
}

type sharing struct {
	pawl.Reader
	kept map[pawl.ID]pawl.Task
}

func (r sharing) Get(ids ...pawl.ID) ([]pawl.Task, error) {
	tasks, err := r.Reader.Get(ids...)
	for i, t := range tasks {
		if was, ok := r.kept[t.ID]; ok && was.Subject == t.Subject {
			tasks[i] = was
		} else {
			r.kept[t.ID] = t
		}
	}
	return tasks, err
}

type forgetful struct{ pawl.Reader }

func (forgetful) Result(pawl.OpID) ([]byte, bool, error) { return nil, false, nil }

type sorting struct{ pawl.Reader }

func (r sorting) Get(ids ...pawl.ID) ([]pawl.Task, error) {
	return r.Reader.Get(slices.Sorted(slices.Values(ids))...)
}

type namesOne struct{ pawl.Reader }

func (r namesOne) Get(ids ...pawl.ID) (tasks []pawl.Task, err error) {
	for _, id := range ids {
		one, err := r.Reader.Get(id)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, one...)
	}
	return tasks, nil
}

// wordy does not make tasks brief.
type wordy struct{ pawl.Reader }

func (r wordy) Briefs(ids ...pawl.ID) ([]pawl.Task, error) { return r.Reader.Get(ids...) }

type hidesMissing struct{ pawl.Reader }

func (r hidesMissing) Nodes(ids ...pawl.ID) ([]pawl.Node, error) {
	nodes, err := r.Reader.Nodes(ids...)
	return slices.DeleteFunc(nodes, func(n pawl.Node) bool { return n.Missing }), err
}

// selecting spoils a query on its way in, or a page on its way out.
type selecting struct {
	pawl.Reader
	query func(*pawl.Query)
	page  func(*pawl.Page)
}

func (r selecting) Select(q pawl.Query) (pawl.Page, error) {
	if r.query != nil {
		r.query(&q)
	}
	page, err := r.Reader.Select(q)
	if r.page != nil {
		r.page(&page)
	}
	return page, err
}

// numbering finds the next page by how many tasks came before.
type numbering struct{ pawl.Reader }

func (r numbering) Select(q pawl.Query) (pawl.Page, error) {
	if q.After == nil {
		page, err := r.Reader.Select(q)
		if page.Next != nil {
			page.Next.Rank.Height = q.Limit
		}
		return page, err
	}
	skip, first := q.After.Rank.Height, q.After.Revision
	all, err := r.Reader.Select(pawl.Query{Limit: pawl.MaxPage})
	page := pawl.Page{Tasks: all.Tasks[min(skip, len(all.Tasks)):], Total: all.Total, Revision: all.Revision, Moved: all.Revision != first}
	if len(page.Tasks) > q.Limit {
		page.Tasks = page.Tasks[:q.Limit]
		page.Next = &pawl.Cursor{Rank: pawl.Rank{Height: skip + q.Limit}, Revision: first}
	}
	return page, err
}

type nearsighted struct{ pawl.Reader }

func (r nearsighted) Reach(dir pawl.Direction, from ...pawl.ID) ([]pawl.Node, error) {
	ids := slices.Clone(from)
	nodes, err := r.Reader.Nodes(from...)
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		if ids = append(ids, n.Blockers...); dir == pawl.Dependents {
			ids = append(ids, n.Blocks...)
		}
	}
	slices.Sort(ids)
	return r.Reader.Nodes(slices.Compact(ids)...)
}

// unsteady gives views that follow the board.
type unsteady struct{ pawl.Store }

func (s *unsteady) View(ctx context.Context, fn func(pawl.Reader) error) error {
	return fn(liveReader{ctx, s.Store})
}

type liveReader struct {
	ctx   context.Context
	store pawl.Store
}

func live[T any](l liveReader, read func(pawl.Reader) (T, error)) (got T, err error) {
	runtime.Gosched()
	err = l.store.View(l.ctx, func(r pawl.Reader) (err error) { got, err = read(r); return err })
	return got, err
}

func (l liveReader) Revision() pawl.Revision {
	rev, _ := live(l, func(r pawl.Reader) (pawl.Revision, error) { return r.Revision(), nil })
	return rev
}

// countsFrom has another origin.
type countsFrom struct {
	pawl.Reader
	origin pawl.Revision
}

func (r countsFrom) Origin() pawl.Revision { return r.origin }

func (l liveReader) Origin() pawl.Revision {
	rev, _ := live(l, func(r pawl.Reader) (pawl.Revision, error) { return r.Origin(), nil })
	return rev
}

func (l liveReader) Epoch() int64 {
	epoch, _ := live(l, func(r pawl.Reader) (int64, error) { return r.Epoch(), nil })
	return epoch
}

func (l liveReader) LastID() pawl.ID {
	id, _ := live(l, func(r pawl.Reader) (pawl.ID, error) { return r.LastID(), nil })
	return id
}

func (l liveReader) Now() time.Time {
	now, _ := live(l, func(r pawl.Reader) (time.Time, error) { return r.Now(), nil })
	return now
}

func (l liveReader) Get(ids ...pawl.ID) ([]pawl.Task, error) {
	return live(l, func(r pawl.Reader) ([]pawl.Task, error) { return r.Get(ids...) })
}

func (l liveReader) Briefs(ids ...pawl.ID) ([]pawl.Task, error) {
	return live(l, func(r pawl.Reader) ([]pawl.Task, error) { return r.Briefs(ids...) })
}

func (l liveReader) Nodes(ids ...pawl.ID) ([]pawl.Node, error) {
	return live(l, func(r pawl.Reader) ([]pawl.Node, error) { return r.Nodes(ids...) })
}

func (l liveReader) Select(q pawl.Query) (pawl.Page, error) {
	return live(l, func(r pawl.Reader) (pawl.Page, error) { return r.Select(q) })
}

func (l liveReader) Reach(dir pawl.Direction, from ...pawl.ID) ([]pawl.Node, error) {
	return live(l, func(r pawl.Reader) ([]pawl.Node, error) { return r.Reach(dir, from...) })
}

func (l liveReader) Result(op pawl.OpID) (result []byte, ok bool, err error) {
	err = l.store.View(l.ctx, func(r pawl.Reader) (err error) { result, ok, err = r.Result(op); return err })
	return result, ok, err
}

// hasty publishes the sets of a commit, and then commits.
type hasty struct {
	pawl.Store
	mu      sync.Mutex
	pending []pawl.ChangeSet
}

func (s *hasty) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	s.mu.Lock()
	err := s.Store.View(ctx, func(r pawl.Reader) error {
		c, err := fn(r)
		for i, set := range c.Sets {
			set.Revision = r.Revision() + pawl.Revision(i+1)
			s.pending = append(s.pending, set)
		}
		return err
	})
	s.mu.Unlock()
	if err != nil {
		return 0, err
	}
	for range 100 {
		runtime.Gosched()
	}
	rev, err := s.Store.Update(ctx, fn)
	s.mu.Lock()
	s.pending = nil
	s.mu.Unlock()
	return rev, err
}

func (s *hasty) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	return func(yield func(pawl.ChangeSet, error) bool) {
		s.mu.Lock()
		pending := slices.Clone(s.pending)
		s.mu.Unlock()
		last := span.After
		for set, err := range s.Store.Changes(ctx, span) {
			last = set.Revision
			if !yield(set, err) {
				return
			}
		}
		for _, set := range pending {
			if set.Revision == last+1 {
				last++
				if !yield(set, nil) {
					return
				}
			}
		}
	}
}

func cloneCommit(c pawl.Commit) pawl.Commit {
	sets := make([]pawl.ChangeSet, len(c.Sets))
	for i, set := range c.Sets {
		sets[i] = set
		sets[i].Result = append([]byte(nil), set.Result...)
		sets[i].Changes = make([]pawl.Change, len(set.Changes))
		for j, change := range set.Changes {
			sets[i].Changes[j] = change
			sets[i].Changes[j].Fields = append([]pawl.Field(nil), change.Fields...)
			if change.Before != nil {
				before := change.Before.Clone()
				sets[i].Changes[j].Before = &before
			}
			if change.After != nil {
				after := change.After.Clone()
				sets[i].Changes[j].After = &after
			}
		}
	}
	c.Sets = sets
	c.Ranks = append([]pawl.Rank(nil), c.Ranks...)
	return c
}
