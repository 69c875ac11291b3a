package show

import (
	"context"
	"errors"
	"strings"
	"time"

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

// ToPerson says the text of an error as a person called name would: of who has
// the task, the time is the reader's, and the session is told only of a
// namesake, to whom it makes the difference.
//
//	#2 is claimed by bob (session 3281.2582673) until 2026-11-21T13:03:07Z
//	#2 is claimed by bob until 14:03 CET
func ToPerson(e *pawl.Error, text, name string, clock Clock) string {
	for i := range e.Workers {
		if until := e.Workers[i].Claim.Until; !until.IsZero() {
			text = strings.Replace(text, " until "+until.Format(time.RFC3339), " until "+clock.Spell(until), 1)
		}
	}
	if !e.Since.IsZero() {
		text = strings.Replace(text, e.Since.UTC().Format(time.RFC3339), clock.Spell(e.Since), 1)
	}
	if e.Holder == nil {
		return text
	}
	claim := &e.Holder.Claim
	session := ""
	if e.Holder.Name == name {
		session = " in another session"
	}
	text = strings.Replace(text, " (session "+inBrief(claim.Session)+")", session, 1)
	if claim.Until.IsZero() {
		return text
	}
	return strings.Replace(text, claim.Until.Format(time.RFC3339), clock.Spell(claim.Until), 1)
}

// inBrief is as much of a session as an error tells.
func inBrief(session string) string {
	const most = 60
	if runes := []rune(session); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return session
}

// InTheWay says which change by whom is in the way of taking one back, where an
// undo was refused for it: "carol claimed #1 Set up from ada". It is empty where
// none is, and the error says why.
func InTheWay(ctx context.Context, b query.Board, who query.Asker, refused error) string {
	e, ok := errors.AsType[*pawl.Error](refused)
	if !ok || e.Revision == 0 {
		return ""
	}
	h, err := query.Of(ctx, b, who, query.HistoryQuery{At: e.Revision})
	if err != nil || e.Undoes != 0 && h.Sets[0].Undoes == e.Undoes {
		return ""
	}
	told := h.Told(0)
	return TellOne(told).Line(&told.Set)
}

// TellOne is how one set is told to the person who asked for it, without the
// tasks that became ready.
func TellOne(t *query.Told) Telling {
	t.Set.Ready = nil // was told before
	return Telling{Names: t.Names, Most: SaidName, Words: true, Undid: t.Undid}
}
