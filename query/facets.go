package query

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// FacetsQuery asks which filters could narrow a query further, and how many tasks
// each would leave.
type FacetsQuery struct {
	Tasks pawl.Query `json:"tasks,omitzero"`  // its order and pages do not matter
	Texts []string   `json:"texts,omitempty"` // to count, too, in the place of Tasks.Text; at most [MostTexts]
	Most  int        `json:"most,omitempty"`  // of each kind those with the most tasks, at most [MostFacets], which zero stands for
}

const (
	// MostFacets bounds the owners, labels and parents of [Facets].
	MostFacets = 1_000
	// MostTexts bounds the texts of a [FacetsQuery]: each is searched for in the
	// descriptions.
	MostTexts = 5
)

// Facets is the answer to a [FacetsQuery]. Owners, labels and parents are in the
// order of All; the asker comes first among the owners, with tasks or without.
type Facets struct {
	Head       `json:"head"`
	Owners     []Facet[string]        `json:"owners,omitempty"`
	Labels     []Facet[string]        `json:"labels,omitempty"`
	Parents    []Facet[Brief]         `json:"parents,omitempty"`
	Priorities []Facet[pawl.Priority] `json:"priorities,omitempty"` // the highest first
	States     []Facet[State]         `json:"states,omitempty"`     // Ready, Waiting, Held and Damaged, as far as there are such tasks
	Texts      []int                  `json:"texts,omitempty"`      // how many tasks each of FacetsQuery.Texts would leave
}

// A Facet is one choice.
type Facet[V any] struct {
	Value V   `json:"value"`
	All   int `json:"all"`  // how many tasks of the board have it
	With  int `json:"with"` // how many the query would choose with it: instead of its own owner, parent, priority or state, but beside its labels
}

func (q FacetsQuery) read(r pawl.Reader, who Asker) (Answer, error) {
	if len(q.Texts) > MostTexts {
		return nil, pawl.Errorf(pawl.Invalid, "%d texts at once are too many: ask for at most %d", len(q.Texts), MostTexts)
	}
	a := &Facets{Head: headOf(r)}
	shown := pawl.Query{Brief: true}
	if q.Tasks.Text == "" { // a search finds archived tasks, too
		who.unarchived(r, &shown)
		who.unarchived(r, &q.Tasks)
	}
	all, err := pages(r, shown)
	if err != nil {
		return nil, err
	}
	some := all
	if q.Tasks.Text != "" { // which may stand in descriptions and notes
		if some, err = pages(r, pawl.Query{Text: q.Tasks.Text, Brief: true}); err != nil {
			return nil, err
		}
	}
	for _, text := range q.Texts {
		if err := refuseText(text); err != nil {
			return nil, err
		}
		query := q.Tasks
		query.Text, query.After, query.Limit, query.Brief = text, nil, 1, true
		page, err := r.Select(query)
		if err != nil {
			return nil, err
		}
		a.Texts = append(a.Texts, page.Total)
	}
	a.count(q, who.By.Name, all, some)
	return a, nil
}

// count counts all tasks, and those that the query chooses but for one part of it.
func (a *Facets) count(q FacetsQuery, me string, all, some []pawl.Task) {
	owners, labels, parents := tally[string]{}, tally[string]{}, tally[pawl.ID]{}
	priorities, states := tally[pawl.Priority]{}, tally[State]{}
	subjects := make(Subjects, len(all))
	whole := a.byState(pawl.Query{}, me)
	for i := range all {
		t := &all[i]
		subjects[t.ID] = t.Subject
		owners.add(t.Owner, 1, 0)
		for _, label := range t.Labels {
			labels.add(label, 1, 0)
		}
		parents.add(t.Parent, 1, 0)
		priorities.add(t.Priority, 1, 0)
		for state, chosen := range whole {
			if chosen(t) {
				states.add(state, 1, 0)
			}
		}
	}
	query := q.Tasks
	query.Text = ""
	without := func(drop func(*pawl.Query)) func(*pawl.Task) bool {
		rest := query
		drop(&rest)
		return func(t *pawl.Task) bool { return rest.Match(t, a.Now) }
	}
	inState := a.byState(query, me)
	maps.DeleteFunc(inState, func(state State, _ func(*pawl.Task) bool) bool { return states[state] == nil })
	chosen, ofAnybody := without(func(*pawl.Query) {}), without(func(q *pawl.Query) { q.Owner = "" })
	ofAny, ofAll := without(func(q *pawl.Query) { q.Priority = nil }), without(func(q *pawl.Query) { q.Parent = 0 })
	for i := range some {
		t := &some[i]
		if chosen(t) {
			for _, label := range t.Labels {
				labels.add(label, 0, 1)
			}
		}
		if ofAnybody(t) {
			owners.add(t.Owner, 0, 1)
		}
		if ofAny(t) {
			priorities.add(t.Priority, 0, 1)
		}
		if ofAll(t) {
			parents.add(t.Parent, 0, 1)
		}
		for state, in := range inState {
			if in(t) {
				states.add(state, 0, 1)
			}
		}
	}
	most := q.Most
	if most <= 0 || most > MostFacets {
		most = MostFacets
	}
	delete(owners, "")
	delete(parents, 0)
	if mine, is := owners[me]; me != "" {
		if delete(owners, me); !is {
			mine = &Facet[string]{Value: me}
		}
		a.Owners = []Facet[string]{*mine}
	}
	a.Owners = append(a.Owners, owners.frequent(most)...)
	a.Labels = labels.frequent(most)
	for _, p := range parents.frequent(most) {
		a.Parents = append(a.Parents, Facet[Brief]{Brief{p.Value, subjects[p.Value]}, p.All, p.With})
	}
	a.Priorities = priorities.sorted(func(x, y pawl.Priority) int { return cmp.Compare(y, x) })
	a.States = states.sorted(func(x, y State) int { return cmp.Compare(y, x) })
}

// byState are a query for each state, in the place of the one that it has.
func (a *Facets) byState(q pawl.Query, me string) map[State]func(*pawl.Task) bool {
	by := map[State]func(*pawl.Task) bool{}
	for _, state := range []State{Ready, Waiting, Held, Damaged} {
		with := q
		with.For, with.Ready, with.Blocked, with.Held, with.Damaged = me, state == Ready, state == Waiting, state == Held, state == Damaged
		by[state] = func(t *pawl.Task) bool { return with.Match(t, a.Now) }
	}
	return by
}

// A tally counts tasks by what they have.
type tally[V cmp.Ordered] map[V]*Facet[V]

func (c tally[V]) add(value V, all, with int) {
	f := c[value]
	if f == nil {
		f = &Facet[V]{Value: value}
		c[value] = f
	}
	f.All += all
	f.With += with
}

// frequent are those with the most tasks.
func (c tally[V]) frequent(most int) []Facet[V] {
	all := c.sorted(cmp.Compare[V])
	slices.SortStableFunc(all, func(a, b Facet[V]) int { return cmp.Compare(b.All, a.All) })
	return all[:min(len(all), most)]
}

func (c tally[V]) sorted(compare func(a, b V) int) []Facet[V] {
	var all []Facet[V]
	for _, value := range slices.SortedFunc(maps.Keys(c), compare) {
		all = append(all, *c[value])
	}
	return all
}

func (FacetsQuery) kind() string            { return "facets" }
func (FacetsQuery) answer(a Answer) *Facets { return a.(*Facets) }
func (*Facets) answers() string             { return "facets" }
