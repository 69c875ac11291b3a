package storetest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// A sight is what is looked at on boards that are compared, besides all tasks and
// nodes. Its revisions count from a board's first one.
type sight struct {
	queries []pawl.Query // with a limit, page after page
	glances []pawl.GlanceQuery
	spans   []pawl.Span
	since   []pawl.Revision // changes since then
	reach   []pawl.ID
	ops     []pawl.OpID
}

// sightQueries are the queries, for boards that scripts have made at this time.
func sightQueries(now time.Time) []pawl.Query {
	type q = pawl.Query
	high, low := pawl.High, pawl.Low
	ada := pawl.Actor{Name: "ada", Session: "s1"}
	return []q{
		{}, {Brief: true},
		{Ready: true}, {Ready: true, For: "ada"}, {Ready: true, For: "bob", Brief: true}, {Ready: true, Labels: []string{"x"}}, {Ready: true, Priority: &high},
		{Status: []pawl.Status{pawl.Pending}}, {Status: []pawl.Status{pawl.InProgress, pawl.Completed}}, {Status: []pawl.Status{pawl.Completed}},
		{Blocked: true}, {Held: true}, {Damaged: true}, {Unshown: true}, {Unshown: true, Brief: true}, {Merging: true}, {Was: pawl.AnyNumber},
		{Owner: "ada"}, {Owner: "ADA"}, {Owned: true}, {Mine: ada}, {Mine: pawl.Actor{Name: "bob", Session: "s3"}},
		{Session: "s1"}, {Session: "s2", Status: []pawl.Status{pawl.InProgress}},
		{Labels: []string{"x"}}, {Labels: []string{"x", "y"}}, {Parent: 1}, {Parent: 2, Status: []pawl.Status{pawl.Pending}}, {Priority: &low},
		{Text: "TASK"}, {Text: "e"}, {Text: "%"}, {Text: "_"}, {IDs: []pawl.ID{1, 2, 3, 5, 8, 13, 99}},
		{LeaseBefore: now}, {LeaseBefore: now.Add(10 * time.Minute)}, {QuietBefore: now}, {QuietBefore: now.Add(-5 * time.Minute)},
		{DoneSince: now.Add(-time.Minute)}, {DoneBefore: now}, {DoneSince: now.Add(-10 * time.Minute), Status: []pawl.Status{pawl.Completed}},
	}
}

var orders = []pawl.Order{pawl.ByID, pawl.ByUrgency, pawl.ByCompletion}

// someSight is a small part of what can be looked at, another one each time.
func (p *peers) someSight() sight {
	var s sight
	all := sightQueries(p.worlds[0].clock.stored())
	for range 3 {
		q := all[p.rand.IntN(len(all))]
		q.Order, q.Limit = orders[p.rand.IntN(len(orders))], 1+p.rand.IntN(4)
		s.queries = append(s.queries, q)
	}
	id := 1 + pawl.ID(p.rand.IntN(int(p.last)+1))
	s.glances = []pawl.GlanceQuery{p.glanceAt(p.rand.IntN(60))}
	s.reach = []pawl.ID{id}
	if p.sets > 0 {
		rev := pawl.Revision(p.rand.IntN(int(p.sets)))
		s.since = []pawl.Revision{rev}
		s.spans = []pawl.Span{{Task: id, After: rev, Backward: p.rand.IntN(2) == 0}}
	}
	if len(p.ops) > 0 {
		s.ops = []pawl.OpID{p.ops[p.rand.IntN(len(p.ops))]}
	}
	return s
}

// wholeSight is all that there is.
func (p *peers) wholeSight() sight {
	s := sight{ops: append(slices.Clone(p.ops), "never sent")}
	for _, q := range sightQueries(p.worlds[0].clock.stored()) {
		for _, q.Order = range orders {
			q.Limit = 0
			s.queries = append(s.queries, q)
		}
	}
	for n := range 60 {
		s.glances = append(s.glances, p.glanceAt(n))
	}
	for id := range p.last + 2 {
		s.reach = append(s.reach, id)
		s.spans = append(s.spans, pawl.Span{Task: id + 1, Backward: id%2 == 0})
	}
	middle := p.sets / 2
	s.spans = append(s.spans, pawl.Span{}, pawl.Span{Backward: true}, pawl.Span{Undos: true}, pawl.Span{Undos: true, Backward: true},
		pawl.Span{After: middle}, pawl.Span{Before: middle + 1}, pawl.Span{After: middle, Before: p.sets, Backward: true}, pawl.Span{After: p.sets})
	if p.sets > 0 {
		s.since = []pawl.Revision{0, middle, p.sets}
	}
	return s
}

// glanceAt is one of 60 looks in passing.
func (p *peers) glanceAt(n int) pawl.GlanceQuery {
	q := pawl.GlanceQuery{Session: fmt.Sprint("s", 1+n%4), Ready: n % 5, For: []string{"", "ada", "bob"}[n%3]}
	for id := pawl.ID(1 + n%3); id <= p.last && len(q.IDs) < pawl.MaxGlance; id += 3 {
		q.IDs = append(q.IDs, id)
	}
	return q
}

// shown collects what a board shows, a line for each value.
type shown struct {
	w     *world
	base  pawl.Revision // the revision before the first set; negative: there is none yet
	lines []string
}

func (w *world) shown() *shown { return &shown{w: w, base: pawl.Revision(w.base.Load())} }

// rev is a revision as it counts from the first one. Which one a board without sets
// has, a store may choose.
func (s *shown) rev(r pawl.Revision) pawl.Revision {
	if s.base < 0 {
		return 0
	}
	return max(r-s.base, 0)
}

// numbered matches the revisions in encoded values, and in the sentence of an error.
var numbered = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:revision|token|undoes|passed)":(?:\d+|\[[\d,]*\])|\b(?:revision|token) \d+`)
})

// counting are the words before them.
var counting = [][]byte{[]byte("revision"), []byte("token"), []byte("undoes"), []byte("passed")}

var number = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+`) })

// add adds a value as package pawl encodes it.
func (s *shown) add(what string, v any) {
	s.w.Helper()
	text, err := pawl.Encode(v)
	if err != nil {
		s.w.Fatalf("Encode(%s): %v", what, err)
	}
	s.addText(what, text)
}

func (s *shown) addText(what string, text []byte) {
	line := append([]byte(what+" "), text...)
	if !slices.ContainsFunc(counting, func(word []byte) bool { return bytes.Contains(line, word) }) {
		s.lines = append(s.lines, string(line)) // most, and much faster
		return
	}
	line = numbered().ReplaceAllFunc(line, func(part []byte) []byte {
		return number().ReplaceAllFunc(part, func(digits []byte) []byte {
			n, err := strconv.ParseInt(string(digits), 10, 64)
			if err != nil || n < int64(s.base) {
				return digits
			}
			return strconv.AppendInt(nil, int64(s.rev(pawl.Revision(n))), 10)
		})
	})
	if s.base < 0 {
		line = bytes.ReplaceAll(line, []byte(`,"revision":0`), nil) // zero is left out
	}
	s.lines = append(s.lines, string(line))
}

// summed matches the sum of a request in a result, which may depend on a revision.
var summed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\{"sum":\d+`) })

func (s *shown) result(what string, text []byte) {
	s.addText(what, summed().ReplaceAll(text, []byte(`{"sum":`)))
}

// fail adds an error in place of what was asked for.
func (s *shown) fail(err error) { s.w.Helper(); s.add("error", err) }

// show is what the board shows.
func (w *world) show(at sight) []string {
	w.Helper()
	s := w.shown()
	w.view(func(r pawl.Reader) {
		s.reader(r, at)
	})
	for _, q := range at.glances {
		if g, err := w.board.Glance(w.ctx, q); err != nil {
			s.fail(err)
		} else {
			s.add("glance", g)
		}
	}
	for _, span := range at.spans {
		s.add("span", span)
		s.sets(span)
	}
	for _, rev := range at.since {
		ids, next, err := w.board.ChangedSince(w.ctx, w.lens().base+rev)
		if err != nil {
			s.fail(err)
		}
		s.add("changed since", []any{ids, s.rev(next)})
	}
	return s.lines
}

// reader adds what one view of the board shows.
func (s *shown) reader(r pawl.Reader, at sight) {
	s.w.Helper()
	s.add("board", []any{s.rev(r.Revision()), r.LastID(), r.Now()})
	if s.base >= 0 && r.Origin() != s.base {
		s.w.Errorf("the board counts from %d, and its first set is %d", r.Origin(), s.base+1)
	}
	var ids []pawl.ID
	tasks, err := selectAll(r, pawl.Query{})
	if err != nil {
		s.fail(err)
	}
	for i := range tasks {
		s.add("task", tasks[i])
		ids = append(ids, tasks[i].ID)
	}
	slices.Reverse(ids)
	for _, get := range []func(...pawl.ID) ([]pawl.Task, error){r.Get, r.Briefs} {
		tasks, err := get(ids...)
		if err != nil {
			s.fail(err)
		}
		for i := range tasks {
			s.add("got", tasks[i])
		}
		_, err = get(1, r.LastID()+1, r.LastID()+7)
		s.fail(err)
	}
	nodes, err := r.Nodes(append(ids, r.LastID()+1)...)
	s.nodes("node", nodes, err)
	for _, id := range at.reach {
		for _, dir := range []pawl.Direction{pawl.Dependents, pawl.Dependencies} {
			nodes, err := r.Reach(dir, id)
			s.nodes(fmt.Sprint("reach ", dir, " from ", id), nodes, err)
		}
	}
	for _, q := range at.queries {
		s.pages(r, q)
	}
	for _, op := range at.ops {
		result, found, err := r.Result(op)
		if err != nil {
			s.fail(err)
		}
		s.result(fmt.Sprint("result of ", op, " ", found), result)
	}
}

func (s *shown) nodes(what string, nodes []pawl.Node, err error) {
	s.w.Helper()
	if err != nil {
		s.fail(err)
	}
	for i := range nodes {
		n := &nodes[i]
		for _, ids := range []*[]pawl.ID{&n.Children, &n.Blocks, &n.Blockers, &n.BlockedBy} {
			if len(*ids) == 0 {
				*ids = nil // a node is never written down: nobody sees whether a list without ids is there
			}
		}
		s.add(what, n)
	}
}

// pages adds the pages of a query.
func (s *shown) pages(r pawl.Reader, q pawl.Query) {
	s.w.Helper()
	s.add("query", q)
	for more := true; more; {
		page, err := r.Select(q)
		if err != nil {
			s.fail(err)
			return
		}
		s.add("page", page)
		q.After, more = page.Next, page.Next != nil
	}
}

// sets adds the change sets of a span.
func (s *shown) sets(span pawl.Span) {
	s.w.Helper()
	span.After += s.w.lens().base
	if span.Before != 0 {
		span.Before += s.w.lens().base
	}
	for set, err := range s.w.board.Changes(s.w.ctx, span) {
		if err != nil {
			s.fail(err)
			return
		}
		s.result("result of the set", set.Result)
		set.Result = nil
		s.add("set", set)
	}
}
