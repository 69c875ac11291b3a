package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/text"
)

// choose asks the person at the terminal which agents to set up.
func (i *installing) choose(plan *setup.Plan, names []string) ([]string, error) {
	what, more := "Set up "+i.titles(names)+"?", "d/?"
	switch {
	case len(i.absent(names)) > 0 && len(names) == 1:
		what = "Set up " + i.titles(names) + " anyway?"
	case len(names) == 2:
		what, more = "Set up both?", "name/d/?"
	case len(names) > 2:
		what, more = fmt.Sprintf("Set up all %d?", len(names)), "name/d/?"
	}
	if err := i.canAsk(); err != nil {
		return nil, err
	}
	in := bufio.NewReader(i.env.Stdin)
	const tries = 6
	for range tries {
		fmt.Fprintf(i.env.Stderr, "%s [Y/n/%s] ", what, more)
		line, err := in.ReadString('\n')
		said := strings.ToLower(strings.TrimSpace(line))
		switch {
		case said == "n" || said == "no", err != nil && said == "": // the end of input does not mean yes
			return nil, pawl.Errorf(pawl.Invalid, "nothing was written")
		case said == "y" || said == "yes" || said == "":
			return names, nil
		case said == "d" || said == "diff":
			if err := i.showDiff(plan); err != nil {
				return nil, err
			}
			continue
		case said == "?" || said == "h" || said == "help":
			i.explainAnswers(names)
			continue
		}
		if chosen := i.named(said, names); len(chosen) > 0 {
			return chosen, nil
		}
		fmt.Fprintf(i.env.Stderr, "pawl: %q is not an answer\n", text.Clip(said, 40))
		i.explainAnswers(names)
	}
	return nil, pawl.Errorf(pawl.Invalid, "nothing was written")
}

// showDiff prints all changes, line by line, in between.
func (i *installing) showDiff(plan *setup.Plan) error {
	defer func(diff bool) { i.diff = diff }(i.diff)
	i.diff = true
	for n, item := range i.fileItems(plan) {
		i.printDiff(item, plan.Changes[n])
	}
	return i.flush()
}

// explainAnswers says what each answer does.
func (i *installing) explainAnswers(names []string) {
	all := "set it up"
	if len(names) > 1 {
		all = "set up " + text.And(names)
	}
	rows := [][2]string{{"y, Enter", all}, {"n", "write nothing"}}
	if len(names) > 1 {
		rows = append(rows, [2]string{names[0], "set up only this one; several: " + strings.Join(names[:2], " ")})
	}
	rows = append(rows, [2]string{"d", "show all changes, line by line, and ask again"})
	for _, row := range rows {
		fmt.Fprintf(i.env.Stderr, "  %-9s %s\n", row[0], row[1])
	}
}

// named are the agents that a person typed, by their names or as people know them;
// none if one of them is not among the names.
func (i *installing) named(said string, names []string) (chosen []string) {
	for word := range strings.SplitSeq(strings.ReplaceAll(said, " and ", ","), ",") {
		word = strings.TrimSpace(word)
		at := slices.IndexFunc(names, func(name string) bool {
			return word == name || word == strings.ToLower(i.titles([]string{name}))
		})
		if at < 0 {
			if words := strings.Fields(word); len(words) > 1 { // claude codex
				return i.named(strings.Join(words, ","), names)
			}
			return nil
		}
		if !slices.Contains(chosen, names[at]) {
			chosen = append(chosen, names[at])
		}
	}
	return chosen
}
