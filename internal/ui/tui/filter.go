package tui

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// A filter says which tasks are seen.
type filter struct{ query pawl.Query }

func (f *filter) on() bool { return f.words() != "" }

// words says what is seen: "@ada +core, high priority".
func (f *filter) words() string {
	q := &f.query
	var words []string
	for _, c := range choicesOf(q) {
		words = append(words, c.words())
	}
	return strings.Join(words, ", ")
}

// A choice is a part of a filter.
type choice struct {
	kind     choiceKind
	text     string        // an owner, a label, what is searched
	priority pawl.Priority // of priorities
	parent   pawl.ID       // of the parts of a task
	state    query.State
}

type choiceKind uint8

const (
	byOwner choiceKind = iota
	byLabel
	byPriority
	byParent
	byText
	byState
)

// choicesOf are the choices that a query is made of.
func choicesOf(q *pawl.Query) []choice {
	var all []choice
	if q.Owner != "" {
		all = append(all, choice{kind: byOwner, text: q.Owner})
	}
	for _, label := range q.Labels {
		all = append(all, choice{kind: byLabel, text: label})
	}
	if q.Priority != nil {
		all = append(all, choice{kind: byPriority, priority: *q.Priority})
	}
	if q.Parent != 0 {
		all = append(all, choice{kind: byParent, parent: q.Parent})
	}
	for _, state := range []query.State{query.Ready, query.Waiting, query.Held, query.Damaged} {
		if *flagOf(q, state) {
			all = append(all, choice{kind: byState, state: state})
		}
	}
	if q.Text != "" {
		all = append(all, choice{kind: byText, text: q.Text})
	}
	return all
}

func (c choice) words() string {
	switch c.kind {
	case byOwner:
		return "@" + text.Line(c.text)
	case byLabel:
		return "+" + text.Line(c.text)
	case byPriority:
		return c.priority.String() + " priority"
	case byParent:
		return "parts of " + c.parent.String()
	case byText:
		return `"` + text.Line(c.text) + `"`
	}
	if c.state == query.Held {
		return "on hold"
	}
	return c.state.String()
}

// flagOf is the flag of a query that chooses tasks of a state.
func flagOf(q *pawl.Query, s query.State) *bool {
	return map[query.State]*bool{query.Ready: &q.Ready, query.Waiting: &q.Blocked, query.Held: &q.Held, query.Damaged: &q.Damaged}[s]
}

// in reports whether a query has the choice.
func (c choice) in(q *pawl.Query) bool { return slices.Contains(choicesOf(q), c) }

// turn adds the choice to a query, or removes it. A choice such as an owner, of
// which a task has one only, replaces the one chosen before. me is the reader.
func (c choice) turn(q pawl.Query, me string) pawl.Query {
	on := !c.in(&q)
	switch c.kind {
	case byOwner:
		q.Owner = onlyIf(on, c.text)
	case byLabel:
		q.Labels = without(q.Labels, []string{c.text})
		if on {
			q.Labels = append(q.Labels, c.text)
		}
	case byPriority:
		q.Priority = onlyIf(on, &c.priority)
	case byParent:
		q.Parent = onlyIf(on, c.parent)
	case byText:
		q.Text = onlyIf(on, c.text)
	default:
		q.Ready, q.For, q.Blocked, q.Held, q.Damaged = false, "", false, false, false
		if *flagOf(&q, c.state) = on; q.Ready {
			q.For = me
		}
	}
	return q
}

func onlyIf[V any](on bool, v V) (none V) {
	if on {
		return v
	}
	return none
}
