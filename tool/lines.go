package tool

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
)

// The most bytes of a task's texts in a line of a list. A model pays for bytes,
// whatever the script.
const (
	mostSubject = 120
	mostRemark  = 60
)

// brief is a task as a line of a list, of bounded length. shared is how the board is
// shared, or nil.
func brief(t *pawl.Task, shared *share.Status) string {
	short := *t
	short.Subject = clip(t.Subject, mostSubject)
	short.Owner = clip(t.Owner, mostRemark)
	short.Damage = clip(t.Damage, mostSubject)
	if t.Hold != nil {
		hold := *t.Hold
		hold.Reason = clip(hold.Reason, mostRemark)
		short.Hold = &hold
	}
	return show.ListLine(&short, shared)
}

// unmarked is brief without the box at its beginning, for a line that says in
// words where the task stands.
func unmarked(t *pawl.Task) string { return strings.TrimPrefix(brief(t, nil), show.Mark(t)+" ") }

// name is how a sentence calls a task.
func name(t *pawl.Task) string {
	short := pawl.Task{ID: t.ID, Subject: clip(t.Subject, mostSubject)}
	return show.Name(&short)
}

// clip shortens s to at most n bytes, an ellipsis at its end included.
func clip(s string, n int) string {
	const ellipsis = "…"
	if len(s) <= n {
		return s
	}
	cut := n - len(ellipsis)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strings.TrimRight(s[:cut], " ") + ellipsis
}

// page is the part of text from offset on that has room in n bytes, cut at the
// end of a line where that is near, and where the next part begins; zero: it
// was the last.
func page(text string, offset, n int) (part string, next int) {
	if offset >= len(text) {
		return "", 0
	}
	for offset > 0 && !utf8.RuneStart(text[offset]) {
		offset--
	}
	rest := text[offset:]
	if len(rest) <= n {
		return rest, 0
	}
	cut := n
	for cut > 0 && !utf8.RuneStart(rest[cut]) {
		cut--
	}
	if end := strings.LastIndexByte(rest[:cut], '\n'); end > cut/2 {
		cut = end + 1
	}
	return rest[:cut], offset + cut
}

// fit shortens tasks for programs, until they fit into n bytes, and reports whether
// it had to. It cuts the longest and least needed fields first.
func fit(tasks []wire.Task, n int) (cut bool) {
	size := func() int {
		text, err := json.Marshal(tasks)
		if err != nil {
			return 0 // nobody will see them
		}
		return len(text)
	}
	each := n / max(1, len(tasks))
	for _, shorten := range []func(t *wire.Task){
		func(t *wire.Task) { t.Description = clip(t.Description, max(each/2, 200)) },
		func(t *wire.Task) {
			t.Notes = t.Notes[max(0, len(t.Notes)-3):]
			for i := range t.Notes {
				t.Notes[i].Text = clip(t.Notes[i].Text, max(each/10, 100))
			}
		},
		func(t *wire.Task) { t.Metadata, t.Extra = nil, nil },
		func(t *wire.Task) {
			t.Evidence = nil // each check has its last run
			for i := range t.Checks {
				c := &t.Checks[i]
				c.Run, c.Env = c.Run[:min(len(c.Run), 8)], nil
				for k := range c.Run {
					c.Run[k] = clip(c.Run[k], mostRemark)
				}
			}
			t.Accept = t.Accept[:min(10, len(t.Accept))]
			for i := range t.Accept {
				t.Accept[i].Text = clip(t.Accept[i].Text, mostSubject)
			}
		},
		func(t *wire.Task) {
			t.Merging = t.Merging[:min(5, len(t.Merging))]
			for i := range t.Merging {
				o := &t.Merging[i]
				o.Subject, o.Owner, o.Description, o.Notes, o.BlockedBy = clip(o.Subject, mostSubject), clip(o.Owner, mostRemark), "", nil, o.BlockedBy[:min(20, len(o.BlockedBy))]
			}
		},
		func(t *wire.Task) {
			for _, ids := range []*[]pawl.ID{&t.BlockedBy, &t.Blocks, &t.Unblocked, &t.Children} {
				*ids = (*ids)[:min(20, len(*ids))]
			}
			t.Labels = t.Labels[:min(5, len(t.Labels))]
		},
		func(t *wire.Task) {
			t.Subject, t.Description, t.ActiveForm, t.Notes = clip(t.Subject, mostSubject), "", "", nil
			t.Owner, t.Damage, t.Hold = clip(t.Owner, mostRemark), clip(t.Damage, mostRemark), nil
			t.Merging, t.Was = nil, nil
			t.Checks, t.Accept = nil, nil
		},
	} {
		if size() <= n {
			return cut
		}
		cut = true
		for i := range tasks {
			shorten(&tasks[i])
		}
	}
	return cut
}
