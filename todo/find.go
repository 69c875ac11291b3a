package todo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// finder turns positions into places of a list, and collects what is wrong
// with them.
type finder struct {
	list   *List
	faults []string
	kind   pawl.Kind
}

func (f *finder) fault(kind pawl.Kind, format string, args ...any) {
	if len(f.faults) == 0 || kind == pawl.Invalid {
		f.kind = kind
	}
	f.faults = append(f.faults, fmt.Sprintf(format, args...))
}

func (f *finder) err() error {
	switch len(f.faults) {
	case 0:
		return nil
	case 1:
		return pawl.Errorf(f.kind, "%s", f.faults[0])
	}
	e := pawl.Errorf(f.kind, "some positions cannot be meant")
	for _, problem := range f.faults {
		e.Faults = append(e.Faults, pawl.Fault{Problem: problem})
	}
	return e
}

// has says how many todos there are, or subtasks of one.
func (f *finder) has() string {
	if len(f.list.Items) == 0 {
		return "the list is empty"
	}
	return "the list has " + count(len(f.list.Items), "todo")
}

func (f *finder) hasSubtasks(item int) string {
	if n := len(f.list.Items[item].Subtasks); n > 0 {
		return fmt.Sprintf("todo %d has %s", item+1, count(n, "subtask"))
	}
	return fmt.Sprintf("todo %d has no subtasks", item+1)
}

// todo finds the todo of an ordinal; text is the position that it stands in.
func (f *finder) todo(o ordinal, text string) (int, bool) {
	i, ok := o.at(len(f.list.Items))
	if !ok {
		f.fault(pawl.NotFound, "position %s: %s", text, f.has())
	}
	return i, ok
}

func (f *finder) spot(s spot, text string) (position, bool) {
	item, ok := f.todo(s.item, text)
	if !ok || s.sub == nil {
		return position{item, itself}, ok
	}
	sub, ok := s.sub.at(len(f.list.Items[item].Subtasks))
	if !ok {
		f.fault(pawl.NotFound, "position %s: %s", text, f.hasSubtasks(item))
	}
	return position{item, sub}, ok
}

// stretch finds the places from one spot to another.
func (f *finder) stretch(s stretch, text string) []position {
	var from, to position
	switch {
	case s.of != nil:
		item, ok := f.todo(*s.of, text)
		if !ok {
			return nil
		}
		if len(f.list.Items[item].Subtasks) == 0 {
			f.fault(pawl.NotFound, "position %s: %s", text, f.hasSubtasks(item))
			return nil
		}
		from, to = position{item, 0}, position{item, len(f.list.Items[item].Subtasks) - 1}
	case s.all:
		if len(f.list.Items) == 0 {
			f.fault(pawl.NotFound, "position %s: %s", text, f.has())
			return nil
		}
		from, to = position{0, itself}, position{len(f.list.Items) - 1, itself}
	default:
		var ok, also bool
		if from, ok = f.spot(s.from, text); !ok {
			return nil
		}
		if to, also = f.spot(s.to, text); !also {
			return nil
		}
	}
	switch {
	case from.sub != itself && from.item != to.item:
		f.fault(pawl.Invalid, "%s: a range of subtasks is one within a todo", text)
		return nil
	case comparePlaces(from, to) > 0:
		f.fault(pawl.Invalid, "%s: a range goes from the smaller position to the larger one", text)
		return nil
	}
	var out []position
	for p := from; comparePlaces(p, to) <= 0; {
		out = append(out, p)
		if p.sub == itself {
			p.item++
		} else {
			p.sub++
		}
	}
	return out
}

func comparePlaces(a, b position) int {
	return cmp.Or(cmp.Compare(a.item, b.item), cmp.Compare(a.sub, b.sub))
}

// find returns what positions name, each once, in the order of the list. All
// that is wrong with them is told at once.
func (l *List) find(positions []string) ([]position, error) {
	f := finder{list: l}
	var out []position
	if len(positions) > MaxPositions {
		return nil, pawl.Errorf(pawl.Invalid, "%d positions are given, and no list has more than %d todos", len(positions), MaxItems)
	}
	for _, text := range positions {
		stretches, err := parseStretches(text)
		if err != nil {
			f.fault(pawl.Invalid, "%s", err)
			continue
		}
		for _, s := range stretches {
			out = append(out, f.stretch(s, clip(strings.TrimSpace(text), 40))...)
		}
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, pawl.Errorf(pawl.Invalid, "no position is given: say 2, last, 2.1, 1-3 or all")
	}
	slices.SortFunc(out, comparePlaces)
	return slices.Compact(out), nil
}

// Named counts the todos and subtasks that positions name: 0 if one of them names
// none.
func (l *List) Named(positions ...string) int {
	places, err := l.find(positions)
	if err != nil {
		return 0
	}
	return len(places)
}

// findOne is find where only one can be meant.
func (l *List) findOne(typed string) (position, error) {
	places, err := l.find([]string{typed})
	if err == nil && len(places) > 1 {
		err = pawl.Errorf(pawl.Invalid, "%q names %d of them, and one is wanted", clip(typed, 40), len(places))
	}
	if err != nil {
		return position{}, err
	}
	return places[0], nil
}

// A gap is where something new goes: before what is there, which may be one behind
// the last.
type gap = position

// findGap returns where something that takes this position goes. "last" is
// behind all others; nothing at all too.
func (l *List) findGap(typed string) (gap, error) {
	if strings.TrimSpace(typed) == "" {
		typed = "last"
	}
	f := finder{list: l}
	stretches, err := parseStretches(typed)
	if err != nil {
		return gap{}, err
	}
	s := stretches[0]
	if len(stretches) > 1 || s.all || s.from != s.to {
		return gap{}, pawl.Errorf(pawl.Invalid, "%q names several, and one place is wanted", clip(typed, 40))
	}
	text := clip(strings.TrimSpace(typed), 40)
	if s.from.sub == nil {
		item, ok := s.from.item.gap(len(l.Items))
		if !ok {
			f.fault(pawl.NotFound, "position %s: %s, so a place there goes from 1 to %d", text, f.has(), len(l.Items)+1)
		}
		return gap{item, itself}, f.err()
	}
	item, ok := f.todo(s.from.item, text)
	if !ok {
		return gap{}, f.err()
	}
	n := len(l.Items[item].Subtasks)
	sub, ok := s.from.sub.gap(n)
	if !ok {
		f.fault(pawl.NotFound, "position %s: %s, so a place there goes from %d.1 to %d.%d", text, f.hasSubtasks(item), item+1, item+1, n+1)
	}
	return gap{item, sub}, f.err()
}

// gap is at for something that is put in among n things.
func (o ordinal) gap(n int) (int, bool) {
	if o.last {
		return n, true
	}
	return o.n - 1, o.n >= 1 && o.n <= n+1
}

// Select returns the todos at some positions, in the order of the list.
func (l *List) Select(positions []string) ([]Item, error) {
	places, err := l.find(positions)
	if err != nil {
		return nil, err
	}
	f := finder{list: l}
	var items []Item
	for _, p := range places {
		if p.sub != itself {
			f.fault(pawl.Invalid, "position %s is a subtask, which goes with its todo %d", p, p.item+1)
			continue
		}
		items = append(items, l.Items[p.item].clone())
	}
	return items, f.err()
}
