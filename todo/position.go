package todo

import (
	"fmt"
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

// itself is the position.sub of a todo.
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
