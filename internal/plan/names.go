package plan

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

type names struct {
	refs     map[string][]*item
	folded   map[string][]*item // refs without regard to case
	numbers  map[string][]*item
	subjects map[string][]*item
	sorted   []string // the keys of subjects
}

func (b *builder) names() *names {
	n := &names{map[string][]*item{}, map[string][]*item{}, map[string][]*item{}, map[string][]*item{}, nil}
	for _, it := range b.items {
		if it.ref != "" {
			if first := n.refs[it.ref]; len(first) > 0 {
				b.fault(it.at, "has the ref %q, which was given to %q before", clip(it.ref), clip(first[0].subject))
			}
			n.refs[it.ref] = append(n.refs[it.ref], it)
			n.folded[fold(it.ref)] = append(n.folded[fold(it.ref)], it)
		}
		if it.number != "" {
			n.numbers[it.number] = append(n.numbers[it.number], it)
		}
		for _, alias := range it.aliases {
			n.numbers[alias] = append(n.numbers[alias], it)
		}
		n.subjects[fold(it.subject)] = append(n.subjects[fold(it.subject)], it)
	}
	n.sorted = slices.Sorted(maps.Keys(n.subjects))
	return n
}

// fold is a name without what people vary: case, spacing, quotes, emphasis.
func fold(s string) string {
	return strings.ToLower(strings.Trim(strings.Join(strings.Fields(s), " "), "\"'`“”‘’*_ "))
}

// match returns the items that a name may mean. Only the best kind of match
// counts.
func (n *names) match(name string, prefix bool) []*item {
	key := fold(name)
	if key == "" {
		return nil
	}
	for _, found := range [][]*item{n.refs[name], n.folded[key], n.numbers[strings.TrimSuffix(key, ".")], n.subjects[key]} {
		if len(found) > 0 {
			return found
		}
	}
	var found []*item
	for i, _ := slices.BinarySearch(n.sorted, key); prefix && i < len(n.sorted) && strings.HasPrefix(n.sorted[i], key); i++ {
		if found = append(found, n.subjects[n.sorted[i]]...); len(found) > 1 {
			break // too many already
		}
	}
	return found
}

func boardID(name string) (pawl.ID, bool) {
	if !strings.HasPrefix(name, "#") {
		return 0, false
	}
	id, err := pawl.ParseID(name)
	return id, err == nil
}

var (
	nothing      = &text.Regexp{Expr: `^(?:none|nothing|n/a|-|–|—)(?:\s*\(.*\)?)?$`}
	finishedWord = &text.Regexp{Expr: `(?i)\s+(?:is )?(?:complet(?:e|ed|ion)|done|finished)$`}
)

// nearest narrows down what a name may mean to what stands in the same list, or
// under the same heading, as the one that says it.
func nearest(found []*item, by *item) []*item {
	for up := by; up != nil; up = up.up {
		var close []*item
		for _, it := range found {
			if it != by && it.up == up.up {
				close = append(close, it)
			}
		}
		if len(close) == 1 {
			return close
		}
	}
	return found
}

// mostCommas is how many commas the name of one item may have.
const mostCommas = 8

// find returns what a mention means. An item that is done is nothing to wait
// for.
func (b *builder) find(m mention, by *item, n *names) []blocker {
	if !m.many {
		return b.one(m, by, n)
	}
	var found []blocker
	for _, name := range n.apart(m.name) {
		part := m
		part.name = name
		found = append(found, b.one(part, by, n)...)
	}
	return found
}

// apart takes a list of names apart.
func (n *names) apart(list string) []string {
	parts := strings.Split(list, ",")
	var found []string
	for i := 0; i < len(parts); {
		j := min(i+1+mostCommas, len(parts))
		for ; j > i+1; j-- { // a subject may have commas itself
			if len(n.match(strings.TrimSpace(strings.Join(parts[i:j], ",")), false)) == 1 {
				break
			}
		}
		name := strings.TrimSpace(strings.Join(parts[i:j], ","))
		if i = j; name != "" {
			found = append(found, n.conjoined(name)...)
		}
	}
	return found
}

// conjoined takes “X and Y” apart unless something is called so.
func (n *names) conjoined(name string) []string {
	if n.known(name) {
		return []string{name}
	}
	name = strings.TrimPrefix(name, "and ")
	for _, and := range []string{" and ", " & "} {
		if x, y, ok := strings.Cut(name, and); ok && n.known(x) && n.known(y) {
			return []string{x, y}
		}
	}
	return []string{name}
}

func (n *names) known(name string) bool {
	_, ok := boardID(name)
	return ok || len(n.match(name, true)) > 0
}

func (b *builder) one(m mention, by *item, n *names) []blocker {
	name := strings.TrimSpace(m.name)
	if id, ok := boardID(name); ok {
		return []blocker{{id: id}}
	}
	name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "{"), "#"), "}")
	found := n.match(name, true)
	if short := finishedWord.Get().ReplaceAllString(name, ""); len(found) == 0 && short != name {
		found = n.match(short, true)
	}
	if len(found) > 1 {
		found = nearest(found, by)
	}
	if len(found) == 0 && m.plain {
		id, err := pawl.ParseID(name)
		if err != nil {
			b.fault(m.at, "%s", err)
			return nil
		}
		return []blocker{{id: id}}
	}
	switch {
	case len(found) == 1:
		return []blocker{{item: found[0]}}
	case len(found) > 1:
		b.fault(m.at, "%q may be %q, %s, or %q, %s: name it whole, or give it a ref", clip(name),
			clip(found[0].subject), found[0].at, clip(found[1].subject), found[1].at)
		return nil
	}
	if nothing.Get().MatchString(fold(name)) {
		return nil
	}
	switch near := n.near(name); {
	case near != nil:
		b.fault(m.at, "nothing in the plan is called %q; did you mean %q, %s?", clip(name), clip(near.subject), near.at)
	case m.bare != "":
		b.fault(m.at, "nothing in the plan is called %q; a task of the board is written #12, and a remark that is not a dependency needs no brackets", clip(name))
	default:
		b.fault(m.at, "nothing in the plan is called %q; a task of the board is written #12", clip(name))
	}
	return nil
}

// mostNear bounds the names that are compared by their letters.
const mostNear = 100

// near returns the item that was probably meant by a name that none has: one
// that is written almost so, or the only one with these words in its subject.
func (n *names) near(name string) *item {
	key := fold(name)
	if len(key) < 2 || len(key) > mostNear {
		return nil
	}
	var alike []string
	var with []*item
	for _, subject := range n.sorted {
		if d := len(subject) - len(key); -8 <= d && d <= 8 { // bytes of two letters
			alike = append(alike, subject)
		}
		if strings.Contains(" "+subject+" ", " "+key+" ") {
			with = append(with, n.subjects[subject]...)
		}
	}
	if len(with) == 1 {
		return with[0]
	}
	if subject := text.Nearest(key, alike); subject != "" {
		return n.subjects[subject][0]
	}
	return nil
}

// places numbers the items by where they stand: "2", "2.1".
func (b *builder) places() map[*item]string {
	places := map[*item]string{}
	count := map[*item]int{}
	for _, it := range b.items {
		count[it.up]++
		place := strconv.Itoa(count[it.up])
		if it.up != nil {
			place = places[it.up] + "." + place
		}
		places[it] = place
	}
	return places
}
