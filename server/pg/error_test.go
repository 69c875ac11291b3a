package pg

import (
	"crypto/tls"
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

// Who forgot the file with the password is told where it is looked for, and who is not let in,
// where PostgreSQL decides that.
func TestRefusedLogin(t *testing.T) {
	d := &Database{shown: "the database team at db:5432"}
	for code, hint := range map[string]string{"28P01": "~/.pgpass", "28000": "pg_hba.conf"} {
		err, ok := errors.AsType[*pawl.Error](d.Error(&pgconn.PgError{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: code, Message: "m"}))
		if !ok || err.Kind != pawl.Unavailable || !strings.Contains(err.Hint.Text, hint) || !strings.Contains(err.Message, "refuses the login: m") {
			t.Errorf("the error is %v", err)
		}
	}
}

// A server's client reads no level of tables and no command of its administrator.
func TestTablesForClients(t *testing.T) {
	d := &Database{shown: "the database team at db:5432"}
	if told := d.Unnamed(d.unmigrated()); !strings.HasPrefix(told.Error(), "the server's program does not fit") || pawl.KindOf(told) != pawl.Invalid {
		t.Errorf("a client is told %v", told)
	}
}

// What PostgreSQL and a certificate say names users and hosts, which whoever runs the server
// reads, and no client: a client may have no token.
func TestRefusalsForClients(t *testing.T) {
	d := &Database{shown: "the database team at db.example.org:5432"}
	for _, cause := range []error{
		&pgconn.PgError{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "28000", Message: `no pg_hba.conf entry for host "10.0.0.5", user "pawl", database "team"`},
		&pgconn.PgError{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "28P01", Message: `password authentication failed for user "pawl" from 10.0.0.5`},
		&pgconn.PgError{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "3D000", Message: `database "team" does not exist for pawl`},
		&pgconn.PgError{Severity: "ERROR", SeverityUnlocalized: "ERROR", Code: "42501", Message: `permission denied for pawl of 10.0.0.5`},
		&pgconn.PgError{Severity: "ERROR", SeverityUnlocalized: "ERROR", Code: "XX000", Message: `the file of pawl at 10.0.0.5`},
		&pgconn.PgError{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "53300", Message: `too many connections for role "pawl" of 10.0.0.5`},
		&tls.CertificateVerificationError{Err: errors.New("certificate is valid for pawl at 10.0.0.5")},
	} {
		err := d.Error(cause)
		if text := err.Error(); !strings.Contains(text, "pawl") || !strings.Contains(text, "10.0.0.5") && !strings.Contains(text, "does not exist") {
			t.Errorf("whoever runs the server is told %q", text)
		}
		told := d.Unnamed(cause)
		of, private := errors.AsType[interface {
			error
			ForClients() string
		}](err)
		if !private {
			t.Errorf("%v has no other words for clients", err)
			continue
		}
		if pawl.KindOf(told) != pawl.KindOf(err) {
			t.Errorf("%v is %v for clients", err, told)
		}
		for _, text := range []string{told.Error(), of.ForClients()} {
			if !strings.HasPrefix(text, "the database ") || strings.Contains(text, "pawl") || strings.Contains(text, "10.0.0.5") || strings.Contains(text, "example.org") {
				t.Errorf("a client is told %q", text)
			}
		}
	}
}
