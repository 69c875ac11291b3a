package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// leftOut is what a flag comes to that asks for nothing here.
const leftOut = "-"

// flagAliases says what flags of git, gh and other trackers come to, by verb; those
// under no verb are for all. name=value is a flag with just this value.
//
//	--desc            our flag, with the value that is there
//	--owner @me       our flag, with this value
//	$1                the value is an argument
//	note $1 $v        another command does it, with the arguments and the value
//	-                 it is left out
//
// name= is a flag behind which no value stands.
var flagAliases = []struct{ verb, names, to string }{
	{"", "agent user me actor", "--as"},
	{"", "format output o", "--format"},
	{"", "format=json output=json o=json", "--json"},
	{"", "yes y quiet q", leftOut},
	{"", "p", "--priority"},
	{"", "l labels tag tags", "--label"},
	{"", "n L max count", "--limit"},
	{"", "s S search grep query contains", "--text"},
	{"", "a assignee assign", "--owner"},
	{"", "mine", "--owner @me"},
	{"", "f", "--force"},
	{"add", "title t name subject summary", "$1"},
	{"add", "b body m message text description details", "--desc"},
	{"add", "F body-file description-file", "--desc-file"},
	{"add", "to", "--owner"},
	{"add", "acceptance acceptance-criteria criteria criterion done-when dod", "--accept"},
	{"add", "checks verify verification test tests run", "--check"},
	{"add", "depends-on deps dep needs wait-for", "--blocked-by"},
	{"update", "acceptance acceptance-criteria criteria criterion done-when dod", "--accept"},
	{"update", "checks verify verification test tests run", "--check"},
	{"update", "title t name summary", "--subject"},
	{"update", "b body m message text description details", "--desc"},
	{"update", "F body-file description-file", "--desc-file"},
	{"update", "label labels l tag tags", "--add-label"},
	{"update", "owner assignee add-assignee a assign to", "assign $1 $v"},
	{"update", "unassign remove-assignee", "assign $1 --nobody"},
	{"update", "blocked-by after depends-on deps dep needs", "block $1 --by $v"},
	{"update", "note notes comment append-notes", "note $1 $v"},
	{"update", "status state s", "--status"},
	{"update", "status=done status=closed status=completed", "done $@"},
	{"update", "state=done state=closed state=completed", "done $@"},
	{"update", "status=in-progress status=doing status=started", "claim $@"},
	{"update", "status=open status=pending status=todo state=open", "reopen $@"},
	{"update", "claim", "claim $1"},
	{"update", "add-check set-check", "--check"},
	{"update", "rm-check delete-check no-check", "--remove-check"},
	{"update", "add-accept add-criterion add-acceptance-criteria", "--accept"},
	{"update", "rm-accept remove-criterion delete-accept", "--remove-accept"},
	{"update", "met mark", "--tick"},
	{"update", "unmet unmark", "--untick"},
	{"update", "close done", "done $@"},
	{"list", "a=", "--all"},
	{"list", "state", "--status"},
	{"list", "state=all s=all status=all", "--all"},
	{"list", "s=open s=closed s=done", "--status"},
	{"list", "open", "--status open"},
	{"list", "closed done completed", "--status completed"},
	{"list", "deleted removed trash", "log"},
	{"done", "m message comment c reason r note", "note $1 $v"},
	{"release", "m message comment c reason r note", "note $1 $v"},
	{"note", "b body text t comment", "$1"},
	{"hold", "m message comment c reason r note", "$1"},
	{"note", "F body-file", "--file"},
	{"start", "owner assignee to", "--as"},
	{"claim", "assignee to", "--as"},
	{"claim", "next", leftOut},
	{"assign", "assignee owner user name agent a", "--to"},
	{"assign", "none clear remove unassign", "--nobody"},
	{"block", "on blocker blocked-by after depends-on needs", "--by"},
	{"unblock", "on blocker blocked-by after depends-on needs", "--by"},
	{"log", "p patch v", "--verbose"},
	{"log", "task id", "$1"},
	{"rm", "dry n", "--dry-run"},
}

// flagAlias is what a flag comes to that the verb does not have; empty when
// nobody is known to have it.
func flagAlias(verb, name string) string {
	common := ""
	for _, f := range flagAliases {
		if f.verb != verb && f.verb != "" || !slices.Contains(strings.Fields(f.names), name) {
			continue
		}
		if f.verb == verb {
			return f.to
		}
		common = f.to
	}
	return common
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

// flagNames are the names of all flags of a command.
func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
