package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

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
