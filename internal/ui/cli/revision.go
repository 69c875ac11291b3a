package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// revisionValue is a flag with a revision, as log prints it or in full.
type revisionValue pawl.Revision

// revisionFlag adds a flag with the revision after which changes are meant.
func revisionFlag(flags *pflag.FlagSet, name, says string) *pawl.Revision {
	rev := new(pawl.Revision)
	flags.Var((*revisionValue)(rev), name, says)
	return rev
}

func (v *revisionValue) Set(s string) error {
	rev, ok := query.ParseRevision(s)
	if !ok {
		return errors.New("it is not a revision such as @3: pawl log shows them")
	}
	*v = revisionValue(rev)
	return nil
}

func (v *revisionValue) String() string { return strconv.FormatInt(int64(*v), 10) }

func (*revisionValue) Type() string { return "revision" }

// parseRevisions reads revisions as log prints them.
func parseRevisions(verb string, args []string) ([]pawl.Revision, error) {
	var revisions []pawl.Revision
	for _, arg := range args {
		rev, ok := query.ParseRevision(arg)
		if !ok || rev == 0 {
			return nil, usage(verb, "%q is not a change: pawl log shows them, such as @3", text.Clip(arg, 40))
		}
		revisions = append(revisions, rev)
	}
	return revisions, nil
}

// asShort lets an error about full revisions that the board never had hint at the
// changes that log shows with these numbers, if there are such: @12 for 12.
func (a *app) asShort(ctx context.Context, err error, typed ...string) error {
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok || e.Kind != pawl.NotFound && e.Kind != pawl.Gone {
		return err
	}
	head, failed := asked(ctx, a, query.ResolveQuery{})
	if failed != nil {
		return err
	}
	_, words := split(a.env.Args)
	words = slices.Clone(words)
	one := ""
	for i, word := range words {
		before, number := "", word
		if flag, value, has := strings.Cut(word, "="); has {
			before, number = flag+"=", value
		}
		n, bad := strconv.ParseInt(number, 10, 64)
		if bad != nil || !slices.Contains(typed, number) {
			continue
		}
		if n <= 0 || pawl.Revision(n) > head.Revision-head.Origin {
			return err
		}
		one, words[i] = number, before+"@"+number
	}
	if one == "" {
		return err
	}
	return &pawl.Error{
		Kind: e.Kind, Message: "numbers of changes are written with an @: @" + one, Cause: e,
		Hint: pawl.Hint{Step: pawl.HintSay, Text: commandLine("pawl", words...)},
	}
}

// shorts writes revisions as arguments, as people read them.
func shorts(origin pawl.Revision, revisions []pawl.Revision) string {
	words := make([]string, len(revisions))
	for i, rev := range revisions {
		words[i] = rev.Short(origin)
	}
	return strings.Join(words, " ")
}
