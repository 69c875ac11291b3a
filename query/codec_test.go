package query_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// Each kind of question is among those that the tests ask, so that a new one is
// tried as the others are.
func TestEachKindIsAsked(t *testing.T) {
	kinds := query.Kinds()
	asked := map[string]bool{}
	for _, q := range questions(3) {
		text, err := query.EncodeQuestion(q)
		must.Do(t, err)
		var kind struct{ Ask string }
		must.Do(t, json.Unmarshal(text, &kind))
		asked[kind.Ask] = true
	}
	for _, kind := range kinds {
		if !asked[kind.Name] {
			t.Errorf("nobody asks %q", kind.Name)
		}
		text, err := query.EncodeQuestion(kind.Question)
		must.Do(t, err)
		if _, err := query.DecodeQuestion(text); err != nil { // an empty list is not null
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, kind := range kinds {
		if _, ages := kind.Answer.(interface{ Age(time.Time) }); !ages && kind.Name != "glance" { // of which hooks remember the age
			t.Errorf("an answer to %q cannot be marked as old", kind.Name)
		}
	}
	if len(kinds) < 13 {
		t.Errorf("%d kinds", len(kinds))
	}
}

// A question is read as it was written or not at all.
func TestQuestionsAreReadStrictly(t *testing.T) {
	for _, c := range []struct{ text, path string }{
		{`{"ask":"find","data":{"Limit":3}}`, "Limit"},
		{`{"ask":"find","data":{"limit":3,"limit":4}}`, "limit"},
		{`{"ask":"find","data":{"limit":null}}`, "limit"},
		{`{"ask":"find","data":{"limit":3.0}}`, "limit"},
		{`{"ask":"find","data":{"verb":["claim"]}}`, "verb"},
		{`{"ask":"history","data":{}}`, "limit"},
		{`{"ask":"tasks","data":{"query":{"order":"best"}}}`, "query.order"},
		{`{"ask":"tasks","data":{"query":{"order":1}}}`, "query.order"},
		{`{"ask":"tasks","data":{"query":{"priority":"huge"}}}`, "query.priority"},
		{`{"ask":"tasks","data":{"query":{"leaseBefore":"soon"}}}`, "query.leaseBefore"},
		{`{"ask":"tasks","data":{"query":{},"quiet":3600}}`, "quiet"},
		{`{"ask":"tasks","data":{"query":{},"poll":{}}}`, "poll"},
		{`{"ask":"graph","data":{"fit":[{"most":1},{"depth":1}]}}`, "fit[1].most"},
		{`{"Ask":"agents","data":{}}`, "Ask"},
		{"{\"ask\":\"find\",\"data\":{\"begun\":\"\xff\"}}", ""},
		{`{"ask":"find","data":` + strings.Repeat(`[`, 40) + strings.Repeat(`]`, 40) + `}`, ""},
		{`{"ask":"find","data":{"begun":"` + strings.Repeat("x", pawl.MaxRequestSize) + `"}}`, ""},
	} {
		q, err := query.DecodeQuestion([]byte(c.text))
		e, ok := errors.AsType[*pawl.Error](err)
		if !ok || e.Kind != pawl.Invalid {
			t.Errorf("%.80s: %v, %v", c.text, q, err)
			continue
		}
		named := c.path == ""
		for _, f := range e.Faults {
			named = named || f.Path == c.path
		}
		if !named {
			t.Errorf("%s: %v does not name %s", c.text, err, c.path)
		}
	}
	good := `{"ask":"tasks","data":{"query":{"status":["pending"],"priority":"high","leaseBefore":"2026-11-21T10:00:00Z","order":"urgency","after":{"rank":{"id":1,"urgency":"low"},"revision":7}},"since":0,"quiet":"48h0m0s"}}`
	high := pawl.High
	want := query.TasksQuery{Query: pawl.Query{
		Status: []pawl.Status{pawl.Pending}, Order: pawl.ByUrgency, Priority: &high, LeaseBefore: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC),
		After: &pawl.Cursor{Rank: pawl.Rank{ID: 1, Urgency: pawl.Low}, Revision: 7},
	}, Quiet: pawl.Duration(48 * time.Hour), Since: new(pawl.Revision)}
	q, err := query.DecodeQuestion([]byte(good))
	if diff := cmp.Diff(query.Question(want), q, cmpopts.IgnoreUnexported(query.TasksQuery{})); err != nil || diff != "" {
		t.Fatal(err, diff)
	}
	if text, err := query.EncodeQuestion(q); err != nil || string(text) != good {
		t.Errorf("%s, %v", text, err)
	}
}

// Whatever comes is a question that is written and read again as it is, or
// refused as Invalid.
func FuzzQuestion(f *testing.F) {
	for _, q := range questions(3) {
		text, err := query.EncodeQuestion(q)
		must.Do(f, err)
		f.Add(text)
	}
	f.Add([]byte(`{"ask":"tasks","data":{"query":{"order":"completion","priority":"low"},"quiet":"1h"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		q, err := query.DecodeQuestion(text)
		if err != nil {
			if !errors.Is(err, pawl.Invalid) {
				t.Fatalf("%v", err)
			}
			return
		}
		again, err := query.EncodeQuestion(q)
		if err != nil {
			t.Fatalf("%#v: %v", q, err)
		}
		back, err := query.DecodeQuestion(again)
		if diff := cmp.Diff(q, back, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(query.TasksQuery{})); err != nil || diff != "" {
			t.Fatalf("%s: %v\n%s", again, err, diff)
		}
		if third, err := query.EncodeQuestion(back); err != nil || !bytes.Equal(again, third) {
			t.Fatalf("%s, then %s, %v", again, third, err)
		}
	})
}

// No text breaks who reads an answer, and one that is read is written and read
// again as it is.
func FuzzAnswer(f *testing.F) {
	w := randomly(f, 3)
	for _, q := range questions(8) {
		answer, err := query.Local(w.board).Ask(f.Context(), query.Asker{By: pawl.Actor{Name: "ada"}}, q)
		if err != nil {
			continue
		}
		text, err := query.EncodeAnswer(answer)
		must.Do(f, err)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		answer, err := query.DecodeAnswer(text)
		if err != nil {
			return
		}
		again, err := query.EncodeAnswer(answer)
		if err != nil {
			return // a task with what no task has
		}
		back, err := query.DecodeAnswer(again)
		if err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		if third, err := query.EncodeAnswer(back); err != nil || !bytes.Equal(again, third) {
			t.Fatalf("%s, then %s, %v", again, third, err)
		}
	})
}

// So are outcomes and news.
func FuzzOutcomeAndNews(f *testing.F) {
	w := randomly(f, 5)
	board := query.Local(w.board)
	o, err := board.Do(f.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}}}}, 255)
	must.Do(f, err)
	seed := func(v any) {
		text, err := json.Marshal(v)
		must.Do(f, err)
		f.Add(text)
	}
	seed(o)
	for news, err := range board.Watch(f.Context(), query.Asker{}, query.From{Names: true}) {
		must.Do(f, err)
		if seed(news); news.Revision == o.Result.Revision && news.Set != nil {
			break
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, into := range []func() any{func() any { return new(query.Outcome) }, func() any { return new(query.News) }, func() any { return new(query.Asker) }, func() any { return new(query.From) }} {
			one, two := into(), into()
			if json.Unmarshal(text, one) != nil {
				continue
			}
			again, err := json.Marshal(one)
			if err != nil {
				continue // a task with what no task has
			}
			if err := json.Unmarshal(again, two); err != nil {
				t.Fatalf("%s: %v", again, err)
			}
			if third, err := json.Marshal(two); err != nil || !bytes.Equal(again, third) {
				t.Fatalf("%s, then %s, %v", again, third, err)
			}
		}
	})
}
