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
