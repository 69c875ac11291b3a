package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
)

// A DatabaseHealth is what a database, and the way to it, are like.
type DatabaseHealth struct {
	Answers  bool             `json:"answers"`            // it answers, and has the tables that this pawl needs
	Version  string           `json:"version,omitempty"`  // of PostgreSQL
	Level    int64            `json:"level,omitempty"`    // of the tables
	Millis   float64          `json:"ms,omitempty"`       // how long an empty question takes
	TLS      bool             `json:"tls,omitempty"`      // the connection has TLS
	Clock    int64            `json:"clock,omitempty"`    // by how many milliseconds its clock is ahead of this machine's
	Standbys int              `json:"standbys,omitempty"` // that are attached
	Sync     int              `json:"sync,omitempty"`     // those that a commit waits for, as far as this user may know
	Advice   []DatabaseAdvice `json:"advice,omitempty"`   // what could be better; what loses changes is among problems

	Dangers []DatabaseAdvice `json:"-"` // by which acknowledged changes can be lost
}

// DatabaseAdvice is something that its administrator should know.
type DatabaseAdvice struct {
	Text string `json:"text"` // one sentence, for people
	Next string `json:"next"` // what to do
}

// databaseHealth asks the database of a board; nil: the board is in none.
func (a *app) databaseHealth(ctx context.Context, place *project.Board) (*DatabaseHealth, []pawl.Problem) {
	if !place.InDatabase() || a.env.Host == nil {
		return nil, nil
	}
	h, err := a.env.Host.Health(ctx, place.Address)
	if err != nil {
		mend := ""
		if e, ok := errors.AsType[*pawl.Error](err); ok {
			mend = a.hintFor(e)
		}
		return &DatabaseHealth{}, []pawl.Problem{{Kind: "database", Text: plainError(err), Mend: mend}}
	}
	var found []pawl.Problem
	for _, danger := range h.Dangers {
		found = append(found, pawl.Problem{Kind: "database", Text: danger.Text, Mend: danger.Next})
	}
	h.Answers = true
	return &h, found
}

// tellDatabase is a line about a database that answers, and what could be better:
//
//	PostgreSQL 15.14 answers in 0.42 ms, with TLS; tables of level 5; 2 standbys, 1 of them synchronous
//	autovacuum is off: the tables grow, and requests become slow
//	  advice: set autovacuum = on in postgresql.conf, then: select pg_reload_conf()
func (a *app) tellDatabase(h *DatabaseHealth) {
	if h == nil || !h.Answers {
		return
	}
	tls := map[bool]string{true: "with TLS", false: "without TLS"}[h.TLS]
	standbys := "no standby"
	if h.Standbys > 0 {
		standbys = fmt.Sprintf("%s, %d of them synchronous", text.Count(h.Standbys, "standby", "standbys"), h.Sync)
	}
	a.print("PostgreSQL %s answers in %.2f ms, %s; tables of level %d; %s\n", text.Line(text.Clip(h.Version, 60)), h.Millis, tls, h.Level, standbys)
	for _, one := range h.Advice {
		a.print("%s\n  advice: %s\n", text.Line(one.Text), text.Line(one.Next))
	}
}
