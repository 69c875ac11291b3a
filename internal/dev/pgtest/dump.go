package pgtest

import (
	"io"
	"regexp"
	"strings"
)

// A Dump is all of a database at one moment, as pg_dump has it.
type Dump string

// Dump dumps a database, given by its address.
func (c *Cluster) Dump(t T, dsn string) Dump {
	t.Helper()
	text, err := c.run("pg_dump", "-Fc", "-d", dsn)
	must(t, err)
	return Dump(text)
}

// Restore replaces a database by a dump: its connections are ended, and new ones to
// the same address get the restored one.
func (c *Cluster) Restore(t T, d Dump, dsn string) {
	t.Helper()
	name := NameOf(dsn)
	must(t, c.Drop(name))
	_, err := c.Query(c.dsn, "CREATE DATABASE "+name)
	must(t, err)
	_, err = c.feed(strings.NewReader(string(d)), "pg_restore", "-d", dsn, "--exit-on-error", "--single-transaction")
	must(t, err)
}

// onlyHere are lines of a script that only the version which wrote it reads: a lock of
// psql's with a random key, and a setting.
var onlyHere = regexp.MustCompile(`(?m)^(\\(un)?restrict .*|SET transaction_timeout .*)\n`)

// Script returns a database as SQL, for any version of PostgreSQL.
func (c *Cluster) Script(t T, dsn string, flags ...string) string {
	t.Helper()
	text, err := c.run("pg_dump", append(flags, "--no-owner", "--no-acl", "--no-toast-compression", "-d", dsn)...)
	must(t, err)
	return onlyHere.ReplaceAllString(text, "")
}

// Load runs SQL in an empty database.
func (c *Cluster) Load(t T, dsn string, sql io.Reader) {
	t.Helper()
	_, err := c.feed(sql, "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-1", "-d", dsn)
	must(t, err)
}
