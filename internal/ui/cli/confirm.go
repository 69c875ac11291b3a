package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/terminal"
)

// confirm asks the person at the terminal whether something is to be done, unless
// that was said. Its error begins with what has come of it without that.
func (a *app) confirm(yes bool, what, otherwise string) error {
	if yes {
		return nil
	}
	if !a.canAsk() {
		return pawl.Errorf(pawl.Invalid, "%s: cannot ask for confirmation without a terminal", otherwise).
			Say(a.keep("pawl " + strings.Join(append(slices.Clone(a.env.Args), "--yes"), " ")))
	}
	if err := a.flush(); err != nil {
		return err
	}
	fmt.Fprintf(a.env.Stderr, "pawl: %s? [y/N] ", what)
	line, _ := bufio.NewReader(a.env.Stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	return pawl.Errorf(pawl.Invalid, "%s", otherwise)
}

// canAsk reports whether somebody is at a terminal who can be asked.
func (a *app) canAsk() bool {
	return !a.json && terminal.Is(a.env.Stdin) && terminal.Is(a.env.Stdout)
}
