package ask_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/ask/asktest"
)

// A question that would cost more than its size suggests, or be answered wrongly,
// is refused, wherever a query stands in it.
func TestQueriesAreBounded(t *testing.T) {
	w := newWorld(t)
	w.do(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}}})
	board := asktest.Loop(ask.Local(w.board))
	long := strings.Repeat("x", ask.MostText+1)
	bad := map[string]pawl.Query{
		"labels":   {Labels: make([]string, ask.MostChoices+1)},
		"statuses": {Status: slices.Repeat([]pawl.Status{pawl.Pending}, ask.MostChoices+1)},
		"text":     {Text: long},
		"ids":      {IDs: []pawl.ID{2, 1}},
		"refs":     {Refs: []string{"b", "a"}},
	}
	refused := func(q ask.Question, what string) {
		t.Helper()
		if _, err := board.Ask(t.Context(), ask.Asker{By: ada}, q); pawl.KindOf(err) != pawl.Invalid || err == nil {
			t.Errorf("%T with %s: %v", q, what, err)
		}
	}
	places := 0
	for _, kind := range ask.Kinds() {
		for i := range reflect.TypeOf(kind.Question).NumField() {
			for what, query := range bad {
				q := reflect.New(reflect.TypeOf(kind.Question)).Elem()
				switch field := q.Field(i); field.Type() {
				case reflect.TypeFor[pawl.Query]():
					field.Set(reflect.ValueOf(query))
				case reflect.TypeFor[[]pawl.Query]():
					field.Set(reflect.ValueOf([]pawl.Query{{}, query}))
				default:
					continue
				}
				places++
				refused(q.Interface().(ask.Question), what)
			}
		}
	}
	if places < 5*len(bad) {
		t.Errorf("only %d queries were tried", places)
	}
	for what, query := range bad {
		for _, err := range board.Export(t.Context(), ask.Asker{By: ada}, query) {
			if pawl.KindOf(err) != pawl.Invalid || err == nil {
				t.Errorf("an export with %s: %v", what, err)
			}
		}
	}
	refused(ask.FindQuery{Begun: long}, "a long text")
	refused(ask.FacetsQuery{Texts: []string{"x", long}}, "a long text")
	refused(ask.TasksQuery{Since: new(pawl.Revision(1)), Query: pawl.Query{IDs: []pawl.ID{1}}}, "two choices of ids")

	most := pawl.Query{Labels: make([]string, ask.MostChoices), Text: long[1:], IDs: []pawl.ID{1, 1, 2}, Refs: []string{"a", "b"}}
	if _, err := board.Ask(t.Context(), ask.Asker{By: ada}, ask.TasksQuery{Query: most}); err != nil {
		t.Errorf("at the limits: %v", err)
	}
}

// A what-if has no more tasks done than one call has requests, and is not asked of
// what is not in it.
func TestAskersAreBounded(t *testing.T) {
	w := newWorld(t)
	w.do(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}}})
	store := &asktest.Counted{Store: w.store}
	board := ask.Local(pawl.NewBoard(store))
	many := ask.Asker{By: ada, AsDone: slices.Repeat([]pawl.ID{1}, pawl.MaxRequests+1)}
	if _, err := board.Ask(t.Context(), many, ask.LanesQuery{}); !errors.Is(err, pawl.Invalid) || store.N != 0 {
		t.Errorf("%v, after %d accesses", err, store.N)
	}
	for what, watch := range map[string]struct {
		who  ask.Asker
		from ask.From
	}{
		"a what-if": {ask.Asker{By: ada, AsDone: []pawl.ID{1}}, ask.From{}},
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
	for _, err := range board.Export(t.Context(), ask.Asker{By: ada, AsDone: []pawl.ID{1}}, pawl.Query{}) {
		if told++; !errors.Is(err, pawl.Invalid) {
			t.Errorf("an export of a what-if: %v", err)
		}
	}
	if told != 1 {
		t.Errorf("an export of a what-if tells %d times", told)
	}
}
