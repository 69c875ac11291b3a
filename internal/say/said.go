package say

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/text"
)

// SaidName is how many characters of a subject are said to the one who did
// something, so that what became ready is in sight, too.
const SaidName = 40

// Outcome tells a person what came of a request: "Completed #1 Set up; ready now:
// #2 Write the parser". It wants [ask.WantNames]. Of several tasks, about is named
// first.
func Outcome(request pawl.Request, outcome *ask.Outcome, about pawl.ID) string {
	result := &outcome.Result
	if !result.Changed {
		return unchanged(request.Op, result.Tasks)
	}
	set := pawl.ChangeSet{By: request.By, Verb: request.Op.Verb(), Changes: result.Changes, Ready: result.Ready}
	names := outcome.Subjects()
	names.Learn(&set)
	return text.Sentence(Telling{Names: names, Asked: about, Most: SaidName, Words: true}.Deed(&set))
}

// unchanged says why an op did nothing.
func unchanged(op pawl.Op, tasks []pawl.Task) string {
	if len(tasks) == 0 {
		return "Nothing changed"
	}
	state := "is so already"
	switch op.(type) {
	case pawl.ClaimTask, pawl.Start:
		state = "is yours already"
	case pawl.Complete:
		state = "is done already"
	case pawl.Reopen:
		state = "is not done"
	case pawl.Release:
		state = "has no owner"
	case pawl.LiftHold:
		state = "is not on hold"
	}
	t := tasks[0]
	t.Subject = text.Clip(t.Subject, SaidName)
	return fmt.Sprintf("Nothing changed: %s %s", Name(&t), state)
}

// Reason is an error in a sentence to a person called name, without the next
// step: "#5 is blocked by #7 (not completed)", "The subject is blank".
func Reason(e *pawl.Error, name string, clock Clock) string {
	s := e.Error()
	if strings.HasPrefix(s, "tasks[") { // of several new ones, which all stand to the same task
		_, s, _ = strings.Cut(s, ": ")
	}
	if len(e.Faults) == 1 { // a person asked for one thing only
		path := e.Faults[0].Path
		if part := strings.LastIndexByte(path, '.'); part >= 0 {
			path = path[part+1:]
		}
		s = strings.TrimSpace("the " + path + " " + e.Faults[0].Problem)
	}
	return text.Sentence(text.Line(ToPerson(e, s, name, clock)))
}
