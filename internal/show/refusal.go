package show

import (
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

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
