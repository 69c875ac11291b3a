package show

import (
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// SaidName is how many characters of a subject are said to the one who did
// something, so that what became ready is in sight, too.
const SaidName = 40

// Outcome tells a person what came of a request: "Completed #1 Set up; ready now:
// #2 Write the parser". It wants [query.WantNames] and [query.WantAlready]. Of several
// tasks, about is named first.
func Outcome(request pawl.Request, outcome *query.Outcome, about pawl.ID, clock Clock) string {
	result := &outcome.Result
	if !result.Changed {
		if len(result.Tasks) > 0 {
			if why := Already(request.Op, outcome, &result.Tasks[0], clock); why != "" {
				return why
			}
		}
		return "Nothing changed"
	}
	set := pawl.ChangeSet{By: request.By, Verb: request.Op.Verb(), Changes: result.Changes, Ready: result.Ready}
	names := outcome.Subjects()
	names.Learn(&set)
	return text.Sentence(Telling{Names: names, Asked: about, Most: SaidName, Words: true}.Deed(&set))
}

// Reason is an error in a sentence to a person called name, without the next
// step: "#5 is blocked by #7 (not completed)", "The subject is blank".
func Reason(e *pawl.Error, name string, clock Clock) string {
	s := e.Error()
	if strings.HasPrefix(s, "tasks[") { // of several new ones, which all stand to the same task
		_, s, _ = strings.Cut(s, ": ")
	}
	if e.Kind == pawl.Unmet && len(e.Faults) > 0 { // what is wrong with the task, not with what was asked
		why := make([]string, len(e.Faults))
		for i, f := range e.Faults {
			why[i] = strings.TrimSpace(f.Path + " " + f.Problem)
		}
		s = e.Message + ": " + strings.Join(why, ", ")
	} else if len(e.Faults) == 1 { // a person asked for one thing only
		path := e.Faults[0].Path
		if part := strings.LastIndexByte(path, '.'); part >= 0 {
			path = path[part+1:]
		}
		s = strings.TrimSpace("the " + path + " " + e.Faults[0].Problem)
	}
	return text.Sentence(text.Line(ToPerson(e, s, name, clock)))
}
