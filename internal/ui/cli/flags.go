package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl/internal/text"
)

// choice adds a flag that takes one of some words, and returns a function that
// reads it. Its usage is what, which begins with the name of the value in
// backquotes, and the words.
func choice(cmd *cobra.Command, name, value, what string, words ...string) func() (string, error) {
	last := len(words) - 1
	or := strings.Join(words[:last], ", ") + " or " + words[last]
	asked := cmd.Flags().String(name, value, what+": "+or)
	if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was added just now
	}
	return func() (string, error) {
		if !slices.Contains(words, *asked) {
			return "", usage(cmd.Name(), "unknown --%s %q: use %s", name, text.Clip(*asked, 40), or)
		}
		return *asked, nil
	}
}

// labels is the value of a flag that takes labels: several times, or with commas.
// A label has none itself, as in other trackers and in our Markdown.
type labels []string

func (l *labels) Set(text string) error {
	for label := range strings.SplitSeq(text, ",") {
		if label = strings.TrimSpace(label); label != "" || !strings.Contains(text, ",") {
			*l = append(*l, label)
		}
	}
	return nil
}

func (l *labels) String() string { return strings.Join(*l, ",") }

func (*labels) Type() string { return "labels" }

// labelsFlag adds a flag that takes labels.
func labelsFlag(cmd *cobra.Command, to *[]string, name, usage string) {
	cmd.Flags().Var((*labels)(to), name, usage)
}
