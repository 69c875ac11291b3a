package checklist

import (
	"fmt"
	"path"
	"strings"

	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/text"
)

const openSpecKey = "openspec"

// OpenSpec reads the tasks.md of a change of OpenSpec:
//
//	## 1. Global Config
//	- [ ] 1.1 Add the scope
//
// The change is the parent of its groups, and a group of its tasks. Tasks have
// an order only with --chain. All tasks of an archived change are done, and nothing is
// ticked there.
var OpenSpec = imports.Format{
	Name: openSpecKey, Title: "OpenSpec", Shape: "openspec/changes/NAME/tasks.md; pawl sync ticks its boxes", Boxes: true,
	Find: func(root string) []string {
		return imports.Within(root, "openspec/changes", "tasks.md", func(name string) bool { return name != "archive" })
	},
	Recognises: func(name string, _ []byte) bool {
		return strings.Contains("/"+name, "/openspec/changes/") && path.Base(name) == "tasks.md"
	},
	Read: readOpenSpec, Count: imports.CountBoxes,
}

var date = &text.Regexp{Expr: `^\d{4}-\d{2}-\d{2}-`}

func readOpenSpec(in *imports.Input) (*imports.Result, error) {
	text, err := in.Text()
	if err != nil {
		return nil, err
	}
	whole := Key(in, "openspec/changes")
	archived := strings.Contains("/"+whole, "/archive/")
	name := date.Get().ReplaceAllString(path.Base(whole), "")
	d := &Doc{In: in}
	lines := Lines(text)
	if name == "." || name == "" {
		for _, l := range lines {
			if l.Level == 1 {
				name = slug(strings.TrimPrefix(l.Text, "Tasks:"))
				break
			}
		}
		if name == "" || name == "." {
			name = "change"
		}
	}
	prefix := path.Dir(strings.Replace(whole, "archive/", "", 1))
	if prefix == "." {
		prefix = ""
	} else {
		prefix += "/"
	}
	d.Base = openSpecKey + ":" + prefix + name
	change := d.Add("change", name, name, Line{}, plan.Step{Parent: -1, Group: true})
	for _, line := range openSpecWhy(in) {
		d.Describe(change, line)
	}
	group, last, indent, groups := change, -1, 0, 0
	for _, l := range lines {
		switch {
		case l.Code || l.Text == "":
		case l.Level == 1:
		case l.Level > 1:
			if group != change {
				d.Drop(group, nil)
			}
			no, title := Number(l.Text)
			group = d.Add(no, title, title, l, plan.Step{Parent: change, Group: true})
			if group < 0 {
				group = change
			}
			last = -1
		case l.Box != 0:
			no, words := Number(l.Text)
			parent := group
			if last >= 0 && l.Indent > indent {
				parent = last
			}
			i := d.Add(no, l.Text, words, l, plan.Step{Parent: parent, Done: l.Done() || archived})
			if i >= 0 && parent == group {
				last, indent = i, l.Indent
			}
			if i >= 0 && archived {
				if d.Task(i).Keep("archived", true); !l.Done() {
					d.Result.Change(d.Task(i), "done: its change is archived")
				}
			}
		case last >= 0 && l.Indent > indent:
			d.Describe(last, l.Text)
		default:
			if last = -1; group != change {
				d.Describe(group, l.Text)
			}
		}
	}
	if group != change {
		d.Drop(group, nil)
	}
	if d.Steps() == 1 {
		return &imports.Result{}, nil
	}
	groups = len(d.Parts(change))
	r, err := d.End()
	if err != nil {
		return nil, err
	}
	r.Closed = archived
	r.Told = fmt.Sprintf("1 change, %d groups, %s", groups, d.Told())
	if groups == 1 {
		r.Told = "1 change, 1 group, " + d.Told()
	}
	if tasks, done := d.Counts(); !in.Chain && tasks-done > 1 {
		r.Told += ", no order (--chain: in a row)"
	}
	return r, nil
}

func openSpecWhy(in *imports.Input) []string {
	if in.In != nil {
		return nil
	}
	text, err := in.File(path.Join(path.Dir(in.Path), "proposal.md"), imports.MaxText)
	if err != nil {
		return nil
	}
	var found []string
	on, size := false, 0
	for _, l := range Lines(text) {
		if l.Level > 0 {
			if on {
				break
			}
			on = strings.EqualFold(l.Text, "why")
			continue
		}
		if size += len(l.Text); on && size < mostWhy {
			if l.Bullet {
				l.Text = "- " + l.Text
			}
			found = append(found, l.Text)
		}
	}
	return found
}

// mostWhy is how much of a proposal is worth repeating.
const mostWhy = 4 << 10
