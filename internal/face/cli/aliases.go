package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// commandAliases says with which command line of ours one gets what others have a word
// for, so that users of git, gh and other trackers need not look it up:
//
//	$1 $2   an argument
//	$2*     those behind the first, as one text
//	$*      the others, as one text
//	$,      the others, as a list with commas
//	$@      the others, as they are; there may be none
//	a or b  b, where there are too few arguments for a
//
// What has two meanings here is in [eitherOf], and what depends on the board in
// [app.asItIs].
var commandAliases = []struct{ words, form string }{
	{"create, new", "add $*"},
	{"todos, checklist", "todo $@"},
	{"edit, set, modify, change", "update $@"},
	{"rename, retitle", "update $1 --subject $*"},
	{"describe", "update $1 --desc $*"},
	{"prioritize, prioritise, priority, prio", "update $1 --priority $2"},
	{"split, subtask, subtasks, sub", "add $2* --parent $1 or plan - --under $1"},
	{"unhide, publish", "init --shared"},
	{"hide, private", "init --private"},
	{"unshare", "share --stop"},
	{"archive, archived", "list --archived"},
	{"why", "show $1 or ready --why"},
	{"install", "help setup"},
	{"pause, defer", "hold $1 $* or hold $1"},
	{"unhold, unpause", "lift $@"},
	{"label, tag", "update $1 --add-label $,"},
	{"unlabel, untag", "update $1 --remove-label $,"},
	{"delete, remove, del", "rm $@"},
	{"link, dep, depend, depends, dep add", "block $1 --by $,"},
	{"dep remove, dep rm, unlink, undep", "unblock $1 --by $,"},
	{"take, pick, grab, lock", "claim $@"},
	{"begin, resume", "claim $@"},
	{"close, complete, finish, resolve", "done $@"},
	{"unclaim, stop, return, unlock", "release $@"},
	{"open", "reopen $@"},
	{"tasks, issues", "list $@"},
	{"all", "list --all"},
	{"search, find, grep", "list --all --text $*"},
	{"blocked", "list --blocked"},
	{"held", "list --held"},
	{"closed, completed", "list --status completed"},
	{"mine", "list --owner @me"},
	{"tree, deps, dag, dep tree", "graph $@"},
	{"view, cat, get, info", "show $@"},
	{"st, stat, stats, summary, whoami", "status"},
	{"settings, preferences", "config $@"},
	{"dump, backup", "export $@"},
	{"load", "import $@"},
	{"restore, undelete, redo", "log"},
	{"comment, remark", "note $1 $*"},
	{"give, delegate", "assign $1 --to $2"},
	{"unassign", "assign $@ --nobody"},
	{"heartbeat, ping, extend", "renew $@"},
	{"who, workers, owners", "agents"},
	{"history, changes, blame", "log $@"},
	{"revert, rollback", "undo $@"},
	{"follow, tail, events", "watch"},
	{"tui, ui, kanban, dashboard", "board"},
	{"web, browser, gui, server, http", "serve $@"},
	{"fsck", "doctor"},
	{"verify, acceptance", "check $@"},
	{"man", "help $@"},
}

// formOf is what commandAliases says of a word, or of two; empty: nothing.
func formOf(words string) string {
	words = strings.ToLower(words)
	for _, e := range commandAliases {
		for word := range strings.SplitSeq(e.words, ", ") {
			if word == words {
				return e.form
			}
		}
	}
	return ""
}

// eitherOf has words that may mean one of two things here, with what each of them
// is for: the one who typed them chooses.
var eitherOf = []struct{ words, one, form, other, otherwise string }{
	{"cancel, drop, abandon, discard", "to give it back", "release $@", "to delete it", "rm $@"},
	{"move, mv", "to have it inside that one", "update $1 --parent $2", "to have it wait for that one", "block $1 $2"},
}

// unknownVerb refuses an unknown verb, and gives the command line that was
// probably meant, or with help the page about it.
func (a *app) unknownVerb(ctx context.Context, words []string, help bool) error {
	e := pawl.Errorf(pawl.Invalid, "unknown command %q", text.Clip(words[0], 40))
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl help"}
	if !help {
		if hint := cmp.Or(a.either(ctx, words), a.children(ctx, words), a.asItIs(ctx, words)); hint != "" {
			e.Hint.Text = hint
			return e
		}
	}
	forms, words := formFor(words)
	words = tidied(forms, words)
	name, _, _ := strings.Cut(forms, " ")
	if _, ok := find(name); !ok {
		return e
	}
	e.Hint.Text += " " + name
	if help {
		return e
	}
	for form := range strings.SplitSeq(forms, " or ") {
		if line, ok := a.filled(ctx, form, words); ok {
			e.Hint.Text = line
			break
		}
	}
	return e
}

// filled is the command line that a form becomes with these words.
func (a *app) filled(ctx context.Context, form string, words []string) (string, bool) {
	name, _, _ := strings.Cut(form, " ")
	v, ok := find(name)
	if !ok {
		return "", false
	}
	line, ok := a.translate(v, words)
	if ok && line.verb == v.name { // else a flag has led elsewhere
		line, ok = line.as(form)
	}
	if !ok {
		return "", false
	}
	if v, _ = find(line.verb); len(line.flags) == 0 {
		if better := a.withoutFlags(ctx, v, line.args); better != "" {
			return better, true
		}
	}
	if !a.meant(ctx, &line) {
		return "", false
	}
	return a.typed(line), true
}

// tidied are the words behind one of ours that others write differently: a priority
// that stands before its task, and +urgent for a label.
func tidied(form string, words []string) []string {
	words = slices.Clone(words)
	switch {
	case strings.Contains(form, "--priority $2") && len(words) == 2 && isID(words[1]) && !isID(words[0]):
		slices.Reverse(words)
	case strings.Contains(form, "-label $,"):
		for i := 1; i < len(words); i++ {
			words[i] = strings.TrimPrefix(words[i], "+")
		}
	}
	return words
}

// either is the hint about a word of [eitherOf]; empty: it is none. A word between
// two tasks tells which of the two is meant.
func (a *app) either(ctx context.Context, words []string) string {
	for _, e := range eitherOf {
		if !slices.Contains(strings.Split(e.words, ", "), strings.ToLower(words[0])) {
			continue
		}
		args, between := words[1:], ""
		if len(args) == 3 {
			args, between = []string{args[0], args[2]}, strings.ToLower(args[1])
		}
		if between == "before" {
			slices.Reverse(args)
		}
		one, ok := a.filled(ctx, e.form, args)
		other, too := a.filled(ctx, e.otherwise, args)
		switch {
		case !ok || !too:
		case between == "" || between == "to":
			return e.other + ": " + a.keep(other) + "; " + e.one + ": " + a.keep(one)
		case slices.Contains([]string{"under", "into", "in", "inside", "below"}, between):
			return one
		case slices.Contains([]string{"before", "after", "behind"}, between):
			return other
		}
	}
	return ""
}

// formFor finds what others mean by the first words, or what was misspelt, and
// returns the words that are left.
func formFor(words []string) (string, []string) {
	first := strings.ToLower(words[0])
	if len(words) > 1 {
		if form := formOf(first + " " + words[1]); form != "" {
			return form, words[2:]
		}
		switch first {
		case "issue", "issues", "task", "tasks": // gh issue create
			if form := formOf(words[1]); form != "" {
				return form, words[2:]
			}
			if v, ok := find(words[1]); ok {
				return v.name + " $@", words[2:]
			}
		}
	}
	if form := formOf(first); form != "" {
		return form, words[1:]
	}
	if slices.Contains(noSlips, first) {
		return "", words
	}
	names := append(Verbs(), nextVerb.name, startVerb.name)
	switch near := text.Misspelt(first, names); near {
	case "":
		return "", words
	case nextVerb.name:
		return "ready --why", words[1:]
	case startVerb.name:
		return "claim $@", words[1:]
	default:
		return near + " $@", words[1:]
	}
}

// noSlips are words a letter away from a verb that mean something else.
var noSlips = []string{
	"and", "aid", "black", "brock", "bond", "clam", "clan", "dome", "dune", "dose", "expert", "hole", "hood", "impart", "life", "live", "lint", "lost", "last", "node", "none",
	"not", "plane", "plain", "play", "quit", "quite", "read", "relax", "shot", "snow", "star", "stare", "start-over", "smart", "stat", "state", "text", "toad", "trash",
}
