package file

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// The check finds what a merge should have settled.
func TestCheckMerge(t *testing.T) {
	moved := taskText(15, "Retry hooks", 0, ",\n  \"was\": [12]")
	for _, c := range []struct {
		name  string
		files []string
		want  string // kind, ids
	}{
		{"a ghost", []string{moved, taskText(12, "Retry hooks", 0, "")}, "[ghost [#12 #15]]"},
		{"another task under the number", []string{moved, taskText(12, "Docs", -1, "")}, "[]"},
		{"made at the same moment", []string{moved, taskText(12, "Docs", 0, "")}, "[]"},
		{"renumbered on two sides", []string{moved, taskText(16, "Retry hooks", 0, ",\n  \"was\": [12]")}, "[twice [#16 #15]]"},
		{"moved twice", []string{taskText(18, "Retry hooks", 0, ",\n  \"was\": [12, 15]"), moved}, "[ghost [#15 #18]]"},
		{"a number above all", []string{taskText(2, "Low", 0, ",\n  \"was\": [40]")}, "[counter [#2]]"},
		{"conflict lines", []string{"<<<<<<< HEAD\n{\"id\": 3\n=======\n{\"id\": 3}\n>>>>>>> bob\n"}, "[conflicted [#3]]"},
		{"two tasks in one", []string{taskText(2, "Docs", 0, ",\n  \"merging\": [{\"id\": 2, \"subject\": \"Hooks\"}]")}, "[merging [#2]]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := board(t)
			for _, text := range c.files {
				id := pawl.ID(3)
				if task, ok := decodeTask([]byte(text)); ok {
					id = task.ID
				}
				d.put(taskName(id), text)
			}
			problems, err := simStore(t, d.process()).Check(context.Background())
			got := []string{}
			for _, p := range problems {
				got = append(got, fmt.Sprintf("%s %v", p.Kind, p.IDs))
				if p.Text == "" || p.Mend == "" || p.File == "" {
					t.Errorf("%+v says too little", p)
				}
			}
			if said := "[" + strings.Join(got, " ") + "]"; err != nil || said != c.want {
				t.Errorf("the check finds %s, want %s; %+v, %v", said, c.want, problems, err)
			}
		})
	}
}

// A number that a task once had is not given again, also where nothing else tells of it.
func TestFormerNumbersStay(t *testing.T) {
	d := board(t)
	d.put(taskName(2), taskText(2, "Low", 0, ",\n  \"was\": [40]"))
	do(t, d, create("next"))
	if see(t, d)[41].Subject != "next" {
		t.Errorf("the board is %v", see(t, d))
	}
}
