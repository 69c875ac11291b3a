package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// How well a subject fits what was typed, the best first. Upper and lower case
// are the same, and so is any white space.
const (
	wholeTitle = iota
	titleBegins
	titleHas
	titleHasWords // all of them, as whole words or beginnings of words, in any order
	noTitle
)

func titleFit(subject, typed string) int {
	subject, typed = folded(subject), folded(typed)
	switch {
	case subject == typed:
		return wholeTitle
	case strings.HasPrefix(subject, typed):
		return titleBegins
	case strings.Contains(subject, typed):
		return titleHas
	}
	for word := range strings.FieldsSeq(typed) {
		if !strings.Contains(" "+subject, " "+word) {
			return noTitle
		}
	}
	return titleHasWords
}

func folded(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// titled finds the tasks whose subjects fit the typed text best, and how well
// they fit. The text must not be blank.
func (a *app) titled(ctx context.Context, typed string) (tasks []pawl.Task, fit int, err error) {
	longest := ""
	for word := range strings.FieldsSeq(typed) {
		if len(word) > len(longest) {
			longest = word
		}
	}
	fit = noTitle
	if longest == "" || len(longest) > query.MostText {
		return nil, fit, nil
	}
	q := pawl.Query{Text: longest, Brief: true}
	for {
		found, err := asked(ctx, a, query.TasksQuery{Query: q})
		if err != nil {
			return nil, noTitle, err
		}
		for i := range found.Page.Tasks {
			switch this := titleFit(found.Page.Tasks[i].Subject, typed); {
			case this == noTitle || this > fit:
			case this < fit:
				tasks, fit = []pawl.Task{found.Page.Tasks[i]}, this
			default:
				tasks = append(tasks, found.Page.Tasks[i])
			}
		}
		if q.After = found.Page.Next; q.After == nil {
			return tasks, fit, nil
		}
	}
}

// fitting names the tasks that what was typed fits, for a choice of one.
func fitting(typed string, tasks []pawl.Task) *pawl.Error {
	const most = 10
	e := pawl.Errorf(pawl.Invalid, "%q fits %d tasks: which one is meant?", text.Clip(typed, 80), len(tasks))
	if len(tasks) == 1 {
		e = pawl.Errorf(pawl.NotFound, "no task is called %q; the nearest is %s", text.Clip(typed, 80), show.Name(&tasks[0]))
		e.Hint = pawl.Hint{Step: pawl.HintShow, IDs: []pawl.ID{tasks[0].ID}}
		return e
	}
	for i := range tasks {
		e.IDs = append(e.IDs, tasks[i].ID)
		if i < most {
			e.Faults = append(e.Faults, pawl.Fault{Problem: show.Name(&tasks[i])})
		}
	}
	if more := len(tasks) - most; more > 0 {
		e.Faults = append(e.Faults, pawl.Fault{Problem: fmt.Sprintf("and %d more", more)})
	}
	e.Hint = pawl.Hint{Step: pawl.HintShow, IDs: e.IDs}
	return e
}
