package pg

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// openPassfile is the file that the password of a DSN was taken from, if others than its
// owner may use it. PostgreSQL's own programs pass over such a file; the driver does not.
func openPassfile(dsn string, c *pgxpool.Config) string {
	if runtime.GOOS == "windows" || c.ConnConfig.Password == "" || os.Getenv("PGPASSWORD") != "" || HasPassword(dsn) || strings.Contains(dsn, "passfile") {
		return ""
	}
	path := os.Getenv("PGPASSFILE")
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		path = filepath.Join(home, ".pgpass")
	}
	if is, err := os.Stat(path); err != nil || !is.Mode().IsRegular() || is.Mode().Perm()&0o077 == 0 {
		return ""
	}
	return path
}

// Exposed says that others may read or write the file with the password; empty: they may
// not, or the password is from elsewhere.
func (d *Database) Exposed() (text, next string) {
	if d.passfile == "" {
		return "", ""
	}
	return "others on this machine may read or change " + d.passfile + ", which has the password of the database", "chmod 600 " + d.passfile
}
