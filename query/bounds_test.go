package query_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
)

// A question that would cost more than its size suggests, or be answered wrongly,
// is refused, wherever a query stands in it.
func TestQueriesAreBounded(t *testing.T) {
	w := newWorld(t)
	w.do(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}}})
	board := querytest.Loop(query.Local(w.board))
	long := strings.Repeat("x", query.MostText+1)
	bad := map[string]pawl.Query{
		"labels":   {Labels: make([]string, query.MostChoices+1)},
		"statuses": {Status: slices.Repeat([]pawl.Status{pawl.Pending}, query.MostChoices+1)},
		"text":     {Text: long},
		"ids":      {IDs: []pawl.ID{2, 1}},
		"refs":     {Refs: []string{"b", "a"}},
	}
	refused := func(q query.Question, what string) {
		t.Helper()
		if _, err := board.Ask(t.Context(), query.Asker{By: ada}, q); pawl.KindOf(err) != pawl.Invalid || err == nil {
			t.Errorf("%T with %s: %v", q, what, err)
		}
	}
	places := 0
	for _, kind := range query.Kinds() {
		for i := range reflect.TypeOf(kind.Question).NumField() {
			for what, selection := range bad {
				q := reflect.New(reflect.TypeOf(kind.Question)).Elem()
				switch field := q.Field(i); field.Type() {
				case reflect.TypeFor[pawl.Query]():
					field.Set(reflect.ValueOf(selection))
				case reflect.TypeFor[[]pawl.Query]():
					field.Set(reflect.ValueOf([]pawl.Query{{}, selection}))
				default:
					continue
				}
				places++
				refused(q.Interface().(query.Question), what)
			}
		}
	}
	if places < 5*len(bad) {
		t.Errorf("only %d queries were tried", places)
	}
	for what, selection := range bad {
		for _, err := range board.Export(t.Context(), query.Asker{By: ada}, selection) {
			if pawl.KindOf(err) != pawl.Invalid || err == nil {
				t.Errorf("an export with %s: %v", what, err)
			}
		}
	}
	refused(query.FindQuery{Begun: long}, "a long text")
	refused(query.FacetsQuery{Texts: []string{"x", long}}, "a long text")
	refused(query.TasksQuery{Since: new(pawl.Revision(1)), Query: pawl.Query{IDs: []pawl.ID{1}}}, "two choices of ids")

	most := pawl.Query{Labels: make([]string, query.MostChoices), Text: long[1:], IDs: []pawl.ID{1, 1, 2}, Refs: []string{"a", "b"}}
	if _, err := board.Ask(t.Context(), query.Asker{By: ada}, query.TasksQuery{Query: most}); err != nil {
		t.Errorf("at the limits: %v", err)
	}
}

// A what-if has no more tasks done than one call has requests, and is not asked of
// what is not in it.
func TestAskersAreBounded(t *testing.T) {
	w := newWorld(t)
	w.do(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}}})
	store := &querytest.Counted{Store: w.store}
	board := query.Local(pawl.NewBoard(store))
	many := query.Asker{By: ada, AsDone: slices.Repeat([]pawl.ID{1}, pawl.MaxRequests+1)}
	if _, err := board.Ask(t.Context(), many, query.LanesQuery{}); !errors.Is(err, pawl.Invalid) || store.N != 0 {
		t.Errorf("%v, after %d accesses", err, store.N)
	}
	for what, watch := range map[string]struct {
		who  query.Asker
		from query.From
	}{
		"a what-if": {query.Asker{By: ada, AsDone: []pawl.ID{1}}, query.From{}},
	} {
		told := 0
		for _, err := range board.Watch(t.Context(), watch.who, watch.from) {
			if told++; !errors.Is(err, pawl.Invalid) {
				t.Errorf("a watch of %s: %v", what, err)
				break
			}
		}
		if told != 1 {
			t.Errorf("a watch of %s tells %d times", what, told)
		}
	}
	told := 0
	for _, err := range board.Export(t.Context(), query.Asker{By: ada, AsDone: []pawl.ID{1}}, pawl.Query{}) {
		if told++; !errors.Is(err, pawl.Invalid) {
			t.Errorf("an export of a what-if: %v", err)
		}
	}
	if told != 1 {
		t.Errorf("an export of a what-if tells %d times", told)
	}
}
