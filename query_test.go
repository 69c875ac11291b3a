package pawl_test

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// A page is what the query asks for, whoever makes it: a store need only find
// what matches.
func TestPaginate(t *testing.T) {
	tasks := []pawl.Task{{ID: 2, Subject: "two", Description: "long"}, {ID: 1, Subject: "one"}}
	q := pawl.Query{Brief: true}
	page := q.Paginate(tasks, 7)
	if len(page.Tasks) != 2 || page.Tasks[0].ID != 1 || page.Tasks[1].Subject != "two" || page.Tasks[1].Description != "" {
		t.Errorf("%+v", page)
	}
	text, err := pawl.Encode(q.Paginate(nil, 7))
	if err != nil || !strings.Contains(string(text), `"tasks":[]`) {
		t.Errorf("an empty page is %s, %v", text, err)
	}
}

// A span has the sets between its ends that are what it asks for.
func TestSpanHas(t *testing.T) {
	set := &pawl.ChangeSet{Revision: 5, Undoes: 3, Changes: []pawl.Change{{ID: 7}}}
	for span, want := range map[pawl.Span]bool{
		{}: true, {After: 4}: true, {After: 5}: false, {Before: 6}: true, {Before: 5}: false,
		{Task: 7}: true, {Task: 8}: false, {Undos: true}: true, {After: 4, Before: 6, Task: 7, Undos: true, Backward: true}: true,
	} {
		if got := span.Has(set); got != want {
			t.Errorf("%+v: %v", span, got)
		}
	}
	if (pawl.Span{Undos: true}).Has(&pawl.ChangeSet{Revision: 5}) {
		t.Error("what is no undo is one")
	}
}
