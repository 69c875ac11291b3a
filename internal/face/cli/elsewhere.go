package cli

import (
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// elsewhere says with which command line of ours one gets what others have a word
// for, so that whoever comes from git, gh or another tracker need not look it up:
//
//	$1 $2   an argument
//	$*      the others, as one text
//	$,      the others, as a list with commas
//	$@      the others, as they are; there may be none
var elsewhere = map[string]string{
	"create": "add $*", "new": "add $*", "todo": "add $*",
	"edit": "update $@", "set": "update $@", "modify": "update $@", "change": "update $@",
	"rename": "update $1 --subject $*", "retitle": "update $1 --subject $*", "describe": "update $1 --desc $*",
	"prioritize": "update $1 --priority $2", "prioritise": "update $1 --priority $2",
	"hold": "update $1 --hold $*", "pause": "update $1 --hold $*", "defer": "update $1 --hold $*",
	"lift": "update $1 --lift", "unhold": "update $1 --lift", "unpause": "update $1 --lift",
	"label": "update $1 --add-label $,", "tag": "update $1 --add-label $,",
	"unlabel": "update $1 --remove-label $,", "untag": "update $1 --remove-label $,",
	"delete": "rm $@", "remove": "rm $@", "drop": "rm $@", "del": "rm $@",
	"link": "block $1 --by $,", "dep": "block $1 --by $,", "depend": "block $1 --by $,", "depends": "block $1 --by $,",
	"dep add": "block $1 --by $,", "dep remove": "unblock $1 --by $,", "dep rm": "unblock $1 --by $,",
	"unlink": "unblock $1 --by $,", "undep": "unblock $1 --by $,",
	"take": "claim $@", "pick": "claim $@", "grab": "claim $@", "begin": "start $@", "resume": "start $@",
	"close": "done $@", "complete": "done $@", "finish": "done $@", "resolve": "done $@",
	"unclaim": "release $@", "stop": "release $@", "return": "release $@", "open": "reopen $@",
	"ls": "list $@", "tasks": "list $@", "issues": "list $@", "all": "list --all",
	"search": "list --text $*", "find": "list --text $*", "grep": "list --text $*",
	"blocked": "list --blocked", "held": "list --held", "closed": "list --status completed", "completed": "list --status completed",
	"mine": "list --owner @me",
	"tree": "graph $@", "deps": "graph $@", "dag": "graph $@", "dep tree": "graph $@",
	"view": "show $@", "cat": "show $@", "get": "show $@", "info": "show $@",
	"st": "status", "stat": "status", "stats": "status", "summary": "status", "whoami": "status",
	"settings": "config $@", "preferences": "config $@",
	"dump": "export $@", "backup": "export $@", "load": "import $@", "restore": "log", "redo": "log",
	"comment": "note $1 $*", "remark": "note $1 $*",
	"give": "assign $1 --to $2", "delegate": "assign $1 --to $2", "unassign": "assign $1 --nobody",
	"heartbeat": "renew $@", "ping": "renew $@", "extend": "renew $@",
	"who": "agents", "workers": "agents", "owners": "agents",
	"history": "log $@", "changes": "log $@", "blame": "log $@", "revert": "undo $@", "rollback": "undo $@",
	"follow": "watch", "tail": "watch", "events": "watch",
	"check": "doctor", "fsck": "doctor", "verify": "doctor", "man": "help $@",
}

// nouns stand before the verb elsewhere: gh issue create.
var nouns = map[string]bool{"issue": true, "issues": true, "task": true, "tasks": true}

// unknownVerb refuses what is no verb, and gives the command line that was
// probably meant, or with help the page about it.
func (a *app) unknownVerb(words []string, help bool) error {
	e := pawl.Errorf(pawl.Invalid, "there is no verb %q", view.Clip(words[0], 40))
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
	if len(words) > 1 {
		if form := elsewhere[strings.ToLower(words[0]+" "+words[1])]; form != "" {
			return form, words[2:]
		}
		if next := strings.ToLower(words[1]); nouns[strings.ToLower(words[0])] {
			if form := elsewhere[next]; form != "" {
				return form, words[2:]
			}
			if _, ok := find(next); ok {
				return next + " $@", words[2:]
			}
		}
	}
	if form := elsewhere[strings.ToLower(words[0])]; form != "" {
		return form, words[1:]
	}
	if near := view.Nearest(words[0], Verbs()); near != "" {
		return near + " $@", words[1:]
	}
	return "", words
}
