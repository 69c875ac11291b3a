package todo

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// single is a store for one list, and hands out what it may.
type single struct{ list List }

func (s *single) Load(context.Context, Key) (List, error) { return s.list.Clone(), nil }
func (s *single) Update(_ context.Context, _ Key, fn func(*List) error) (List, error) {
	next := s.list.Clone()
	if err := fn(&next); err != nil {
		return List{}, err
	}
	s.list = next.Clone()
	return next, nil
}
func (s *single) Lists(context.Context, time.Time) ([]Head, error) { return nil, nil }
func (s *single) Remove(context.Context, Key) error                { return nil }
func (s *single) Problems() []string                               { return nil }

// What other todo tools do with an input, and what Pawl does: the same, or
// something else for a reason.
func TestCases(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.json")
	must.Do(t, err)
	var cases []struct {
		ID     string `json:"id"`
		Writes []struct {
			Todos json.RawMessage `json:"todos"`
			Merge bool            `json:"merge"`
		} `json:"writes"`
		Diff   bool   `json:"diff"`   // it is about what changed
		Stored bool   `json:"stored"` // it is about what is kept
		Theirs string `json:"theirs"` // the list, or "error"
		Pawl   string `json:"pawl"`   // the list, or "error: " and the faults
		Why    string `json:"why"`    // where Pawl differs
	}
	must.Do(t, json.Unmarshal(text, &cases))
	if len(cases) < 40 {
		t.Fatalf("only %d cases were found", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			service := New(&single{}, func() time.Time { return time.UnixMilli(0) })
			var got string
			for _, write := range c.Writes {
				var w Written
				draft, err := Decode(write.Todos, write.Merge)
				if err == nil {
					w, err = service.Write(t.Context(), Key{}, draft, Writing{Merge: write.Merge})
				}
				switch {
				case err != nil:
					got = strings.Replace(err.Error(), "Invalid todo data", "error", 1)
				case c.Diff:
					got = w.Diff.String()
				case c.Stored:
					got = brief(w.List.Items)
				default:
					got = brief(w.New)
				}
			}
			got = strings.TrimSpace(got)
			if diff := cmp.Diff(c.Pawl, got); diff != "" {
				t.Errorf("not as it was (-want +got):\n%s", diff)
			}
			refused, _, _ := strings.Cut(got, ":")
			same := got == c.Theirs || c.Theirs == "error" && refused == "error"
			if same == (c.Why != "") {
				t.Errorf("theirs is %q, ours is %q, and the reason for a difference is %q", c.Theirs, got, c.Why)
			}
		})
	}
}
