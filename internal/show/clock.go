package show

import "time"

// A Clock spells moments for one who looks at it now. The zero value is for
// programs, and spells each alike.
//
//	14:03 CET              today, where the reader is
//	2026-11-20 14:03 CET   on another day
//	2026-11-20 13:03:07 UTC   for programs
type Clock struct {
	Now  time.Time
	Zone *time.Location // the reader's; nil: a program's
}

// person reports whether the one who looks is a person: they have no use for
// tokens and sessions, nor for how a file spells what it says.
func (c Clock) person() bool { return c.Zone != nil }

// Spell says when something happened, or will; it is empty without a time.
func (c Clock) Spell(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	if c.Zone == nil {
		return at.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	at = at.In(c.Zone)
	if at.Format(time.DateOnly) == c.Now.In(c.Zone).Format(time.DateOnly) {
		return at.Format("15:04 MST")
	}
	return at.Format("2006-01-02 15:04 MST")
}
