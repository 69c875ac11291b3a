package todo

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
)

// MaxPositions is how many positions one edit may name: more than a list has
// todos means nothing.
const MaxPositions = MaxItems

// Positions are how a person points at todos, counted from 1:
//
//	2  last          a todo
//	2.1  2.last      a subtask of it
//	1-3  2-last      several, and so 2.1-2.3 or 2.1-3
//	all  2.all       all todos, all subtasks of one
//	1,3              one and another

// A position is where a todo or a subtask is in a list, counted from 0.
type position struct {
	item int
	sub  int // itself: the todo itself
}

// itself is the position.sub of what is no subtask.
const itself = -1

func (p position) String() string {
	if p.sub == itself {
		return strconv.Itoa(p.item + 1)
	}
	return fmt.Sprintf("%d.%d", p.item+1, p.sub+1)
}

// An ordinal is a number as a position has it: counted from 1, or the last.
type ordinal struct {
	n    int
	last bool
}

// at returns the index of the ordinal among n things.
func (o ordinal) at(n int) (int, bool) {
	if o.last {
		return n - 1, n > 0
	}
	return o.n - 1, o.n >= 1 && o.n <= n
}

// A spot is a position as it is written, before anybody looked whether it is
// there.
type spot struct {
	item ordinal
	sub  *ordinal
}

// A stretch is several places that follow one another: from one spot to
// another, or all that there are.
type stretch struct {
	from, to spot
	all      bool
	of       *ordinal // with all: the todo whose subtasks they are
}

// IsPosition reports whether a text could be a position of a list, whichever
// todos it has.
func IsPosition(text string) bool {
	_, err := parseStretches(text)
	return err == nil
}

func parseStretches(text string) ([]stretch, error) {
	var out []stretch
	for part := range strings.SplitSeq(text, ",") {
		s, ok := parseStretch(strings.ToLower(strings.TrimSpace(part)))
		if !ok {
			return nil, pawl.Errorf(pawl.Invalid, "%q is not a position: it looks like 2, last, 2.1, 1-3 or all", clip(part, 40))
		}
		if out = append(out, s); len(out) > MaxPositions {
			return nil, pawl.Errorf(pawl.Invalid, "more than %d positions are given, and no list has so many todos", MaxPositions)
		}
	}
	return out, nil
}

func parseStretch(text string) (stretch, bool) {
	if text == "all" {
		return stretch{all: true}, true
	}
	if head, ok := strings.CutSuffix(text, ".all"); ok {
		of, ok := parseOrdinal(head)
		return stretch{all: true, of: &of}, ok
	}
	head, tail, several := strings.Cut(text, "-")
	from, ok := parseSpot(head)
	if !ok || !several {
		return stretch{from: from, to: from}, ok
	}
	if from.sub != nil && !strings.Contains(tail, ".") { // 2.1-3
		end, ok := parseOrdinal(tail)
		return stretch{from: from, to: spot{from.item, &end}}, ok
	}
	to, ok := parseSpot(tail)
	return stretch{from: from, to: to}, ok && (from.sub == nil) == (to.sub == nil)
}

func parseSpot(text string) (spot, bool) {
	head, tail, deeper := strings.Cut(text, ".")
	item, ok := parseOrdinal(head)
	if !ok || !deeper {
		return spot{item: item}, ok
	}
	sub, ok := parseOrdinal(tail)
	return spot{item, &sub}, ok
}

func parseOrdinal(text string) (ordinal, bool) {
	if text == "last" {
		return ordinal{last: true}, true
	}
	const longest = 6 // digits: far beyond any list, and no overflow
	if text == "" || len(text) > longest || strings.Trim(text, "0123456789") != "" {
		return ordinal{}, false
	}
	n, err := strconv.Atoi(text)
	return ordinal{n: n}, err == nil
}

// finder turns positions into places of a list, and collects what is wrong
// with them.
type finder struct {
	list   *List
	faults []string
	kind   pawl.Kind
}

// fault notes what is wrong with a position.
func (f *finder) fault(kind pawl.Kind, format string, args ...any) {
	if len(f.faults) == 0 || kind == pawl.Invalid {
		f.kind = kind
	}
	f.faults = append(f.faults, fmt.Sprintf(format, args...))
}

// err is what is wrong, all of it.
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
