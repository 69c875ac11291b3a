package file

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// The check names an open task whose checks or criteria cannot be read, with the place in
// its file: nothing but a person completes it.
func TestUnreadableChecks(t *testing.T) {
	asked := pawl.NewTask{Checks: []pawl.Check{{Name: "unit", Run: []string{"unit"}}}, Accept: []string{"It is so"}}
	var op pawl.Create
	for _, subject := range []string{"sound", "checks", "criteria", "completed", "nothing asked"} {
		asked.Subject = subject
		op.Tasks = append(op.Tasks, asked)
	}
	op.Tasks[4].Checks, op.Tasks[4].Accept = nil, nil
	d := board(t, op, pawl.Complete{IDs: []pawl.ID{4}, Unchecked: "a test"})
	d.edit(t, 2, `"run": ["unit"]`, `"run": {"x": "unit"}`)
	d.edit(t, 3, `"It is so"`, `"It is so", 7`)
	d.edit(t, 4, `"run": ["unit"]`, `"run": {"x": "unit"}`)
	problems, err := simStore(t, d.process()).Check(context.Background())
	must.Do(t, err)
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprintf("%s %v %s", p.Kind, p.IDs, p.File))
		text := strings.Split(d.text(p.File), "\n")
		if p.Line < 1 || p.Line > len(text) || p.Column < 1 || p.Column > len(text[p.Line-1]) || !strings.Contains("{7", text[p.Line-1][p.Column-1:p.Column]) {
			t.Errorf("the place is %d:%d of\n%s", p.Line, p.Column, d.text(p.File))
		}
		if !strings.Contains(p.Mend, fmt.Sprintf("pawl done %d --unchecked", p.IDs[0])) {
			t.Errorf("the next step is %q", p.Mend)
		}
	}
	if want := []string{"unreadable [#2] task_2.json", "unreadable [#3] task_3.json"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
