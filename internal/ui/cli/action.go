package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl/internal/manual"
)

// An action is one of the things that a verb does: pawl todo add.
type action[R any] struct {
	name, use, short string
	min, max         int      // arguments; max -1: any
	flags            []string // those of the verb that are not for all of its actions
	run              func(r R, ctx context.Context, args []string) error
}

type actions[R any] []action[R]

// find returns the action with a name; nil: there is none.
func (all actions[R]) find(name string) *action[R] {
	if i := slices.IndexFunc(all, func(do action[R]) bool { return do.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// section explains the actions.
func (all actions[R]) section(title string) manual.Section {
	s := manual.Section{Title: title}
	for i := range all {
		s.Terms = append(s.Terms, manual.Term{Word: all[i].line(), Meaning: all[i].short})
	}
	return s
}

func (do *action[R]) line() string { return strings.TrimSpace(do.name + " " + do.use) }

// takes reports whether an action takes so many arguments.
func (do *action[R]) takes(n int) bool { return n >= do.min && (do.max < 0 || n <= do.max) }

// check holds arguments and flags to what an action of a verb takes.
func (all actions[R]) check(verb string, do *action[R], cmd *cobra.Command, args []string) error {
	first, _, _ := strings.Cut(verb, " ")
	for _, other := range all {
		for _, name := range other.flags {
			if cmd.Flags().Changed(name) && !slices.Contains(do.flags, name) {
				return usage(first, "%s %s has no --%s", verb, do.name, name)
			}
		}
	}
	if !do.takes(len(args)) {
		return usage(first, "usage: pawl %s %s", verb, do.line())
	}
	return nil
}
