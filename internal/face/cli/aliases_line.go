package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/text"
)

// line is a command line that has been understood.
type line struct {
	verb  string
	args  []string
	flags []string // each as one or two words
	other string   // the form of the command that does what one of the flags asks for
	value string   // of that flag: $v
	meant string   // what the first flag that is none of ours came to
	texts int      // how many of the arguments were values of flags
}

// as fills a form in with the arguments; not ok when it needs more of them, or
// the verb does.
func (l line) as(form string) (line, bool) {
	words := strings.Fields(form)
	out := line{verb: words[0], meant: l.meant, texts: l.texts}
	left := l.args
	fill := func(word string) ([]string, bool) {
		switch {
		case word == "$@":
			return left, true
		case word == "$v":
			return []string{l.value}, true
		case !strings.HasPrefix(word, "$"):
			return []string{word}, true
		case word == "$2*":
			if len(left) < 2 {
				return nil, false
			}
			text := strings.Join(left[1:], " ")
			left = left[:1]
			return []string{text}, true
		case len(left) == 0:
			return nil, false
		}
		rest := left
		left = nil
		switch word {
		case "$*":
			return []string{strings.Join(rest, " ")}, true
		case "$,":
			return []string{strings.Join(rest, ",")}, true
		}
		left = rest[1:]
		return rest[:1], true
	}
	for _, word := range words[1:] {
		filled, ok := fill(word)
		if !ok {
			return out, false
		}
		if len(out.flags) > 0 || strings.HasPrefix(word, "--") {
			out.flags = append(out.flags, filled...)
		} else {
			out.args = append(out.args, filled...)
		}
	}
	out.flags = append(out.flags, l.flags...)
	v, ok := find(out.verb)
	dropped := len(left) > 0 && strings.Contains(form, "$") && !strings.Contains(form, "$@")
	return out, ok && !dropped && len(out.args) >= v.min
}

// typed is the line as one would type it here.
func (a *app) typed(l line) string {
	words := []string{"pawl", l.verb}
	quoted := func(list []string) {
		for _, word := range list {
			words = append(words, quote(word))
		}
	}
	dashed := false
	for _, arg := range l.args {
		dashed = dashed || strings.HasPrefix(arg, "-") && arg != "-"
	}
	if !dashed {
		quoted(l.args)
	}
	quoted(l.flags)
	if a.wantsJSON() && !slices.Contains(l.flags, "--json") {
		words = append(words, "--json")
	}
	if dashed {
		words = append(words, "--")
		quoted(l.args)
	}
	return strings.Join(words, " ")
}

// translate reads the words behind a verb, with the flags that others have for
// it. It is not ok when one of them means nothing.
func (a *app) translate(v verb, words []string) (line, bool) {
	cmd := v.command(a)
	l := line{verb: v.name}
	if v.name == updateVerb.name {
		words = asFlags(words)
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			l.args = append(l.args, words[i+1:]...)
			break
		}
		if limit, ok := strings.CutPrefix(word, "-"); ok && cmd.Flags().Lookup("limit") != nil && isNumber(limit) {
			l.flags = append(l.flags, "--limit", limit) // git log -3
			continue
		}
		if !looksLikeFlag(word) {
			l.args = append(l.args, word)
			continue
		}
		next := func() (string, bool) {
			if i+1 == len(words) || looksLikeFlag(words[i+1]) {
				return "", false
			}
			i++
			return words[i], true
		}
		if !l.flag(cmd, word, next) {
			return l, false
		}
	}
	if l.other != "" {
		l.flags = nil // what else was asked for needs a command of its own
		return l.as(l.other)
	}
	return l, true
}

// withoutFlags is the command line that was probably meant by words that stand where
// the verb takes flags only; empty: nobody knows.
//
//	list bob           list --owner bob, if bob has a task
//	list parser        list --all --text parser
//	list done          list --status completed
//	update 6 label ui  update 6 --add-label ui
func (a *app) withoutFlags(ctx context.Context, v verb, words []string) string {
	switch {
	case v.max < 0 || len(words) <= v.max || slices.ContainsFunc(a.env.Args, looksLikeFlag):
	case v.name == updateVerb.name:
		if flags := asFlags(words); len(flags) != len(words) {
			if line, ok := a.translate(v, flags); ok {
				return a.typed(line)
			}
		}
	case v.name != listVerb.name:
	case len(words) == 2 && slices.Contains([]string{"of", "for", "by"}, words[0]):
		return commandLine("pawl list --owner", a.person(words[1]))
	case len(words) > 1:
		return commandLine("pawl list --all --text", strings.Join(words, " "))
	default:
		word := strings.ToLower(words[0])
		if _, err := pawl.ParseID(word); err == nil {
			return commandLine("pawl show", strings.TrimPrefix(word, "#"))
		}
		if form := formOf(word); strings.HasPrefix(form, "list --") && !strings.Contains(form, "$") {
			return "pawl " + form
		}
		if slices.Contains([]string{"ready", "damaged"}, word) {
			return "pawl list --" + word
		}
		if status := strings.ReplaceAll(word, "-", "_"); slices.Contains([]string{"open", "done", "pending", "in_progress", "todo", "doing"}, status) {
			return "pawl list --status " + status
		}
		if owner := a.person(words[0]); owner != words[0] || a.owns(ctx, owner) {
			return commandLine("pawl list --owner", owner)
		}
		return commandLine("pawl list --all --text", words[0])
	}
	return ""
}

// owns reports whether a name has a task, for a hint.
func (a *app) owns(ctx context.Context, name string) bool {
	if _, err := a.open(); err != nil || a.none {
		return false
	}
	answer, err := asked(ctx, a, ask.TasksQuery{Query: pawl.Query{Owner: name, Limit: 1, Brief: true}})
	return err == nil && len(answer.Page.Tasks) > 0
}

// asFlags reads 6 priority high, priority 6 high and 6 priority=high as
// 6 --priority=high. What is not a flag of update, and does not mean one, stays as it is.
func asFlags(words []string) []string {
	if len(words) < 2 || slices.ContainsFunc(words, looksLikeFlag) {
		return words
	}
	if isID(words[1]) && !isID(words[0]) {
		words = slices.Concat([]string{words[1], words[0]}, words[2:])
	}
	key, value, has := strings.Cut(words[1], "=")
	if !has {
		value = strings.Join(words[2:], " ")
	} else if len(words) > 2 {
		return words
	}
	key = strings.ToLower(key)
	if value == "" || strings.ContainsAny(key, " \t\n") || !(slices.Contains(updateFields, key) || flagAlias(updateVerb.name, key) != "") {
		return words
	}
	return []string{words[0], "--" + key + "=" + value}
}

// updateFields are the flags of update with which it changes one field.
var updateFields = []string{"subject", "desc", "description", "active-form", "priority", "parent", "hold"}

// looksLikeFlag tells flags from texts that begin with a dash: "- item", "-1 is wrong".
func looksLikeFlag(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	name, dash := strings.CutPrefix(name, "-")
	name = strings.TrimPrefix(name, "-")
	return dash && name != "" && name[0] != '-' && !strings.ContainsAny(name, " \t\n") && (name[0] < '0' || name[0] > '9')
}

// flag reads a flag of ours or of others; next gives the word that follows it.
func (l *line) flag(cmd *cobra.Command, word string, next func() (string, bool)) bool {
	name, value, has := strings.Cut(word, "=")
	key, long := strings.CutPrefix(name, "--")
	key = strings.TrimPrefix(key, "-")
	if short := key[:1]; !long && len(key) > 1 && flagAlias(l.verb, short) != "" { // -lauth
		key, value, has = short, strings.TrimPrefix(word[2:], "="), true
	}
	var to string
	own := cmd.Flags().Lookup(key)
	if own != nil && long {
		key = own.Name // of several spellings
		to = "--" + key
	} else {
		if to = flagAlias(l.verb, key); to == "" {
			near := text.Nearest(key, flagNames(cmd))
			if near == "" {
				return false
			}
			to = "--" + near
		}
		own = cmd.Flags().Lookup(strings.TrimPrefix(to, "--"))
	}
	first := to != "--"+key && l.meant == ""
	if first {
		l.meant = to
	}
	whole := strings.HasPrefix(to, "--") && !strings.Contains(to, " ") && to != "--json"
	if !has && (whole && (own == nil || own.NoOptDefVal == "") || to == "$1" || strings.Contains(to, "$v")) {
		if value, has = next(); !has {
			if to = flagAlias(l.verb, key+"="); to == "" {
				return false
			}
			if own = cmd.Flags().Lookup(strings.TrimPrefix(to, "--")); first {
				l.meant = to
			}
		}
	}
	if has {
		if special := flagAlias(l.verb, key+"="+strings.ReplaceAll(strings.ToLower(value), "_", "-")); special != "" {
			to, own = special, cmd.Flags().Lookup(strings.TrimPrefix(special, "--"))
			if first {
				l.meant = to
			}
		}
	}
	switch {
	case to == leftOut:
	case to == "$1":
		l.args = append(l.args, value)
		l.texts++
	case !strings.HasPrefix(to, "--"):
		l.other, l.value = to, value
	case strings.Contains(to, " ") || to == "--json":
		l.flags = append(l.flags, strings.Fields(to)...)
	case own != nil && own.NoOptDefVal != "":
		l.flags = append(l.flags, to)
	case own != nil || to == "--as":
		l.flags = append(l.flags, to, value)
	default:
		return false
	}
	return true
}
