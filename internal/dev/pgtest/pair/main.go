// Command pair runs a PostgreSQL primary and its synchronous standby, for tests that are
// not Go tests. It prints the address of an empty database on them, and ends them when
// its input ends. A line of its input is a command; when it is done the same line is
// printed:
//
//	fail   kill -9 the primary, and let the standby take its place
//	mend   make the server that was killed the standby of the other one
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/pawl-dev/pawl/internal/dev/pgtest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	primary, err := pgtest.New(pgtest.Options{Durable: true})
	if err != nil {
		return err
	}
	defer primary.End()
	standby, err := primary.NewStandby("b")
	if err != nil {
		return err
	}
	defer standby.End()
	if err := primary.Synchronous("ANY 1 (b)", 1); err != nil {
		return err
	}
	database, err := primary.Create("template1")
	if err != nil {
		return err
	}
	fmt.Println(pgtest.Either(database, primary, standby))
	names := map[*pgtest.Cluster]string{primary: "a", standby: "b"}
	do := map[string]func() error{
		"fail": func() error {
			primary.Kill()
			primary, standby = standby, primary
			return primary.Promote()
		},
		"mend": func() error {
			if err := standby.Follow(primary, names[standby]); err != nil {
				return err
			}
			return primary.Synchronous("ANY 1 ("+names[standby]+")", 1)
		},
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		what := do[lines.Text()]
		if what == nil {
			return fmt.Errorf("unknown: %q", lines.Text())
		}
		if err := what(); err != nil {
			return err
		}
		fmt.Println(lines.Text())
	}
	return nil
}
