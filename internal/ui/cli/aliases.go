package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// commandAliases has words that git, gh and other trackers have for what a verb of
// ours does, each with the start of our command line. ID stands for the first word
// behind it, and a last flag takes what is left as one value.
var commandAliases = []struct{ words, form string }{
	{"create new", "add"},
	{"todos checklist", "todo"},
	{"edit set modify change", "update"},
	{"rename retitle", "update ID --subject"},
	{"describe", "update ID --desc"},
	{"prioritize priority prio", "update ID --priority"},
	{"label tag", "update ID --add-label"},
	{"unlabel untag", "update ID --remove-label"},
	{"subtask split", "add --parent"},
	{"hide private", "init --private"},
	{"install", "help setup"},
	{"uninstall", "setup --remove"},
	{"leave", "join --leave"},
	{"forget", "todo forget"},
	{"copy migrate backup", "export"},
	{"pause defer", "hold"},
	{"lift unhold unpause", "hold --lift"},
	{"delete remove del", "rm"},
	{"link dep depends", "block ID --by"},
	{"unblock unlink undep", "block ID --remove"},
	{"take pick begin resume start", "claim"},
	{"renew", "claim --renew"},
	{"next", "ready --why"},
	{"close complete finish resolve", "done"},
	{"unclaim stop drop", "release"},
	{"open", "reopen"},
	{"tasks issues", "list"},
	{"archived", "list --archived"},
	{"search find grep", "list --all --text"},
	{"blocked", "list --blocked"},
	{"mine", "list --owner @me"},
	{"tree deps", "graph"},
	{"view get info why", "show"},
	{"stats whoami", "status"},
	{"comment", "note"},
	{"delegate", "assign ID --to"},
	{"unassign", "assign --nobody"},
	{"who workers", "agents"},
	{"kanban tui ui", "board"},
	{"history restore undelete redo", "log"},
	{"watch follow tail", "log --follow"},
	{"panel", "todo --follow"},
	{"revert rollback", "undo"},
	{"verify", "check"},
	{"man", "help"},
}

// flagAliases has flags that others have for one of ours; "" is left out. A title
// without a flag for it is an argument.
var flagAliases = []struct{ names, flag string }{
	{"t title summary", "subject"},
	{"b body m message description", "desc"},
	{"l labels tag tags", "label"},
	{"l label labels tag tags", "add-label"},
	{"a assignee", "owner"},
	{"p", "priority"},
	{"deps depends-on", "blocked-by"},
	{"on depends-on blocked-by", "by"},
	{"acceptance criteria criterion", "accept"},
	{"verify tests", "check"},
	{"state s", "status"},
	{"n max count", "limit"},
	{"search grep", "text"},
	{"agent user", "as"},
	{"next yes y quiet q", ""},
}

// statusVerbs has the verbs for what others do with update --status.
var statusVerbs = []struct{ values, verb string }{
	{"done closed completed", doneVerb.name},
	{"in_progress in-progress doing started", claimVerb.name},
	{"open pending todo", reopenVerb.name},
}

// A movedFlag is one that a verb of ours had, for what another command line does now.
type movedFlag struct {
	verb, flag string
	form       string // the start of that line
	args       int    // its arguments beside the flag's value, which is the last one
	takes      bool   // a value
	file       bool   // that is the name of a file, which goes to stdin
}

var movedFlags = []movedFlag{
	{verb: "update", flag: "--hold", form: "hold", args: 1, takes: true},
	{verb: "update", flag: "--hold-file", form: "hold", args: 1, takes: true, file: true},
	{verb: "update", flag: "--lift", form: "hold --lift", args: 1},
	{verb: "log", flag: "--task", form: "log", takes: true},
}

// movedOf finds the flag; nil: the verb never had it.
func movedOf(verb, flag string) *movedFlag {
	i := slices.IndexFunc(movedFlags, func(m movedFlag) bool { return m.verb == verb && m.flag == flag })
	if i < 0 {
		return nil
	}
	return &movedFlags[i]
}

// unknownVerb refuses an unknown verb, and gives the command line that was
// probably meant, or the page about it.
func (a *app) unknownVerb(words []string, help bool) error {
	e := usage("", "unknown command %q", text.Clip(words[0], 40))
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
	begin := strings.Fields(form)[1:]
	if i := slices.Index(begin, "ID"); i >= 0 {
		if len(words) < 2 {
			return e
		}
		begin[i] = words[0]
		words = words[1:]
	}
	if n := len(begin); n > 0 && len(words) > 0 && name != addVerb.name {
		if f := v.command(a).Flags().Lookup(strings.TrimPrefix(begin[n-1], "--")); f != nil && f.NoOptDefVal == "" {
			words = []string{strings.Join(words, " ")}
		}
	}
	if line, _ := a.proposed(v, append(begin, words...)); line != "" {
		e.Hint.Text = line
	}
	return e
}

// formFor finds what others mean by the first words, or what was misspelt, and
// returns the words that are left.
func formFor(words []string) (string, []string) {
	first := strings.ToLower(words[0])
	if len(words) > 1 && slices.Contains([]string{"issue", "issues", "task", "tasks"}, first) { // gh issue create
		if v, ok := find(words[1]); ok {
			return v.name, words[2:]
		}
		if form, left := formFor(words[1:]); form != "" {
			return form, left
		}
	}
	for _, e := range commandAliases {
		if slices.Contains(strings.Fields(e.words), first) {
			return e.form, words[1:]
		}
	}
	if slices.Contains(noSlips, first) {
		return "", words
	}
	forms, known := map[string]string{}, Verbs()
	for _, name := range known {
		forms[name] = name
	}
	for _, e := range commandAliases {
		for word := range strings.FieldsSeq(e.words) {
			// Short words are too near to others, but for those that were ours; and a guess
			// destroys nothing.
			if (len(word) > 4 || word == "next" || word == "lift") && e.form != "rm" {
				forms[word] = e.form
				known = append(known, word)
			}
		}
	}
	return forms[text.Misspelt(first, known)], words[1:]
}

// noSlips are words a letter away from a verb, or from a word of others, that mean
// something else.
var noSlips = []string{
	"and", "aid", "black", "brock", "bond", "clam", "clan", "dome", "dune", "dose", "expert", "hole", "hood", "impart", "life", "live", "lint", "lost", "last", "node", "none",
	"not", "plane", "plain", "play", "quit", "quite", "read", "relax", "shot", "snow", "star", "stare", "start-over", "smart", "stat", "state", "text", "toad", "trash",
	"began", "being", "chance", "charge", "chose", "clone", "closed", "closet", "command", "compete", "completed", "content", "crate", "depend", "fellow", "finished", "forge", "lease",
	"leaves", "left", "nest", "resolved", "rest", "revolve", "unassigned", "unclaimed", "unlike", "unlock",
}

// proposed is the command line that somebody seems to have meant by the words behind
// a verb, and the flag that the first unknown one came to. The line is empty unless the
// verb takes all of it: a hint may be typed as it stands, so it must not put a text
// together from two places.
func (a *app) proposed(v verb, words []string) (line, meant string) {
	cmd := v.command(a)
	var flags, args []string
	var moved *movedFlag
	said, titles := "", 0
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			args = append(args, words[i+1:]...)
			break
		}
		if !looksLikeFlag(word) {
			args = append(args, word)
			continue
		}
		name, value, has := strings.Cut(word, "=")
		if m := movedOf(cmd.Name(), name); m != nil {
			if moved != nil || v.name != m.verb || has && !m.takes {
				return "", meant
			}
			if m.takes && !has {
				if i++; i >= len(words) || looksLikeFlag(words[i]) {
					return "", meant
				}
				value = words[i]
			}
			moved, said = m, value
			begin, _, _ := strings.Cut(m.form, " ")
			v, _ = find(begin)
			continue
		}
		own, drop, ok := meantFlag(cmd, name)
		if drop {
			continue
		}
		if own != nil && meant == "" && "--"+own.Name != name {
			meant = "--" + own.Name
		}
		if !has && (own == nil || own.NoOptDefVal == "") {
			if i++; i >= len(words) || looksLikeFlag(words[i]) {
				return "", meant
			}
			value, has = words[i], true
		}
		switch {
		case ok && own == nil:
			titles++
			args = append(args, value)
		case ok && has:
			flags = append(flags, "--"+own.Name, value)
		case ok:
			flags = append(flags, "--"+own.Name)
		case v.name == updateVerb.name && slices.Contains([]string{"--status", "--state", "-s"}, name):
			for _, e := range statusVerbs { // another verb does it
				if slices.Contains(strings.Fields(e.values), value) {
					v, _ = find(e.verb)
				}
			}
			if v.name == updateVerb.name {
				return "", meant
			}
		default:
			return "", meant
		}
	}
	line, stdin := "pawl "+v.name, ""
	if moved != nil {
		if len(args) != moved.args {
			return "", meant
		}
		line = "pawl " + moved.form
		if moved.file && said != "-" {
			said, stdin = "-", " < "+quote(said)
		}
		if moved.takes {
			args = append(args, said)
		}
	}
	if v.checkArgs(args) != nil || titles > 0 && len(args) > 1 || v.command(a).ParseFlags(flags) != nil {
		return "", meant
	}
	if a.wantsJSON() {
		flags = append(flags, "--json")
	}
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") && arg != "-" }) {
		return commandLine(line, slices.Concat(flags, []string{"--"}, args)...) + stdin, meant
	}
	return commandLine(line, slices.Concat(args, flags)...) + stdin, meant
}

// meantFlag is the flag of a command that somebody means by a flag of others; nil: it
// is the title, which is an argument. drop: it asks for nothing here. It is not ok
// when nobody knows.
func meantFlag(cmd *cobra.Command, typed string) (own *pflag.Flag, drop, ok bool) {
	name, long := strings.CutPrefix(typed, "--")
	name = strings.TrimPrefix(name, "-")
	flags := cmd.Flags()
	if own = flags.Lookup(name); own != nil && long {
		return own, false, true
	}
	for _, e := range flagAliases {
		if !slices.Contains(strings.Fields(e.names), name) {
			continue
		}
		if own = flags.Lookup(e.flag); own != nil || e.flag == "" {
			return own, own == nil, true
		}
		if e.flag == "subject" && cmd.Name() == addVerb.name {
			return nil, false, true
		}
	}
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	own = flags.Lookup(text.Nearest(name, names))
	return own, false, own != nil
}

// spellings lets a command take other names for some of its flags.
func spellings(cmd *cobra.Command, others map[string]string) {
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if own := others[name]; own != "" {
			name = own
		}
		return pflag.NormalizedName(name)
	})
}

// looksLikeFlag tells flags from texts that begin with a dash: "- item", "-1 is wrong".
func looksLikeFlag(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	name, dash := strings.CutPrefix(name, "-")
	name = strings.TrimPrefix(name, "-")
	return dash && name != "" && name[0] != '-' && !strings.ContainsAny(name, " \t\n") && (name[0] < '0' || name[0] > '9')
}

// lookAt looks for a task, for a hint; a failure only means that there is none.
func (a *app) lookAt(ctx context.Context, id pawl.ID) (query.Found, bool) {
	if _, err := a.open(); err != nil || a.none {
		return query.Found{}, false
	}
	answer, err := asked(ctx, a, query.TaskQuery{Names: []string{id.String()}})
	if err != nil || len(answer.Tasks) != 1 {
		return query.Found{}, false
	}
	a.origin = answer.Origin
	return answer.Tasks[0], true
}
