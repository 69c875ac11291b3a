package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// completing reports whether a shell asks what could stand where the cursor is:
// then the arguments are those of a hidden command before the line so far.
func completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// A suggestion is for the word that has been begun; args are the words before it.
type suggestion func(a *app, v verb, ctx context.Context, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective)

// suggestionFor returns the suggestion for what the usage of a verb or of a flag
// calls a value; nil: there is none.
func suggestionFor(value string) suggestion {
	switch value {
	case "ID":
		return suggestTasks
	case "ID,ID":
		return several(suggestTasks)
	case "LABEL":
		return suggestLabels
	case "NAME":
		return suggestNames
	case "LEVEL":
		return words("high", "medium", "low")
	case "STATUS":
		return several(words("pending", "in_progress", "completed"))
	case "COMMAND":
		return suggestVerbs
	case "CHECK":
		return suggestChecks
	case "CRITERION":
		return suggestCriteria
	case "SHELL":
		return words(shells...)
	case "ACTION":
		return suggestActions
	case "AGENT":
		return suggestAgents
	case "POS":
		return suggestTodo
	case "FILE":
		return files
	case "FOLDER", "DIR":
		return folders
	}
	return nil
}

// mostSuggested bounds what a shell is given to show.
const mostSuggested = 200

// suggest fits the command of a verb with suggestions for its arguments and
// flags, where there are any: else a shell would propose files.
func (v verb) suggest(a *app, cmd *cobra.Command) {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if v.max >= 0 && len(args) >= v.max {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		value := v.argument(len(args))
		if v.name == holdVerb.name && a.switched("--lift") {
			value = "ID" // none is a reason
		}
		return a.suggestFor(v, cmd.Context(), value, args, begun)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		value, meaning := valueOf(f)
		f.Usage = meaning
		if _, has := cmd.GetFlagCompletionFunc(f.Name); !has && value != "" {
			a.suggestFlag(cmd, f.Name, value)
		}
	})
}

// suggestEverywhere fits the flags of every verb with suggestions, and what they
// mean.
func (a *app) suggestEverywhere(root *cobra.Command) {
	a.suggests, a.brief = true, true
	for _, term := range everyVerb {
		name, value, takes := strings.Cut(strings.TrimPrefix(term.Word, "--"), " ")
		root.PersistentFlags().Lookup(name).Usage = term.Meaning
		if name == "session" {
			value = "" // its ID is not that of a task
		}
		if takes {
			a.suggestFlag(root, name, value)
		}
	}
}

// suggestFlag is for a flag whose value has this name.
func (a *app) suggestFlag(cmd *cobra.Command, flag, value string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return a.suggestFor(verb{}, cmd.Context(), value, args, begun)
	})
	if err != nil {
		panic(err) // there is no such flag, or it has suggestions already
	}
}

func (a *app) suggestFor(v verb, ctx context.Context, value string, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if s := suggestionFor(value); s != nil {
		return s(a, v, ctx, args, begun)
	}
	if strings.Contains(value, "|") {
		return words(strings.Split(value, "|")...)(a, v, ctx, args, begun)
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// argument is what the verb's usage calls its argument number i: ID.
func (v verb) argument(i int) string {
	last := ""
	for j, word := range strings.Fields(v.use) {
		word = strings.Trim(word, "[]")
		if word == "flags" || strings.HasPrefix(word, "-") {
			break
		}
		many := strings.HasSuffix(word, "...")
		last = strings.TrimSuffix(word, "...")
		if j == i || many {
			return last
		}
	}
	return ""
}

// peek asks the board. Where there is none, or it cannot be read, the answer is
// empty: a shell has no use for an error.
func peek[A any](ctx context.Context, a *app, q query.Asks[A]) (none A) {
	if place, err := a.place(); err != nil || !place.Exists {
		return none
	}
	answer, err := asked(ctx, a, q)
	if err != nil {
		return none
	}
	return answer
}

// suggestTasks are the tasks that the verb could be about, with their subjects.
func suggestTasks(a *app, v verb, ctx context.Context, args []string, begun string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	if strings.Trim(begun, "0123456789") == "" {
		for _, row := range peek(ctx, a, a.candidates(v.name, begun)).Rows {
			if id := strconv.FormatInt(int64(row.ID), 10); !slices.Contains(args, id) {
				found = append(found, cobra.CompletionWithDesc(id, text.Line(text.Clip(row.Subject, 60))))
			}
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// candidates asks for the tasks that a verb could be about. Other verbs, and
// flags, can be about any open task.
func (a *app) candidates(verb, begun string) query.FindQuery {
	q := query.FindQuery{Begun: begun}
	switch {
	case verb == "claim" && a.switched("--renew"):
		q.Verb = pawl.VerbRenew
	case verb == "hold" && a.switched("--lift"):
		q.Verb = pawl.VerbLift
	case verb == "claim", verb == "release", verb == "reopen":
		q.Verb = verb
	case verb == "done":
		q.Verb = pawl.VerbComplete
	case verb == "rm", verb == "log":
		q.Done = true
	}
	return q
}

func suggestLabels(a *app, _ verb, ctx context.Context, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return suggestTexts(peek(ctx, a, openFacets).Labels, begun)
}

func suggestNames(a *app, _ verb, ctx context.Context, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return suggestTexts(peek(ctx, a, openFacets).Owners, begun)
}

// openFacets asks what labels and owners open tasks have.
var openFacets = query.FacetsQuery{Tasks: pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}}}

// suggestTexts are what tasks say. A word that a shell or a terminal could stumble
// over is left out.
func suggestTexts(facets []query.Facet[string], begun string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, f := range facets {
		if f.With > 0 {
			found = suggestText(found, f.Value, begun)
		}
	}
	slices.Sort(found)
	return found[:min(len(found), mostSuggested)], cobra.ShellCompDirectiveNoFileComp
}

// suggestText adds what a task says, if it goes on as begun.
func suggestText(found []cobra.Completion, said, begun string) []cobra.Completion {
	if strings.HasPrefix(said, begun) && text.Line(said) == said && !strings.ContainsAny(said, "\t") {
		found = append(found, said)
	}
	return found
}

func suggestVerbs(_ *app, _ verb, _ context.Context, _ []string, begun string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	for v := range listed {
		if strings.HasPrefix(v.name, begun) {
			found = append(found, cobra.CompletionWithDesc(v.name, v.short))
		}
	}
	if strings.HasPrefix(allVerbs, begun) {
		found = append(found, cobra.CompletionWithDesc(allVerbs, "every command, flags and exit codes"))
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// words suggests those that are not there yet.
func words(list ...string) suggestion {
	return func(_ *app, _ verb, _ context.Context, args []string, begun string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
		for _, word := range list {
			if strings.HasPrefix(word, begun) && !slices.Contains(args, word) {
				found = append(found, word)
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// several suggests for the last word of a list with commas.
func several(one suggestion) suggestion {
	return func(a *app, v verb, ctx context.Context, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		comma := strings.LastIndexByte(begun, ',') + 1
		before := begun[:comma]
		found, directive := one(a, v, ctx, append(args, strings.Split(before, ",")...), begun[comma:])
		for i := range found {
			found[i] = before + found[i]
		}
		return found, directive
	}
}

// suggestActions are for the verbs that can do several things.
func suggestActions(a *app, v verb, ctx context.Context, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if v.name == todoVerb.name {
		return suggestTodo(a, v, ctx, args, begun)
	}
	return suggestConfig(a, v, ctx, args, begun)
}

func files(*app, verb, context.Context, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func folders(*app, verb, context.Context, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}
