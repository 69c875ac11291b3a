package storetest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"

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

// someSight is a small part of what can be looked at, another one each time.
func (p *pair) someSight() sight {
	all := p.wholeSight()
	s := sight{
		queries: few(p, all.queries, 3), glances: few(p, all.glances, 1), spans: few(p, all.spans, 1),
		since: few(p, all.since, 1), reach: few(p, all.reach, 1), ops: few(p, all.ops, 1),
	}
	for i := range s.queries {
		s.queries[i].Limit = 1 + p.rand.IntN(4)
		s.queries[i].Uncounted = p.rand.IntN(2) == 0
	}
	return s
}

func few[T any](p *pair, all []T, n int) []T {
	var some []T
	for range min(n, len(all)) {
		some = append(some, all[p.rand.IntN(len(all))])
	}
	return some
}

// wholeSight is all that there is.
func (p *pair) wholeSight() sight {
	s := sight{ops: append(slices.Clone(p.ops), "never sent")}
	for i, q := range queries(p.model.clock.stored()) {
		for _, q.query.Order = range []pawl.Order{pawl.ByID, pawl.ByUrgency, pawl.ByCompletion} {
			q.query.Brief = i%4 == 1
			s.queries = append(s.queries, q.query)
		}
	}
	for n := range 60 {
		s.glances = append(s.glances, p.glanceAt(n))
	}
	middle := p.sets / 2
	for id := range p.last + 2 {
		s.reach = append(s.reach, id)
		s.spans = append(s.spans, pawl.Span{Task: id + 1, Backward: id%2 == 0}, pawl.Span{Task: id + 1, After: middle})
	}
	s.spans = append(s.spans, pawl.Span{}, pawl.Span{Backward: true}, pawl.Span{Undos: true}, pawl.Span{Undos: true, Backward: true},
		pawl.Span{After: middle}, pawl.Span{Before: middle + 1}, pawl.Span{After: middle, Before: p.sets, Backward: true}, pawl.Span{After: p.sets})
	if p.sets > 0 {
		s.since = []pawl.Revision{0, middle, p.sets}
	}
	return s
}

// glanceAt is one of 60 looks in passing.
func (p *pair) glanceAt(n int) pawl.GlanceQuery {
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
		ids, next, err := w.board.ChangedSince(w.ctx, w.first()+rev)
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
	span.After += s.w.first()
	if span.Before != 0 {
		span.Before += s.w.first()
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
