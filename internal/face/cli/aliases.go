package cli

import (
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// commandAliases says with which command line of ours one gets what others have a word
// for, so that users of git, gh and other trackers need not look it up:
//
//	$1 $2   an argument
//	$*      the others, as one text
//	$,      the others, as a list with commas
//	$@      the others, as they are; there may be none
var commandAliases = []struct{ words, form string }{
	{"create, new", "add $*"},
	{"todos, checklist", "todo $@"},
	{"edit, set, modify, change", "update $@"},
	{"rename, retitle", "update $1 --subject $*"},
	{"describe", "update $1 --desc $*"},
	{"prioritize, prioritise", "update $1 --priority $2"},
	{"pause, defer", "hold $1 $*"},
	{"unhold, unpause", "lift $@"},
	{"label, tag", "update $1 --add-label $,"},
	{"unlabel, untag", "update $1 --remove-label $,"},
	{"delete, remove, drop, del", "rm $@"},
	{"link, dep, depend, depends, dep add", "block $1 --by $,"},
	{"dep remove, dep rm, unlink, undep", "unblock $1 --by $,"},
	{"take, pick, grab", "claim $@"},
	{"begin, resume", "claim $@"},
	{"close, complete, finish, resolve", "done $@"},
	{"unclaim, stop, return", "release $@"},
	{"open", "reopen $@"},
	{"tasks, issues", "list $@"},
	{"all", "list --all"},
	{"search, find, grep", "list --text $*"},
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
	{"restore, redo", "log"},
	{"comment, remark", "note $1 $*"},
	{"give, delegate", "assign $1 --to $2"},
	{"unassign", "assign $1 --nobody"},
	{"heartbeat, ping, extend", "renew $@"},
	{"who, workers, owners", "agents"},
	{"history, changes, blame", "log $@"},
	{"revert, rollback", "undo $@"},
	{"follow, tail, events", "watch"},
	{"tui, ui, kanban, dashboard", "board"},
	{"web, browser, gui, server, http", "serve $@"},
	{"check, fsck, verify", "doctor"},
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

// unknownVerb refuses an unknown verb, and gives the command line that was
// probably meant, or with help the page about it.
func (a *app) unknownVerb(words []string, help bool) error {
	e := pawl.Errorf(pawl.Invalid, "unknown command %q", text.Clip(words[0], 40))
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl help"}
	form, words := formFor(words)
	name, _, _ := strings.Cut(form, " ")
	v, ok := find(name)
	if !ok {
		return e
	}
	e.Hint.Text += " " + name
	if help {
		return e
	}
	if line, ok := a.translate(v, words); ok {
		if line, ok = line.as(form); ok {
			e.Hint.Text = a.typed(line)
		}
	}
	return e
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
	var names []string
	for v := range all {
		names = append(names, v.name)
	}
	switch near := text.Nearest(first, names); near {
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
