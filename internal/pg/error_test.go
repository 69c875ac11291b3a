package pg

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pawl-dev/pawl"
)

// What counts is the word that PostgreSQL does not translate: where lc_messages is German,
// a warning is a WARNUNG.
func TestSeverityInAnyLanguage(t *testing.T) {
	for _, e := range []*pgconn.PgError{
		{Severity: "PANIK", SeverityUnlocalized: "PANIC", Code: "XX000"},
		{Severity: "致命错误", SeverityUnlocalized: "FATAL", Code: "XX000"},
	} {
		if !Passing(e) {
			t.Errorf("%s (%s) does not end the connection", e.Severity, e.SeverityUnlocalized)
		}
	}
	if Passing(&pgconn.PgError{Severity: "FEHLER", SeverityUnlocalized: "ERROR", Code: "XX000"}) {
		t.Error("an error of a query ends the connection")
	}
	if !warns(&pgconn.Notice{Severity: "WARNUNG", SeverityUnlocalized: "WARNING"}) {
		t.Error("a warning in German is none")
	}
	if warns(&pgconn.Notice{Severity: "HINWEIS", SeverityUnlocalized: "NOTICE"}) {
		t.Error("a notice is a warning")
	}
}

// Who forgot the file with the password is told where it is looked for.
func TestWrongPassword(t *testing.T) {
	d := &Database{shown: "the database team at db:5432"}
	err, ok := errors.AsType[*pawl.Error](d.Error(&pgconn.PgError{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "28P01", Message: `password authentication failed for user "pawl"`}))
	if !ok || err.Kind != pawl.Unavailable || !strings.Contains(err.Hint.Text, "~/.pgpass") {
		t.Errorf("the error is %v", err)
	}
}
