package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

func (i *installing) noteLine(n setup.Note) string {
	line := n.Agent + ": "
	if n.Path != "" {
		line += i.shortPath(n.Path) + ": "
	}
	return text.Line(line + n.Text)
}

// shortPath is a path as people write it.
func (i *installing) shortPath(path string) string {
	if below, ok := strings.CutPrefix(path, i.root+string(filepath.Separator)); ok && i.root != i.planner.Home {
		return below
	}
	if below, ok := strings.CutPrefix(path, i.planner.Home+string(filepath.Separator)); ok {
		return "~" + string(filepath.Separator) + below
	}
	return path
}

// shownDiff is a change fit to be shown: it may go into the transcript of an
// agent, and the lines around ours are others'.
func shownDiff(name string, c setup.Change) string {
	var b strings.Builder
	for line := range strings.Lines(setup.Diff(name, c.Old, c.New)) {
		line = strings.TrimSuffix(line, "\n")
		tabs := strings.Split(line, "\t") // which are harmless, and how people indent
		for n, part := range tabs {
			tabs[n] = text.Line(part)
		}
		b.WriteString(todo.MaskText(strings.Join(tabs, "\t")) + "\n")
	}
	return b.String()
}

// printDiff prints a change. Of a file that is ours alone its name is enough, and
// of the others what goes in or out, unless the lines are asked for.
func (i *installing) printDiff(item fileItem, c setup.Change) {
	if !i.dry && !i.diff && !c.Alone() {
		i.print("%s %s: %s\n", item.Change, text.Line(i.shortPath(item.File)), strings.Join(item.For, ", "))
		return
	}
	if content := slices.Concat(c.Old, c.New); c.Alone() {
		i.print("%s %s: %s, %s\n", item.Change, text.Line(i.shortPath(item.File)), strings.Join(item.For, ", "), text.Count(strings.Count(string(content), "\n"), "line", "lines"))
		return
	}
	for line := range strings.Lines(item.Diff) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "+"):
			line = i.paint.as(green, line)
		case strings.HasPrefix(line, "-"):
			line = i.paint.as(red, line)
		case strings.HasPrefix(line, "@@"):
			line = i.paint.as(faint, line)
		}
		i.print("%s\n", line)
	}
}
