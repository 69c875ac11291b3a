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

// Restore puts what a dump has in the place of a database: who is connected to it is
// thrown out, and finds the other one at the same address.
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
