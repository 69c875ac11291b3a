package file

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// readTask reads the text of a task's file. One in which git has left conflict lines
// is this side's task, with the other side's under Merging, if both sides are tasks;
// it is not a text to be patched.
func readTask(id pawl.ID, text []byte) (f taskjson.File, conflicted bool, err error) {
	f, err = taskjson.Decode(text)
	if err == nil {
		return f, false, nil
	}
	_, ourText, theirText, ok := taskjson.Sides(text)
	if !ok {
		return f, false, err
	}
	ours, ourErr := taskjson.Decode(ourText)
	theirs, theirErr := taskjson.Decode(theirText)
	if ourErr != nil || theirErr != nil { // it is the text of .highwatermark
		return f, false, err
	}
	if ours.Task.ID != id && theirs.Task.ID == id { // git took a task of another number for this one
		ours, theirs = theirs, ours
	}
	others := theirs.Task.Merging
	theirs.Task.Merging = nil
	if !bytes.Equal(taskjson.Encode(&ours.Task), taskjson.Encode(&theirs.Task)) {
		others = append([]pawl.Task{theirs.Task}, others...)
	}
	ours.Task.Merging = append(ours.Task.Merging, others...)
	return ours, true, nil
}

// merging finds what is to be merged: tasks of another branch beside one.
func (c *checkup) merging(e *entry) {
	if len(e.merging) == 0 && !e.conflicted {
		return
	}
	var others []string
	for i := range e.merging {
		others = append(others, fmt.Sprintf("%v %q", e.merging[i].ID, e.merging[i].Subject))
	}
	p := pawl.Problem{
		Kind: "merging", IDs: []pawl.ID{e.id}, File: taskName(e.id),
		Text: "the boards of two branches are not merged yet: the file also has " + strings.Join(others, ", ") + " of the other branch",
		Mend: "have the boards merged: pawl merge",
	}
	if e.conflicted {
		p.Text = "the boards of two branches are not merged yet: git's conflict lines are in the file, which reads as this side of them"
	}
	c.add(p)
}

// leftByGit names the versions that git has left in a text, each by its branch
// and, where it can be read, by what it says. It is empty where git has left none.
func leftByGit(text []byte) []string {
	var ours, theirs []byte // the whole text with one side of each conflict
	names := map[byte]string{}
	var side byte
	size := 0
	for line := range bytes.Lines(text) {
		c, n, label := taskjson.ConflictLine(line)
		if size == 0 {
			size = n
		}
		if n == 0 || n != size { // git makes those longer that stand in a base
			if side == 0 || side == '<' {
				ours = append(ours, line...)
			}
			if side == 0 || side == '=' {
				theirs = append(theirs, line...)
			}
			continue
		}
		names[c] = label
		if side = c; c == '>' {
			side = 0
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{describe(cmp.Or(names['<'], "ours"), ours), describe(cmp.Or(names['>'], "theirs"), theirs)}
}

func describe(label string, text []byte) string {
	file, err := taskjson.Decode(text)
	if err != nil {
		return label
	}
	return fmt.Sprintf("%s (%q, %s)", label, file.Task.Subject, file.Task.Status)
}
