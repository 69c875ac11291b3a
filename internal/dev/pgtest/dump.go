package pgtest

import "strings"

// A Dump is all of a database at one moment, as pg_dump has it.
type Dump string

// Dump dumps a database, given by its address.
func (c *Cluster) Dump(t T, dsn string) Dump {
	t.Helper()
	text, err := c.run("pg_dump", "-Fc", "-d", dsn)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return Dump(text)
}

// Restore replaces a database by a dump: its connections are ended, and new ones to
// the same address get the restored one.
func (c *Cluster) Restore(t T, d Dump, dsn string) {
	t.Helper()
	name := NameOf(dsn)
	err := c.Drop(name)
	if err == nil {
		_, err = c.Query(c.dsn, "CREATE DATABASE "+name)
	}
	if err == nil {
		_, err = c.feed(strings.NewReader(string(d)), "pg_restore", "-d", dsn, "--exit-on-error", "--single-transaction")
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
}
