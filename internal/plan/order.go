package plan

import (
	"slices"
	"strings"
)

// The order that a text gives its items without naming them:
//
//   - a numbered list runs in order, and so do headings and items that begin
//     with an ordinal: "2.", "Phase 2", "Step 2", "T002". A list of bullets does
//     not. Items of one ordinal run side by side, and so do all items of a wave.
//   - [P] items run side by side: after the item before them, and before the next.
//   - numbers that go on over several headings put the headings in order, too.
//   - an item that names what it waits for waits for that alone; what follows
//     waits for it nevertheless.
//
// An item waits for all that went before it and is open, directly or through
// others, so that items that are done leave no gap. Order passes through headings:
// an item after one waits for the last of its items. An edge that is named wins:
// one of a row that would close a cycle is not made.

// mostAcross is how many edges may lead from the items of one heading to those
// of the next. Where it would be more they wait for the heading.
const mostAcross = 64

// rows puts the items in order, those of the innermost lists first.
func (b *builder) rows() {
	b.inRow = map[*item]bool{}
	if b.loose && !b.chain {
		return
	}
	for _, it := range b.deepestFirst() {
		b.siblings(it, it.children)
	}
	b.siblings(nil, b.roots())
}

// siblings puts the children of one item, or those of none, in order.
func (b *builder) siblings(of *item, all []*item) {
	if b.chain && (of == nil || of.head) {
		b.row(all)
		return
	}
	if b.loose {
		return
	}
	var heads []*item
	lists := map[int][]*item{}
	var order []int
	for _, it := range all {
		if it.head {
			heads = append(heads, it)
			continue
		}
		if lists[it.list] == nil {
			order = append(order, it.list)
		}
		lists[it.list] = append(lists[it.list], it)
	}
	wave := of != nil && of.loose
	for _, no := range order {
		list := lists[no]
		if no == 0 || !wave && runs(list) {
			b.row(ordinals(list, no != 0 && list[0].number != ""))
		}
	}
	if row := ordinals(heads, false); len(row) > 1 {
		b.row(row)
	} else if continues(heads) {
		b.row(heads)
	}
}

// runs reports whether a list has an order.
func runs(list []*item) bool {
	return list[0].number != "" || slices.ContainsFunc(list, func(it *item) bool { return it.band != "" }) || len(ordinals(list, false)) > 1
}

// ordinals picks the items that belong into a row: all of a list that is numbered
// or has marks for what may run side by side, else those with an ordinal.
func ordinals(list []*item, all bool) []*item {
	all = all || slices.ContainsFunc(list, func(it *item) bool { return it.band == "p" })
	var row []*item
	for i, it := range list {
		if it.band == "" && it.ordinal != "" && !strings.HasPrefix(it.ordinal, "t") {
			if i > 0 && list[i-1].ordinal == it.ordinal || i+1 < len(list) && list[i+1].ordinal == it.ordinal {
				it.band = it.ordinal
			}
		}
		if all || it.ordinal != "" {
			row = append(row, it)
		}
	}
	return row
}

// continues reports whether the numbers of the lists go on from one heading to
// the next.
func continues(heads []*item) bool {
	before := 0
	for i, head := range heads {
		var first, end int
		for _, it := range head.children {
			if it.number == "" || it.head {
				return false
			}
			if end = last(it.number); first == 0 {
				first = end
			}
		}
		if first == 0 || i > 0 && first != before+1 {
			return false
		}
		before = end
	}
	return len(heads) > 1
}

// row lets each item wait for what went before it.
func (b *builder) row(items []*item) {
	if len(items) < 2 {
		return
	}
	var base, ends []*item // what the run waits for; what the next one waits for
	run := ""
	for _, it := range items {
		b.inRow[it] = true
		b.ordered = b.ordered || !b.chain
		var waits []*item
		switch {
		case it.named && !b.chain:
			ends = append(b.passed(ends, it), it)
			continue
		case it.band != "" && it.band == run:
			waits = base
		case it.optional:
			waits = ends
		default:
			waits, base = ends, ends
		}
		b.across(it, waits)
		if it.optional {
			continue
		}
		run = it.band
		ends = append(b.passed(ends, it), it)
	}
}

// passed are those of ends that still have to be waited for once something waits
// for it.
func (b *builder) passed(ends []*item, it *item) []*item {
	if len(ends) == 0 {
		return nil
	}
	b.searchFor(nil)(it) // passes all that it waits for
	var left []*item
	for _, on := range ends {
		if it.done && !on.done || on.seen != b.searches {
			left = append(left, on)
		}
	}
	return left
}

// across lets the items that may come first in one wait for others.
func (b *builder) across(it *item, all []*item) {
	for _, x := range entries(it) {
		waits := b.searchFor(x)
		for _, on := range all {
			if w := (blocker{item: on}); !slices.Contains(x.waits, w) && !waits(on) {
				x.waits = append(x.waits, w)
			}
		}
	}
}

// through lets what waits for a heading wait for the last items below it
// instead, since there is nothing else to do about a heading.
func (b *builder) through() {
	waiting := map[*item]int{}
	for _, it := range b.items {
		for _, w := range it.waits {
			if w.item != nil {
				waiting[w.item]++
			}
		}
	}
	for _, it := range b.items {
		var waits []blocker
		for _, w := range it.waits {
			to := []*item{w.item}
			if w.item != nil && w.item.group {
				if to = exits(w.item); len(to)*waiting[w.item] > mostAcross {
					to = []*item{w.item}
				}
			}
			for _, on := range to {
				if w.item = on; !slices.Contains(waits, w) {
					waits = append(waits, w)
				}
			}
		}
		it.waits = waits
	}
}

// entries are the tips of an item that wait for no open part of it.
func entries(it *item) []*item {
	var first []*item
	for _, x := range it.tips() {
		if !slices.ContainsFunc(x.waits, func(w blocker) bool {
			return w.item != nil && !w.item.done && w.item.within(it)
		}) {
			first = append(first, x)
		}
	}
	return first
}

// tips are what may be begun in an item at some time: leaves, and parents whose
// children are all done.
func (it *item) tips() []*item {
	open := func(c *item) bool { return !c.done }
	return slices.DeleteFunc(it.tree(nil), func(x *item) bool {
		return len(x.children) > 0 && (x.done || slices.ContainsFunc(x.children, open))
	})
}

// exits are what comes last in an item: itself, or of a heading what stands below
// and nothing else there waits for, unless that is done already while it is not.
func exits(it *item) []*item {
	if !it.group {
		return []*item{it}
	}
	var last []*item
	for _, c := range it.children {
		last = append(last, exits(c)...)
	}
	if some := filter(last, func(x *item) bool { return !x.optional }); len(some) > 0 {
		last = some
	}
	tree := it.tree(nil)
	return slices.DeleteFunc(last, func(x *item) bool {
		return slices.ContainsFunc(tree, func(other *item) bool {
			return !other.optional && slices.Contains(other.waits, blocker{item: x}) && (x.done || !other.done)
		})
	})
}

// tree is the item with everything below it.
func (it *item) tree(to []*item) []*item {
	to = append(to, it)
	for _, c := range it.children {
		to = c.tree(to)
	}
	return to
}

// searchFor returns a function that reports whether an item, or something that
// it is made of, waits for the one that is looked for. It may be asked about many
// items as long as nothing new waits for that one: it does not pass an item twice
// in vain, because a wave of 500 tasks makes 250,000 edges.
func (b *builder) searchFor(on *item) func(*item) bool {
	b.searches++
	mine := b.searches
	var visit func(x *item) bool
	visit = func(x *item) bool {
		if x == on {
			return true
		}
		if x.seen == mine {
			return false
		}
		x.seen = mine
		for _, w := range x.waits {
			if w.item != nil && visit(w.item) {
				return true
			}
		}
		return slices.ContainsFunc(x.children, visit)
	}
	return func(from *item) bool {
		found := visit(from)
		if found { // some that were passed on the way do lead there
			b.searches++
			mine = b.searches
		}
		return found
	}
}

// understood counts what became of the text.
func (b *builder) understood() Understood {
	u := Understood{Left: b.left, Ordered: b.ordered}
	index := map[*item]int{}
	for i, it := range b.items {
		index[it] = i
		for _, w := range it.waits {
			if w.item != nil {
				u.Edges++
			}
		}
		switch {
		case it.head && it.group:
			u.Headings++
			if b.inRow[it] {
				u.HeadingsInRow++
			}
			continue
		case it.done:
			u.Done++
		}
		if b.inRow[it] {
			u.InRow++
		}
	}
	for i, it := range b.items {
		for _, line := range it.notes {
			u.Notes = append(u.Notes, Note{i, line})
		}
		u.Checks += len(it.checks)
		u.Criteria += len(it.accept)
	}
	for _, it := range b.unshown {
		u.Unshown = append(u.Unshown, index[it])
	}
	for _, it := range b.reopened {
		u.Reopened = append(u.Reopened, index[it])
	}
	return u
}

// roots are the items that are nested in no other one.
func (b *builder) roots() []*item {
	return filter(b.items, func(it *item) bool { return it.up == nil })
}

func filter(items []*item, keep func(*item) bool) []*item {
	return slices.DeleteFunc(slices.Clone(items), func(it *item) bool { return !keep(it) })
}
