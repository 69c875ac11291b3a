package storetest

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// The suite is worth what it catches. Each store here is the memory store with
// one fault planted in it, and names the check that has to see it.

// The clock of their bubbles tells a hint that came too early from one that came.
func init() { patience = pawl.WatchInterval - time.Second }

func TestPlantedFaultsAreCaught(t *testing.T) {
	checks := map[string]check{}
	for _, c := range slices.Concat(allChecks(), ruleChecks()) {
		if _, twice := checks[c.name]; twice {
			t.Errorf("two checks are named %q", c.name)
		}
		checks[c.name] = c
	}
	if len(checks) < 130 || len(planted) < 55 {
		t.Fatalf("only %d checks and %d faults", len(checks), len(planted))
	}
	passed := map[string]bool{}
	for _, p := range planted {
		t.Run(p.fault, func(t *testing.T) {
			c, ok := checks[p.caughtBy]
			if !ok {
				t.Fatalf("there is no check %q", p.caughtBy)
			}
			if !passed[c.name] {
				if failures := record(t, c.run, nil); failures != nil {
					t.Fatalf("the check fails on a sound store: %s", failures[0])
				}
				passed[c.name] = true
			}
			var failures []string
			for tries := 0; len(failures) == 0 && tries < 10; tries++ { // a race may be won by chance
				failures = record(t, c.run, p.plant)
			}
			if len(failures) == 0 {
				t.Fatalf("%q did not see it", p.caughtBy)
			}
			t.Logf("%s", strings.SplitN(failures[0], "\n", 2)[0])
			if lines := strings.Count(strings.Join(failures, "\n"), "\n") + 1; lines > 60 {
				t.Errorf("it takes %d lines to say so", lines)
			}
		})
	}
}

// sound opens memory stores; unless it is nil, plant spoils them.
func sound(t *testing.T, plant func(pawl.Store) pawl.Store) *opener {
	if plant == nil {
		plant = func(s pawl.Store) pawl.Store { return s }
	}
	return &opener{
		t: t,
		open: func(_ *testing.T, clock func() time.Time) pawl.Store {
			return plant(memory.New(memory.WithClock(clock)))
		},
		again: func(_ *testing.T, closed pawl.Store, _ func() time.Time) pawl.Store {
			if s, ok := closed.(*broken); ok && s.forgets != nil {
				s.forgets()
			}
			return closed
		},
		share: func(_ *testing.T, open pawl.Store, _ func() time.Time) pawl.Store { return open },
		bounded: func(_ *testing.T, clock func() time.Time) pawl.Store {
			return plant(memory.New(memory.WithClock(clock), memory.WithHistory(5)))
		},
		sets: 5,
	}
}

// record runs a check on stores that plant spoils, and returns how it failed. The check runs
// in a bubble of package synctest, where it takes no time to see that something never happens.
func record(t *testing.T, run func(w *world), plant func(pawl.Store) pawl.Store) (failures []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		failures = try(func(tb TB) { run(newWorld(tb, sound(t, plant))) })
	})
	return failures
}

// plantOf returns how a fault is planted.
func plantOf(t *testing.T, fault string) func(pawl.Store) pawl.Store {
	t.Helper()
	for _, p := range planted {
		if p.fault == fault {
			return p.plant
		}
	}
	t.Fatalf("unknown fault %q", fault)
	return nil
}

var planted = []struct {
	fault    string
	caughtBy string
	plant    func(pawl.Store) pawl.Store
}{
	{"a read is decided on before the lock", "1 updates at the same time follow one another", decidesEarly},
	{"fn runs again and its first answer is written", "1 updates at the same time follow one another", func(s pawl.Store) pawl.Store {
		return &broken{Store: s, update: func(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
			var first pawl.Commit
			err := s.View(ctx, func(r pawl.Reader) (err error) { first, err = fn(r); return err })
			if err != nil {
				return 0, err
			}
			runtime.Gosched()
			return s.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) {
				_, err := fn(r)
				return first, err
			})
		}}
	}},
	{"what fn wants is written in spite of its error", "2 an error of fn comes back as it is", func(s pawl.Store) pawl.Store {
		return &broken{Store: s, update: func(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
			var failed error
			rev, err := s.Update(ctx, func(r pawl.Reader) (c pawl.Commit, err error) { c, failed = fn(r); return c, nil })
			if failed != nil {
				return 0, failed
			}
			return rev, err
		}}
	}},
	{"an error of fn is wrapped", "2 an error of fn comes back as it is", func(s pawl.Store) pawl.Store {
		return &broken{Store: s, update: func(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
			rev, err := s.Update(ctx, fn)
			if err != nil {
				err = pawl.Errorf(pawl.KindOf(err), "update: %w", err)
			}
			return rev, err
		}}
	}},
	{"an empty commit takes a revision", "2 an empty commit writes nothing", writing(func(_ pawl.Reader, c *pawl.Commit) {
		if c.Empty() {
			c.Sets = []pawl.ChangeSet{{}}
		}
	})},
	{"a set without changes is dropped", "2 a set without changes counts", writing(func(_ pawl.Reader, c *pawl.Commit) {
		c.Sets = slices.DeleteFunc(c.Sets, func(set pawl.ChangeSet) bool { return len(set.Changes) == 0 })
	})},
	{"a request that nobody waits for is carried out", "2 a request that nobody waits for commits nothing", func(s pawl.Store) pawl.Store {
		return &broken{Store: s, update: func(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
			return s.Update(context.WithoutCancel(ctx), fn)
		}}
	}},
	{"Update returns the first revision", "3 sets are numbered in order", func(s pawl.Store) pawl.Store {
		return &broken{Store: s, update: func(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
			var was pawl.Revision
			_, err := s.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) { was = r.Revision(); return fn(r) })
			return was + 1, err
		}}
	}},
	{"only the first set of a commit is written", "1 the sets of a commit build on each other", writing(func(_ pawl.Reader, c *pawl.Commit) {
		c.Sets = c.Sets[:min(1, len(c.Sets))]
	})},
	{"the last id goes with its task", "1 the last id stays when its task goes", reading(func(r pawl.Reader) pawl.Reader { return countsIDs{r} })},
	{"a view reads what is there now", "4 a view does not change, whatever is called inside it", func(s pawl.Store) pawl.Store {
		return &unsteady{Store: s}
	}},
	{"the clock is local and not cut", "4 the clock is in UTC and whole milliseconds", reading(func(r pawl.Reader) pawl.Reader { return localClock{r} })},
	{"an unblock is lost", "reader derived fields follow from edges, parents and status", editing(func(c *pawl.Change) {
		if len(c.After.BlockedBy) < len(c.Before.BlockedBy) {
			c.Fields = slices.DeleteFunc(c.Fields, func(f pawl.Field) bool { return f == pawl.FieldBlockedBy })
		}
	})},
	{"an edit writes the whole task", "6 only the fields that an edit names mean anything", editing(func(c *pawl.Change) {
		c.Fields = pawl.Diff(&pawl.Task{}, &pawl.Task{
			Subject: "x", Description: "x", Owner: "x", ActiveForm: "x", Labels: []string{"x"}, Notes: []pawl.Note{{}},
		})
	})},
	{"places that moved are forgotten", "1 places in the order move with what waits", writing(func(_ pawl.Reader, c *pawl.Commit) {
		c.Ranks = nil
		for i := range c.Sets {
			for j := range c.Sets[i].Changes {
				if change := &c.Sets[i].Changes[j]; change.Before != nil && change.After != nil {
					change.After.Urgency, change.After.Height = change.Before.Urgency, change.Before.Height
				}
			}
		}
	})},

	{"Get shares memory", "5 what Get returns is a copy", func(s pawl.Store) pawl.Store {
		kept := map[pawl.ID]pawl.Task{}
		return &broken{Store: s, reads: func(r pawl.Reader) pawl.Reader { return sharing{r, kept} }}
	}},
	{"Changes share memory", "5 what Changes yields is a copy", func(s pawl.Store) pawl.Store {
		kept := map[pawl.Revision]pawl.ChangeSet{}
		return telling(func(set *pawl.ChangeSet) bool {
			if _, ok := kept[set.Revision]; !ok {
				kept[set.Revision] = *set
			}
			*set = kept[set.Revision]
			return true
		})(s)
	}},
	{"a commit is kept as it came", "5 what a commit brings is not kept", func(s pawl.Store) pawl.Store {
		sets := map[pawl.Revision]pawl.ChangeSet{}
		b := telling(func(set *pawl.ChangeSet) bool {
			kept := sets[set.Revision]
			set.Changes, set.Result = kept.Changes, kept.Result
			return true
		})(s).(*broken)
		b.update = func(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
			return s.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) {
				c, err := fn(r)
				for i, set := range c.Sets {
					sets[r.Revision()+pawl.Revision(i+1)] = set
				}
				return c, err
			})
		}
		return b
	}},

	{"history has a gap", "6 readers see no gap while others write, and no set before its tasks", telling(func(set *pawl.ChangeSet) bool { return set.Revision%5 != 0 })},
	{"history begins one set too early", "6 it can be resumed from every revision", func(s pawl.Store) pawl.Store {
		return &broken{Store: s, changes: func(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
			span.After--
			return s.Changes(ctx, span)
		}}
	}},
	{"backward is forward", "6 it can be resumed from every revision", func(s pawl.Store) pawl.Store {
		return &broken{Store: s, changes: func(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
			span.Backward = false
			return s.Changes(ctx, span)
		}}
	}},
	{"deletions are not of a task's history", "6 the sets of one task", func(s pawl.Store) pawl.Store {
		return &broken{Store: s, changes: func(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
			return func(yield func(pawl.ChangeSet, error) bool) {
				for set, err := range s.Changes(ctx, span) {
					gone := slices.ContainsFunc(set.Changes, func(c pawl.Change) bool { return c.ID == span.Task && c.After == nil })
					if !(span.Task != 0 && gone) && !yield(set, err) {
						return
					}
				}
			}
		}}
	}},
	{"history does not say who", "6 a set says who, when, how and what came of it", telling(func(set *pawl.ChangeSet) bool { set.By.Agent = ""; return true })},
	{"history does not say what an undo took back", "6 a set says who, when, how and what came of it", telling(func(set *pawl.ChangeSet) bool { set.Undoes = 0; return true })},
	{"the origin is where kept history begins", "11 to trim history moves no number", reading(func(r pawl.Reader) pawl.Reader {
		return countsFrom{r, max(0, r.Revision()-5)}
	})},
	{"the origin is lost in a restart", "11 the origin stays", func(s pawl.Store) pawl.Store {
		b := &broken{Store: s}
		b.forgets = func() {
			var at pawl.Revision
			_ = s.View(context.Background(), func(r pawl.Reader) error { at = r.Revision(); return nil })
			b.reads = func(r pawl.Reader) pawl.Reader { return countsFrom{r, at} }
		}
		return b
	}},
	{"what was trimmed is passed over", "6 what was trimmed is Gone, and says where to start", func(s pawl.Store) pawl.Store {
		return &broken{Store: s, changes: func(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
			return func(yield func(pawl.ChangeSet, error) bool) {
				for set, err := range s.Changes(ctx, span) {
					if e, ok := err.(*pawl.Error); ok && e.Kind == pawl.Gone {
						span.After = e.Revision
						s.Changes(ctx, span)(yield)
						return
					}
					if !yield(set, err) {
						return
					}
				}
			}
		}}
	}},
	{"a change shows before it is written", "6 readers see no gap while others write, and no set before its tasks", func(s pawl.Store) pawl.Store { return &hasty{Store: s} }},
	{"history has no end", "6 it can end before every revision", spanning(func(s *pawl.Span) { s.Before = 0 })},
	{"history ends one too late", "6 it can end before every revision", spanning(func(s *pawl.Span) { s.Before++ })},
	{"history does not pick undos", "6 the sets that took another one back", spanning(func(s *pawl.Span) { s.Undos = false })},
	{"history loses what an edit was before", "6 replayed from the start, history is the board", telling(func(set *pawl.ChangeSet) bool {
		for i, c := range set.Changes {
			if c.Before != nil && c.After != nil {
				set.Changes[i].Before = &pawl.Task{ID: c.ID}
			}
		}
		return true
	})},

	{"a result is not remembered", "7 the result of an op id", reading(func(r pawl.Reader) pawl.Reader { return forgetful{r} })},
	{"a result is lost when the store is opened again", "7 the result of an op id", func(s pawl.Store) pawl.Store {
		b := &broken{Store: s}
		b.forgets = func() { b.reads = func(r pawl.Reader) pawl.Reader { return forgetful{r} } }
		return b
	}},

	{"Get sorts what it returns", "reader Get returns tasks in the order asked for", reading(func(r pawl.Reader) pawl.Reader { return sorting{r} })},
	{"only the first missing task is named", "reader Get names all that are missing", reading(func(r pawl.Reader) pawl.Reader { return namesOne{r} })},
	{"briefs are whole tasks", "reader Briefs returns tasks without their long texts", reading(func(r pawl.Reader) pawl.Reader { return wordy{r} })},
	{"a page is not brief", "reader Briefs returns tasks without their long texts", reading(func(r pawl.Reader) pawl.Reader {
		return selecting{r, func(q *pawl.Query) { q.Brief = false }, nil}
	})},
	{"a missing node is left out", "reader Nodes returns the shape of tasks", reading(func(r pawl.Reader) pawl.Reader { return hidesMissing{r} })},
	{"text is searched in its own case", "reader Select text in other letters", reading(func(r pawl.Reader) pawl.Reader {
		return selecting{r, func(q *pawl.Query) { q.Text = strings.ToLower(q.Text[:min(1, len(q.Text))]) }, nil}
	})},
	{"leases that ended are not seen", "reader Select ready", reading(func(r pawl.Reader) pawl.Reader {
		return selecting{r, nil, func(p *pawl.Page) {
			p.Tasks = slices.DeleteFunc(p.Tasks, func(t pawl.Task) bool { return t.Status == pawl.InProgress })
			p.Total = len(p.Tasks)
		}}
	})},
	{"urgency does not order", "reader pages follow one another by key", reading(func(r pawl.Reader) pawl.Reader {
		return selecting{r, func(q *pawl.Query) {
			if q.Limit > 0 {
				q.Order = pawl.ByID
			}
		}, nil}
	})},
	{"pages go by number", "reader pages keep their place while the board moves", func(s pawl.Store) pawl.Store {
		return &broken{Store: s, reads: func(r pawl.Reader) pawl.Reader { return numbering{r} }}
	}},
	{"Reach goes one step", "reader Reach walks edges and parents, by id", reading(func(r pawl.Reader) pawl.Reader { return nearsighted{r} })},

	{"JSON is read and written again", "value JSON numbers as they were spelt", bringing(func(t *pawl.Task) {
		for key, raw := range t.Metadata {
			var v any
			json.Unmarshal(raw, &v)
			t.Metadata[key], _ = json.Marshal(v)
		}
	})},
	{"JSON is escaped for HTML", "value JSON strings as they were escaped", bringing(func(t *pawl.Task) {
		for key, raw := range t.Extra {
			var b bytes.Buffer
			json.HTMLEscape(&b, raw)
			t.Extra[key] = b.Bytes()
		}
	})},
	{"unknown fields are dropped", "value keys of all sorts", bringing(func(t *pawl.Task) { delete(t.Extra, "Subject") })},
	{"text is trimmed", "value text with spaces around", bringing(func(t *pawl.Task) { t.Description = strings.TrimSpace(t.Description) })},
	{"line ends are changed", "value text with line ends and tabs", bringing(func(t *pawl.Task) { t.Description = strings.ReplaceAll(t.Description, "\r\n", "\n") })},
	{"times are cut to seconds", "value times to the millisecond", bringing(func(t *pawl.Task) { t.CompletedAt = t.CompletedAt.Truncate(time.Second) })},

	{"a glance shows the next ones by id", "10 a glance shows what is claimed, named and next", glancing(func(_ pawl.GlanceQuery, g *pawl.Glance) {
		slices.SortFunc(g.Ready, func(a, b pawl.Task) int { return pawl.ByID.Compare(a.Rank(), b.Rank()) })
	})},
	{"a glance counts only those that it shows", "10 a glance shows what is claimed, named and next", glancing(func(_ pawl.GlanceQuery, g *pawl.Glance) { g.Free = len(g.Ready) })},
	{"a glance does not tell claimed tasks whole", "10 a glance shows what was committed just now", glancing(func(_ pawl.GlanceQuery, g *pawl.Glance) { g.Claimed = brief(g.Claimed) })},
	{"a glance is behind by a commit", "10 a glance shows what was committed just now", recalling(func(old, now pawl.Glance) bool { return old.Revision+1 == now.Revision })},
	{"a glance does not see leases end", "10 a glance shows what is claimed, named and next", recalling(func(old, now pawl.Glance) bool { return old.Revision == now.Revision })},
	{"a glance is of what its own store committed", "10 a glance shows what another store committed", recalling(func(pawl.Glance, pawl.Glance) bool { return true })},
	{"a glance shows all that is claimed", "10 the lists of a glance are bounded", func(s pawl.Store) pawl.Store {
		return &glancer{s, func(q pawl.GlanceQuery, g *pawl.Glance) {
			page, _ := pawl.NewBoard(s).Select(context.Background(), pawl.Query{Session: q.Session})
			g.Claimed = page.Tasks
		}}
	}},
	{"glances share their tasks", "10 what a glance returns is a copy", recalling(func(old, now pawl.Glance) bool { return old.Revision == now.Revision })},
	{"a board: a glance is behind", "moves from seed 1", recalling(func(old, now pawl.Glance) bool { return old.Revision < now.Revision })},

	// The same kinds of faults, where the rules of a board run into them.
	{"a claim is decided on before the lock", "1 of many that claim each gets another task", decidesEarly},
	{"a claim of one task is decided on before the lock", "1 of many that claim one task exactly one gets it", decidesEarly},
	{"an edit is decided on before the lock", "1 many edits of one task all count", decidesEarly},
	{"an op id is looked up before the lock", "7 one op id from many callers runs once", decidesEarly},
	{"ids are counted from the tasks that are there", "moves from seed 1", reading(func(r pawl.Reader) pawl.Reader { return countsIDs{r} })},
	{"what waited is not freed", "moves from seed 0", editing(func(c *pawl.Change) {
		if len(c.After.BlockedBy) < len(c.Before.BlockedBy) {
			c.Fields = slices.DeleteFunc(c.Fields, func(f pawl.Field) bool { return f == pawl.FieldBlockedBy })
		}
	})},
	{"only one side of an edge is written", "moves from seed 0", editing(func(c *pawl.Change) {
		c.Fields = slices.DeleteFunc(c.Fields, func(f pawl.Field) bool { return f == pawl.FieldBlocks })
	})},
	{"a token is not written", "moves from seed 0", bringing(func(t *pawl.Task) { t.Claim.Token = min(t.Claim.Token, 1) })},
	{"a lease does not end", "moves from seed 0", bringing(func(t *pawl.Task) { t.Claim.Lease, t.Claim.Until = 0, time.Time{} })},
	{"leases that ran out are not counted", "moves from seed 0", editing(func(c *pawl.Change) {
		c.Fields = slices.DeleteFunc(c.Fields, func(f pawl.Field) bool { return f == pawl.FieldExpired })
	})},
	{"a batch stops at its first set", "moves from seed 0", writing(func(_ pawl.Reader, c *pawl.Commit) { c.Sets = c.Sets[:min(1, len(c.Sets))] })},
	{"a result is forgotten", "moves from seed 0", reading(func(r pawl.Reader) pawl.Reader { return forgetful{r} })},
	{"an edit forgets unknown fields", "value everything", bringing(func(t *pawl.Task) { delete(t.Extra, "their") })},

	{"a board: an unblock is lost", "moves from seed 0", editing(func(c *pawl.Change) {
		if len(c.After.BlockedBy) < len(c.Before.BlockedBy) {
			c.Fields = slices.DeleteFunc(c.Fields, func(f pawl.Field) bool { return f == pawl.FieldBlockedBy })
		}
	})},
	{"a change is not hinted at", "9 every commit is hinted at, to all who listen", hinting(func(n pawl.Notifier, ctx context.Context) (<-chan struct{}, error) {
		return make(chan struct{}, 1), nil
	})},
	{"only the first change is hinted at", "9 every commit is hinted at, to all who listen", hinting(func(n pawl.Notifier, ctx context.Context) (<-chan struct{}, error) {
		hints, err := n.Notify(ctx)
		first := make(chan struct{}, 1)
		go func() { first <- <-hints }()
		return first, err
	})},
	{"who listens takes the hints of others", "9 every commit is hinted at, to all who listen", func(s pawl.Store) pawl.Store {
		hints, _ := s.(pawl.Notifier).Notify(context.Background())
		return &hinter{s, func(pawl.Notifier, context.Context) (<-chan struct{}, error) { return hints, nil }}
	}},
	{"hints pile up", "9 hints become one when nobody takes them", hinting(func(n pawl.Notifier, ctx context.Context) (<-chan struct{}, error) {
		hints, err := n.Notify(ctx)
		pile := make(chan struct{}, 100)
		go func() {
			for h := range hints {
				pile <- h
			}
		}()
		return pile, err
	})},
	{"who has gone is still listened for", "9 the channel closes with the context", hinting(func(n pawl.Notifier, ctx context.Context) (<-chan struct{}, error) {
		return n.Notify(context.WithoutCancel(ctx))
	})},
	{"a hint comes before the change", "9 a hint comes once its change shows", hintsEarly},
	{"a board: places that moved are forgotten", "moves from seed 0", writing(func(_ pawl.Reader, c *pawl.Commit) { c.Ranks = nil })},
	{"a board: an old token is kept", "moves from seed 0", editing(func(c *pawl.Change) {
		if c.Before.Claim.Live() {
			c.After.Claim.Token = c.Before.Claim.Token
		}
		if c.Before.Expired > 0 && c.After.Claim.Live() {
			c.After.Claim.Token--
		}
	})},
	{"a hold is lost", "moves from seed 1", bringing(func(t *pawl.Task) { t.Hold = nil })},
	{"a board: history has a gap", "moves from seed 1", telling(func(set *pawl.ChangeSet) bool { return set.Revision != 20 })},
	{"a board: a result is forgotten", "moves from seed 1", reading(func(r pawl.Reader) pawl.Reader { return forgetful{r} })},
}

func hintsEarly(s pawl.Store) pawl.Store {
	var mu sync.Mutex
	var listeners []chan struct{}
	early := &broken{Store: s, update: func(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
		mu.Lock()
		for _, hints := range listeners {
			select {
			case hints <- struct{}{}:
			default:
			}
		}
		mu.Unlock()
		synctest.Wait() // for a look that finds nothing
		return s.Update(ctx, fn)
	}}
	return &hinter{early, func(pawl.Notifier, context.Context) (<-chan struct{}, error) {
		hints := make(chan struct{}, 1)
		mu.Lock()
		defer mu.Unlock()
		listeners = append(listeners, hints)
		return hints, nil
	}}
}

func decidesEarly(s pawl.Store) pawl.Store {
	return &broken{Store: s, update: func(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
		var c pawl.Commit
		err := s.View(ctx, func(r pawl.Reader) (err error) { c, err = fn(r); return err })
		if err != nil {
			return 0, err
		}
		for range 10 {
			runtime.Gosched()
		}
		return s.Update(ctx, func(pawl.Reader) (pawl.Commit, error) { return c, nil })
	}}
}
