package pg

import (
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pawl-dev/pawl"
)

// leastVersion is the oldest PostgreSQL that Pawl works with.
const leastVersion = 13

// fits refuses a database in which boards would not be safe. PostgreSQL reports its
// version and encoding at the start of each connection; a pooler that does not pass them
// on is not refused.
func (d *Database) fits(conn *pgconn.PgConn) error {
	return d.accept(conn.ParameterStatus("server_version"), conn.ParameterStatus("server_encoding"))
}

func (d *Database) accept(version, encoding string) error {
	digits := version
	if end := strings.IndexFunc(version, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		digits = version[:end]
	}
	if n, err := strconv.Atoi(digits); err == nil && n < leastVersion {
		return pawl.Errorf(pawl.Invalid, "%s runs PostgreSQL %s, and Pawl needs %d or newer", d.shown, version, leastVersion).
			Say("update PostgreSQL, or name a database of a newer one")
	}
	if encoding != "" && encoding != "UTF8" {
		return pawl.Errorf(pawl.Invalid, "%s has the encoding %s, which cannot keep all texts; Pawl needs UTF8", d.shown, encoding).
			Say("make another one: create database NAME encoding 'UTF8' template template0")
	}
	return nil
}
