package pg

import (
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// passwords are addresses that have a password in them, also where package url cannot
// read what the driver can.
var passwords = []string{
	"postgres://u:topsecret@h/d",
	"postgresql://u:topsecret@h/d",
	"POSTGRES://u:topsecret@h/d",
	"postgres://u:top%2Fsecret@h/d",
	"postgres://u:topsecret@a:1,b:2/d",
	"postgres://u:topsecret@[::1]:5432,b/d",
	"postgres://u:topsecret%zz@h/d",
	"postgres://u:top secret@h/d",
	"postgres://u:topsecret@h:port/d",
	"postgres://h/d?password=topsecret",
	"postgres://h/d?PassWord=topsecret",
	"postgres://h/d?user=u&password=topsecret",
	"postgres://h/d?a=%zz&password=topsecret",
	"postgres://h/d?a=b;password=topsecret",
	"postgres://h/d?pass%77ord=topsecret",
	"postgres://a:1,b:2/d?sslpassword=topsecret",
	"postgres://h/d#?password=topsecret",
	" postgres://u:topsecret@h/d",
	"\tpostgres://u:topsecret@h/d",
	"postgres:u:topsecret@h/d",
	"host=h password=topsecret",
	"host=h password = 'topsecret'",
	"host=h\tPASSWORD=topsecret",
	"host=h sslpassword=topsecret",
	"u:topsecret@h/d",
	"postgres://:topsecret#0@h/d",
}

func TestHasPassword(t *testing.T) {
	for _, dsn := range passwords {
		if !HasPassword(dsn) {
			t.Errorf("%q is taken for an address without a password", dsn)
		}
		if shown := Shown(dsn); strings.Contains(shown, "secret") {
			t.Errorf("%q is shown as %q", dsn, shown)
		}
		if _, err := parse(dsn); err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error is %v", dsn, err)
		}
	}
	for _, dsn := range []string{
		"postgres://u@h/d", "postgres://h/d?sslmode=verify-full&sslrootcert=/etc/pawl/ca.crt", "postgres://a:1,b:2/d",
		"postgres://u@[::1]:5432/d", "postgres:///d?host=/run/postgresql", "host=h user=u dbname=d", "postgres://h/d?passfile=/home/u/.pgpass",
		"host=h passfile=/home/u/.pgpass",
	} {
		if HasPassword(dsn) {
			t.Errorf("%q is taken for an address with a password", dsn)
		}
	}
}

// Who names the certificate of an authority that is not there yet is told which file,
// unless what was taken for its path has a password in it.
func TestFileOfAddress(t *testing.T) {
	t.Setenv("PGPASSFILE", "/nonexistent")
	const at = "postgres://h/d?sslmode=verify-full&sslrootcert=/nonexistent/ca.crt"
	if _, err := parse(at); err == nil || !strings.HasSuffix(err.Error(), "cannot be read: /nonexistent/ca.crt: no such file or directory") && runtime.GOOS != "windows" {
		t.Errorf("the error is %v", err)
	}
	if _, err := parse(at + ",password=topsecret"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("the error is %v", err)
	}
}

// Whatever the driver finds a password in, we find one in.
func FuzzHasPassword(f *testing.F) {
	for _, dsn := range passwords {
		f.Add(dsn)
	}
	f.Setenv("PGPASSFILE", "/nonexistent")
	f.Fuzz(func(t *testing.T, dsn string) {
		c, err := pgxpool.ParseConfig(dsn)
		if err != nil || c.ConnConfig.Password == "" {
			return
		}
		if !HasPassword(dsn) {
			t.Errorf("%q has the password %q", dsn, c.ConnConfig.Password)
		}
	})
}
