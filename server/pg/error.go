package pg

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pawl-dev/pawl"
)

// PostgreSQL's error codes that this package tells apart.
const (
	undefinedTable    = "42P01"
	undefinedColumn   = "42703"
	noSchema          = "3F000"
	readOnly          = "25006" // this host is a standby by now
	lockTimeout       = "55P03"
	queryCanceled     = "57014" // by statement_timeout, too
	deadlock          = "40P01"
	serialization     = "40001"
	tooManyClients    = "53300"
	idleInTransaction = "25P03"
	noRight           = "42501"
	noDatabase        = "3D000"
	notUnderstood     = "08P01" // a pooler between, which refuses our settings
	wrongPassword     = "28P01" // or none was found
	notAdmitted       = "28000" // by pg_hba.conf, or there is no such role
)

// Error converts err for callers. An error of Pawl stays as it is; any other becomes
// one that tells what failed, and whether a retry may work.
func (d *Database) Error(err error) error {
	if err == nil {
		return nil
	}
	if own, ok := errors.AsType[*pawl.Error](err); ok {
		return own
	}
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return d.refused(refused)
	}
	if why := untrusted(err); why != "" {
		e := pawl.Errorf(pawl.Unavailable, "%s cannot be reached as its address says: %s", d.shown, why).
			Say("sslmode and sslrootcert of the address, and the host in it, must fit the certificate of PostgreSQL: docs/many-machines.md")
		e.Cause = private("the database cannot be reached as its address says")
		return e
	}
	if old, ok := errors.AsType[leftBehind](err); ok {
		return pawl.Errorf(pawl.Unavailable, "%s cannot be used: %w", d.shown, old).
			Say("let the old primary follow the new one; if a backup was restored there on purpose, remove seen.json from the folder of each server, start them again, and run: pawl serve restored")
	}
	return soon("%s does not answer (%s)", d.shown, reason(err))
}

// Unnamed is [Database.Error] for clients of a server, even without a token: it does
// not tell where the database is.
func (d *Database) Unnamed(err error) error {
	err = d.Error(err)
	e, own := errors.AsType[*pawl.Error](err)
	if why, private := errors.AsType[private](err); private && own {
		return &pawl.Error{Kind: e.Kind, Message: string(why)}
	}
	if !own || !strings.Contains(e.Message, d.shown) {
		return err
	}
	plain := *e
	plain.Message = strings.ReplaceAll(e.Message, d.shown, "the database")
	return &plain
}

// untrusted says why the connection is not as safe as the address asks for; empty: that
// is not what failed.
func untrusted(err error) string {
	if bad, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return bad.Err.Error()
	}
	c, ok := errors.AsType[*pgconn.ConnectError](err)
	if !ok {
		return ""
	}
	tries := []error{c.Unwrap()}
	if all, several := c.Unwrap().(interface{ Unwrap() []error }); several {
		tries = all.Unwrap()
	}
	for _, try := range tries {
		if !strings.Contains(try.Error(), "refused TLS") {
			return "" // with sslmode=prefer it was tried without, too
		}
	}
	return "the server does not speak TLS"
}

// soon is an error after which the same is worth trying again at once.
func soon(format string, args ...any) error {
	return pawl.Errorf(pawl.Unavailable, format, args...).Next(pawl.HintRetry)
}

// private is the cause of an error whose message repeats texts of PostgreSQL or the
// system, which may name users and hosts. A server sends it to clients instead.
type private string

func (p private) Error() string { return string(p) }

// ForClients is the message for a server's clients.
func (p private) ForClients() string { return string(p) }

// refused is the error for a refusal by PostgreSQL: in PostgreSQL's words for the
// server's administrator, and without them for clients.
func (d *Database) refused(e *pgconn.PgError) error {
	err := d.refusal(e)
	own, ok := errors.AsType[*pawl.Error](err)
	if ok && own.Cause == nil && e.Message != "" && strings.Contains(own.Message, e.Message) {
		plain := strings.ReplaceAll(own.Message, d.shown, "the database")
		plain, _, _ = strings.Cut(plain, e.Message)
		own.Cause = private(strings.TrimRight(plain, ": (") + " (SQLSTATE " + e.Code + ")")
	}
	return err
}

func (d *Database) refusal(e *pgconn.PgError) error {
	switch {
	case e.Code == undefinedTable || e.Code == undefinedColumn || e.Code == noSchema:
		return d.unmigrated()
	case e.Code == lockTimeout || e.Code == queryCanceled || e.Code == idleInTransaction:
		return soon("%s did not answer in time (%s)", d.shown, e.Message)
	case e.Code == noRight:
		return pawl.Errorf(pawl.Unavailable, "%s refuses it: %s", d.shown, e.Message).
			Say("tables are made by the role that owns the schema pawl; give the one that serves the rights that docs/many-machines.md names")
	case e.Code == wrongPassword:
		return pawl.Errorf(pawl.Unavailable, "%s refuses the login: %s", d.shown, e.Message).
			Say("the password is taken from a line HOST:PORT:DATABASE:USER:PASSWORD in ~/.pgpass, or the file that PGPASSFILE names, with the host as the address has it")
	case e.Code == notAdmitted:
		return pawl.Errorf(pawl.Unavailable, "%s refuses the login: %s", d.shown, e.Message).
			Say("PostgreSQL needs the role, and in pg_hba.conf a line that lets it in from this machine: docs/many-machines.md")
	case passing(e):
		return soon("%s cannot work now: %s", d.shown, e.Message)
	case strings.HasPrefix(e.Code, "53"), connectionLost(e), closed(e): // a full disk, for one
		return pawl.Errorf(pawl.Unavailable, "%s cannot work now: %s", d.shown, e.Message)
	}
	return pawl.Errorf(pawl.Internal, "%s refused what Pawl asked for: %s (SQLSTATE %s)", d.shown, e.Message, e.Code)
}

// connectionLost reports whether the server ends the connection with this error.
func connectionLost(e *pgconn.PgError) bool {
	return e.SeverityUnlocalized == "FATAL" || e.SeverityUnlocalized == "PANIC" || strings.HasPrefix(e.Code, "08") || strings.HasPrefix(e.Code, "57P")
}

// Passing reports whether the same may work on another connection, or a little later:
// the connection is lost, or its host is not the primary.
func Passing(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return passing(e)
	}
	_, own := errors.AsType[*pawl.Error](err)
	return !own && untrusted(err) == ""
}

func passing(e *pgconn.PgError) bool {
	return connectionLost(e) && !closed(e) || e.Code == readOnly || e.Code == deadlock || e.Code == serialization || e.Code == tooManyClients
}

// closed reports whether the server lets nobody in by this name or with our settings, or
// has no such database.
func closed(e *pgconn.PgError) bool {
	return strings.HasPrefix(e.Code, "28") || e.Code == noDatabase || e.Code == noRight || e.Code == notUnderstood
}

// reason says in a few words why a connection failed, without what only clutters.
func reason(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "the time for an answer is over"
	case errors.Is(err, context.Canceled):
		return "nobody waits for the answer any longer"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
		return "the connection was cut"
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err.Error()
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.Err // the rest names the host, and who was asked for it
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Message
	}
	return "the connection failed"
}
