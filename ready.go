package pawl

import (
	"maps"
	"slices"
	"strings"
)

// A queue is what base has ready for the claims of a batch, in the order of urgency.
// It is read once for all of them: without it, each claim would read past those that
// the claims before it took.
type queue struct {
	query Query  // of the next page
	tasks []Task // that were read and are not known to have changed on the overlay
	ended bool
}

// queueKey tells queues apart by what a claim can ask for.
type queueKey struct {
	labels, text, owner string
	parent              ID
	priority            Priority
	any                 bool // of any priority
}

// nextClaims counts the tasks that requests claim without naming them.
func nextClaims(requests []Request) int {
	var w Wanted
	for i := range requests {
		w.of(requests[i].Op)
	}
	return w.Next
}

// firstReady returns the first task that a query for ready tasks chooses, by urgency,
// and whether there is one.
func (o *overlay) firstReady(q Query) (ID, bool, error) {
	batch, layered := o.base.(*overlay)
	if !layered || batch.claims < 2 || !o.clean() || q.Owner != "" {
		page, err := o.Select(q)
		if err != nil || len(page.Tasks) == 0 {
			return 0, false, err
		}
		return page.Tasks[0].ID, true, nil
	}
	var first *Task
	consider := func(t *Task) {
		if t != nil && (first == nil || ByUrgency.Compare(t.Rank(), first.Rank()) < 0) {
			first = t
		}
	}
	// Tasks assigned to the claimer are queried apart, so that the answer for
	// unowned tasks serves all claimers.
	for _, owner := range slices.Compact([]string{"", q.For}) {
		t, err := batch.unchanged(q, owner)
		if err != nil {
			return 0, false, err
		}
		consider(t)
	}
	moved, err := batch.Get(slices.Collect(maps.Keys(batch.ranks))...)
	if err != nil {
		return 0, false, err
	}
	for i := range moved {
		if q.Match(&moved[i], o.now) {
			consider(&moved[i])
		}
	}
	for _, t := range batch.tasks {
		if t != nil && q.Match(t, o.now) {
			consider(t)
		}
	}
	if first == nil {
		return 0, false, nil
	}
	return first.ID, true, nil
}

// unchanged returns the first task of base that q chooses among those that nobody, or
// one name, owns, and that has not changed on the overlay; nil: none.
func (o *overlay) unchanged(q Query, owner string) (*Task, error) {
	key := queueKey{labels: strings.Join(q.Labels, "\x00"), text: q.Text, owner: owner, parent: q.Parent, any: q.Priority == nil}
	if q.Priority != nil {
		key.priority = *q.Priority
	}
	waiting := o.queues[key]
	if waiting == nil {
		q.For, q.Owner, q.Limit, q.Uncounted = owner, owner, min(o.claims, MaxPage), true
		waiting = &queue{query: q}
		if o.queues == nil {
			o.queues = map[queueKey]*queue{}
		}
		o.queues[key] = waiting
	}
	for {
		for len(waiting.tasks) > 0 {
			if t := &waiting.tasks[0]; !o.changed(t.ID) {
				return t, nil
			}
			waiting.tasks = waiting.tasks[1:]
		}
		if waiting.ended {
			return nil, nil
		}
		page, err := o.base.Select(waiting.query)
		if err != nil {
			return nil, err
		}
		waiting.tasks, waiting.query.After, waiting.ended = page.Tasks, page.Next, page.Next == nil
	}
}
